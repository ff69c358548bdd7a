"""Axis responses: how roll, pitch and yaw answer their sticks, over a flight or a stretch of it."""

from dataclasses import dataclass

from telemetry.recording.recording import Recording
from telemetry.review.analysis.axis_signals import (
    AXES,
    FACTS,
    Loop,
    axis_signals,
    only_within,
    steered_spans,
)
from telemetry.review.analysis.findings.stretches import Span
from telemetry.review.analysis.series import Inconclusive
from telemetry.review.analysis.step_response import StepResponse, estimate_step_response

_TURN = 360.0


@dataclass(frozen=True, slots=True, eq=False)
class AxisResponse:
    """What was found of an axis, "Roll", "Pitch" or "Yaw", and for how long its stick asked the
    loop directly."""

    axis: str
    found: StepResponse | Inconclusive
    steered_s: float


def axis_responses(
    recording: Recording, loop: Loop, spans: tuple[Span, ...]
) -> tuple[AxisResponse, ...]:
    """The step response of each axis from all of the time within `spans` (start, end) in which
    its stick asked `loop` directly."""
    return tuple(_response(recording, loop, axis, spans) for axis in AXES)


def _response(recording: Recording, loop: Loop, axis: str, spans: tuple[Span, ...]) -> AxisResponse:
    facts = FACTS[loop]
    steered = tuple(
        stretch
        for start, end in spans
        for stretch in steered_spans(recording, loop, axis, start, end)
    )
    steered_s = sum(end - start for start, end in steered)
    if not steered:
        refusal = Inconclusive(
            f"The stick never asked the {loop.value.lower()} loop directly.",
            f"To see how it answers, fly {axis.lower()} in {' or '.join(sorted(facts.modes))}.",
        )
        return AxisResponse(axis, refusal, 0.0)
    signals = axis_signals(recording, loop, axis, steered[0][0], steered[-1][1])
    asked = only_within(signals, steered)
    wraps_at = _TURN if loop is Loop.ATTITUDE and axis == "Yaw" else None
    found = estimate_step_response(
        asked.desired, asked.actual, facts.smallest_move, wraps_at=wraps_at
    )
    return AxisResponse(axis, found, steered_s)
