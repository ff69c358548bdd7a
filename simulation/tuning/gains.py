"""Gains as numbers without dimension, and as settings.

The loops of two aircraft are alike when their gains are scaled by what an actuator can do and how
late it does it (`simulation.aircraft.performance.Authority`), so the search asks for these numbers:

    rate loop   Kp = bandwidth / (A tau)    Kd = damping Kp tau    Ki = Kp reset
    angle loop  Kp = angle                  Ki = 0

with A the angular acceleration in deg/s2 an actuator of 1 gives, tau the lag of motors and gyro
filter in s. Roll and pitch have the same numbers: their loops differ in A alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.performance import authority
from simulation.records.interface import IMU_S

Array = npt.NDArray[np.float64]

BANK: Final = "StabilizationSettingsBank1"
AXES: Final = ("Roll", "Pitch", "Yaw")
_ROLL, _PITCH, _YAW = range(3)
_RATE: Final = ("Kp", "Ki", "Kd", "ILimit")
_ANGLE: Final = ("Kp", "Ki", "ILimit")
_P, _I, _D = range(3)
_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Number:
    """One that is searched, by logarithm between `low` and `high`; `paths` are the fields that it
    scales."""

    name: str
    title: str
    low: float
    high: float
    paths: tuple[str, ...]


def _of_both(field: str) -> tuple[str, ...]:
    return f"Roll{field}", f"Pitch{field}"


NUMBERS: Final = (
    Number("bandwidth", "Kp of the roll and pitch rate", 0.4, 6.0, _of_both("RatePID.Kp")),
    Number("damping", "Kd of the roll and pitch rate", 0.05, 1.2, _of_both("RatePID.Kd")),
    Number("reset", "Ki of the roll and pitch rate", 0.5, 8.0, _of_both("RatePID.Ki")),
    Number("angle", "Kp of roll and pitch", 1.5, 15.0, _of_both("PI.Kp")),
    Number("yaw_bandwidth", "Kp of the yaw rate", 0.1, 4.0, ("YawRatePID.Kp",)),
    Number("yaw_damping", "Kd of the yaw rate", 0.01, 1.0, ("YawRatePID.Kd",)),
    Number("yaw_reset", "Ki of the yaw rate", 0.2, 4.0, ("YawRatePID.Ki",)),
    Number("yaw_angle", "Kp of yaw", 0.8, 8.0, ("YawPI.Kp",)),
)
"""What is searched, in the order of a candidate."""


@dataclass(frozen=True, slots=True, eq=False)
class GainSet:
    """Of one candidate or several: `rate_pid` (..., 3, 4) and `attitude_pi` (..., 3, 3), as in
    SETTINGS."""

    rate_pid: Array
    attitude_pi: Array

    def __getitem__(self, which: Any) -> "GainSet":
        return GainSet(self.rate_pid[which], self.attitude_pi[which])

    def __len__(self) -> int:
        return len(self.rate_pid)

    def __iter__(self) -> Iterator["GainSet"]:
        return (self[i] for i in range(len(self)))

    def write(self, settings: Any) -> None:
        """Into SETTINGS of as many aircraft."""
        settings["rate_pid"] = self.rate_pid
        settings["attitude_pi"] = self.attitude_pi

    def as_settings(self) -> dict[str, float]:
        """Of one candidate: fields of the bank by path, with as many digits as people type."""
        found = {}
        for i, axis in enumerate(AXES):
            for j, name in enumerate(_RATE[:-1]):
                found[f"{axis}RatePID.{name}"] = _rounded(self.rate_pid[i, j])
            for j, name in enumerate(_ANGLE[:-1]):
                found[f"{axis}PI.{name}"] = _rounded(self.attitude_pi[i, j])
        return found


def gains_of(settings: Any) -> GainSet:
    """The gains in a record of SETTINGS."""
    return GainSet(settings["rate_pid"].copy(), settings["attitude_pi"].copy())


def stacked(several: "list[GainSet]") -> GainSet:
    """Candidates beside each other."""
    return GainSet(
        np.stack([one.rate_pid for one in several]), np.stack([one.attitude_pi for one in several])
    )


def scaled(gains: GainSet, paths: tuple[str, ...], factor: float) -> GainSet:
    """One candidate with some gains times a factor."""
    values = {path: factor * value for path, value in gains.as_settings().items() if path in paths}
    return with_settings(gains, values)


def with_settings(gains: GainSet, values: Mapping[str, float]) -> GainSet:
    """One candidate with the values of these paths."""
    rate, angle = gains.rate_pid.copy(), gains.attitude_pi.copy()
    for i, axis in enumerate(AXES):
        for table, field, names in ((rate, f"{axis}RatePID", _RATE), (angle, f"{axis}PI", _ANGLE)):
            for j, name in enumerate(names):
                table[i, j] = values.get(f"{field}.{name}", table[i, j])
    return GainSet(rate, angle)


class GainScale:
    """Makes gains of dimensionless numbers for one aircraft; limits of integrals are kept."""

    def __init__(self, parameters: Any, settings: Any) -> None:
        can = authority(parameters, settings)
        self._authority = np.array(can.acceleration_dps2)
        self._lag_s = can.motor_lag_s + gyro_filter_s(settings)
        self._present = gains_of(settings)

    def gains(self, numbers: Array) -> GainSet:
        """(n, 8) numbers of NUMBERS, themselves and not their logarithms."""
        bandwidth, damping, reset, angle = numbers.T[:4]
        yaw_bandwidth, yaw_damping, yaw_reset, yaw_angle = numbers.T[4:]
        count = len(numbers)
        rate = np.repeat(self._present.rate_pid[None], count, axis=0)
        attitude = np.repeat(self._present.attitude_pi[None], count, axis=0)
        for axis in (_ROLL, _PITCH):
            self._set(rate, axis, (bandwidth, damping, reset))
            attitude[:, axis, _P] = angle
        self._set(rate, _YAW, (yaw_bandwidth, yaw_damping, yaw_reset))
        attitude[:, _YAW, _P] = yaw_angle
        attitude[:, :, _I] = 0.0
        return GainSet(*(_rounded_all(table) for table in (rate, attitude)))

    def _set(self, rate: Array, axis: int, numbers: tuple[Array, Array, Array]) -> None:
        bandwidth, damping, reset = numbers
        kp = bandwidth / (self._authority[axis] * self._lag_s)
        rate[:, axis, _P] = kp
        rate[:, axis, _I] = reset * kp
        rate[:, axis, _D] = damping * kp * self._lag_s


def gyro_filter_s(settings: Any) -> float:
    """Time constant of the low-pass that control has on its gyro."""
    keep = float(settings["gyro_keep"])
    return IMU_S * keep / (1.0 - keep)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _rounded_all(values: Array) -> Array:
    return np.asarray(np.vectorize(_rounded, otypes=[np.float64])(values))
