"""Step response words: a response as a line of a chart and as sentences."""

from telemetry.review.analysis.axis_responses import AxisResponse
from telemetry.review.analysis.findings.flight_finding import seconds
from telemetry.review.analysis.series import Inconclusive
from telemetry.review.analysis.step_response import StepResponse
from widgets.line_chart import Line


def response_line(found: StepResponse | Inconclusive, name: str, token: str) -> Line | None:
    """The response with its standard error as a band; dashed where it is not reliable."""
    if isinstance(found, Inconclusive):
        return None
    return Line(name, token, found.times, found.response, not found.is_reliable, found.errors)


def response_words(one: AxisResponse, name: str) -> str:
    """Rise, overshoot, settling, and how much it is worth; or why nothing can be told."""
    prefix = f"{name}: " if name else ""
    found = one.found
    if isinstance(found, Inconclusive):
        return f"{prefix}{found.text}"
    if found.settling_s is None:
        settles = f"It does not settle within {found.times[-1]:.1f} s."
    else:
        settles = f"It settles in {1000.0 * found.settling_s:.0f} ms."
    moves = f"From {found.moves} moves in {seconds(one.steered_s)}."
    return f"{prefix}{found.verdict} {settles} {moves}"
