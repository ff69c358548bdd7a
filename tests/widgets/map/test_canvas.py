"""The map widget: what it paints, how it moves, what it keeps."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.widgets.map.test_tiles import make_mbtiles, tile_picture
from widgets.map.canvas import MapCanvas
from widgets.map.decorations import home_text
from widgets.map.menu import build_menu
from widgets.map.projection import GeoPoint, Viewport, project, project_many
from widgets.map.scene import MapScene, TrackLine, VehicleMark
from widgets.theme import load_theme

THEME = load_theme("light")
HOME = GeoPoint(48.9466, 9.4300)
EAST = GeoPoint(48.9466, 9.4320)


@pytest.fixture
def canvas(qtbot: QtBot, tmp_path: Path) -> MapCanvas:
    canvas = MapCanvas(THEME, ImmediateJobs(), tmp_path / "cache")
    qtbot.addWidget(canvas)
    canvas.resize(600, 400)
    canvas.show()
    canvas.setFocus()
    return canvas


def eastward_scene(past: int = 100, heading_deg: float | None = 90.0) -> MapScene:
    """A straight flight from home to the east, of which `past` of 100 points are flown."""
    longitudes = np.linspace(HOME.longitude_deg, EAST.longitude_deg, 100)
    x, y = project_many(np.full(100, HOME.latitude_deg), longitudes)
    here = GeoPoint(HOME.latitude_deg, float(longitudes[past - 1]))
    track = TrackLine("one", x, y, past)
    return MapScene((VehicleMark("quad", here, heading_deg),), (track,), home=HOME, start=HOME)


def picture(canvas: MapCanvas) -> QImage:
    return canvas.grab().toImage()


def count(image: QImage, color: QColor, tolerance: int = 6) -> int:
    """How many pixels have about this colour."""
    view = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
    pixels = view.reshape(image.height(), -1, 4)[:, :, :3].astype(int)
    wanted = np.array([color.blue(), color.green(), color.red()])
    return int((np.abs(pixels - wanted).max(axis=2) <= tolerance).sum())


def wheel(canvas: MapCanvas, at: QPointF, notches: int) -> None:
    event = QWheelEvent(
        at,
        canvas.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def test_without_tiles_grid_and_track_are_painted(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.fit()
    image = picture(canvas)
    assert canvas.tiles_shown == 0
    assert count(image, THEME.color("map_grid")) > 500
    assert count(image, THEME.color("track")) > 500
    assert count(image, THEME.color("home")) > 50
    assert count(image, THEME.color("symbol")) > 50


def test_an_empty_map_shows_a_grid_and_says_what_to_do(canvas: MapCanvas) -> None:
    canvas.set_following(False)
    canvas.show_scene(MapScene())
    image = picture(canvas)
    assert count(image, THEME.color("map_grid")) > 500
    assert count(image, THEME.color("text")) > 50
    assert count(image, THEME.color("track")) == 0


def test_what_is_not_flown_yet_is_faint(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.fit()
    all_flown = count(picture(canvas), THEME.color("track"))
    canvas.show_scene(eastward_scene(past=30))
    some_flown = count(picture(canvas), THEME.color("track"))
    assert some_flown < 0.5 * all_flown
    canvas.show_scene(eastward_scene())
    assert count(picture(canvas), THEME.color("track")) == pytest.approx(all_flown, rel=0.05)


@pytest.mark.slow
def test_a_growing_track_looks_like_one_painted_at_once(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene(past=2))
    canvas.fit()
    for past in range(3, 101):
        canvas.show_scene(eastward_scene(past))
        picture(canvas)
    grown = count(picture(canvas), THEME.color("track"))
    canvas.apply_theme(THEME)
    assert grown == pytest.approx(count(picture(canvas), THEME.color("track")), rel=0.05)


def test_the_arrow_points_where_the_aircraft_heads(canvas: MapCanvas) -> None:
    pictures = []
    for heading in (0.0, 90.0):
        canvas.show_scene(eastward_scene(heading_deg=heading))
        canvas.set_following(True)
        pictures.append(picture(canvas))
    assert pictures[0] != pictures[1]


def test_the_wheel_zooms_at_the_pointer(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.set_following(False)
    at = QPointF(480, 90)
    place = canvas.view.place_at(at.x(), at.y())
    zoom = canvas.view.zoom
    wheel(canvas, at, 3)
    assert canvas.view.zoom == pytest.approx(zoom + 1.5)
    assert canvas.view.place_px(place) == pytest.approx((480, 90), abs=0.01)
    wheel(canvas, at, -3)
    assert canvas.view.place_px(place) == pytest.approx((480, 90), abs=0.01)


def test_following_keeps_the_aircraft_in_the_middle(canvas: MapCanvas) -> None:
    canvas.set_following(True)
    for past in (10, 50, 100):
        scene = eastward_scene(past)
        canvas.show_scene(scene)
        assert scene.active is not None
        assert canvas.view.place_px(scene.active.place) == pytest.approx((300, 200), abs=0.6)
    wheel(canvas, QPointF(10, 10), 1)
    assert canvas.view.place_px(scene.active.place) == pytest.approx((300, 200), abs=0.6)


def test_dragging_pans_and_ends_following(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.set_following(True)
    held = canvas.view.to_world(200, 200)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    QTest.mouseMove(canvas, QPoint(230, 215))
    QTest.mouseMove(canvas, QPoint(260, 230))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(260, 230))
    assert not canvas.is_following
    assert canvas.view.to_px(*held) == pytest.approx((260, 230), abs=0.01)
    rested = canvas.view
    canvas.show_scene(eastward_scene(past=10))
    assert canvas.view == rested


def test_a_click_does_not_pan(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.set_following(True)
    view = canvas.view
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
    assert (canvas.view, canvas.is_following) == (view, True)


def test_a_double_click_fits_the_track(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.set_view(Viewport(0.1, 0.1, 5))
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    for place in (HOME, EAST):
        x, y = canvas.view.place_px(place)
        assert 0 < x < 600
        assert 0 < y < 400
    assert canvas.view.place_px(EAST)[0] - canvas.view.place_px(HOME)[0] > 300


def test_a_home_far_away_does_not_make_the_track_tiny(canvas: MapCanvas) -> None:
    scene = eastward_scene()
    far = MapScene(scene.vehicles, scene.tracks, home=GeoPoint(48.99, 9.43))
    canvas.show_scene(far)
    canvas.fit()
    close = canvas.view.zoom
    canvas.fit()
    assert canvas.view.zoom < close - 3
    assert 0 < canvas.view.place_px(GeoPoint(48.99, 9.43))[1] < 400


def test_keys(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.set_following(True)
    QTest.keyClick(canvas, Qt.Key.Key_F)
    assert not canvas.is_following
    QTest.keyClick(canvas, Qt.Key.Key_F)
    assert canvas.is_following
    zoom = canvas.view.zoom
    QTest.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.view.zoom == zoom + 0.5
    QTest.keyClick(canvas, Qt.Key.Key_Minus)
    assert canvas.view.zoom == zoom
    x = canvas.view.x
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.view.x == x
    QTest.keyClick(canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert canvas.view.x > x


def test_nothing_moved_nothing_painted(canvas: MapCanvas) -> None:
    painted = []
    scene = eastward_scene()
    canvas.show_scene(scene)
    QApplication.processEvents()
    original = canvas.update
    canvas.update = lambda *args: painted.append(args)  # type: ignore[assignment, method-assign, misc]
    canvas.show_scene(eastward_scene())
    assert painted == []
    canvas.show_scene(eastward_scene(past=50))
    assert painted
    canvas.update = original  # type: ignore[method-assign]


@pytest.mark.slow
def test_tiles_are_painted_and_coarse_ones_stand_in(canvas: MapCanvas, tmp_path: Path) -> None:
    x, y = project(HOME)
    key = (5, int(x * 32), 31 - int(y * 32))
    path = make_mbtiles(tmp_path / "f.mbtiles", {key: tile_picture("caution")}, attribution="© us")
    canvas.set_view(Viewport(x, y, 5.0))
    canvas.choose_source(str(path))
    for _ in range(4):
        canvas.poll()
        picture(canvas)
    assert canvas.tiles_shown == 1
    assert count(picture(canvas), THEME.color("caution")) > 10_000
    canvas.set_view(Viewport(x, y, 9.0))
    for _ in range(4):
        canvas.poll()
        picture(canvas)
    assert count(picture(canvas), THEME.color("caution")) > 100_000


@pytest.mark.parametrize("name", ["nothing", "no\0thing", "n" * 5000])
def test_a_source_that_cannot_be_opened_is_told_quietly(
    canvas: MapCanvas, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    with qtbot.waitSignal(canvas.message) as told:
        canvas.choose_source(str(tmp_path / name))
        canvas.poll()
    assert "No map tiles" in told.args[0] or "too long" in told.args[0]
    assert count(picture(canvas), THEME.color("map_grid")) > 500


def test_the_way_home_in_words() -> None:
    scene = eastward_scene()
    assert home_text(scene) == "Home 146\u2009m  270°"
    assert home_text(MapScene(scene.vehicles)) == ""


def test_state_is_kept(canvas: MapCanvas, qtbot: QtBot, tmp_path: Path) -> None:
    canvas.show_scene(eastward_scene())
    canvas.set_following(False)
    canvas.set_view(Viewport(*project(EAST), 15.25))
    canvas.choose_source(str(tmp_path))
    state = canvas.save_state()
    other = MapCanvas(THEME, ImmediateJobs(), tmp_path)
    qtbot.addWidget(other)
    other.restore_state(state)
    assert other.save_state() == state
    assert other.view.zoom == 15.25
    other.show_scene(eastward_scene())
    assert other.view.zoom == 15.25


@pytest.mark.parametrize("state", [{}, {"zoom": "far"}, {"latitude": None, "source": 5}])
def test_odd_state_is_no_error(canvas: MapCanvas, state: dict[str, object]) -> None:
    canvas.restore_state(state)
    assert canvas.source_spec == ""


def test_the_menu_copies_the_place(canvas: MapCanvas) -> None:
    menu = build_menu(canvas, canvas, HOME)
    copy = menu.actions()[0]
    copy.trigger()
    assert QApplication.clipboard().text() == "48.946600, 9.430000"
    menu.close()


def test_no_network_without_choice(canvas: MapCanvas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urllib.request.urlopen", lambda *_a, **_k: pytest.fail("network used"))
    canvas.show_scene(eastward_scene())
    for _ in range(3):
        canvas.poll()
        picture(canvas)
    assert canvas.source_spec == ""


def dense_scene(points: int = 20_000) -> MapScene:
    """A track so entangled that painting it takes a while."""
    random = np.random.default_rng(1)
    latitude = HOME.latitude_deg + np.cumsum(random.normal(0, 4e-5, points)) * 0.2
    longitude = HOME.longitude_deg + np.cumsum(random.normal(0, 4e-5, points)) * 0.2
    return MapScene(tracks=(TrackLine("dense", *project_many(latitude, longitude), points),))


@pytest.mark.slow
def test_a_dense_track_is_stretched_while_zooming_and_then_painted_anew(
    canvas: MapCanvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("widgets.map.painting.monotonic_s", lambda: now[0])
    canvas.show_scene(dense_scene())
    canvas.fit()
    picture(canvas)
    canvas.zoom_by(0.5)
    stretched = picture(canvas)
    now[0] += 1.0
    canvas.poll()
    anew = picture(canvas)
    assert stretched != anew
    canvas.apply_theme(THEME)
    assert picture(canvas) == anew


def test_what_was_fitted_stays_in_sight_until_the_window_is_moved(canvas: MapCanvas) -> None:
    canvas.set_following(False)
    canvas.show_scene(eastward_scene())
    shown = canvas.view
    canvas.resize(canvas.width() // 2, canvas.height() // 2)
    QApplication.processEvents()
    assert canvas.view.zoom == pytest.approx(shown.zoom - 1.0, abs=0.5)
    canvas.zoom_by(2.0)
    moved = canvas.view
    canvas.resize(canvas.width() + 50, canvas.height() + 50)
    QApplication.processEvents()
    assert canvas.view.zoom == moved.zoom


@pytest.mark.slow
@pytest.mark.parametrize(("dx", "dy"), [(17, 9), (-17, 9), (13, -40), (0, -61)])
def test_a_panned_picture_looks_like_one_painted_at_once(
    canvas: MapCanvas, dx: float, dy: float
) -> None:
    canvas.show_scene(dense_scene(3000))
    canvas.fit()
    closer = canvas.view.zoomed(canvas.view.zoom + 1.0, 300, 200)
    canvas.set_view(closer.panned(-20 * dx, -20 * dy))
    picture(canvas)
    for _ in range(30):
        canvas.drag(dx, dy)
        picture(canvas)
    moved = pixels(picture(canvas))
    canvas.apply_theme(THEME)
    anew = pixels(picture(canvas))
    assert (np.abs(moved - anew).max(axis=2) > 40).mean() < 0.01
    canvas.drag(3, 3)
    assert (np.abs(moved - pixels(picture(canvas))).max(axis=2) > 40).mean() > 0.02, "it is seen"


def pixels(image: QImage) -> np.ndarray:
    view = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
    return view.reshape(image.height(), -1, 4)[:, :, :3].astype(int)


@pytest.mark.parametrize("is_moved", [False, True])
def test_a_map_that_opened_before_the_place_was_known_goes_there_unless_it_was_moved(
    canvas: MapCanvas, is_moved: bool
) -> None:
    """A position without home lies nowhere on Earth, and is shown at 0, 0 meanwhile."""
    canvas.set_following(False)
    nowhere = MapScene((VehicleMark("quad", GeoPoint(0.0, 0.0), 0.0),), note="Home not known")
    canvas.show_scene(nowhere)
    assert canvas.view.centre.latitude_deg == pytest.approx(0.0, abs=1e-6)
    assert "latitude" not in canvas.save_state()
    if is_moved:
        canvas.pan(10.0, 0.0)
    canvas.show_scene(eastward_scene())
    assert (abs(canvas.view.centre.latitude_deg) < 1.0) is is_moved
