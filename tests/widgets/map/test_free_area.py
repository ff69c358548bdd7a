"""The part of a map that no card covers: what matters stands in it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.widgets.map.test_canvas import eastward_scene, picture, pixels
from widgets.map.buttons import MapButton
from widgets.map.canvas import MapCanvas
from widgets.map.options import MapOptions
from widgets.map.projection import LEAST_FREE_PX, GeoPoint, project_many
from widgets.map.scene import MapScene, TrackLine, VehicleMark, Wind
from widgets.theme import load_theme

WIDTH, HEIGHT = 1000, 640
SHARE = QRect(620, 40, 300, 420)
"""A part of the window in which its middle does not lie."""


@pytest.fixture
def canvas(qtbot: QtBot, tmp_path: Path) -> MapCanvas:
    canvas = MapCanvas(load_theme("light"), ImmediateJobs(), tmp_path)
    qtbot.addWidget(canvas)
    canvas.resize(WIDTH, HEIGHT)
    canvas.show()
    return canvas


def random_area(random: np.random.Generator) -> QRect:
    width = int(random.integers(LEAST_FREE_PX, WIDTH))
    height = int(random.integers(LEAST_FREE_PX, HEIGHT))
    left, top = random.integers(0, WIDTH - width + 1), random.integers(0, HEIGHT - height + 1)
    return QRect(int(left), int(top), width, height)


def random_scene(random: np.random.Generator) -> MapScene:
    """A flight anywhere, of a metre or a hundred kilometres, with the aircraft on its track."""
    latitude, longitude = random.uniform(-84.0, 84.0), random.uniform(-180.0, 180.0)
    span = 10.0 ** random.uniform(-5, 0)
    lats = latitude + span * random.uniform(-1, 1, 20)
    lons = longitude + span * random.uniform(-1, 1, 20)
    at = int(random.integers(20))
    mark = VehicleMark("quad", GeoPoint(float(lats[at]), float(lons[at])), 90.0)
    return MapScene((mark,), (TrackLine("one", *project_many(lats, lons), 20),), home=mark.place)


def is_inside(canvas: MapCanvas, area: QRect, scene: MapScene) -> bool:
    assert scene.active is not None
    x, y = canvas.view.place_px(scene.active.place)
    right, bottom = area.x() + area.width(), area.y() + area.height()
    return area.x() <= x <= right and area.y() <= y <= bottom


def sights(canvas: MapCanvas, *, knows: bool = True) -> list[bool]:
    """Whether the aircraft stands in what is free: first sight, followed, zoomed, fitted, and with
    other cards, for random areas, flights and directions up."""
    random, found = np.random.default_rng(29), []
    for number in range(60):
        canvas.choose_options(MapOptions(orientation=("north", "free")[number % 2]))
        canvas.turn_to(float(random.uniform(0, 360)) * (number % 2))
        for is_following in (True, False):
            area, scene = random_area(random), random_scene(random)
            canvas.show_free_area(area if knows else QRect())
            canvas.set_following(is_following)
            canvas.find_place_again()
            canvas.show_scene(scene)
            found.append(is_inside(canvas, area, scene))
            if is_following:
                canvas.zoom_by(float(random.uniform(-3, 3)))
                canvas.show_scene(random_scene(random))
                canvas.show_scene(scene)
            else:
                canvas.fit()
            found.append(is_inside(canvas, area, scene))
            area = random_area(random)
            canvas.show_free_area(area if knows else QRect())
            found.append(is_inside(canvas, area, scene))
    return found


def test_the_aircraft_is_never_under_a_card(canvas: MapCanvas) -> None:
    assert all(sights(canvas))


def test_a_map_that_is_not_told_what_is_free_has_it_under_cards(canvas: MapCanvas) -> None:
    assert sum(sights(canvas, knows=False)) < 300


def test_all_that_was_flown_is_fitted_into_what_is_free(canvas: MapCanvas) -> None:
    scene = eastward_scene()
    canvas.show_free_area(SHARE)
    canvas.show_scene(scene)
    canvas.fit()
    (line,) = scene.tracks
    ends = [canvas.view.to_px(float(line.x[end]), float(line.y[end])) for end in (0, -1)]
    assert all(SHARE.contains(round(x), round(y)) for x, y in ends)
    assert ends[1][0] - ends[0][0] == pytest.approx(SHARE.width() - 96, abs=2)


def test_following_has_it_in_the_middle_of_what_is_free(canvas: MapCanvas) -> None:
    scene = eastward_scene()
    canvas.show_scene(scene)
    canvas.set_following(True)
    assert scene.active is not None
    for area, middle in ((SHARE, (770, 250)), (QRect(), (500, 320)), (SHARE, (770, 250))):
        canvas.show_free_area(area)
        assert canvas.view.place_px(scene.active.place) == pytest.approx(middle, abs=0.6)
    canvas.resize(WIDTH + 200, HEIGHT)
    assert canvas.view.place_px(scene.active.place) == pytest.approx((770, 250), abs=0.6)


def test_a_card_does_not_move_ground_that_rests(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.set_following(False)
    canvas.pan(30, 20)
    before = canvas.view
    canvas.show_free_area(SHARE)
    assert replace(canvas.view, free=None) == before


def test_turning_by_hand_goes_about_the_middle_of_what_is_free(canvas: MapCanvas) -> None:
    canvas.show_scene(eastward_scene())
    canvas.show_free_area(SHARE)
    canvas.set_following(False)
    middle = SHARE.x() + SHARE.width() / 2, SHARE.y() + SHARE.height() / 2
    place = canvas.view.to_world(*middle)
    canvas.turn(QPointF(middle[0] + 80, middle[1]), QPointF(middle[0], middle[1] + 80))
    assert canvas.view.rotation_deg == pytest.approx(270.0)
    assert canvas.view.to_px(*place) == pytest.approx(middle, abs=0.01)


@pytest.mark.parametrize("area", [SHARE, QRect(0, 0, 500, 640)])
def test_buttons_and_readouts_stand_in_what_is_free(canvas: MapCanvas, area: QRect) -> None:
    """All that differs between two maps with and without readouts lies in it."""
    scene = replace(eastward_scene(), wind=Wind(4.0, 200.0), note="Home not known")
    canvas.show_free_area(area)
    canvas.set_following(False)
    canvas.show_scene(scene)
    canvas.fit()
    bare = pixels(picture(canvas))
    QTest.mouseMove(canvas, QPoint(area.x() + 60, area.y() + 200))
    assert all(area.contains(one.geometry()) for one in canvas.findChildren(MapButton))
    canvas.show_scene(replace(scene, wind=None, home=None, note=""))
    changed = np.argwhere((bare != pixels(picture(canvas))).any(axis=2))
    assert len(changed) > 2000
    corners = [QPoint(int(x), int(y)) for y, x in (changed.min(axis=0), changed.max(axis=0))]
    assert all(area.contains(corner) for corner in corners)


def test_too_small_a_part_counts_as_none(canvas: MapCanvas) -> None:
    scene = eastward_scene()
    canvas.show_free_area(QRect(0, 0, 20, 600))
    canvas.show_scene(scene)
    assert scene.active is not None
    assert canvas.view.place_px(scene.active.place) == pytest.approx((500, 320), abs=0.6)


def test_a_click_under_a_card_is_where_it_is_seen(canvas: MapCanvas) -> None:
    """Places and pixels agree whatever is free."""
    canvas.show_scene(eastward_scene())
    canvas.show_free_area(SHARE)
    before = canvas.view.place_at(100, 100)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    assert canvas.view.place_px(before) == pytest.approx((100, 100), abs=1e-3)
