"""Labels beside a plot: enough of them, round, and never cut."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.testing import add
from telemetry.recording.recording import Recording
from tests.immediate import ImmediateJobs
from widgets.plot.axes import value_levels
from widgets.plot.marks import place_words
from widgets.plot.picture import EventMark, Picture, Sheet, Trace
from widgets.plot.time_view import Moment
from widgets.plot.view import PlotView
from widgets.plot.window import Span, fit_values
from widgets.theme import load_theme

THEME = load_theme("light")
LABEL_PX = 15


@pytest.mark.parametrize("height", [60, 75, 90, 110, 300])
def test_two_labels_at_least_and_none_over_another(height: int) -> None:
    lows, lengths = (-130.0, -3.0, 0.0, 141.0, 99_000.0), (0.03, 1.7, 9.0, 28.0, 45.0, 333.0)
    for low, length in itertools.product(lows, lengths):
        span = fit_values(None, low, low + length)
        levels = value_levels(span, height, LABEL_PX)
        assert len(levels) >= 2, (span, height)
        assert len({level.text for level in levels}) == len(levels), (span, levels)
        apart = (levels[1].value - levels[0].value) / span.length * height
        assert apart >= LABEL_PX


def test_labels_say_their_value() -> None:
    levels = value_levels(Span(0.0, 6.0), 60, 15)
    assert [float(level.text) for level in levels] == [level.value for level in levels]


@pytest.mark.parametrize("height", [120, 150, 200])
def test_wide_numbers_get_the_room_they_need(qtbot: QtBot, height: int) -> None:
    recording = Recording()
    for t in range(20):
        place = {"Latitude": 489_466_000 + t, "Longitude": 94_300_000}
        add(recording, float(t), "GPSPositionSensor", **place)
    view = PlotView(THEME, ImmediateJobs())
    qtbot.addWidget(view)
    view.resize(400, height)
    view.show()
    view.add_paths(["GPSPositionSensor.Latitude"])
    for _ in range(3):
        view.show_moment(recording, Moment(10.0, Span(0.0, 19.0)))
        QApplication.processEvents()
    metrics = QFontMetrics(THEME.font("small"))
    widest = max(metrics.horizontalAdvance(level.text) for level in view.canvas.levels)
    assert len(view.canvas.levels) >= 2
    assert view.canvas.area.left() >= widest + 5


def words(events: tuple[EventMark, ...], trace: Trace) -> dict[str, QRectF]:
    picture = Picture(Span(0.0, 100.0), Span(0.0, 10.0), 0.0, events=events)
    sheet = Sheet(picture, QRectF(50, 10, 500, 100), THEME)
    placed = place_words(sheet, QFontMetrics(THEME.font("small")), [trace])
    return {mark.text: box for mark, box in placed}


def line(value: float) -> Trace:
    return Trace(np.array([0.0, 100.0]), np.array([value, value]), THEME.series(0))


def test_event_words_lie_over_nothing() -> None:
    events = tuple(
        EventMark(t, text, is_major=text == "Armed")
        for t, text in ((10.0, "Stabilized1"), (12.0, "Armed"), (60.0, "PositionHold"))
    )
    free = words(events, line(5.0))
    assert set(free) == {"Stabilized1", "Armed", "PositionHold"}
    assert free["Armed"].top() < free["Stabilized1"].top()
    crowded = words(events, line(9.5))
    assert set(crowded) == {"Armed", "PositionHold"}
    assert min(box.top() for box in crowded.values()) > 50


def test_a_word_at_the_edge_is_left_out() -> None:
    assert not words((EventMark(97.0, "PositionHold"),), line(5.0))
    assert words((EventMark(60.0, "PositionHold"),), line(5.0))
