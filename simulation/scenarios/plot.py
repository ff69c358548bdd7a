"""Draws a figure to a PNG file with matplotlib, which is loaded only then."""

from pathlib import Path
from typing import TYPE_CHECKING

from simulation.scenarios.figure import Axes, Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Diagram

_STYLES = {
    "line": {"linestyle": "-", "linewidth": 1.2},
    "dashed": {"linestyle": "--", "linewidth": 1.0},
    "dots": {"linestyle": "", "marker": ".", "markersize": 3.0},
}


class PlotError(Exception):
    """The picture cannot be written. One sentence for the user."""


def write_png(figure: Figure, path: Path) -> None:
    """Draw all diagrams side by side; raise PlotError if the file cannot be written."""
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet(figsize=(5.6 * len(figure.axes), 4.6), layout="constrained")
    sheet.suptitle(figure.title)
    for number, axes in enumerate(figure.axes):
        _draw(sheet.add_subplot(1, len(figure.axes), number + 1), axes)
    try:
        with path.open("wb") as file:
            sheet.savefig(file, format="png", dpi=100)
    except OSError as error:
        raise PlotError(f"Cannot write the picture {path}: {error.strerror}.") from error


def _draw(diagram: "Diagram", axes: Axes) -> None:
    for line in axes.series:
        diagram.plot(line.x, line.y, label=line.label, **_STYLES[line.style])  # type: ignore[arg-type]
    for level in axes.bands:
        diagram.axhline(level, color="0.5", linewidth=0.8, linestyle=":")
    diagram.set_title(axes.title, fontsize="medium")
    diagram.set_xlabel(axes.x_label)
    diagram.set_ylabel(axes.y_label)
    diagram.grid(alpha=0.3)
    if axes.log_y:
        diagram.set_yscale("log")
    if axes.equal:
        diagram.set_aspect("equal", adjustable="datalim")
    if len(axes.series) > 1:
        diagram.legend(fontsize="small")
