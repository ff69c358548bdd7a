"""A figure as plain data: drawn by matplotlib for `--plot` and by pyqtgraph in the window."""

from dataclasses import dataclass
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
