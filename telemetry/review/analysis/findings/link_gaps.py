"""Link gap findings: silences of the whole link."""

from collections.abc import Iterator

from telemetry.base.finding import Level
from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight

LINK_GAP = FindingKind("gap", "Link gap", event="gap")
_REMEDY = (
    "Look at antennas, distance and transmission power; what happened meanwhile only the "
    "aircraft's own log can tell."
)


def find_link_gaps(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """One finding per gap: a warning where the aircraft was armed at its beginning or end."""
    for start, end in flight.gaps:
        is_armed = any(a <= end and b >= start for a, b in flight.armed)
        text = f"No data for {seconds(end - start)}"
        if is_armed:
            yield found(LINK_GAP, (start, end), f"{text} while armed", Level.WARNING, _REMEDY)
        else:
            yield found(LINK_GAP, (start, end), text)
