"""Plot axis labels: which values and instants are labelled, and how. No Qt."""

import math
from dataclasses import dataclass

from widgets.plot.window import Span, decimals_for, ticks

_ROOMY, _TIGHT = 1.6, 1.05


@dataclass(frozen=True, slots=True)
class GridLine:
    """A grid line at `value` and what is written beside it."""

    value: float
    text: str


def value_levels(span: Span, height_px: float, label_px: float) -> tuple[GridLine, ...]:
    """Round values to draw over `height_px`, with labels `label_px` high.

    Comfortably spaced where that leaves two labels, else as close as labels can stand: one
    number alone tells no scale.
    """
    _, step = ticks(span, max(2, int(height_px / (label_px * _ROOMY))))
    power = 10.0 ** math.floor(math.log10(step) + 1e-9)
    chosen = step
    for finer in (power * factor for factor in (5.0, 2.5, 2.0, 1.0, 0.5)):
        if len(_multiples(span, chosen)) >= 2:
            break
        if finer < chosen and finer / span.length * height_px >= label_px * _TIGHT:
            chosen = finer
    decimals = step_decimals(chosen)
    return tuple(GridLine(v, axis_label(v, chosen, decimals)) for v in _multiples(span, chosen))


def _multiples(span: Span, step: float) -> list[float]:
    first, last = math.ceil(span.start / step - 1e-9), math.floor(span.stop / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def step_decimals(step: float) -> int:
    """How many decimals multiples of a round `step` have."""
    decimals = decimals_for(step)
    is_exact = abs(round(step, decimals) - step) <= 1e-6 * step
    return decimals if is_exact else decimals + 1


def axis_label(value: float, step: float, decimals: int) -> str:
    """A number that fits beside the axis: large ones with k or M."""
    for limit, suffix in ((1e6, "M"), (1e4, "k")):
        if abs(value) >= limit or (step * 10 >= limit and value):
            scaled = limit if suffix == "M" else 1e3
            return f"{value / scaled:.{step_decimals(step / scaled)}f}{suffix}"
    return f"{value + 0.0:.{decimals}f}"
