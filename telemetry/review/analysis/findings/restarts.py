"""Restart findings: the board started anew, its flight time falls."""

from collections.abc import Iterator

from telemetry.base.finding import Level
from telemetry.review.analysis.findings.flight_finding import FindingKind, FlightFinding, found
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight

RESTART = FindingKind("restart", "Restart", event="reboot")
_JUST_BEFORE_S = 5.0
_REMEDY = "Look at power supply, connectors and the board's BootFault alarm before the next flight."


def find_restarts(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """One finding per restart: an error where the aircraft was armed just before it."""
    for event in flight.recording.events():
        if event.kind != "reboot" or event.t > flight.end_s:
            continue
        silent = [start for start, end in flight.gaps if start <= event.t and end >= event.t - 3.0]
        last_heard = min([event.t, *silent])
        if any(a <= last_heard and b >= last_heard - _JUST_BEFORE_S for a, b in flight.armed):
            text = "The aircraft restarted while armed"
            yield found(RESTART, (event.t, event.t), text, Level.ERROR, _REMEDY)
        else:
            yield found(RESTART, (event.t, event.t), "The aircraft was started anew")
