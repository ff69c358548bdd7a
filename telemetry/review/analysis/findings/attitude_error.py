"""Attitude error findings: in flight the aircraft does not take the attitude asked of it.

Desired and actual are compared where the desired was sampled, at the nearest the actual comes to
it within the following moment: lag behind a stick is no error. ArduPilot takes 30 degrees for two
seconds for a crash (its crash check); half of that is what a healthy aircraft never shows.
"""

from collections.abc import Iterator

import numpy as np

from telemetry.base.finding import Level
from telemetry.review.analysis.axis_signals import Loop, axis_signals
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import Floats, stretches
from telemetry.review.analysis.series import Series

ATTITUDE_ERROR = FindingKind("attitude", "Attitude error")
WARNING_DEG, ERROR_DEG = 15.0, 30.0
_LEAST_S = 1.0
_SETTLES_S = 0.5
_LONGEST_STEP_S = 3.0
_PROBES = 6
_REMEDY = (
    "Look at outputs at their limit, at motors and propellers, and at the gains of this axis; "
    "strong wind does it, too."
)


def find_attitude_errors(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """Roll and pitch; a heading is asked for as a rate by most modes."""
    for axis in ("Roll", "Pitch"):
        signals = axis_signals(flight.recording, Loop.ATTITUDE, axis, 0.0, flight.end_s)
        if len(signals.desired.times) < 2 or len(signals.actual.times) < 2:
            continue
        error = _error_deg(signals.desired, signals.actual)
        times = signals.desired.times
        is_beyond = (error > WARNING_DEG) & flight.is_airborne(times)
        ends = np.minimum(flight.held_until(times), times + _LONGEST_STEP_S)
        for stretch in stretches(times, ends, is_beyond):
            if stretch.last == stretch.first or stretch.length_s < _LEAST_S:
                continue
            most = float(error[stretch.first : stretch.last + 1].max())
            text = f"{axis} is up to {most:.0f}° off for {seconds(stretch.length_s)}"
            level = Level.ERROR if most > ERROR_DEG else Level.WARNING
            yield found(ATTITUDE_ERROR, stretch.span, text, level, _REMEDY)


def _error_deg(desired: Series, actual: Series) -> Floats:
    """The least difference in the moment after each sample of the desired; 0 where unknown."""
    probes = np.linspace(0.0, _SETTLES_S, _PROBES)
    least = np.full(len(desired.times), np.inf)
    for probe in probes:
        now = np.interp(desired.times + probe, actual.times, actual.values)
        off = np.abs((desired.values - now + 180.0) % 360.0 - 180.0)
        least = np.fmin(least, off)
    return np.where(np.isfinite(least), least, 0.0)
