"""Flight mode findings: the modes that were flown, each from when to when."""

from collections.abc import Iterator

from telemetry.review.analysis.findings.flight_finding import (
    FindingKind,
    FlightFinding,
    found,
    seconds,
)
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.analysis.findings.stretches import stretches

MODE = FindingKind("mode", "Flight mode", event="mode")


def find_modes(flight: ReviewedFlight) -> Iterator[FlightFinding]:
    """One finding per stretch of a mode that begins while it is armed; the first when it arms."""
    readings = flight.read(("FlightStatus",), "FlightMode")
    track = flight.recording.track("FlightStatus")
    if track is None or not len(readings.times):
        return
    field = track.definition.field_named("FlightMode")
    ends = flight.held_until(readings.times)
    for number in sorted(set(readings.values.tolist())):
        name = field.option_text(int(number))
        for stretch in stretches(readings.times, ends, readings.values == number, join_s=0.01):
            for start, end in flight.armed:
                begin, stop = max(start, stretch.start), min(end, stretch.end)
                if stop > begin:
                    text = f"{name} for {seconds(stop - begin)}"
                    yield found(MODE, (begin, stop), text)
