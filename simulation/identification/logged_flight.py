"""Logged flight: what identification reads of a recording, and what a recording lacks for it."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.configuration.board_logs.rate_preset import TITLE
from telemetry.recording.flight_state import (
    ACCELERATION,
    ATTITUDE,
    POSITION,
    VELOCITY,
    armed_spans,
)
from telemetry.recording.recording import Recording

Floats = npt.NDArray[np.float64]

_GYRO: Final = ("GyroState", "GyroSensor", "Gyros")
_GPS_VELOCITY: Final = ("GPSVelocitySensor", "GPSVelocity")
_XYZ, _NED, _QUATERNION = ("x", "y", "z"), ("North", "East", "Down"), ("q1", "q2", "q3", "q4")
_LEAST_SAMPLES: Final = 20
_ABSURD: Final = 1e6
"""In the units of any of the signals."""
_LEAST_V: Final = 1.0
_LENGTH_ERROR: Final = 0.1
_LEAST_GPS_HZ: Final = 2.0
"""Slower GPS velocities tell less than the board's estimate."""


class IdentificationError(ValueError):
    """A log that identification can do nothing with: a sentence with a remedy."""


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """Values (n, k) at times (n,) in seconds, ascending."""

    times: Floats
    values: Floats

    @property
    def rate_hz(self) -> float:
        """In the middle of all intervals; 0 for less than two values."""
        if len(self.times) < 2:
            return 0.0
        return 1.0 / max(float(np.median(np.diff(self.times))), 1e-6)

    @property
    def is_constant(self) -> bool:
        """Whether it shows the same all the time, which nothing that is measured does."""
        return not np.ptp(self.values, axis=0).any()

    def at(self, times: Floats) -> Floats:
        """Between two values on the straight line (n, k)."""
        columns = [np.interp(times, self.times, column) for column in self.values.T]
        return np.column_stack(columns)

    def within(self, start_s: float, end_s: float) -> "Signal":
        """The part of a span."""
        first, last = np.searchsorted(self.times, (start_s, end_s))
        return Signal(self.times[first:last], self.values[first:last])


@dataclass(frozen=True, slots=True, eq=False)
class LoggedFlight:
    """Signals of one flight in the log's seconds.

    `gyro` deg/s and `accel` m/s2 (specific force) along the body's axes, `attitude` q_wxyz of the
    board's estimate, `velocity` NED m/s, by GPS if `is_gps`, `pulses` us by channel, `voltage` V
    (None: not recorded), `height_m` over where it began (None: not recorded) and above the sea.
    """

    gyro: Signal
    accel: Signal
    attitude: Signal
    velocity: Signal
    is_gps: bool
    pulses: Signal
    voltage: Signal | None
    height_m: Signal | None
    altitude_m: float

    def within(self, start_s: float, end_s: float) -> "LoggedFlight":
        """The part of a span."""
        parts = {
            name: signal.within(start_s, end_s)
            for name in ("gyro", "accel", "attitude", "velocity", "pulses", "voltage", "height_m")
            if (signal := getattr(self, name)) is not None
        }
        return replace(self, **parts)


def read_flight(recording: Recording, start_s: float | None, end_s: float | None) -> LoggedFlight:
    """Raises IdentificationError where what is needed is missing."""
    span = (start_s, end_s)
    gyro = _needed(recording, _GYRO, _XYZ, span, "turn rates")
    accel = _needed(recording, ACCELERATION, _XYZ, span, "accelerations")
    attitude = _rotations(_needed(recording, ATTITUDE, _QUATERNION, span, "attitude"))
    pulses = _needed(recording, ("ActuatorCommand",), None, span, "motor commands")
    velocity, is_gps = _velocity(recording, span)
    return LoggedFlight(
        gyro,
        accel,
        attitude,
        velocity,
        is_gps,
        pulses,
        _voltage(recording, span),
        _height(recording, float(pulses.times[0])),
        _altitude_m(recording),
    )


def _velocity(recording: Recording, span: tuple[float | None, float | None]) -> tuple[Signal, bool]:
    """By GPS, or as estimated on board where GPS was recorded too rarely or had no fix."""
    measured = _read(recording, _GPS_VELOCITY, _NED, span)
    is_often = measured.rate_hz >= _LEAST_GPS_HZ and len(measured.times) >= _LEAST_SAMPLES
    if is_often and not measured.is_constant:
        return measured, True
    return _needed(recording, VELOCITY, _NED, span, "velocities"), False


def _voltage(recording: Recording, span: tuple[float | None, float | None]) -> Signal | None:
    """None where mostly none was measured: monitors show 0 without, and until they have begun."""
    voltage = _read(recording, ("FlightBatteryState",), ("Voltage",), span)
    shown = voltage.values[:, 0] > _LEAST_V
    if shown.sum() <= 0.5 * len(shown):
        return None
    return Signal(voltage.times[shown], voltage.values[shown])


def _rotations(attitude: Signal) -> Signal:
    """Without quaternions that are none, as boards send before they have an estimate."""
    length = np.linalg.norm(attitude.values, axis=1)
    turned = np.abs(length - 1.0) < _LENGTH_ERROR
    if turned.sum() < _LEAST_SAMPLES:
        raise IdentificationError(
            f"The attitude in this span ({ATTITUDE[0]}) is no rotation, without which nothing is "
            "told. Choose a span after the board has found its attitude."
        )
    return Signal(attitude.times[turned], attitude.values[turned])


def _needed(
    recording: Recording,
    names: tuple[str, ...],
    elements: tuple[str, ...] | None,
    span: tuple[float | None, float | None],
    what: str,
) -> Signal:
    signal = _read(recording, names, elements, span)
    if len(signal.times) < _LEAST_SAMPLES:
        raise IdentificationError(
            f"The log has no {what} ({names[0]}) in this span, without which nothing is told. "
            f"Record the next flight with the telemetry preset '{TITLE}'."
        )
    return signal


def _read(
    recording: Recording,
    names: tuple[str, ...],
    elements: tuple[str, ...] | None,
    span: tuple[float | None, float | None],
) -> Signal:
    """The object of the first name that has these fields, or ActuatorCommand's channels."""
    for name in names:
        if elements is None:
            times, values = recording.series(f"{name}.Channel", *span)
        else:
            columns = [recording.series(f"{name}.{element}", *span) for element in elements]
            times = columns[0][0]
            values = np.column_stack([column for _, column in columns])
        if len(times):
            return _ascending(np.asarray(times), np.asarray(values, np.float64))
    return Signal(np.empty(0), np.empty((0, len(elements or ()))))


def _ascending(times: Floats, values: Floats) -> Signal:
    """Without what is no number of a flight, and of equal stamps the last."""
    kept = (np.abs(values) < _ABSURD).all(axis=1) & np.isfinite(times)
    times, values = times[kept], values[kept]
    last = np.concatenate([times[1:] > times[:-1], np.ones(min(len(times), 1), np.bool_)])
    return Signal(times[last], values[last])


def _height(recording: Recording, start_s: float) -> Signal | None:
    """Over where it was armed last, or first; where no arming was recorded, over the start."""
    down = _read(recording, POSITION, ("Down",), (None, None))
    if len(down.times) < _LEAST_SAMPLES:
        return None
    armed = np.array([first for first, _ in armed_spans(recording, recording.last_s)] or [start_s])
    last = np.maximum(np.searchsorted(armed, down.times, "right") - 1, 0)
    return Signal(down.times, down.at(armed)[last] - down.values)


def _altitude_m(recording: Recording) -> float:
    """Above the sea, for the density of the air: HomeLocation's; 0 where it is not known."""
    home = recording.latest("HomeLocation", recording.last_s)
    return float(home.raw("Altitude")) if home is not None else 0.0
