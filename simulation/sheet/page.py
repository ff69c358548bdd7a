"""Sheet page, portrait A4, drawn to a PNG or PDF file with matplotlib."""

from pathlib import Path
from typing import TYPE_CHECKING

from simulation.scenarios.plot import PlotError, draw_axes
from simulation.sheet.contents import AircraftSheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Diagram

_A4_INCH = 8.27, 11.69
_COLUMNS = 2
SUFFIXES = (".png", ".pdf")


def write_page(sheet: AircraftSheet, path: Path) -> None:
    """Draw the page; raises PlotError if it cannot be written."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Page

    lines = -(-len(sheet.axes) // _COLUMNS)
    with rc_context({"text.parse_math": False, "font.size": 8.0}):
        page = Page(figsize=_A4_INCH, layout="constrained")
        page.suptitle(f"{sheet.title}\n{sheet.description}", fontsize="x-large")
        grid = page.add_gridspec(1 + lines, _COLUMNS, height_ratios=(1.1, *[1.0] * lines))
        _draw_rows(page.add_subplot(grid[0, :]), sheet)
        for number, axes in enumerate(sheet.axes):
            draw_axes(page.add_subplot(grid[1 + number // _COLUMNS, number % _COLUMNS]), axes)
        try:
            page.savefig(path, dpi=120)
        except OSError as error:
            raise PlotError(f"Cannot write the page {path}: {error.strerror or error}.") from error


def _draw_rows(diagram: "Diagram", sheet: AircraftSheet) -> None:
    diagram.axis("off")
    cells = [[row.name, row.text, row.note] for row in sheet.rows]
    table = diagram.table(
        cells, loc="center", cellLoc="left", colWidths=(0.3, 0.2, 0.5), edges="horizontal"
    )
    table.auto_set_font_size(False)
    table.set_fontsize(9.0)
    table.scale(1.0, 1.15)
    for (_, column), cell in table.get_celld().items():
        cell.set_edgecolor("0.85")
        if column == 1:
            cell.get_text().set_fontweight("bold")
