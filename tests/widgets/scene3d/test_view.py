"""The view takes keys in free flight only, draws what it is told, and gives way without OpenGL."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.pilot.held_keys import HeldKeys
from tests.widgets.scene3d.scenes import RED, WHITE_SKY, cube, name_at, order
from widgets.scene3d import drawing_thread, gl_drawing
from widgets.scene3d.camera_modes import CameraMode, SeenAircraft
from widgets.scene3d.draw_request import DrawRequest
from widgets.scene3d.drawing_thread import DrawingThread, open_painter
from widgets.scene3d.gl_context import NoOpenGLError
from widgets.scene3d.painter_drawing import PainterDrawing
from widgets.scene3d.resolution_scale import ResolutionScale
from widgets.scene3d.scene import SpaceScene
from widgets.scene3d.view import SpaceView
from widgets.theme import load_theme

AIRCRAFT = SeenAircraft((0.0, 0.0, -10.0))


class SlowClock:
    """A time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def advance(self, seconds: float) -> None:
        self.now_s += seconds


SCENE = SpaceScene((cube(0.0, 0.0, -10.0, RED),), light=WHITE_SKY)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[SpaceView]:
    made = SpaceView(load_theme("dark"), open_painter)
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    yield made
    made.close_drawing()


def test_it_shows_what_was_drawn_and_words_for_nothing(qtbot: QtBot, view: SpaceView) -> None:
    view.show_empty("Nothing yet.")
    assert view.words == ("Nothing yet.",)
    with qtbot.waitSignal(view.picture_came):
        view.show_space(SCENE, AIRCRAFT, ("10 m high",))
    assert view.words == ("10 m high",)
    assert name_at(view.grab().toImage(), 200, 150) == "red"
    view.show_empty("Gone.")
    assert name_at(view.grab().toImage(), 200, 150) != "red"


def test_words_that_have_room_stay_on_their_lines(qtbot: QtBot, view: SpaceView) -> None:
    with qtbot.waitSignal(view.picture_came):
        view.show_space(SCENE, AIRCRAFT, ("Estimate 0.4 m off",))
    shown = view.grab().toImage()
    line_px = view.fontMetrics().height()
    assert shown.pixelColor(10, 8 + line_px).lightness() < 128, "the ground of one line"
    assert shown.pixelColor(10, 8 + 2 * line_px).lightness() > 200, "the sky below it"


def test_words_stay_within_a_narrow_view(qtbot: QtBot, view: SpaceView) -> None:
    view.resize(160, 300)
    words = ("Place not estimated: no GPS fix yet, nor any other",)
    with qtbot.waitSignal(view.picture_came):
        view.show_space(SCENE, AIRCRAFT, words)
    shown = view.grab().toImage()
    assert view.fontMetrics().horizontalAdvance(words[0]) > view.width(), "they need several lines"
    assert shown.pixelColor(12, 20).lightness() < 128, "the ground of the words"
    assert shown.pixelColor(shown.width() - 3, 20).lightness() > 200, "the sky beside them"


def test_less_detail_is_fewer_pixels(qtbot: QtBot, view: SpaceView) -> None:
    with qtbot.waitSignal(view.picture_came):
        view.show_space(SCENE, AIRCRAFT, (), detail=0.5)
    assert view.picture is not None
    assert (view.picture.order.width, view.picture.order.height) == (200, 150)
    assert name_at(view.grab().toImage(), 200, 150) == "red", "and as large as before"


def press(view: SpaceView, kind: QEvent.Type, key: Qt.Key) -> bool:
    event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QApplication.sendEvent(view, event)
    return event.isAccepted()


def test_keys_are_the_stations_unless_the_camera_flies(qtbot: QtBot, view: SpaceView) -> None:
    view.show_space(SCENE, AIRCRAFT, ())
    for mode in CameraMode:
        view.look_through(mode)
        is_free = mode is CameraMode.FREE
        assert press(view, QEvent.Type.ShortcutOverride, Qt.Key.Key_W) is is_free, mode
        assert not press(view, QEvent.Type.ShortcutOverride, Qt.Key.Key_Space), mode
    place = view.rig.eye(AIRCRAFT).position
    qtbot.keyPress(view, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: view.rig.eye(AIRCRAFT).position != place)
    qtbot.keyRelease(view, Qt.Key.Key_W)
    view.clearFocus()


def test_a_keyboard_that_flies_the_aircraft_keeps_its_keys(qtbot: QtBot, view: SpaceView) -> None:
    view.show_space(SCENE, AIRCRAFT, ())
    view.look_through(CameraMode.FREE)
    flown: list[frozenset[str]] = []
    keys = HeldKeys(flown.append, lambda: None, view)
    keys.watch(True)
    qtbot.keyPress(view, Qt.Key.Key_W)
    assert not view.is_flying
    qtbot.keyRelease(view, Qt.Key.Key_W)
    keys.watch(False)
    assert flown == [frozenset({"W"}), frozenset()]
    qtbot.keyPress(view, Qt.Key.Key_W)
    assert view.is_flying, "without it the key is the camera's"
    qtbot.keyRelease(view, Qt.Key.Key_W)


def test_dragging_turns_and_the_wheel_comes_closer(qtbot: QtBot, view: SpaceView) -> None:
    view.show_space(SCENE, AIRCRAFT, ())
    view.look_through(CameraMode.ORBIT)
    before = view.rig.azimuth_deg
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    qtbot.mouseMove(view, QPoint(160, 100))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(160, 100))
    assert view.rig.azimuth_deg != before


def test_without_opengl_it_draws_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise NoOpenGLError("no driver")

    monkeypatch.setattr(gl_drawing, "open_gl", refuse)
    assert "without OpenGL" in drawing_thread.open_drawing().title


def test_pictures_that_take_long_become_smaller_and_large_again() -> None:
    share = ResolutionScale()
    for _ in range(20):
        share.take(0.1)
    least = share.value
    assert 0.3 < least < 0.5
    share.take(0.025)
    assert share.value == least, "what takes half a picture's time stays"
    for _ in range(20):
        share.take(0.005)
    assert share.value == 1.0


def test_what_stands_still_is_drawn_sharp(qtbot: QtBot) -> None:
    class SlowDrawing(PainterDrawing):
        """Says that half a second has gone by."""

        def draw(self, order: DrawRequest) -> QImage:
            clock.advance(0.5)
            return super().draw(order)

    clock = SlowClock()
    view = SpaceView(load_theme("dark"), SlowDrawing, clock)
    qtbot.addWidget(view, before_close_func=lambda _: view.close_drawing())
    view.resize(400, 300)
    view.show()
    widths = []
    for _ in range(3):
        with qtbot.waitSignal(view.picture_came):
            view.show_space(SCENE, AIRCRAFT, ())
        assert view.picture is not None
        widths.append(view.picture.order.width)
    assert widths[0] == 400
    assert widths[2] < widths[1] < 400

    def is_sharp() -> bool:
        return view.picture is not None and view.picture.order.width == 400

    qtbot.waitUntil(is_sharp)


def test_a_driver_that_gives_up_is_replaced_while_it_draws(qtbot: QtBot) -> None:
    class FailingDrawing(PainterDrawing):
        """Of a graphics card that is gone."""

        def draw(self, order: DrawRequest) -> QImage:
            raise NoOpenGLError("device lost")

    view = SpaceView(load_theme("dark"), FailingDrawing)
    qtbot.addWidget(view, before_close_func=lambda _: view.close_drawing())
    view.resize(400, 300)
    with qtbot.waitSignal(view.picture_came):
        view.show_space(SCENE, AIRCRAFT, ())
    assert view.picture is not None
    assert name_at(view.picture.image, 200, 150) == "red"


def test_closing_does_not_wait_for_a_picture_without_end() -> None:
    class StuckDrawing(PainterDrawing):
        """Of a driver that does not answer."""

        def draw(self, order: DrawRequest) -> QImage:
            begun.set()
            answers.wait(5.0)
            return super().draw(order)

    begun, answers, told = threading.Event(), threading.Event(), list[str]()
    before = set(threading.enumerate())  # other tests' threads may just be ending
    thread = DrawingThread(lambda: told.append("picture"), StuckDrawing)
    thread.want(order(SCENE))
    assert begun.wait(5.0)
    thread.close(patience_s=0.0)
    answers.set()
    begun_here = set(threading.enumerate()) - before
    (left,) = (one for one in begun_here if one.name == "lapwing-3d")
    left.join(5.0)
    assert told == [], "nobody is there to be told"
