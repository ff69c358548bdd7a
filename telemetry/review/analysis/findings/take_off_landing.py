"""Take-off and landing findings: where the aircraft leaves the ground and comes to rest again."""

from collections.abc import Iterator

import numpy as np

from telemetry.review.analysis.findings.airborne import read_height
from telemetry.review.analysis.findings.arming import was_disarmed_in_air
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.readings import Readings
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight

TAKE_OFF = FindingKind("take-off", "Take-off")
LANDING = FindingKind("landing", "Landing")


def find_flights(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """One finding where it leaves the ground, one where it comes to rest again: not where it is
    disarmed in the air."""
    height = read_height(flight.recording)
    for start, end in flight.airborne:
        highest = _highest_m(height, start, end)
        up = f", up to {highest:.0f} m" if highest is not None else ""
        yield found(TAKE_OFF, (start, start), f"In the air for {seconds(end - start)}{up}")
        if end < flight.end_s and not was_disarmed_in_air(flight, (start, end)):
            yield found(LANDING, (end, end), f"Landed after {seconds(end - start)}")


def _highest_m(height: Readings, start: float, end: float) -> float | None:
    """Over the place of take-off; None where no height is recorded."""
    flown = height.between(start, end)
    if not len(flown.times):
        return None
    ground = float(height.at(np.array([start]), float(flown.values[0]))[0])
    return max(0.0, float(flown.values.max()) - ground)
