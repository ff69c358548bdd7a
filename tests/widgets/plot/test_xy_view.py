"""One value over another."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.testing import add, short_flight
from telemetry.recording.recording import Recording
from widgets.plot.time_view import Moment
from widgets.plot.window import Span
from widgets.plot.xy_data import XySource, color_levels, thinned
from widgets.plot.xy_view import XyView
from widgets.theme import load_theme

THEME = load_theme("light")


@pytest.fixture
def view(qtbot: QtBot) -> XyView:
    view = XyView(THEME)
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    return view


def show(view: XyView, t: float = 10.0, recording: Recording | None = None) -> None:
    view.show_moment(recording or short_flight(), Moment(t, Span(0.0, 20.0)))
    QApplication.processEvents()
    view.canvas.grab()


def test_one_object_over_another_at_the_samples_of_the_first() -> None:
    source = XySource(short_flight(), "BaroSensor.Altitude", "PositionState.North", "")
    source.update()
    points = source.points(Span(5.0, 10.0))
    assert points is not None
    assert points.times.tolist() == [5, 6, 7, 8, 9, 10]
    assert points.x - points.y == pytest.approx(np.full(6, 270.0))
    assert points.at(7.5) == (277.0, 7.0)
    assert points.at(4.0) is None


def test_the_line_is_broken_by_a_silence() -> None:
    recording = Recording()
    for t in (0.0, 0.1, 0.2, 30.0, 30.1):
        add(recording, t, "PositionState", North=t, East=t)
    source = XySource(recording, "PositionState.East", "PositionState.North", "")
    source.update()
    points = source.points(Span(0.0, 40.0))
    assert points is not None
    assert np.isnan(points.x).tolist() == [False, False, False, True, False]


def test_expressions_and_colours_are_taken(view: XyView) -> None:
    view.set_path("x", "PositionState.East")
    view.set_path("y", "=PositionState.North * 2")
    view.set_path("color", "AttitudeState.Roll")
    flight = short_flight()
    show(view, 10.0, flight)
    picture = view.canvas.picture
    assert picture.mark == pytest.approx((-10.0, 20.0))
    assert picture.names[2] == "Roll in °"
    assert picture.points is not None
    assert picture.points.color is not None
    assert picture.y.start <= 0.0
    assert picture.y.stop >= 40.0
    pixel = (
        view.canvas.grab()
        .toImage()
        .pixelColor(round(view.canvas.x_of(-10.0)), round(view.canvas.y_of(20.0)))
    )
    assert pixel == THEME.color("selected")


def test_a_metre_is_as_long_up_as_across(view: XyView) -> None:
    view.set_path("x", "PositionState.East")
    view.set_path("y", "PositionState.North")
    show(view)
    picture, area = view.canvas.picture, view.canvas.area
    assert picture.x.length / area.width() == pytest.approx(picture.y.length / area.height())


def test_zooming_is_taken_back(view: XyView) -> None:
    view.set_path("x", "PositionState.East")
    view.set_path("y", "PositionState.North")
    flight = short_flight()
    show(view, 10.0, flight)
    before = view.canvas.picture.x
    view.canvas.zoomed.emit(0.5, 0.5, 0.5)
    show(view, 11.0, flight)
    assert view.canvas.picture.x.length == pytest.approx(before.length / 2)
    QTest.keyClick(view.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    show(view, 11.0, flight)
    assert view.canvas.picture.x == before


def test_fields_dropped_fill_what_is_missing(view: XyView) -> None:
    show(view)
    for path in ("PositionState.East", "PositionState.North", "AttitudeState.Yaw"):
        view.take_field(path)
    assert list(view.paths.values()) == [
        "PositionState.East",
        "PositionState.North",
        "AttitudeState.Yaw",
    ]
    view.swap()
    assert view.paths["x"] == "PositionState.North"


def test_only_what_cannot_be_seen_is_left_out() -> None:
    columns = np.array([0.0, 0.2, 0.9, 1.1, np.nan, 1.2, 1.3])
    assert thinned(columns, np.zeros(7)).tolist() == [0, 3, 4, 5]
    levels, span = color_levels(np.array([0.0, 5.0, np.nan, 10.0]), 5)
    assert (levels.tolist(), span) == ([0, 2, -1, 4], Span(0.0, 10.0))
