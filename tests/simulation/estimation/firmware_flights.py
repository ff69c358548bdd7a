"""Flights of real firmware, and their motion flown again in front of the simulated board.

The flights stand in ../shared/data/firmware-flights beside the project, with a README that says how
they came about: firmware flown in our physics, whose sensors draw their errors by the seed. So the
same motion gives the same samples, and what our filter makes of them can be compared with what
firmware told, moment by moment and whatever flies.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.estimation.ins13_sensors import FULL_BARO_SAMPLES
from simulation.records.flight import POSITION, RATES
from simulation.records.sensor_table import ACCEL, GYRO
from simulation.simulator.simulator import Simulator
from tests.simulation.estimation.ins13_reference import GRAVITY
from tests.simulation.flights import parked

Array = npt.NDArray[np.float64]

_ROWS: Final = slice(POSITION, RATES + 3)
_MOTORS: Final = 4
AIRBORNE_M: Final = 0.5
_TOLD_EVERY: Final = 10  # steps
_OLDEST_MS: Final = 160
EKF_DEFAULTS: Final = {
    "ekf_q": [0.001] * 3 + [0.003] * 3 + [1e-6] * 3,
    "ekf_r": [0.1, 0.1, 1e6, 0.01, 0.01, 0.01, 10.0, 10.0, 10.0, 0.01],
}
"""EKFConfiguration as its definition has it; P is the same in the airframe."""


@dataclass(frozen=True, slots=True)
class FirmwareFlight:
    """One of them: the recorded columns and what `index.json` says of it."""

    name: str
    seed: int
    sensor_rate_hz: int
    has_ekf_defaults: bool
    columns: dict[str, Array]

    @property
    def told_s(self) -> Array:
        """When the board told its estimate, shape (n,)."""
        return self.columns["estimate"][:, 0]

    @property
    def told(self) -> Array:
        """What it told: position NED, roll, pitch, yaw in degrees, velocity NED; shape (n, 9)."""
        return self.columns["estimate"][:, 1:]

    def at(self, times_s: Array, column: str) -> Array:
        """A column of the truth at other times, as many rows."""
        values = self.columns[column]
        return np.stack([np.interp(times_s, self.columns["time_s"], v) for v in values.T], axis=1)

    def truth(self, times_s: Array) -> Array:
        """Truth in the order of `told`."""
        position = self.at(times_s, "true_position_ned_m")
        velocity = self.at(times_s, "true_velocity_ned_mps")
        return np.hstack((position, _angles_deg(self.attitude(times_s)), velocity))

    def attitude(self, times_s: Array) -> Array:
        """Quaternions, which are first brought to the same sign."""
        q = self.columns["true_q_wxyz"]
        signs = np.cumprod(np.concatenate(([1.0], np.sign(np.sum(q[1:] * q[:-1], axis=1)))))
        smooth = FirmwareFlight(self.name, 0, 0, False, {**self.columns, "q": q * signs[:, None]})
        turned = smooth.at(times_s, "q")
        return np.asarray(turned / np.linalg.norm(turned, axis=1, keepdims=True))

    def is_airborne(self) -> npt.NDArray[np.bool_]:
        """For each row of `told`."""
        height = -self.at(self.told_s, "true_position_ned_m")[:, 2]
        return np.asarray(height > AIRBORNE_M)


def load_flight(folder: Path, name: str) -> FirmwareFlight:
    """Read one of the flights in `folder`."""
    index = json.loads((folder / "index.json").read_text())
    entry = next(flight for flight in index if flight["flight"] == name)
    with np.load(folder / f"{name}.npz") as kept:
        columns = {key: kept[key].astype(np.float64) for key in kept}
    return FirmwareFlight(
        name,
        int(entry["seed"]),
        int(entry["sensor_rate_hz"]),
        "EKFConfiguration" in entry["settings"],
        columns,
    )


def _angles_deg(q: Array) -> Array:
    """Roll, pitch, yaw of quaternions (n, 4)."""
    w, x, y, z = q.T
    roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2.0 * (w * y - x * z), -1.0, 1.0))
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return np.degrees(np.stack((roll, pitch, yaw), axis=1))


@dataclass(frozen=True, slots=True)
class _Motion:
    """By the millisecond: STATE.motion without rotors, specific force in body axes, pulses."""

    rows: Array
    force: Array
    pulses: Array


def _motion_of(flight: FirmwareFlight) -> _Motion:
    """What was recorded 50 times a second, in between on straight lines; rates and forces are those
    that lead from each millisecond to the next, so that they add up to what was recorded."""
    steps = int(flight.columns["time_s"][-1] * 1000.0)
    times_s = np.arange(steps) / 1000.0
    position = flight.at(times_s, "true_position_ned_m")
    velocity, q = flight.at(times_s, "true_velocity_ned_mps"), flight.attitude(times_s)
    rates = 2000.0 * _products(q * (1.0, -1.0, -1.0, -1.0), _next(q))[:, 1:]
    force = 1000.0 * (_next(velocity) - velocity) - GRAVITY
    felt = _turned_back(q, 0.5 * (force + _next(force)))
    rates = 0.5 * (rates + _next(rates))  # a sample stands for two steps
    rows = np.hstack((position, velocity, q, rates))
    after = np.searchsorted(flight.columns["time_s"], times_s, side="right")
    pulses = flight.columns["actuator_us"][np.minimum(after, len(flight.columns["time_s"]) - 1)]
    return _Motion(rows, felt, pulses)


def _next(values: Array) -> Array:
    return np.vstack((values[1:], values[-1:]))


def _products(a: Array, b: Array) -> Array:
    """Of quaternions, row by row."""
    scalar = a[:, 0] * b[:, 0] - np.sum(a[:, 1:] * b[:, 1:], axis=1)
    vector = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.hstack((scalar[:, None], vector))


def _turned_back(q: Array, v: Array) -> Array:
    """NED vectors in body axes."""
    plain = np.hstack((np.zeros((len(v), 1)), v))
    back = q * (1.0, -1.0, -1.0, -1.0)
    return _products(_products(back, plain), q)[:, 1:]


def flown_again(flight: FirmwareFlight, simulator: Simulator | None = None) -> Array:
    """What the simulated board estimates of the same motion: as `told`, behind a column of times in
    s; every 10 ms. A `simulator` of another kind is a negative control."""
    motion = _motion_of(flight)
    simulator = simulator or board_for(flight)
    state, output, command = simulator.record["state"], simulator.output, simulator.command
    moved, felt, pulses = state["motion"], state["specific_force"], command["outputs"]
    command["outputs_supplied"] = 1
    rows: list[list[float]] = []
    slow = _SlowImu(simulator, 1000 // flight.sensor_rate_hz) if _is_slow(flight) else None
    for step in range(len(motion.rows)):
        moved[_ROWS], felt[:] = motion.rows[step], motion.force[step]
        pulses[:_MOTORS] = motion.pulses[step]
        if slow is not None:
            slow.supply(step)
        simulator.advance(1)
        if step % _TOLD_EVERY == 0:
            told = (output["position"], output["attitude_deg"], output["velocity"])
            rows.append([step / 1000.0, *(float(v) for part in told for v in part)])
    return np.array(rows)


def board_for(flight: FirmwareFlight) -> Simulator:
    """The simulated board of that flight, before it is switched on. Over the link that fed the
    firmware there are no lines of vibration, see `simulation.hitl.physics`."""
    simulator = parked(flight.seed)
    simulator.record["parameters"]["harmonics"] = 0.0
    simulator.settings["baro_samples"] = FULL_BARO_SAMPLES
    if flight.has_ekf_defaults:
        for member, values in EKF_DEFAULTS.items():
            simulator.settings[member] = values
    return simulator


def _is_slow(flight: FirmwareFlight) -> bool:
    return flight.sensor_rate_hz < 500


class _SlowImu:
    """Hands on only some of the samples of gyro and accelerometer, as a slow link does."""

    def __init__(self, simulator: Simulator, every: int) -> None:
        self._output: Any = simulator.output
        self._override: Any = simulator.command["override"]
        self._every = every
        self._override["any"] = 1
        self._override["replaced"][[GYRO, ACCEL]] = 1

    def supply(self, step: int) -> None:
        """Before each step."""
        if step % self._every == 0:
            self._override["value"][GYRO, :3] = self._output["raw_gyro"]
            self._override["value"][ACCEL, :3] = self._output["raw_accel"]
            self._override["count"][GYRO] += 1


@dataclass(frozen=True, slots=True)
class Agreement:
    """In the air, in the order of `told`: how far ours is from the firmware's (rms), and how far
    either is from the truth (rms and mean). Angles in degrees; shapes (9,)."""

    apart: Array
    firmware_error: Array
    our_error: Array
    firmware_mean: Array
    our_mean: Array


def compared(flight: FirmwareFlight, ours: Array) -> Agreement:
    """Ours beside the firmware's. What is told is up to a period of telemetry old, each object by
    another time, so that ours is taken at the age that fits position, attitude or velocity best."""
    airborne = flight.is_airborne()
    told, times_s = flight.told[airborne], flight.told_s[airborne]
    same = np.zeros_like(told)
    for part in (slice(0, 3), slice(3, 6), slice(6, 9)):
        columns = np.column_stack((ours[:, 0], ours[:, 1:][:, part]))
        found = [_interpolated(columns, times_s - ms / 1000.0) for ms in range(_OLDEST_MS)]
        same[:, part] = min(
            found, key=lambda one: float(np.square(_less(one, told[:, part])).sum())
        )
    truth = flight.truth(times_s)
    errors = [_less(estimate, truth) for estimate in (told, same)]
    return Agreement(
        _rms(_less(same, told)),
        *(_rms(error) for error in errors),
        *(error.mean(axis=0) for error in errors),
    )


def _interpolated(ours: Array, times_s: Array) -> Array:
    return np.stack([np.interp(times_s, ours[:, 0], v) for v in ours[:, 1:].T], axis=1)


def _less(a: Array, b: Array) -> Array:
    """Differences, of angles the short way round. Positions and velocities here are far below
    180."""
    return np.asarray((a - b + 180.0) % 360.0 - 180.0)


def _rms(values: Array) -> Array:
    return np.asarray(np.sqrt(np.mean(np.square(values), axis=0)))
