"""Estimation errors and NEES: how well pose is known, and how well the filter knows that.

Many flights with other errors of the sensors are flown on the estimate, and compared with truth.
The normalised estimation error squared (NEES, Bar-Shalom, Estimation with Applications, 5.4.2) is
e' P^-1 e of attitude, position and velocity; divided by its three degrees of freedom it is 1 on
average if the filter's covariance P is honest, above 1 if the filter is too sure of itself.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.estimation.ekf_state import POSITION, TURN, VELOCITY
from simulation.mathematics.rotation import rotation_between, to_ned
from simulation.records.flight import TURN_ON
from simulation.records.interface import (
    AXIS_ATTITUDE,
    AXIS_LOCK,
    FUSION_COMPLEMENTARY_MAG_GPS,
    FUSION_INS13,
    HORIZONTAL_NONE,
    HORIZONTAL_POSITION,
    HORIZONTAL_VELOCITY,
    VERTICAL_HOLD,
    VERTICAL_TAKEOFF,
)
from simulation.records.sensor_table import ACCEL, GPS
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, FigureSeries, series
from simulation.scenarios.measures import rms
from simulation.simulator.simulator import Simulator

Array = npt.NDArray[np.float64]

_SAMPLE_STEPS = 100
_HEIGHT_M = 15.0
_READY_STEPS = 8000
_TAKEOFF_STEPS = 12_000
_ENDLESS_AS = 1e12  # hours are flown, too
_SPEED_MPS, _TILT_DEG, _YAW_DEGPS = 6.0, 30.0, 45.0
_LEG_STEPS, _PULSE_STEPS = 2500, 600
_BLOCKS = (int(TURN), int(POSITION), int(VELOCITY))
_NAMES = ("attitude", "position", "velocity")
_TITLES = (
    ("Attitude error about down", "deg", 0, 2),
    ("Position error north", "m", 1, 0),
    ("Velocity error north", "m/s", 2, 0),
)


@dataclass(frozen=True, slots=True)
class _Flown:
    """One flight: errors and deviations of (attitude deg about NED, position, velocity), shapes
    (samples, 3, 3); NEES per degree of freedom, shape (samples, 3)."""

    time_s: Array
    error: Array
    deviation: Array
    nees: Array
    crashed: bool
    digest: str


def run(experiment: Experiment) -> RunOutcome:
    """Fly `runs` times and judge all of them together."""
    values = experiment.values
    flights = [_fly(experiment, number, values["fusion"]) for number in range(int(values["runs"]))]
    errors = np.stack([flight.error for flight in flights])
    metrics = {
        "attitude_rms_deg": rms(np.sqrt(np.sum(np.square(errors[:, :, 0]), axis=2))),
        "tilt_rms_deg": rms(np.sqrt(np.sum(np.square(errors[:, :, 0, :2]), axis=2))),
        "heading_rms_deg": rms(errors[:, :, 0, 2]),
        "position_rms_m": rms(np.sqrt(np.sum(np.square(errors[:, :, 1, :2]), axis=2))),
        "height_rms_m": rms(errors[:, :, 1, 2]),
        "velocity_rms_mps": rms(np.sqrt(np.sum(np.square(errors[:, :, 2]), axis=2))),
    }
    nees = np.stack([flight.nees for flight in flights])
    mean = nees.mean(axis=0)
    low, high = chi_square_band(3 * len(flights))
    for i, name in enumerate(_NAMES):
        metrics[f"nees_{name}"] = float(np.mean(mean[:, i]))
        metrics[f"in_band_{name}"] = float(np.mean((low <= mean[:, i]) & (mean[:, i] <= high)))
    crashed = any(flight.crashed for flight in flights)
    digest = hashlib.sha256("".join(flight.digest for flight in flights).encode()).hexdigest()
    other = _fly(experiment, 0, 1.0 - values["fusion"])
    return RunOutcome(metrics, _draw(flights[0], other, nees), digest, crashed)


def _fly(experiment: Experiment, number: int, fusion: float) -> _Flown:
    """Flight `number`, by Lapwing's own Kalman filter if `fusion` is 1; firmware's INS13 does not
    claim to know how well it knows."""
    values = experiment.values
    simulator = experiment.simulator(number, change=_spoiling(values))
    settings = simulator.settings
    settings["own_filter"] = 1
    settings["fusion_algorithm"] = FUSION_INS13 if fusion else FUSION_COMPLEMENTARY_MAG_GPS
    settings["ekf_r"] *= values["r_scale"]
    _take_off(simulator)
    flight = experiment.bare_flight(
        simulator,
        ("true_position", "position", "velocity", "quaternion"),
        sample_steps=_SAMPLE_STEPS,
    )
    rows = []
    script = _aggressive(simulator) if values["aggressive"] else _hover()
    remaining = round(values["seconds"] * 1000) // _SAMPLE_STEPS
    for pause in script:
        for _ in range(min(pause // _SAMPLE_STEPS, remaining)):
            flight.advance(_SAMPLE_STEPS / 1000)
            rows.append(_compare(simulator))
        remaining -= pause // _SAMPLE_STEPS
        if remaining <= 0:
            break
    time_s = np.arange(1, len(rows) + 1) * _SAMPLE_STEPS / 1000
    error, deviation, nees = (np.array(column) for column in zip(*rows, strict=True))
    crashed = bool(simulator.output["crashed"])
    return _Flown(time_s, error, deviation, nees, crashed, flight.track.digest())


def _spoiling(values: Mapping[str, float]) -> Callable[[np.void], None]:
    """What makes the sensors differ from what the filter takes them for."""

    def spoil(parameters: np.void) -> None:
        if values["gps_delay_ms"] >= 0.0:
            parameters["sensor_delay"][GPS] = int(values["gps_delay_ms"])
        parameters["sensor_error"][ACCEL][TURN_ON] += values["accel_offset_mps2"]
        for shaking in ("vibration", "harmonics"):
            parameters[shaking] *= values["vibration"]
        for crooked in ("misalignment_deg", "cross_axis"):
            parameters[crooked] *= values["crooked"]
        parameters["capacity_as"] = _ENDLESS_AS

    return spoil


def _take_off(simulator: Simulator) -> None:
    simulator.advance(_READY_STEPS)
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"][2] = AXIS_LOCK
    command["horizontal_mode"] = HORIZONTAL_POSITION
    command["north_m"], command["east_m"] = simulator.output["position"][:2]
    command["vertical_mode"] = VERTICAL_TAKEOFF
    command["down_m"] = -_HEIGHT_M
    command["velocity_down"] = -2.0
    simulator.advance(_TAKEOFF_STEPS)
    command["vertical_mode"] = VERTICAL_HOLD


def _hover() -> Iterator[int]:
    while True:
        yield _LEG_STEPS


def _aggressive(simulator: Simulator) -> Iterator[int]:
    """Velocity steps to all sides while turning, then pulses of roll and pitch; steps to wait."""
    command = simulator.command
    while True:
        command["horizontal_mode"] = HORIZONTAL_VELOCITY
        for north, east, yaw in ((1, 0, 1), (-1, 0, 1), (0, 1, -1), (0, -1, -1)):
            command["velocity_north"], command["velocity_east"] = (
                _SPEED_MPS * north,
                _SPEED_MPS * east,
            )
            command["axis_setpoint"][2] = _YAW_DEGPS * yaw
            yield _LEG_STEPS
        command["horizontal_mode"] = HORIZONTAL_NONE
        command["axis_mode"][:2] = AXIS_ATTITUDE
        command["axis_setpoint"][2] = 0.0
        for axis in (0, 1):
            for side in (1, -1):
                command["axis_setpoint"][axis] = _TILT_DEG * side
                yield _PULSE_STEPS
            command["axis_setpoint"][axis] = 0.0
            yield _PULSE_STEPS


def _compare(simulator: Simulator) -> tuple[Array, Array, Array]:
    """Errors truth less estimate, deviations, NEES per degree of freedom."""
    output = simulator.output
    turned = rotation_between(output["quaternion"], output["true_quaternion"])
    errors = np.array(
        [
            to_ned(output["quaternion"], *turned),
            output["true_position"] - output["position"],
            output["true_velocity"] - output["velocity"],
        ]
    )
    covariance = simulator.filter["ekf"]["p"]
    deviations, nees = np.zeros((3, 3)), np.full(3, np.nan)
    for i, first in enumerate(_BLOCKS):
        block = covariance[first : first + 3, first : first + 3]
        deviations[i] = np.sqrt(np.diag(block))
        if block.any():
            nees[i] = errors[i] @ np.linalg.solve(block, errors[i]) / 3.0
    errors[0] = np.degrees(errors[0])
    deviations[0] = np.degrees(deviations[0])
    return errors, deviations, nees


def _draw(first: _Flown, other: _Flown, nees: Array) -> Figure:
    """Errors of the first flight and of the same by the other filter; NEES of all."""
    axes = []
    for title, unit, i, axis in _TITLES:
        three = 3.0 * first.deviation[:, i, axis]
        curves: list[FigureSeries] = [series("error", first.time_s, first.error[:, i, axis])]
        if three.any():
            curves += [series("+3 sigma", first.time_s, three, "dashed")]
            curves += [series("-3 sigma", first.time_s, -three, "dashed")]
        curves.append(series("error, other filter", other.time_s, other.error[:, i, axis]))
        axes.append(Axes(title, "time (s)", unit, tuple(curves)))
    mean = nees.mean(axis=0)
    if np.isfinite(mean).all():
        curves = [series(name, first.time_s, mean[:, i]) for i, name in enumerate(_NAMES)]
        axes.append(
            Axes(
                f"NEES per degree of freedom, mean of {len(nees)} flights",
                "time (s)",
                "",
                tuple(curves),
                bands=chi_square_band(3 * len(nees)),
            )
        )
    return Figure("Estimate against truth", tuple(axes))


def chi_square_band(freedom: int) -> tuple[float, float]:
    """Where 95 % of chi-square divided by its degrees of freedom lie (Wilson and Hilferty)."""
    spread = 2.0 / (9.0 * freedom)
    low, high = ((1.0 - spread + side * 1.959964 * spread**0.5) ** 3 for side in (-1.0, 1.0))
    return low, high
