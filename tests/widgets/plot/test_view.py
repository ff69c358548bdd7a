"""The plot widget under hands."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QEnterEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from plugins.testing import add, short_flight
from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from tests.dropping import drop_onto
from tests.immediate import ImmediateJobs
from widgets.plot.axes import axis_label
from widgets.plot.fields import FIELD_MIME
from widgets.plot.menu import build_menu, window_title
from widgets.plot.overlays import EmptyNotice, PlotTools, StatisticsTable
from widgets.plot.picker import FieldPicker
from widgets.plot.time_view import Moment
from widgets.plot.view import PlotView
from widgets.plot.window import Span
from widgets.theme import load_theme

THEME = load_theme("light")
NO_BUTTON, NO_KEY = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot: QtBot) -> PlotView:
    view = PlotView(THEME, ImmediateJobs())
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show()
    return view


def notice_of(view: PlotView) -> EmptyNotice:
    (notice,) = view.findChildren(EmptyNotice)
    return notice


def statistics_of(view: PlotView) -> StatisticsTable:
    (statistics,) = view.findChildren(StatisticsTable)
    return statistics


def show(view: PlotView, t: float = 10.0, flight: object = None) -> None:
    """Show the short flight, twice: the first layout gives the canvas its size."""
    recording = flight or view.__dict__.setdefault("flight", short_flight())
    for _ in range(2):
        view.show_moment(recording, Moment(t, Span(0.0, 20.0)))  # type: ignore[arg-type]
        QApplication.processEvents()


def pixel(view: PlotView, t: float, value: float = 0.0) -> QPoint:
    return QPointF(view.canvas.x_of(t), view.canvas.y_of(value)).toPoint()


def columns_with(image: QImage, color: QColor) -> list[int]:
    view = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
    pixels = view.reshape(image.height(), -1, 4)[:, :, :3].astype(int)
    wanted = np.array([color.blue(), color.green(), color.red()])
    hit = (np.abs(pixels - wanted).max(axis=2) <= 3).any(axis=0)
    return np.flatnonzero(hit).tolist()


def wheel(view: PlotView, at: QPoint, modifiers: Qt.KeyboardModifier = NO_KEY) -> None:
    target = view.canvas
    place = QPointF(at)
    event = QWheelEvent(
        place,
        target.mapToGlobal(place),
        QPoint(),
        QPoint(0, 120),
        NO_BUTTON,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(target, event)


def test_an_empty_plot_says_what_to_do(view: PlotView) -> None:
    show(view)
    assert notice_of(view).isVisible()
    view.add_paths(["AttitudeState.Roll"])
    show(view)
    assert not notice_of(view).isVisible()


def test_a_small_plot_is_for_its_curves_and_has_its_buttons_under_the_pointer(
    view: PlotView,
) -> None:
    (tools,) = view.findChildren(PlotTools)
    view.add_paths(["AttitudeState.Roll", "AttitudeState.Pitch"])
    show(view)
    large = view.legend.height()
    assert tools.isVisible()
    view.resize(260, 128)  # what a tab row leaves of a card of 260 x 150
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    show(view)
    assert not tools.isVisible()
    assert view.legend.height() < large
    assert view.canvas.area.height() > 0.55 * 128
    assert view.canvas.area.width() > 0.75 * 260
    before = view.canvas.geometry()
    corner = QPointF(5, 5)
    QApplication.sendEvent(view, QEnterEvent(corner, corner, corner))
    show(view)
    assert tools.isVisible()
    assert view.canvas.geometry() == before
    view.resize(600, 300)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    show(view)
    assert tools.isVisible()


def test_the_curve_is_painted_where_its_values_are(view: PlotView) -> None:
    view.add_paths(["PositionState.North"])
    show(view)
    image = view.canvas.grab().toImage()
    color = THEME.series(0)
    for t in (3.0, 12.0, 17.0):
        x, y = view.canvas.x_of(t), view.canvas.y_of(t)
        near = [
            QColor(image.pixel(round(x) + dx, round(y) + dy)) == color
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        ]
        assert any(near), t
    far = QColor(image.pixel(round(view.canvas.x_of(3.0)), round(view.canvas.y_of(17.0))))
    assert far != color


def test_the_cursor_stands_at_its_time(view: PlotView) -> None:
    view.add_paths(["PositionState.North"])
    for t in (4.0, 15.0):
        show(view, t)
        columns = columns_with(view.canvas.grab().toImage(), THEME.color("selected"))
        assert columns == [pytest.approx(view.canvas.x_of(t), abs=1.0)]


def test_what_stays_while_the_cursor_moves_is_what_would_be_painted_anew(
    view: PlotView, qtbot: QtBot
) -> None:
    fresh = PlotView(THEME, ImmediateJobs())
    qtbot.addWidget(fresh)
    fresh.resize(view.size())
    fresh.show()
    recording = short_flight()
    for one in (view, fresh):
        one.add_paths(["PositionState.North", "FlightStatus.Armed"])
    for t in (4.0, 15.0, 16.0):
        show(view, t, recording)
        shown = view.canvas.grab().toImage()
    show(fresh, 16.0, recording)
    assert shown == fresh.canvas.grab().toImage()
    recording.add_event(Event(12.0, "marker", Level.INFO, "Here"))
    add(recording, 20.5, "PositionState", North=-300.0)
    show(view, 16.0, recording)
    assert view.canvas.grab().toImage() != shown
    show(fresh, 16.0, recording)
    assert view.canvas.grab().toImage() == fresh.canvas.grab().toImage()


def test_the_legend_tells_the_values_at_the_cursor(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Yaw", "FlightStatus.Armed"])
    show(view, 10.0)
    entries = view.legend.entries
    assert [(e.value, e.unit) for e in entries] == [("90.0", "°"), ("Armed", "")]
    show(view, 2.0)
    assert [e.value for e in view.legend.entries] == ["18.0", "Disarmed"]


def test_a_value_with_more_digits_moves_nothing(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Yaw", "AttitudeState.Roll"])
    show(view, 0.1)
    cells = list(view.legend.cells)
    show(view, 19.9)
    assert view.legend.cells == cells


def test_a_click_seeks(view: PlotView, qtbot: QtBot) -> None:
    view.add_paths(["AttitudeState.Roll"])
    show(view)
    with qtbot.waitSignal(view.seek_wanted) as wanted:
        QTest.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=pixel(view, 4.0))
    assert wanted.args[0] == pytest.approx(4.0, abs=0.05)


def test_dragging_the_cursor_line_seeks_and_does_not_pan(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll"])
    show(view, 10.0)
    sought: list[float] = []
    view.seek_wanted.connect(sought.append)
    surface, shown = view.canvas, view.model.span
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, pos=pixel(view, 10.0))
    for t in (9.0, 7.0):
        QTest.mouseMove(surface, pixel(view, t))
    QTest.mouseRelease(surface, Qt.MouseButton.LeftButton, pos=pixel(view, 7.0))
    assert sought == pytest.approx([9.0, 7.0], abs=0.05)
    assert view.model.span == shown


def test_dragging_elsewhere_pans_and_does_not_seek(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll"])
    show(view, 10.0)
    sought: list[float] = []
    view.seek_wanted.connect(sought.append)
    surface = view.canvas
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, pos=pixel(view, 4.0))
    start = pixel(view, 4.0)
    QTest.mouseMove(surface, start + QPoint(50, 0))
    QTest.mouseRelease(surface, Qt.MouseButton.LeftButton, pos=start + QPoint(50, 0))
    assert sought == []
    show(view)
    assert view.canvas.x_of(4.0) == pytest.approx(start.x() + 50, abs=1.0)
    assert window_title(view.model.time) == "Free"


def shift_drag(view: PlotView, start: float, stop: float) -> None:
    surface, shift = view.canvas, Qt.KeyboardModifier.ShiftModifier
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, shift, pixel(view, start))
    QTest.mouseMove(surface, pixel(view, (start + stop) / 2))
    QTest.mouseMove(surface, pixel(view, stop))
    QTest.mouseRelease(surface, Qt.MouseButton.LeftButton, shift, pixel(view, stop))


def test_shift_and_drag_measures_until_escape(view: PlotView) -> None:
    view.add_paths(["PositionState.North", "FlightStatus.Armed", "BaroSensor.Altitude"])
    show(view)
    shown = view.model.span
    sought: list[float] = []
    view.seek_wanted.connect(sought.append)
    shift_drag(view, 14.0, 4.0)
    show(view)
    measured = view.model.time.measured
    assert measured is not None
    assert (measured.start, measured.stop) == pytest.approx((4.0, 14.0), abs=0.05)
    assert (view.model.span, sought) == (shown, [])
    view.model.time.measure(4.0, 14.0)
    show(view)
    texts = [entry.value.replace("\u2009", " ") for entry in view.legend.entries]
    assert texts[0] == "Δ 10.0 m   mean 9.0 m   1.00 m/s"
    assert texts[1] == "Disarmed → Armed"
    assert view.canvas.picture.measured == Span(4.0, 14.0)
    QTest.keyClick(view.canvas, Qt.Key.Key_Escape)
    show(view)
    assert view.model.time.measured is None
    assert view.legend.entries[0].value == "10.0"
    assert view.canvas.picture.measured is None


def test_a_silence_has_no_change_to_tell(view: PlotView) -> None:
    flight = short_flight()
    add(flight, 60.0, "PositionState", North=60.0)
    view.add_paths(["PositionState.North"])
    for _ in range(2):
        view.model.time.measure(10.0, 40.0)
        view.show_moment(flight, Moment(40.0, Span(0.0, 60.0)))
    assert "Δ –" in view.legend.entries[0].value
    view.model.time.stop_measuring()
    view.show_moment(flight, Moment(40.0, Span(0.0, 60.0)))
    entry = view.legend.entries[0]
    assert (entry.value, entry.age) == ("20.0", "20\u2009s old")
    assert view.canvas.picture.silences == (Span(20.0, 60.0),)
    view.show_moment(flight, Moment(15.0, Span(0.0, 60.0)))
    assert view.legend.entries[0].age == ""


def test_a_double_click_fits_and_takes_the_click_back(view: PlotView, qtbot: QtBot) -> None:
    view.add_paths(["AttitudeState.Roll"])
    show(view)
    view.model.time.zoom(0.2, 3.0)
    show(view)
    with qtbot.waitSignal(view.seek_undone):
        QTest.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=pixel(view, 3.0))
    show(view)
    assert view.model.span == Span(0.0, 20.0)


def test_the_wheel_zooms_time_or_with_shift_values(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll"])
    show(view)
    at = pixel(view, 5.0, 4.0)
    values = view.model.values
    wheel(view, at)
    show(view)
    assert view.model.span is not None
    assert view.model.span.length == pytest.approx(16.0)
    assert view.canvas.time_at(at.x()) == pytest.approx(5.0, abs=0.05)
    assert view.model.values == values
    wheel(view, at, Qt.KeyboardModifier.ShiftModifier)
    show(view)
    assert values is not None
    assert view.canvas.picture.values.length == pytest.approx(values.length * 0.8)
    assert view.canvas.value_at(at.y()) == pytest.approx(4.0, abs=0.1)


def test_nothing_moved_nothing_painted(view: PlotView, monkeypatch: pytest.MonkeyPatch) -> None:
    view.add_paths(["AttitudeState.Roll"])
    show(view)
    painted: list[object] = []
    monkeypatch.setattr(view.canvas, "show_picture", lambda *args: painted.append(args))
    show(view)
    assert painted == []
    show(view, 11.0)
    assert painted


def test_fields_are_dropped_onto_the_plot(view: PlotView) -> None:
    show(view)
    mime = QMimeData()
    mime.setData(FIELD_MIME, b"AttitudeState.Roll\nPositionState.North")
    drop_onto(view, mime)
    assert view.model.paths == ("AttitudeState.Roll", "PositionState.North")
    mime.setData(FIELD_MIME, b"what is this")
    drop_onto(view, mime)
    assert len(view.model.paths) == 2


def test_the_picker_adds_and_removes(view: PlotView) -> None:
    show(view)
    view.open_picker()
    (picker,) = view.findChildren(FieldPicker)
    (search,) = picker.findChildren(QLineEdit)
    QTest.keyClicks(search, "attitude roll")
    assert picker.shown_paths[0] == "AttitudeState.Roll"
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert list(view.model.paths) == ["AttitudeState.Roll"]
    assert picker.isVisible()
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert not view.model.paths
    picker.hide()


def test_the_picker_explains_an_empty_list(view: PlotView) -> None:
    view.open_picker()
    (picker,) = view.findChildren(FieldPicker)
    assert any("Connect" in label.text() for label in picker.findChildren(QLabel))
    picker.hide()


def test_a_click_in_the_legend_hides_a_curve(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll", "AttitudeState.Yaw"])
    show(view)
    cell = view.legend.cells[1].center()
    QTest.mouseClick(view.legend, Qt.MouseButton.LeftButton, pos=cell)
    assert [curve.is_shown for curve in view.model.curves] == [True, False]


def test_the_menu_offers_what_can_be_done(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll"])
    show(view)
    menu = build_menu(view, view, "")
    texts = [action.text() for action in menu.actions()]
    for wanted in ("Add fields…\tA", "Clear", "Copy image", "Export visible samples…"):
        assert wanted in texts
    next(action for action in menu.actions() if action.text() == "Clear").trigger()
    assert view.model.paths == ()
    menu.close()


def test_statistics_are_shown_on_demand(view: PlotView) -> None:
    view.add_paths(["PositionState.North"])
    show(view)
    assert not view.shows_statistics
    view.toggle_statistics(True)
    text = statistics_of(view).text()
    assert "North" in text
    assert ">&nbsp;&nbsp;20<" in text


def test_statistics_that_were_open_before_the_flight_tell_it_once_it_is_there(
    view: PlotView,
) -> None:
    view.add_paths(["PositionState.North", "FlightStatus.Armed"])
    view.toggle_statistics(True)
    view.show_moment(Recording(), Moment(0.0, Span(0.0, 1.0)))
    show(view)
    show(view)
    text = statistics_of(view).text()
    assert "no samples" not in text
    assert "Armed" not in text
    assert all(word in text for word in ("RMS", "slope", "1/s"))


def test_images_and_tables_are_saved(view: PlotView, tmp_path: Path, qtbot: QtBot) -> None:
    view.add_paths(["PositionState.North"])
    show(view)
    view.saving.save_image(tmp_path / "plot.png")
    assert not QImage(str(tmp_path / "plot.png")).isNull()
    view.saving.save_csv(tmp_path / "plot.csv")
    with qtbot.waitSignal(view.message) as told:
        show(view)
    assert told.args == ["Exported 201 rows."]
    view.saving.save_csv(tmp_path / "no" / "such" / "place.csv")
    with qtbot.waitSignal(view.message) as told:
        show(view)
    assert told.args[0].startswith("Not exported")


def test_labels_of_large_values_stay_short() -> None:
    assert axis_label(1_500_000, 500_000, 0) == "1.5M"
    assert axis_label(20_000, 10_000, 0) == "20k"
    assert axis_label(0.0, 10_000, 0) == "0"
    assert axis_label(-0.25, 0.05, 2) == "-0.25"


FIVE = [
    *(f"AttitudeState.{axis}" for axis in ("Roll", "Pitch", "Yaw")),
    *(f"PositionState.{axis}" for axis in ("North", "East")),
]


@pytest.mark.parametrize("size", [(400, 180), (420, 120), (640, 220)])
def test_measuring_five_curves_leaves_most_of_the_height_to_the_plot(
    view: PlotView, size: tuple[int, int]
) -> None:
    view.resize(*size)
    view.add_paths(FIVE)
    show(view)
    view.model.time.measure(5.0, 12.0)
    show(view)
    show(view)
    assert view.canvas.height() >= 0.6 * size[1]
    legend = view.legend
    seen = {entry.path for entry in legend.entries if entry not in legend.hidden}
    for _ in FIVE:
        QApplication.sendEvent(legend, wheel_on_legend(view, -120))
        seen |= {entry.path for entry in legend.entries if entry not in legend.hidden}
    assert seen == set(FIVE), "what finds no room is reached with the wheel"
    assert not legend.hidden


def wheel_on_legend(view: PlotView, delta: int) -> QWheelEvent:
    at = QPointF(5, 5)
    turned = QPoint(0, delta)
    phase = Qt.ScrollPhase.NoScrollPhase
    return QWheelEvent(
        at, view.legend.mapToGlobal(at), QPoint(), turned, NO_BUTTON, NO_KEY, phase, False
    )


def test_colours_follow_the_theme_although_no_point_has_changed(view: PlotView) -> None:
    view.add_paths(["AttitudeState.Roll", "AttitudeState.Pitch"])
    show(view)
    for name in ("dark", "light", "sunlight"):
        theme = load_theme(name)
        for part in (view, view.canvas, view.legend):
            part.apply_theme(theme)
        show(view)
        assert [entry.color for entry in view.legend.entries] == [theme.series(0), theme.series(1)]
        image = view.canvas.grab().toImage()
        assert len(columns_with(image, theme.series(0))) > 100
        assert theme.series(0) == load_theme("light").series(0) or not len(
            columns_with(image, load_theme("light").series(0))
        )


def test_a_live_plot_is_painted_again_when_it_has_moved_by_a_pixel(
    view: PlotView, monkeypatch: pytest.MonkeyPatch
) -> None:
    flight = short_flight()
    view.add_paths(["AttitudeState.Roll"])
    view.model.time.set_window(10.0)

    def show_live(t: float) -> None:
        view.show_moment(flight, Moment(t, Span(0.0, t), is_live=True, can_live=True))
        QApplication.processEvents()

    show_live(12.0)
    pixel_s = 10.0 / view.canvas.columns
    show_live(12.0 + pixel_s)
    painted: list[object] = []
    monkeypatch.setattr(view.canvas, "show_picture", lambda *args: painted.append(args))
    show_live(12.0 + 1.5 * pixel_s)
    assert not painted
    show_live(12.0 + 2.1 * pixel_s)
    assert len(painted) == 1
    view.model.time.measure(3.0, 4.0)  # what the user does is seen at once
    show_live(12.0 + 2.2 * pixel_s)
    assert len(painted) == 2


def test_a_spike_of_one_sample_is_seen_at_every_zoom(view: PlotView) -> None:
    recording = Recording()
    add(recording, 0.0, "AccelState", x=0.0)
    definition = recording.tracks()[0].definition
    rows = np.zeros(200_000, definition.dtype)
    rows["x"][123_457] = 500.0
    recording.extend(definition, 0, np.arange(1, 200_001) / 10_000, rows)
    for path in ("AccelState.x", "=AccelState.x * 2"):
        view.clear()
        view.add_paths([path])
        for zoom in (1.0, 0.3, 0.1, 0.02, 0.001):
            view.zooming.fit()
            show(view, 5.0, recording)
            view.model.time.zoom(zoom, 12.3458)
            show(view, 5.0, recording)
            (trace,) = view.canvas.traces
            assert np.nanmax(trace.y) == (500.0 if path == "AccelState.x" else 1000.0)
            top = view.canvas.y_of(np.nanmax(trace.y))
            strip = view.canvas.grab().toImage().copy(0, round(top), 600, 30)
            column = columns_with(strip, THEME.series(0))
            assert column
            assert abs(column[0] - view.canvas.x_of(12.3458)) <= 3


def test_under_load_curves_have_less_detail(view: PlotView) -> None:
    flight = Recording()
    for step in range(3000):
        add(flight, step / 100, "AttitudeState", Roll=float(np.sin(step)))
    view.add_paths(["AttitudeState.Roll"])
    lengths = []
    for detail in (1.0, 0.25):
        view.detail = detail
        view.show_moment(flight, Moment(30.0, Span(0.0, 30.0)))
        lengths.append(max(len(trace.x) for trace in view.canvas.traces))
    assert lengths[1] < 0.4 * lengths[0]


MANY = tuple(f"={factor} * PositionState.North" for factor in range(1, 13))


@pytest.mark.parametrize(("width", "count", "is_beside"), [(600, 12, 1), (600, 6, 0), (380, 12, 0)])
def test_the_legend_of_many_curves_stands_beside_them(
    view: PlotView, width: int, count: int, is_beside: int
) -> None:
    view.resize(width, 300)
    view.add_paths(MANY[:count])
    show(view)
    legend, canvas = view.legend, view.canvas
    assert bool(is_beside) == (legend.mapTo(view, QPoint()).x() >= canvas.geometry().right())
    assert bool(is_beside) == (canvas.height() == view.height())
    if is_beside:
        assert not legend.hidden
        cell = legend.cells[11].center()
        QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=cell)
        assert [curve.path for curve in view.model.curves if not curve.is_shown] == [MANY[11]]


def test_plots_of_one_width_keep_an_instant_in_one_line_beside_a_legend(
    view: PlotView, qtbot: QtBot
) -> None:
    other = PlotView(THEME, ImmediateJobs())
    qtbot.addWidget(other)
    other.resize(view.size())
    other.show()
    other.share_time(view.model.time)
    other.add_paths(["PositionState.East"])
    for count, is_far in ((2, False), (12, True)):
        view.add_paths(MANY[:count])
        for _ in range(3):
            show(view)
            show(other)
        left, right = (plot.canvas.x_of(10.0) for plot in (view, other))
        assert left == pytest.approx(right, abs=1.0)
        assert (other.width() - other.canvas.area.right() > 100) is is_far
