"""Relief shading: which side of a hill is lit, where it shows, and that it is worked out once."""

import math
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.widgets.map.test_canvas import picture, pixels
from tests.widgets.map.test_tiles import make_mbtiles, tile_picture
from widgets.map.canvas import MapCanvas
from widgets.map.menu import build_menu
from widgets.map.options import MapOptions
from widgets.map.projection import Floats, GeoPoint, Viewport, project
from widgets.map.relief import LIGHT, SIDE_PX, light_on, relief_tile
from widgets.map.tile_key import TileKey
from widgets.theme import load_theme

TOP = GeoPoint(48.9466, 9.43)
SIDES = {"north-west": (1, -1), "north-east": (1, 1), "south-east": (-1, 1), "south-west": (-1, -1)}


def cone(latitude_deg: Floats, longitude_deg: Floats, sign: float = 1.0) -> Floats:
    """A hill that falls 1 m in 2 m all around, some 600 m wide; the land's end is in the east."""
    north = (latitude_deg - TOP.latitude_deg) * 111_195.0
    east = (
        (longitude_deg - TOP.longitude_deg) * 111_195.0 * math.cos(math.radians(TOP.latitude_deg))
    )
    heights = sign * np.maximum(0.0, 150.0 - 0.5 * np.hypot(north, east))
    return np.where(east > 800.0, np.nan, heights)


def sides(of: Floats) -> dict[str, float]:
    """Means a way up a hill in the middle of a square, by where from its top."""
    middle, away = len(of) // 2, len(of) // 6
    spots = {
        name: (middle - away * north, middle + away * east) for name, (north, east) in SIDES.items()
    }
    return {
        name: float(of[row - 3 : row + 4, column - 3 : column + 4].mean())
        for name, (row, column) in spots.items()
    }


@pytest.mark.parametrize(("east", "north"), [(0.0, 0.0), (0.3, 0.0), (0.2, -0.5), (-0.4, 0.4)])
def test_light_on_a_plane_is_the_cosine_between_its_normal_and_the_light(
    east: float, north: float
) -> None:
    """By hand, of a plane that rises so much to east and north: with the slopes 1.6 times as steep,
    n = (-1.6 e, -1.6 n, 1) / |n|, and the light from the north-west at 45 degrees."""
    column, row = np.meshgrid(np.arange(9.0) * 10.0, np.arange(9.0) * -10.0)
    normal = np.array([-1.6 * east, -1.6 * north, 1.0])
    expected = normal @ np.array([-0.5, 0.5, math.sqrt(0.5)]) / np.linalg.norm(normal)
    assert light_on(east * column + north * row, 10.0) == pytest.approx(expected)


def test_the_lit_side_of_a_hill_is_north_west() -> None:
    row, column = np.mgrid[-50:51, -50:51].astype(float)
    hill = -np.hypot(row, column)
    level = LIGHT[2]
    lit, pit = sides(light_on(hill, 2.0)), sides(light_on(-hill, 2.0))
    assert lit["south-east"] < 0.5 * level < level < lit["north-west"]
    assert lit["north-east"] == pytest.approx(lit["south-west"], abs=1e-6)
    assert pit["north-west"] < level < pit["south-east"], "a pit is the other way round"


def test_a_tile_has_white_and_black_and_nothing_where_ground_is_level_or_not_known() -> None:
    x, y = project(TOP)
    key = TileKey(14, int(x * 2**14), int(y * 2**14))
    tile = relief_tile(cone, key)
    assert tile is not None
    assert tile.shape == (SIDE_PX, SIDE_PX, 4)
    assert (tile[..., :3] <= tile[..., 3:]).all(), "multiplied by alpha"
    level = tile[..., 3] == 0
    assert 0.5 < level.mean() < 0.95
    assert relief_tile(cone, TileKey(14, key.x + 40, key.y)) is None, "beyond the land's end"
    flat = relief_tile(lambda latitude, _: np.full(len(latitude), 300.0), key)
    assert flat is not None
    assert not flat.any()


@pytest.fixture
def canvas(qtbot: QtBot, tmp_path: Path) -> MapCanvas:
    canvas = MapCanvas(load_theme("light"), ImmediateJobs(), tmp_path)
    qtbot.addWidget(canvas)
    canvas.resize(400, 400)
    canvas.notice = ""
    canvas.show()
    canvas.set_following(False)
    canvas.set_view(Viewport(*project(TOP), 15.5))
    return canvas


def shown(canvas: MapCanvas) -> np.ndarray:
    """The picture's brightness once everything has come."""
    for _ in range(12):
        picture(canvas)
        canvas.poll()
    return pixels(picture(canvas)).sum(axis=2)


@pytest.mark.slow
def test_a_map_without_tiles_shows_it_under_its_lines(canvas: MapCanvas) -> None:
    bare = shown(canvas)
    canvas.show_heights(cone)
    hill = shown(canvas) - bare
    found = sides(hill.astype(float))
    assert found["north-west"] > 5 > -5 > found["south-east"]
    canvas.choose_options(MapOptions(relief=False))
    assert np.array_equal(shown(canvas), bare)
    canvas.choose_options(MapOptions())
    assert np.array_equal(shown(canvas) - bare, hill)
    canvas.show_heights(None)
    assert np.array_equal(shown(canvas), bare)


def test_tiles_stand_without_it(canvas: MapCanvas, tmp_path: Path) -> None:
    x, y = project(TOP)
    key = (5, int(x * 32), 31 - int(y * 32))
    path = make_mbtiles(tmp_path / "f.mbtiles", {key: tile_picture("caution")})
    canvas.choose_source(str(path))
    tiles = shown(canvas)
    canvas.show_heights(cone)
    assert np.array_equal(shown(canvas), tiles)


@pytest.mark.slow
def test_it_is_worked_out_once(canvas: MapCanvas) -> None:
    asked: list[int] = []

    def counting(latitude_deg: Floats, longitude_deg: Floats) -> Floats:
        asked.append(len(latitude_deg))
        return cone(latitude_deg, longitude_deg)

    canvas.show_heights(counting)
    shown(canvas)
    count = len(asked)
    assert count
    canvas.pan(20, 20)
    canvas.zoom_by(-0.1)
    shown(canvas)
    canvas.apply_theme(load_theme("dark"))
    shown(canvas)
    assert len(asked) <= count + 8, "only what came into sight"
    assert len(set(asked)) == 1


def test_the_menu_switches_it(canvas: MapCanvas) -> None:
    menu = build_menu(canvas, canvas, TOP)
    choice = next(one for one in menu.actions() if one.text() == "Relief")
    assert choice.isChecked()
    choice.trigger()
    menu.close()
    assert not canvas.options.relief
    state = canvas.save_state()
    canvas.choose_options(MapOptions())
    canvas.restore_state(state)
    assert not canvas.options.relief
