"""Figure as plain data: drawn by matplotlib for `--plot` and by pyqtgraph in the window.

In files it is JSON, so that another program can draw it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from simulation.scenarios.measures import Column


@dataclass(frozen=True, slots=True)
class FigureSeries:
    """Points (x, y), joined by a line or not."""

    label: str
    x: Column
    y: Column
    style: Literal["line", "dots", "dashed"] = "line"


@dataclass(frozen=True, slots=True)
class Axes:
    """One diagram. `equal`: a metre is as long in x as in y. `bands` are levels of y marked by
    horizontal lines, for the limits of a metric."""

    title: str
    x_label: str
    y_label: str
    series: tuple[FigureSeries, ...]
    equal: bool = False
    log_y: bool = False
    bands: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """Diagrams side by side."""

    title: str
    axes: tuple[Axes, ...]


def series(
    label: str, x: Any, y: Any, style: Literal["line", "dots", "dashed"] = "line"
) -> FigureSeries:
    """Points from anything numpy takes for columns."""
    return FigureSeries(label, np.asarray(x, np.float64), np.asarray(y, np.float64), style)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure; raises OSError."""
    content = {"title": figure.title, "axes": [_axes_json(axes) for axes in figure.axes]}
    path.write_text(json.dumps(content), encoding="utf-8")


def load_figure(path: Path) -> Figure:
    """Read what `save_figure` wrote; raises OSError, ValueError or KeyError."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return Figure(content["title"], tuple(_axes(axes) for axes in content["axes"]))


def _axes_json(axes: Axes) -> dict[str, Any]:
    return {
        "title": axes.title,
        "x_label": axes.x_label,
        "y_label": axes.y_label,
        "equal": axes.equal,
        "log_y": axes.log_y,
        "bands": list(axes.bands),
        "series": [
            {"label": s.label, "x": s.x.tolist(), "y": s.y.tolist(), "style": s.style}
            for s in axes.series
        ],
    }


def _axes(content: dict[str, Any]) -> Axes:
    curves = tuple(series(s["label"], s["x"], s["y"], s["style"]) for s in content["series"])
    return Axes(
        content["title"],
        content["x_label"],
        content["y_label"],
        curves,
        content["equal"],
        content["log_y"],
        tuple(content["bands"]),
    )
