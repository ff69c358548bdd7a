"""Each time the aircraft was armed, and where it was disarmed in the air."""

from collections.abc import Iterator

import numpy as np

from telemetry.analysis.findings.airborne import read_height
from telemetry.analysis.findings.flight_finding import FlightFinding, found, seconds
from telemetry.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.finding import Level

_HIGH_M = 2.0


def find_arming(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """The spans in which it was armed."""
    for start, end in flight.armed:
        yield found("arming", (start, end), f"Armed for {seconds(end - start)}")
        height_m = _height_at_disarming(flight, end)
        if end < flight.end_s and height_m > _HIGH_M:
            text = f"Disarmed {height_m:.0f} m above where it took off"
            remedy = "Look at the arming setup and the failsafe: motors stop when it disarms."
            yield found("arming", (end, end), text, Level.ERROR, remedy)


def _height_at_disarming(flight: ReviewedFlight, end: float) -> float:
    """Over the place of take-off; 0 where it was not flying."""
    flown = [span for span in flight.airborne if abs(span[1] - end) < 0.3]
    height = read_height(flight.recording)
    if not flown or not len(height.times):
        return 0.0
    start_m, end_m = (float(h) for h in height.at(np.array([flown[0][0], end]), 0.0))
    return end_m - start_m
