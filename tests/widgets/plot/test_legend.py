"""Names and values of a plot's legend are whole, or end in an ellipsis."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QWheelEvent
from pytestqt.qtbot import QtBot

from widgets.plot.fields import LOG_DOT
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


def turn_wheel(legend: PlotLegend, by: int) -> None:
    button, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    phase = Qt.ScrollPhase.NoScrollPhase
    at = QPointF(20.0, 20.0)
    legend.wheelEvent(QWheelEvent(at, at, QPoint(), QPoint(0, by), button, keys, phase, False))


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


def column(legend: PlotLegend, height_px: int, values: tuple[str, ...]) -> PlotLegend:
    """Beside the plot, with these values."""
    names = (f"Object{i}.Field" for i in range(len(values)))
    legend.take_column(True)
    legend.show_entries(
        "", tuple(entry(name, value, value) for name, value in zip(names, values, strict=True))
    )
    legend.resize(legend.sizeHint().width(), height_px)
    return legend


def test_beside_the_plot_entries_stand_below_each_other_and_scroll(legend: PlotLegend) -> None:
    few, many = ("-1.0",) * 12, ("-1.0",) * 30
    assert not column(legend, 300, few).hidden
    assert {cell.left() for cell in legend.cells} == {legend.cells[0].left()}
    assert len({cell.top() for cell in legend.cells}) == 12
    first, hidden = legend.entries[0], column(legend, 300, many).hidden
    assert hidden
    assert legend.entry_at(legend.cells[0].center()) == first
    turn_wheel(legend, -120)
    assert legend.hidden == hidden[1:]


def test_the_column_keeps_its_width_while_values_grow(legend: PlotLegend) -> None:
    width = column(legend, 300, ("-1.0",) * 8).width()
    assert column(legend, 300, ("Δ -100.000   mean -200.000   -300.000",) * 8).width() == width
    assert legend.cells[0].height() > legend.cells[1].top() / 2, "the value is below the name"


def test_a_narrow_column_keeps_the_name_of_the_log(legend: PlotLegend) -> None:
    metrics = QFontMetrics(THEME.font("small"))
    short = legend.shortened(metrics, f"StabilizationDesired.Roll{LOG_DOT}b.opl", 140)
    assert short.endswith(f"…tion{LOG_DOT}b.opl"[-8:])
    assert short.startswith("Sta")
    assert metrics.horizontalAdvance(short) <= 140
