"""Vibration findings: how much the acceleration changes from sample to sample in flight.

The mean of that change, and the levels at which it is too much (half a g and a g), are those by
which PX4's Flight Review judges `accel_vibration_metric`. Few samples a second alias vibration, but
keep its size; what manoeuvres add to slow samples stays well below the levels.
"""

from collections.abc import Iterator

import numpy as np

from telemetry.base.finding import Level
from telemetry.recording.flight_state import ACCELERATION
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.readings import NOTHING, Readings
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import Floats, stretches

VIBRATION = FindingKind("vibration", "Vibration")
WARNING_MPS2, ERROR_MPS2 = 4.905, 9.81
_WINDOW_S = 10.0
_LEAST_SAMPLES = 8
_LEAST_S = 3.0
"""A launch or a bump is over sooner."""
_LONGEST_STEP_S = 2.0
_REMEDY = (
    "Balance propellers and motors, look for loose parts and worn bearings, and mount the board "
    "softer."
)


def vibration(flight: ReviewedFlight) -> Readings:
    """The mean change over ten seconds around each sample in the air, in m/s²."""
    axes = [flight.read(ACCELERATION, axis) for axis in "xyz"]
    count = min(len(axis.times) for axis in axes)
    if count < _LEAST_SAMPLES + 1:
        return NOTHING
    times = axes[0].times[:count]
    change = np.linalg.norm(np.diff([axis.values[:count] for axis in axes], axis=1), axis=0)
    is_flown = flight.is_airborne(times)
    is_known = is_flown[1:] & is_flown[:-1] & (np.diff(times) <= _LONGEST_STEP_S)
    times, change = times[1:][is_known], change[is_known]
    return Readings(times, _mean_around(times, change))


def find_vibration(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """Where the mean over ten seconds is too high."""
    times, level = vibration(flight)
    ends = np.minimum(flight.held_until(times), times + _LONGEST_STEP_S)
    for stretch in stretches(times, ends, level > WARNING_MPS2, _WINDOW_S):
        if stretch.length_s < _LEAST_S:
            continue
        most = float(level[stretch.first : stretch.last + 1].max())
        text = f"Vibration of {most:.1f} m/s² for {seconds(stretch.length_s)}"
        severity = Level.ERROR if most > ERROR_MPS2 else Level.WARNING
        yield found(VIBRATION, stretch.span, text, severity, _REMEDY)


def _mean_around(times: Floats, values: Floats) -> Floats:
    """The mean of the window around each sample; 0 where that has too few of them."""
    total = np.concatenate(([0.0], np.cumsum(values)))
    first = np.searchsorted(times, times - _WINDOW_S / 2)
    last = np.searchsorted(times, times + _WINDOW_S / 2)
    counts = last - first
    mean: Floats = np.where(
        counts >= _LEAST_SAMPLES, (total[last] - total[first]) / np.maximum(counts, 1), 0.0
    )
    return mean
