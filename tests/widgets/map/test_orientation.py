"""The map turned: north up, track up, by hand; rings, and coordinates as people write them."""

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.widgets.map.test_canvas import EAST, HOME, THEME, count, eastward_scene, picture
from widgets.map.canvas import MapCanvas
from widgets.map.coordinates import coordinates_text
from widgets.map.menu import build_menu
from widgets.map.options import MapOptions
from widgets.map.projection import GeoPoint, Viewport, bearing_deg, distance_m, project
from widgets.map.range_rings import ring_px, rings_in_window

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def canvas(qtbot: QtBot, tmp_path: Path) -> MapCanvas:
    canvas = MapCanvas(THEME, ImmediateJobs(), tmp_path / "cache")
    qtbot.addWidget(canvas)
    canvas.resize(600, 400)
    canvas.show()
    canvas.show_scene(eastward_scene())
    canvas.fit()
    return canvas


@pytest.mark.parametrize("rotation", [0.0, 30.0, 90.0, 200.0])
def test_up_is_where_the_map_is_turned_to(rotation: float) -> None:
    view = Viewport(*project(HOME), 17.0, 600, 400).turned(rotation)
    above = view.place_at(300, 100)
    assert math.cos(math.radians(bearing_deg(HOME, above) - rotation)) == pytest.approx(1.0)
    assert view.place_px(above) == pytest.approx((300, 100), abs=1e-6)
    held = view.place_at(120, 350)
    assert view.zoomed(18.3, 120, 350).place_px(held) == pytest.approx((120, 350), abs=1e-6)
    assert view.panned(30, -20).place_px(held) == pytest.approx((150, 330), abs=1e-6)
    for corner in ((0, 0), (600, 0), (0, 400), (600, 400)):
        x, y = view.to_world(*corner)
        bounds, all_of_it = view.bounds, view.north_up.bounds
        assert bounds.x0 - 1e-12 <= x <= bounds.x1 + 1e-12
        assert all_of_it.y0 - 1e-12 <= y <= all_of_it.y1 + 1e-12


def test_track_up_follows_the_course(canvas: MapCanvas) -> None:
    canvas.choose_options(MapOptions(orientation="track"))
    canvas.show_scene(eastward_scene(heading_deg=90.0))
    assert canvas.view.rotation_deg == pytest.approx(90.0)
    east, home = canvas.view.place_px(EAST), canvas.view.place_px(HOME)
    assert east[0] == pytest.approx(home[0], abs=0.1)
    assert east[1] < home[1], "east is above"
    canvas.choose_options(MapOptions(orientation="north"))
    assert canvas.view.rotation_deg == 0.0


def test_the_track_is_painted_where_its_places_are(canvas: MapCanvas) -> None:
    canvas.fit()
    flat = count(picture(canvas), THEME.color("track"))
    canvas.turn_to(90.0)
    canvas.fit()
    image = picture(canvas)
    x, _ = canvas.view.place_px(HOME)
    columns = [
        column
        for column in range(image.width())
        if image.pixelColor(column, 250) == THEME.color("track")
    ]
    assert columns
    assert x - 3 <= min(columns) <= max(columns) <= x + 3
    assert 0.3 * flat < count(image, THEME.color("track")) < 3 * flat


def test_ctrl_and_drag_turns_by_hand(canvas: MapCanvas) -> None:
    canvas.choose_options(MapOptions(orientation="track"))
    canvas.turn_to(0.0)
    QTest.mousePress(canvas, LEFT, CTRL, QPoint(500, 200))
    QTest.mouseMove(canvas, QPoint(300, 380))
    QTest.mouseRelease(canvas, LEFT, CTRL, QPoint(300, 380))
    assert canvas.options.orientation == "free"
    assert canvas.view.rotation_deg == pytest.approx(270.0), "what was right is below"
    canvas.show_scene(eastward_scene(past=50))
    assert canvas.view.rotation_deg == pytest.approx(270.0)


def test_choices_are_kept(canvas: MapCanvas, qtbot: QtBot, tmp_path: Path) -> None:
    canvas.choose_options(MapOptions("utm", "free", range_rings=True))
    canvas.turn_to(33.0)
    other = MapCanvas(THEME, ImmediateJobs(), tmp_path)
    qtbot.addWidget(other)
    other.restore_state(canvas.save_state())
    assert (other.options, other.view.rotation_deg) == (canvas.options, 33.0)
    other.restore_state({"coordinates": ["x"], "orientation": 5, "range_rings": "yes"})
    assert other.options == canvas.options


def test_the_menu_offers_them(canvas: MapCanvas) -> None:
    menu = build_menu(canvas, canvas, HOME)
    actions = {action.text(): action for action in menu.actions()}
    actions["Range rings"].trigger()
    assert canvas.options.range_rings
    below = actions["Coordinates"].menu()
    next(one for one in below.actions() if one.text() == "UTM").trigger()  # type: ignore[attr-defined]
    assert canvas.options == MapOptions("utm", "north", range_rings=True)
    menu.close()


def test_rings_are_painted_around_home(canvas: MapCanvas) -> None:
    before = picture(canvas)
    canvas.choose_options(MapOptions(range_rings=True))
    assert picture(canvas) != before


def test_a_ring_is_as_far_on_the_ground_as_it_says() -> None:
    view = Viewport(*project(HOME), zoom=9.0, width=800, height=600)
    for pixel in ring_px(view, HOME, 50_000.0):
        assert distance_m(HOME, view.place_at(pixel.x(), pixel.y())) == pytest.approx(5e4, abs=0.1)


def test_only_rings_in_the_window_count() -> None:
    view = Viewport(width=600, height=400)
    assert list(rings_in_window(view, QPointF(300, 200), 100.0)) == [1, 2, 3]
    far = rings_in_window(view, QPointF(-10_000, 200), 100.0)
    assert far[0] == 100
    assert len(far) <= 12


@pytest.mark.parametrize(
    ("way", "wanted"),
    [
        ("degrees", "48.946600, 9.430000"),
        ("dms", "48° 56′ 47.8″ N  9° 25′ 48.0″ E"),
        ("odd", "48.946600, 9.430000"),
    ],
)
def test_ways_to_write_a_place(way: str, wanted: str) -> None:
    assert coordinates_text(HOME, way, None) == wanted


def test_utm_as_published() -> None:
    """The CN Tower, 43.642567 N 79.387139 W, is 17T 630084 4833438: Wikipedia, "Universal
    Transverse Mercator coordinate system"."""
    tower = GeoPoint(43.0 + 38 / 60 + 33.24 / 3600, -(79.0 + 23 / 60 + 13.7 / 3600))
    zone, easting, northing = coordinates_text(tower, "utm", None).split()
    assert zone == "17T"
    assert math.hypot(int(easting) - 630_084, int(northing) - 4_833_438) < 2.0
    assert coordinates_text(GeoPoint(86.0, 10.0), "utm", None) == "86.000000, 10.000000"


def test_north_and_east_of_home() -> None:
    south_west = GeoPoint(HOME.latitude_deg - 10 / 111_319.5, HOME.longitude_deg)
    assert coordinates_text(south_west, "ned", HOME) in (
        "N −10.0\u2009m  E −0.0\u2009m",
        "N −10.0\u2009m  E +0.0\u2009m",
    )
    assert coordinates_text(HOME, "ned", None) == "48.946600, 9.430000"
