"""Curves that are computed, have an axis of their own, or belong to another log."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow
from pytestqt.qtbot import QtBot

from plugins.testing import short_flight
from telemetry.review.flights.sync import Piece, Sync
from tests.immediate import ImmediateJobs
from widgets.plot.curve import Curve, CurveStyle
from widgets.plot.curve_settings import CurveSettings
from widgets.plot.expression_entry import completed, offers
from widgets.plot.menu import build_menu
from widgets.plot.model import OtherLog, PlotFrame, PlotModel
from widgets.plot.picker import FieldPicker
from widgets.plot.plot_state import curves_state, restore_curves
from widgets.plot.time_view import Moment
from widgets.plot.view import PlotView
from widgets.plot.window import Span
from widgets.theme import load_theme

THEME = load_theme("light")
MOMENT = Moment(10.0, Span(0.0, 20.0))
FIVE_LATE = Sync((Piece(-5.0, 1.0),))
"""The other log began 5 s later: 12 s of the flight are 7 s of it."""


def frame_of(model: PlotModel) -> PlotFrame:
    model.attach(short_flight())
    return model.frame(MOMENT, 800)


def model_of(*paths: str) -> PlotModel:
    model = PlotModel()
    for path in paths:
        model.add(path)
    return model


@pytest.fixture
def view(qtbot: QtBot) -> PlotView:
    view = PlotView(THEME, ImmediateJobs())
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show()
    return view


def show(view: PlotView, t: float = 10.0) -> None:
    recording = view.__dict__.setdefault("flight", short_flight())
    for _ in range(3):
        view.show_moment(recording, Moment(t, Span(0.0, 20.0)))
        QApplication.processEvents()


def drag(view: PlotView, start: QPoint, stop: QPoint, keys: Qt.KeyboardModifier) -> None:
    QTest.mousePress(view.canvas, Qt.MouseButton.LeftButton, keys, start)
    QTest.mouseMove(view.canvas, stop)
    QTest.mouseRelease(view.canvas, Qt.MouseButton.LeftButton, keys, stop)


# Expressions


def test_an_expression_is_a_curve_like_others() -> None:
    model = model_of("=PositionState.North * 2 + 1")
    frame = frame_of(model)
    assert frame.points is not None
    x, y = frame.points[0]
    assert y == pytest.approx(2 * x + 1, abs=1e-5)
    curve = model.curves[0]
    assert curve.text_at(3.0, 0.1) == "7.0"
    assert curve.age_if_old(30.0) == pytest.approx(10.0)
    figures = curve.statistics(Span(0.0, 20.0))
    assert figures is not None
    assert (figures.count, figures.maximum) == (201, pytest.approx(41.0))
    assert figures.rms == pytest.approx(np.sqrt(np.mean((2 * x + 1) ** 2)))
    assert figures.slope == pytest.approx(2.0)


def test_an_expression_that_cannot_be_says_why_and_shows_nothing() -> None:
    model = model_of("=AtitudeState.Roll", "=1 +", "AttitudeState.Roll")
    frame = frame_of(model)
    assert [curve.count for curve in frame.curves] == [-1, -1, 201]
    assert "is it AttitudeState.Roll" in model.curves[0].problem
    assert "ends too early" in model.curves[1].problem


def test_the_legend_names_expressions_whole(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll", "=abs(AttitudeState.Pitch)", "=abs(Nothing.at_all)"])
    show(view)
    labels = [entry.label for entry in view.legend.entries]
    assert labels == ["AttitudeState.Roll", "abs(AttitudeState.Pitch)", "abs(Nothing.at_all)"]
    assert "'Nothing.at_all', at character 5, is not recorded" in view.legend.entries[2].problem
    assert view.legend.entries[2].value == "–"


def test_an_expression_is_typed_completed_and_changed(view: PlotView) -> None:
    show(view)
    view.ask_expression()
    (picker,) = view.findChildren(FieldPicker)
    (search,) = picker.findChildren(QLineEdit)
    QTest.keyClicks(search, "deriv")
    assert picker.shown_paths[0] == "derivative(x)"
    QTest.keyClick(search, Qt.Key.Key_Tab)
    QTest.keyClicks(search, "attitude roll"[:8])
    assert "AttitudeState.Roll" in picker.shown_paths
    search.setText("=derivative(AttitudeState.Rol)")
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert picker.isVisible()
    assert view.model.paths == ()
    search.setText("=derivative(AttitudeState.Roll)")
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert not picker.isVisible()
    assert view.model.paths == ("=derivative(AttitudeState.Roll)",)
    view.ask_expression("=derivative(AttitudeState.Roll)")
    search.setText("=AttitudeState.Roll / 2")
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert view.model.paths == ("=AttitudeState.Roll / 2",)


def test_words_are_completed_at_the_cursor() -> None:
    assert completed("=2*sq + 1", 5, "sqrt(x)") == ("=2*sqrt( + 1", 8)
    assert completed("=abs(Att", 8, "AttitudeState.Roll") == ("=abs(AttitudeState.Roll", 23)
    assert offers([], "=lowp", 5)[0].path == "lowpass(x, Hz)"


def test_the_menu_of_a_curve_computes_from_it(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll"])
    show(view)
    menu = build_menu(view, view, "AttitudeState.Roll")
    compute = next(action.menu() for action in menu.actions() if action.text() == "Compute from it")
    compute.actions()[0].trigger()  # type: ignore[union-attr]
    menu.close()
    assert view.model.paths[1] == "=derivative(AttitudeState.Roll)"


# Value axes


def test_every_unit_has_an_axis() -> None:
    frame = frame_of(model_of("AttitudeState.Roll", "BaroSensor.Altitude", "AttitudeState.Pitch"))
    assert [(axis.name, axis.unit, axis.curves) for axis in frame.axes] == [
        ("left", "°", (0, 2)),
        ("right", "m", (1,)),
    ]
    left, right = (axis.span for axis in frame.axes)
    assert frame.values == left
    for curve, scale, span in ((0, 0, left), (1, 1, right)):
        value = frame.curves[curve].value_at(12.0)
        assert value is not None
        share = (frame.scales[scale].height(value) - left.start) / left.length
        assert share == pytest.approx((value - span.start) / span.length)


def test_all_axes_are_zoomed_together_and_one_by_itself() -> None:
    model = model_of("AttitudeState.Roll", "BaroSensor.Altitude")
    before = frame_of(model)
    model.zoom_values(0.5, before.values.start)
    after = model.frame(MOMENT, 800)
    for old, new in zip(before.axes, after.axes, strict=True):
        assert (new.span.start, new.span.length) == pytest.approx(
            (old.span.start, old.span.length / 2)
        )
    assert after.points is None
    model.zoom_axis("right", 0.5, 0.0)
    alone = model.frame(MOMENT, 800)
    assert alone.axes[0].span == after.axes[0].span
    assert alone.axes[1].span.length == pytest.approx(after.axes[1].span.length / 2)
    assert alone.points is not None


def test_scale_and_offset_move_the_curve_and_not_its_value(view: PlotView) -> None:
    view.add_paths(["PositionState.North", "PositionState.East"])
    view.model.set_style("PositionState.East", 5, CurveStyle(3, -10.0, 4.0, "right"))
    show(view, 15.0)
    assert [axis.name for axis in view.canvas.picture.axes] == ["left", "right"]
    trace = view.canvas.traces[1]
    assert (trace.width_px, trace.color) == (3, THEME.series(5))
    entry = view.legend.entries[1]
    assert (entry.label, entry.value) == ("East × \u221210 + 4", "-15.0")
    axis = view.model.axes[1].span
    assert axis.start <= 4.0
    assert 154.0 < axis.stop <= 250.0


def test_the_settings_of_a_curve_apply_at_once(view: PlotView) -> None:
    view.add_paths(["PositionState.North"])
    show(view)
    view.ask_style("PositionState.North", QPoint(0, 0))
    settings = next(w for w in view.findChildren(CurveSettings))
    settings.choose_color(7)
    settings.axis_box.setCurrentText("Right")
    settings.gain_box.setValue(2.0)
    curve = view.model.curves[0]
    assert (curve.series, curve.style) == (7, CurveStyle(0, 2.0, 0.0, "right"))
    settings.close()


def test_plots_above_each_other_have_their_curves_in_line(qtbot: QtBot, view: PlotView) -> None:
    other = PlotView(THEME, ImmediateJobs())
    qtbot.addWidget(other)
    other.resize(600, 300)
    other.show()
    other.share_time(view.model.time)
    view.add_paths(["AttitudeState.Roll", "BaroSensor.Altitude"])
    other.add_paths(["AttitudeState.Yaw"])
    show(view)
    show(other)
    show(view)
    for edge in ("left", "right"):
        assert getattr(view.canvas.area, edge)() == getattr(other.canvas.area, edge)()
    wide = other.canvas.area.right()
    view.hide()
    show(other)
    assert other.canvas.area.right() > wide


def test_options_beside_numbers_are_bands_by_name(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll", "FlightStatus.Armed"])
    show(view)
    (band,) = view.canvas.picture.bands
    assert [(state.start, state.stop, state.text) for state in band] == [
        (0, 5, "Disarmed"),
        (5, 18, "Armed"),
        (18, 20, "Disarmed"),
    ]
    assert view.canvas.sheet.foot > view.canvas.area.bottom()
    menu = build_menu(view, view, "")
    titled = {action.text(): action for action in menu.actions()}
    titled["Show the flight mode below"].trigger()
    menu.close()
    show(view)
    assert [band[0].text for band in view.canvas.picture.bands] == ["Disarmed", "Stabilized1"]
    for path in ("AttitudeState.Roll", "FlightStatus.FlightMode"):
        view.remove_path(path)
    show(view)
    assert view.canvas.picture.bands == ()


# Zoom history


def test_a_box_is_zoomed_to_and_taken_back(view: PlotView) -> None:
    view.add_paths(["PositionState.North"])
    show(view)
    first = (view.model.time.span, view.model.values)
    start, stop = (
        QPoint(round(view.canvas.x_of(t)), round(view.canvas.y_of(v)))
        for t, v in ((5.0, 12.0), (10.0, 4.0))
    )
    QTest.mousePress(
        view.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, start
    )
    QTest.mouseMove(view.canvas, stop)
    QTest.mouseRelease(
        view.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, stop
    )
    show(view)
    span, values = view.model.time.span, view.model.values
    assert span is not None
    assert values is not None
    assert (span.start, span.stop) == pytest.approx((5.0, 10.0), abs=0.1)
    assert (values.start, values.stop) == pytest.approx((4.0, 12.0), abs=0.2)
    undo = QKeyEvent(
        QKeyEvent.Type.ShortcutOverride, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier
    )
    undo.ignore()
    QApplication.sendEvent(view, undo)
    assert undo.isAccepted()
    QTest.keySequence(view.canvas, QKeySequence(QKeySequence.StandardKey.Undo))
    show(view)
    assert (view.model.time.span, view.model.values) == first
    undo.ignore()
    QApplication.sendEvent(view, undo)
    assert not undo.isAccepted()
    QTest.keySequence(view.canvas, QKeySequence(QKeySequence.StandardKey.Redo))
    show(view)
    assert view.model.time.span == span


def test_one_turn_of_the_wheel_is_one_step_back(view: PlotView) -> None:
    view.add_paths(["PositionState.North"])
    show(view)
    for _ in range(5):
        view.canvas.zoomed_time.emit(0.8, 10.0)
    show(view)
    view.zooming.undo()
    show(view)
    assert view.model.time.span == Span(0.0, 20.0)
    assert not view.model.time.history.can_undo


def test_ctrl_z_belongs_to_the_plot_only_while_it_has_something_to_take_back(
    qtbot: QtBot, view: PlotView
) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(view)
    elsewhere: list[str] = []
    QShortcut(QKeySequence("Ctrl+Z"), window, lambda: elsewhere.append("undone"))
    window.show()
    view.add_paths(["PositionState.North"])
    show(view)
    view.canvas.setFocus()
    view.canvas.zoomed_time.emit(0.5, 10.0)
    QTest.keyClick(view.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (elsewhere, view.model.time.span) == ([], Span(0.0, 20.0))
    QTest.keyClick(view.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert elsewhere == ["undone"]
    window.takeCentralWidget()


# Other logs


def test_the_same_field_of_another_log_lies_where_its_clock_says() -> None:
    model = model_of("PositionState.North", "FlightStatus.Armed")
    model.others = (OtherLog("second.opl", short_flight(), FIVE_LATE),)
    model.compare("second.opl")
    frame = frame_of(model)
    assert [curve.path for curve in frame.curves[2:]] == [
        "PositionState.North @ second.opl",
        "FlightStatus.Armed @ second.opl",
    ]
    assert frame.points is not None
    x, y = frame.points[2]
    assert (x[0], x[-1]) == (pytest.approx(5.0), pytest.approx(20.0, abs=0.2))
    assert y == pytest.approx(x - 5.0, abs=1e-5)
    ghost, armed = frame.curves[2], frame.curves[3]
    assert ghost.value_at(12.0) == pytest.approx(7.0)
    assert [(s.start, s.text) for s in armed.states(Span(0.0, 30.0), 30.0)] == [
        (5.0, "Disarmed"),
        (10.0, "Armed"),
        (23.0, "Disarmed"),
    ]
    assert ghost.age_if_old(40.0) == pytest.approx(15.0)
    measured = ghost.measure(Span(10.0, 14.0))
    assert (measured.delta, measured.slope) == (pytest.approx(4.0), pytest.approx(1.0))
    model.others = ()
    assert model.frame(MOMENT, 800).curves[2].problem == "second.opl is not open with this flight."
    model.compare("second.opl")
    assert len(model.curves) == 2


def test_pieces_of_another_log_are_not_joined_over_their_gap() -> None:
    curve = Curve("PositionState.North", 0)
    sync = Sync((Piece(0.0, 1.0, 0.0, 8.0), Piece(-4.0, 1.0, 8.0, 20.0)))
    curve.attach(short_flight(), sync)
    assert curve.value_at(5.0) == 5.0
    assert curve.value_at(10.0) == pytest.approx(8.0)  # until 12 s nothing: the later one's begin
    assert curve.value_at(14.0) == pytest.approx(10.0)
    x, y = curve.points(Span(0.0, 24.0), 800, 24.0)
    assert y[np.searchsorted(x, 13.05)] == pytest.approx(9.1, abs=1e-5)


def test_another_log_is_dragged_to_where_it_belongs(view: PlotView, qtbot: QtBot) -> None:
    view.add_paths(["PositionState.North"])
    view.show_others((OtherLog("second.opl", short_flight(), FIVE_LATE),))
    view.compare("second.opl")
    show(view)
    assert view.legend.entries[1].label == "North · second.opl"
    assert view.canvas.traces[0].color != view.canvas.traces[1].color
    moved: list[tuple[str, float]] = []
    view.log_shifted.connect(lambda name, by_s: moved.append((name, by_s)))
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    start, stop = (QPoint(round(view.canvas.x_of(t)), 100) for t in (12.0, 15.0))
    drag(view, start, stop, keys)
    assert {name for name, _ in moved} == {"second.opl"}
    assert sum(by_s for _, by_s in moved) == pytest.approx(3.0, abs=0.1)
    view.move_log("second.opl")
    assert view.canvas.shifts_logs
    QTest.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert not view.canvas.shifts_logs


# State


def test_styles_expressions_and_logs_return() -> None:
    model = model_of("=abs(AttitudeState.Roll)", "AttitudeState.Roll @ second.opl")
    model.curves[0].style = CurveStyle(2, -1.5, 3.0, "right 2")
    state = curves_state(model)
    again = PlotModel()
    restore_curves(again, state)
    assert curves_state(again) == state
    assert again.curves[0].style == model.curves[0].style
    restore_curves(again, [{"path": "A.b", "gain": "x", "axis": "top", "width_px": 900}])
    assert again.curves[0].style == CurveStyle()
