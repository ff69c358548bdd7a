"""Legend readout of a curve: its value at the cursor, or how it went while measuring."""

from collections.abc import Sequence

from telemetry.base.measurement_units import rate_of
from telemetry.base.number_text import significant
from widgets.display_units import SENSOR_RESOLUTIONS
from widgets.plot.compose import color_of
from widgets.plot.curve import Curve, CurveStyle
from widgets.plot.fields import short_labels
from widgets.plot.legend import LegendEntry
from widgets.plot.window import Span, decimals_for
from widgets.theme import Theme

_NOTHING = "–"
_STEPS_SHOWN = 500
_FEW_STEPS = 10


def cursor_entries(
    curves: Sequence[Curve], theme: Theme, values: Span, t: float
) -> tuple[str, tuple[LegendEntry, ...]]:
    """What all curves' names have in common, and each with its value at `t`.

    `values` is the range shown. A value that no longer tells what is comes with its age.
    """
    title, labels = short_labels([curve.path for curve in curves])
    largest = max(abs(values.start), abs(values.stop))
    entries = []
    for curve, label in zip(curves, labels, strict=True):
        resolution = legend_resolution(curve.unit, values)
        age_s = curve.age_if_old(t)
        entries.append(
            LegendEntry(
                curve.path,
                f"{label}{scale_text(curve.style)}",
                curve.text_at(t, resolution) or _NOTHING,
                curve.unit,
                color_of(curve, theme),
                curve.is_shown,
                curve.widest_text(largest, resolution),
                "" if age_s is None else age_text(age_s),
                curve.problem,
            )
        )
    return title, tuple(entries)


def legend_resolution(unit: str, values: Span) -> float:
    """Which differences a value in the legend tells: those that its kind of sensor knows, whatever
    the range, so that every plot says the same; finer ones only where the plot shows nothing else,
    and a 500th of the range where the unit says nothing."""
    known = SENSOR_RESOLUTIONS.get(unit)
    by_range = values.length / _STEPS_SHOWN
    return by_range if known is None or values.length < _FEW_STEPS * known else known


def measured_entries(
    curves: Sequence[Curve], theme: Theme, values: Span, measured: Span
) -> tuple[str, tuple[LegendEntry, ...]]:
    """Like `cursor_entries`, with change, mean and slope over a stretch of time."""
    title, labels = short_labels([curve.path for curve in curves])
    entries = [
        LegendEntry(
            curve.path,
            label,
            _measured_text(curve, values, measured),
            "",
            color_of(curve, theme),
            curve.is_shown,
            _measured_widest(curve, values),
        )
        for curve, label in zip(curves, labels, strict=True)
    ]
    return title, tuple(entries)


def scale_text(style: CurveStyle) -> str:
    """How a curve is drawn otherwise than its values are; "" for one drawn as it is."""
    gain = "" if style.gain == 1.0 else f" × {significant(style.gain, 4)}".replace("-", "\u2212")
    sign = "+" if style.offset > 0.0 else "\u2212"
    offset = "" if style.offset == 0.0 else f" {sign} {significant(abs(style.offset), 4)}"
    return gain + offset


def _measured_text(curve: Curve, values: Span, span: Span) -> str:
    if curve.is_enum:
        before, after = (curve.text_at(t, 1.0) or _NOTHING for t in (span.start, span.stop))
        return before if before == after else f"{before} → {after}"
    found = curve.measure(span)
    resolution = values.length / 500
    delta, mean = (_number(value, resolution) for value in (found.delta, found.mean))
    slope = _number(found.slope, resolution / max(1.0, min(span.length, 100.0)))
    unit, rate = _spaced(curve.unit), _spaced(rate_of(curve.unit))
    return f"Δ {delta}{unit}   mean {mean}{unit}   {slope}{rate}"


def _measured_widest(curve: Curve, values: Span) -> str:
    if curve.is_enum:
        widest = curve.widest_text(0.0, 1.0)
        return f"{widest} → {widest}"
    number = _number(-max(abs(values.start), abs(values.stop)), values.length / 500)
    unit, rate = _spaced(curve.unit), _spaced(rate_of(curve.unit))
    return f"Δ {number}{unit}   mean {number}{unit}   {number}{rate}"


def _number(value: float | None, resolution: float) -> str:
    if value is None:
        return _NOTHING
    text = f"{value:.{min(6, decimals_for(resolution))}f}"
    return text if text.strip("-0.") else text.removeprefix("-")


def _spaced(unit: str) -> str:
    """A unit after its thin space; degree signs and rates of bare numbers stand close."""
    return f"\u2009{unit}" if unit and unit[0] not in "°/" else unit


def age_text(age_s: float) -> str:
    """How old a value is, in a word."""
    if age_s < 99.5:
        return f"{age_s:.0f}\u2009s old"
    if age_s < 5970.0:
        return f"{age_s / 60:.0f}\u2009min old"
    return f"{age_s / 3600:.0f}\u2009h old"
