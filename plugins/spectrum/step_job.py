"""Step response job of a flight, and of another log to compare with."""

from dataclasses import dataclass

from telemetry.recording.recording import Recording
from telemetry.review.analysis.axis_responses import AxisResponse, axis_responses
from telemetry.review.analysis.axis_signals import Loop
from telemetry.review.analysis.findings.stretches import Span
from telemetry.review.analysis.spectra.analysed_stretch import analysed_stretch
from telemetry.review.flights.flight import FlightLog


@dataclass(frozen=True, slots=True)
class ComparedLog:
    """Another log: `selection` is in its own time, None for its time in the air."""

    name: str
    recording: Recording
    selection: Span | None


@dataclass(frozen=True, slots=True)
class StepRequest:
    """What is to be worked out; `selection` None for the time in the air."""

    loop: Loop
    selection: Span | None = None
    other: ComparedLog | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LogResponses:
    """What was found in one log, of which stretch of it, in words; `name` is "" for the log under
    the cursor."""

    name: str
    stretch: str
    axes: tuple[AxisResponse, ...]


def compared_log(log: FlightLog, selection: Span | None) -> ComparedLog | None:
    """What of another log is compared: what was recorded in the selected stretch, and of another
    flight all of its time in the air. None while the log is missing."""
    if log.recording is None:
        return None
    if selection is None or log.is_other_flight:
        return ComparedLog(log.name, log.recording, None)
    start, end = (log.sync.medium_s(t) for t in selection)
    mapped = (start, end) if start is not None and end is not None else None
    return ComparedLog(log.name, log.recording, mapped)


def work_out_steps(recording: Recording, request: StepRequest) -> tuple[LogResponses, ...]:
    """The log under the cursor, then the other one, if any."""
    logs = [("", recording, request.selection)]
    if request.other is not None:
        logs.append((request.other.name, request.other.recording, request.other.selection))
    found = []
    for name, one, selection in logs:
        stretch = analysed_stretch(one, selection)
        responses = axis_responses(one, request.loop, stretch.spans)
        found.append(LogResponses(name, stretch.words, responses))
    return tuple(found)
