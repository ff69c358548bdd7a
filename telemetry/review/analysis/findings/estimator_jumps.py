"""Estimator jump findings: jumps of the estimated position or attitude.

A position that its own velocity does not explain; an attitude that turns in one step as far as
nothing before or after it.

A position filter corrects itself by decimetres; five metres within a second or so throw an
aircraft off that holds its position. An attitude that steps by 15 degrees between two samples,
three times as fast as it turns before and after, was corrected, not flown.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from telemetry.base.finding import Level
from telemetry.recording.flight_state import ATTITUDE, POSITION, VELOCITY
from telemetry.review.analysis.findings.flight_finding import FindingKind, FlightFinding, found
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import Floats, stretches

ESTIMATOR_JUMP = FindingKind("estimator", "Estimator jump")
JUMP_M = 5.0
STEP_DEG = 15.0
_TIMES_AS_FAST = 3.0
_LONGEST_STEP_S = 3.0
_LONGEST_TURN_S = 0.5
_JOIN_S = 3.0
_NEIGHBOURS = 5
_REMEDY = (
    "Look at GPS and magnetometer at that time, and at what the estimator's variances say; "
    "calibrate the sensors."
)


def find_estimator_jumps(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """Jumps while armed."""
    yield from _position_jumps(flight)
    yield from _attitude_steps(flight)


def _position_jumps(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    axes = [flight.read(POSITION, axis) for axis in ("North", "East", "Down")]
    speeds = [flight.read(VELOCITY, axis) for axis in ("North", "East", "Down")]
    count = min(len(axis.times) for axis in axes)
    if count < 2 or not all(len(axis.times) for axis in speeds):
        return
    times = axes[0].times[:count]
    dt = np.diff(times)
    moved = np.diff([axis.values[:count] for axis in axes], axis=1)
    velocity = np.array([np.interp(times, axis.times, axis.values) for axis in speeds])
    explained = (velocity[:, 1:] + velocity[:, :-1]) / 2 * dt
    jump_m = np.linalg.norm(moved - explained, axis=0)
    is_jump = (jump_m > JUMP_M) & (dt < _LONGEST_STEP_S) & flight.is_armed(times[1:])
    for stretch in stretches(times[:-1], times[1:], is_jump, _JOIN_S):
        most = float(jump_m[stretch.first : stretch.last + 1].max())
        text = f"The estimated position jumped by {most:.0f} m"
        yield found(ESTIMATOR_JUMP, stretch.span, text, Level.WARNING, _REMEDY)


def _attitude_steps(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    parts = [flight.read(ATTITUDE, f"q{number}") for number in (1, 2, 3, 4)]
    count = min(len(part.times) for part in parts)
    if count < 2 * _NEIGHBOURS:
        return
    times = parts[0].times[:count]
    q = np.array([part.values[:count] for part in parts])
    angle_deg = np.degrees(
        2.0 * np.arccos(np.clip(np.abs((q[:, 1:] * q[:, :-1]).sum(0)), 0.0, 1.0))
    )
    dt = np.maximum(np.diff(times), 1e-3)
    is_step = (angle_deg > STEP_DEG) & (dt < _LONGEST_TURN_S) & flight.is_armed(times[1:])
    turned = np.flatnonzero(is_step)
    rates = angle_deg / dt
    is_step[turned] = rates[turned] > _TIMES_AS_FAST * _fastest_around(rates, turned)
    for stretch in stretches(times[:-1], times[1:], is_step, _JOIN_S):
        most = float(angle_deg[stretch.first : stretch.last + 1].max())
        text = f"The estimated attitude stepped by {most:.0f}°"
        yield found(ESTIMATOR_JUMP, stretch.span, text, Level.WARNING, _REMEDY)


def _fastest_around(rates: Floats, at: npt.NDArray[np.int64]) -> Floats:
    """The largest of the neighbours on both sides of each of these, itself left out."""
    padded = np.pad(rates, _NEIGHBOURS)
    beside = [by for by in range(2 * _NEIGHBOURS + 1) if by != _NEIGHBOURS]
    fastest: Floats = padded[at[:, None] + np.array(beside)].max(axis=1)
    return fastest
