"""Figure as plain data: drawn by matplotlib for `--plot` and by pyqtgraph in the window.

In files it is JSON, so that another program can draw it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from simulation.scenarios.measures import Column
from telemetry.base.input_files import read_text

Style = Literal["line", "dots", "dashed"]
_LARGEST_BYTES = 64 << 20
_LINES: Mapping[str, Style] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FigureSeries:
    """Points (x, y), joined by a line or not."""

    label: str
    x: Column
    y: Column
    style: Style = "line"


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


def series(label: str, x: Any, y: Any, style: Style = "line") -> FigureSeries:
    """Points from anything numpy takes for columns."""
    return FigureSeries(label, np.asarray(x, np.float64), np.asarray(y, np.float64), style)


def curves(
    title: str,
    x: tuple[str, Any],
    y_label: str,
    values: Mapping[str, Any],
    styles: Mapping[str, Style] = _LINES,
    bands: tuple[float, ...] = (),
) -> Axes:
    """Curves by their labels over the same `x`, given as (label, column). What has no entry in
    `styles` is a line."""
    x_label, column = x
    drawn = (series(name, column, y, styles.get(name, "line")) for name, y in values.items())
    return Axes(title, x_label, y_label, tuple(drawn), bands=bands)


def from_above(title: str, ways: Mapping[str, Any], styles: Mapping[str, Style] = _LINES) -> Axes:
    """Ways over ground by their labels, north up: rows of north and east, metres."""
    drawn = (
        series(name, way[:, 1], way[:, 0], styles.get(name, "line")) for name, way in ways.items()
    )
    return Axes(title, "east, m", "north, m", tuple(drawn), equal=True)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure; raises OSError."""
    path.write_text(json.dumps(asdict(figure), default=np.ndarray.tolist), encoding="utf-8")


def load_figure(path: Path) -> Figure:
    """Read what `save_figure` wrote; raises OSError, ValueError or KeyError."""
    content = json.loads(read_text(path, _LARGEST_BYTES))
    return Figure(content["title"], tuple(_axes(axes) for axes in content["axes"]))


def _axes(content: dict[str, Any]) -> Axes:
    drawn = tuple(series(s["label"], s["x"], s["y"], s["style"]) for s in content["series"])
    return Axes(
        content["title"],
        content["x_label"],
        content["y_label"],
        drawn,
        content["equal"],
        content["log_y"],
        tuple(content["bands"]),
    )
