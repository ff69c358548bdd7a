"""Arming findings: each time the aircraft was armed, and where it was disarmed in the air."""

from collections.abc import Iterator

from telemetry.base.finding import Level
from telemetry.review.analysis.findings.airborne import height_gained_m
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight

ARMING = FindingKind("arming", "Armed", event="arming")
_HIGH_M = 2.0
"""Higher above its take-off an aircraft that is disarmed has not landed."""
_AT_ONCE_S = 0.3


def find_arming(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """The spans in which it was armed."""
    for start, end in flight.armed:
        yield found(ARMING, (start, end), f"Armed for {seconds(end - start)}")
        for span in flight.airborne:
            if not (start <= span[0] < end and was_disarmed_in_air(flight, span)):
                continue
            height_m = height_gained_m(flight.recording, span)
            text = f"Disarmed {height_m:.0f} m above where it took off"
            remedy = "Look at the arming setup and the failsafe: motors stop when it disarms."
            yield found(ARMING, (end, end), text, Level.ERROR, remedy)


def was_disarmed_in_air(flight: ReviewedFlight, span: tuple[float, float]) -> bool:
    """Whether a flight ended by disarming, high above where it began."""
    is_disarmed = any(abs(span[1] - end) < _AT_ONCE_S for _, end in flight.armed)
    is_over = span[1] < flight.end_s
    return is_over and is_disarmed and height_gained_m(flight.recording, span) > _HIGH_M
