"""Names and values of a plot's legend are whole, or end in an ellipsis."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from widgets.plot.legend import LegendEntry, PlotLegend
from widgets.theme import load_theme

THEME = load_theme("light")


@pytest.fixture
def legend(qtbot: QtBot) -> PlotLegend:
    legend = PlotLegend(THEME)
    qtbot.addWidget(legend)
    legend.resize(300, 200)
    return legend


def entry(label: str, value: str, widest: str) -> LegendEntry:
    return LegendEntry(label, label, value, "°", QColor("red"), widest=widest)


def test_room_is_kept_for_the_minus_that_is_painted(legend: PlotLegend) -> None:
    widths = []
    for sign in ("-", "\u2212", ""):
        legend.show_entries("", (entry("Roll", f"{sign}1.0", f"{sign}1.0"),))
        widths.append(legend.cells[0].width())
    assert widths[0] == widths[1] > widths[2]


def test_the_last_name_ends_before_the_count_of_the_others(legend: PlotLegend) -> None:
    names = (f"A name that is as long as the legend is wide, and number {i}" for i in range(6))
    legend.show_entries("", tuple(entry(name, "-1.0", "-1.0") for name in names))
    legend.limit_height(THEME.row_px())
    legend.resize(300, legend.sizeHint().height())
    corner = legend.more_rect
    assert legend.hidden
    assert not corner.isEmpty()
    picture = legend.grab(QRect(corner.left() - 4, corner.top(), 4, corner.height())).toImage()
    shades = {picture.pixel(x, y) for x in range(4) for y in range(corner.height())}
    assert shades == {THEME.color("plot_background").rgba()}
