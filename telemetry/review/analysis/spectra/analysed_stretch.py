"""Analysed stretch of a recording: the selected one, else what was flown."""

from dataclasses import dataclass

from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.flight_finding import seconds
from telemetry.review.analysis.findings.reviewed_flight import review
from telemetry.review.analysis.findings.stretches import Span


@dataclass(frozen=True, slots=True)
class AnalysedStretch:
    """Spans (start, end) in order, and what they are, in words."""

    spans: tuple[Span, ...]
    words: str


def analysed_stretch(recording: Recording, selection: Span | None) -> AnalysedStretch:
    """The selection (in and out points); without one the time in the air, and the whole recording
    where nothing tells when that was."""
    if selection is not None:
        length = seconds(selection[1] - selection[0])
        return AnalysedStretch((selection,), f"the selected {length}")
    airborne = review(recording).airborne
    if airborne:
        length = seconds(sum(end - start for start, end in airborne))
        flights = f" in {len(airborne)} flights" if len(airborne) > 1 else ""
        return AnalysedStretch(airborne, f"the {length} in the air{flights}")
    whole = (recording.first_s, recording.last_s)
    return AnalysedStretch((whole,), f"the whole {seconds(whole[1] - whole[0])}")
