"""Figures in files: JSON, so that another program, or the station's window, can draw them."""

import json
from pathlib import Path
from typing import Any

from simulation.scenarios.figure import Axes, Figure, series


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
