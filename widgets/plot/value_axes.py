"""Value axes: which curve is read off which axis, and what each axis shows. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from widgets.plot.curve import Curve
from widgets.plot.window import LEAST_SPANS, Span, fit_values

AXES = ("left", "right", "right 2", "left 2")
"""In the order in which units take them; the second ones stand further out."""


@dataclass(frozen=True, slots=True)
class ValueAxis:
    """An axis with what it shows. `curves` are the positions of its curves among those shown;
    `unit` is "" where they have several."""

    name: str
    unit: str
    span: Span
    curves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """How a curve's values become heights on the first value axis."""

    gain: float = 1.0
    offset: float = 0.0

    def height(self, value: float) -> float:
        """Where on the axis `value` is drawn."""
        return value * self.gain + self.offset

    def then(self, other: "Scale") -> "Scale":
        """This scale, and another one applied to what comes out."""
        return Scale(self.gain * other.gain, self.offset * other.gain + other.offset)


def own_scale(curve: Curve) -> Scale:
    """What the user has set for a curve."""
    return Scale(curve.style.gain, curve.style.offset)


def axis_names(curves: Sequence[Curve]) -> list[str]:
    """The axis of each curve: the one that was chosen, else one for each unit. Options are read
    off the first axis, whose numbers say nothing of them."""
    by_unit: dict[str, str] = {}
    for curve in curves:
        if not curve.is_enum and not curve.style.axis and curve.count >= 0:
            free = next((name for name in AXES if name not in by_unit.values()), AXES[0])
            by_unit.setdefault(curve.unit, free)
    return [
        curve.style.axis or (AXES[0] if curve.is_enum else by_unit.get(curve.unit, AXES[0]))
        for curve in curves
    ]


def arrange_axes(
    curves: Sequence[Curve],
    extremes: Sequence[tuple[float, float]],
    shown: Sequence[ValueAxis],
    *,
    is_fitted: bool,
) -> tuple[ValueAxis, ...]:
    """The axes of these curves, the first one of AXES that is in use first.

    `extremes` are the lowest and highest value of each curve. Axes are fitted to them if
    `is_fitted`; else those `shown` stay as they are, and new ones are fitted.
    """
    names = axis_names(curves)
    before = {axis.name: axis for axis in shown}
    axes = []
    for name in (name for name in AXES if name in names):
        members = tuple(index for index, own in enumerate(names) if own == name)
        known = [curves[index] for index in members if curves[index].count >= 0]
        units = {curve.unit for curve in known if not curve.is_enum}
        unit = units.pop() if len(units) == 1 else ""
        is_scaled = any(own_scale(curves[index]) != Scale() for index in members)
        unit, least = "" if is_scaled else unit, LEAST_SPANS.get(unit, 0.0)
        old = before.get(name)
        span = old.span if old is not None and old.unit == unit else None
        if span is None or is_fitted:
            on_axis = [_on_axis(curves[index], extremes[index]) for index in members]
            span = _fitted(on_axis, span, 0.0 if is_scaled else least)
        axes.append(ValueAxis(name, unit, span, members))
    return tuple(axes)


def _on_axis(curve: Curve, extremes: tuple[float, float]) -> tuple[float, float]:
    low, high = (own_scale(curve).height(value) for value in extremes)
    return (low, high) if low <= high else (high, low)


def _fitted(extremes: list[tuple[float, float]], shown: Span | None, least: float) -> Span:
    lows = [low for low, _ in extremes if np.isfinite(low)]
    highs = [high for _, high in extremes if np.isfinite(high)]
    low, high = (min(lows), max(highs)) if lows else (np.nan, np.nan)
    return fit_values(shown, low, high, least)


def scale_onto(axis: Span, first: Span) -> Scale:
    """What draws values of one axis at their height on the first."""
    gain = first.length / axis.length
    return Scale(gain, first.start - axis.start * gain)


def moved(axis: ValueAxis, start: float, length: float) -> ValueAxis:
    """The axis showing another part, in shares of what it shows now."""
    span = axis.span
    begin = span.start + start * span.length
    return ValueAxis(axis.name, axis.unit, Span(begin, begin + length * span.length), axis.curves)
