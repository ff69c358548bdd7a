"""Plot state: what a plot shows and how, as a value for workspaces and presets."""

import math
from dataclasses import asdict
from typing import Any

from widgets.plot.curve import Curve, CurveStyle
from widgets.plot.model import PlotModel
from widgets.plot.value_axes import AXES
from widgets.plot.window import Span

Json = dict[str, Any]
_USUAL = asdict(CurveStyle())
_WIDEST_PX = 9


def curves_state(model: PlotModel) -> list[Json]:
    """All curves with their colours; what is as usual is left out."""
    return [
        {"path": curve.path, "color": curve.series, "shown": curve.is_shown, **_style_state(curve)}
        for curve in model.curves
    ]


def view_state(model: PlotModel) -> Json:
    """Options, window and values."""
    state: Json = {
        "autoscale": model.is_autoscaled,
        "normalise": model.is_normalised,
        "events": model.shows_events,
    }
    if model.time.is_window_chosen:
        state["window_s"] = model.time.window_s
    if not model.is_autoscaled and model.values is not None:
        state["values"] = [model.values.start, model.values.stop]
    return state


def restore_curves(model: PlotModel, entries: Any) -> None:
    """Plot what `curves_state` returned and nothing else. A field may be given as its bare path;
    what does not fit is left out."""
    model.clear()
    for entry in listed(entries):
        fields = entry if isinstance(entry, dict) else {"path": entry}
        path = fields.get("path")
        if not isinstance(path, str) or not model.add(path):
            continue
        curve = model.curves[-1]
        color = fields.get("color")
        curve.series = color if isinstance(color, int) else curve.series
        curve.is_shown = bool(fields.get("shown", True))
        curve.style = _style(fields)


def restore_view(model: PlotModel, state: Json) -> None:
    """Take over what `view_state` returned."""
    if "window_s" in state:
        model.time.set_window(finite(state["window_s"]))
    model.set_normalised(bool(state.get("normalise", False)))
    model.set_autoscaled(bool(state.get("autoscale", True)))
    values = [finite(value) for value in listed(state.get("values"))]
    if len(values) == 2 and not model.is_autoscaled:
        start, stop = values
        if start is not None and stop is not None and start < stop:
            model.values = Span(start, stop)
    model.shows_events = bool(state.get("events", True))


def listed(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def _style_state(curve: Curve) -> Json:
    style = asdict(curve.style)
    return {name: value for name, value in style.items() if value != _USUAL[name]}


def _style(fields: Json) -> CurveStyle:
    width, axis = fields.get("width_px"), fields.get("axis")
    return CurveStyle(
        width if isinstance(width, int) and 0 <= width <= _WIDEST_PX else 0,
        finite(fields.get("gain")) or 1.0,
        finite(fields.get("offset")) or 0.0,
        axis if axis in AXES else "",
    )


def finite(value: Any) -> float | None:
    """The value if it is a number that is not infinite, else None."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None
