"""Figure plot: a PNG file by matplotlib, which is loaded only then, or JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from simulation.scenarios.figure import Axes, Figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Diagram

_STYLES = {
    "line": {"linestyle": "-", "linewidth": 1.2},
    "dashed": {"linestyle": "--", "linewidth": 1.0},
    "dots": {"linestyle": "", "marker": ".", "markersize": 3.0},
}


class PlotError(Exception):
    """The picture cannot be written. One sentence for the user."""


def check_picture(path: Path, suffixes: Sequence[str] = (".png", ".json")) -> None:
    """Find out before a flight whether its figure could be written; raise ValueError."""
    if path.suffix.lower() not in suffixes:
        known = " or ".join(suffixes)
        raise ValueError(f"The picture {path} must end with {known}; give another name.")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"There is no folder for the picture {path}; make it first.")
    if path.is_dir():
        raise ValueError(f"The picture {path} is a folder; give another name.")


def write_picture(figure: Figure, path: Path) -> None:
    """Write a .png or a .json file; raise PlotError if it cannot be written."""
    try:
        if path.suffix.lower() == ".json":
            save_figure(figure, path)
        else:
            write_png(figure, path)
    except OSError as error:
        reason = error.strerror or error
        raise PlotError(f"Cannot write the picture {path}: {reason}.") from error


def write_png(figure: Figure, path: Path) -> None:
    """Draw all diagrams side by side; raises OSError."""
    from matplotlib import rc_context

    with rc_context({"text.parse_math": False}), path.open("wb") as file:  # a $ is a dollar
        _draw_sheet(figure, file)


def _draw_sheet(figure: Figure, file: BinaryIO) -> None:
    from matplotlib.figure import Figure as Sheet

    sheet = Sheet(figsize=(5.6 * len(figure.axes), 4.6), layout="constrained")
    sheet.suptitle(figure.title)
    for number, axes in enumerate(figure.axes):
        draw_axes(sheet.add_subplot(1, len(figure.axes), number + 1), axes)
    sheet.savefig(file, format="png", dpi=100)


def draw_axes(diagram: "Diagram", axes: Axes) -> None:
    """One diagram of a figure."""
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
        diagram.yaxis.set_major_formatter("{x:g}")  # by default it is text for parse_math
    if axes.equal:
        diagram.set_aspect("equal", adjustable="datalim")
    if len(axes.series) > 1:
        diagram.legend(fontsize="small")
