"""The world basemap that ships: what is land, and how it is made and drawn."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from shapely import Polygon, box

from tests.immediate import ImmediateJobs
from tests.widgets.map.test_canvas import count, picture
from widgets.map.basemap import BASEMAP_FILE, FINEST_ZOOM, clipped_ring, load_basemap
from widgets.map.basemap_build import borders_of, packed, rings_of, write_basemap, zoom_levels
from widgets.map.canvas import MapCanvas
from widgets.map.projection import Bounds, Floats, GeoPoint, Viewport, project
from widgets.theme import load_theme

# Any atlas: towns and peaks far from coasts, seas far from land.
LAND = {
    "Stuttgart": GeoPoint(48.78, 9.18),
    "Denver": GeoPoint(39.74, -104.99),
    "Alice Springs": GeoPoint(-23.70, 133.88),
    "South Pole station": GeoPoint(-84.9, 0.0),
    "Anadyr, west of the date line": GeoPoint(66.5, 175.0),
    "Chukotka, east of the date line": GeoPoint(66.5, -175.0),
}
WATER = {
    "Atlantic": GeoPoint(40.0, -40.0),
    "Caspian Sea": GeoPoint(42.0, 51.0),
    "Baltic Sea": GeoPoint(56.0, 18.8),
    "Pacific on the date line": GeoPoint(0.0, 179.9),
    "Ross Sea": GeoPoint(-70.0, -170.0),
}


def is_land(place: GeoPoint, zoom: float) -> bool:
    """By how many rings go round it."""
    x, y = project(place)
    rings = load_basemap().land.at(zoom).inside(Bounds(-1, -1, 2, 2))
    return sum(goes_round(ring, x, y) for ring in rings) % 2 == 1


def goes_round(ring: Floats, x: float, y: float) -> bool:
    x0, y0 = ring[:-1].T
    x1, y1 = ring[1:].T
    crosses = (y0 > y) != (y1 > y)
    at = x0[crosses] + (y - y0[crosses]) / (y1 - y0)[crosses] * (x1 - x0)[crosses]
    return bool((at > x).sum() % 2)


@pytest.mark.slow
@pytest.mark.parametrize("zoom", [0, 4])
def test_land_and_water_are_where_an_atlas_has_them(zoom: float) -> None:
    found = {name: is_land(place, zoom) for name, place in (LAND | WATER).items()}
    if zoom == 0:
        del found["Caspian Sea"], found["Baltic Sea"], found["Ross Sea"]  # a pixel or two wide
    assert found == {name: name in LAND for name in found}


def test_the_file_is_small() -> None:
    assert BASEMAP_FILE.stat().st_size < 4_000_000
    assert "public domain" in BASEMAP_FILE.with_name("README.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("theme_name", ["light", "dark", "sunlight"])
def test_it_is_painted_at_every_zoom(qtbot: QtBot, tmp_path: Path, theme_name: str) -> None:
    theme = load_theme(theme_name)
    jobs = ImmediateJobs()
    jobs.is_held = True
    canvas = MapCanvas(theme, jobs, tmp_path)
    qtbot.addWidget(canvas)
    canvas.resize(300, 200)
    canvas.show()
    canvas.poll()
    canvas.set_view(Viewport(*project(WATER["Atlantic"]), 6.0))
    assert count(picture(canvas), theme.color("map_water")) == 0, "nothing is waited for"
    jobs.release()
    canvas.poll()
    for place, token in ((WATER["Atlantic"], "map_water"), (LAND["Denver"], "map_background")):
        for zoom in (6.0, 14.5, 22.0):
            canvas.set_view(Viewport(*project(place), zoom))
            assert count(picture(canvas), theme.color(token)) > 25_000
    canvas.set_view(Viewport(*project(GeoPoint(50.0, 10.0)), 5.0))
    assert count(picture(canvas), theme.color("map_border")) > 20


def test_a_ring_is_cut_as_shapely_cuts_it() -> None:
    random = np.random.default_rng(4)
    window = Bounds(-0.5, -0.4, 0.6, 0.3)
    for _ in range(20):
        angles = np.sort(random.uniform(0, 2 * np.pi, 40))
        radii = random.uniform(0.2, 1.5, 40)
        ring = np.column_stack((radii * np.cos(angles), radii * np.sin(angles)))
        wanted = Polygon(ring).intersection(box(-0.5, -0.4, 0.6, 0.3)).area
        assert area(clipped_ring(ring, window)) == pytest.approx(wanted)
    assert len(clipped_ring(np.array([(5.0, 5.0), (6.0, 5.0), (5.0, 6.0)]), window)) == 0


def area(ring: Floats) -> float:
    x, y = ring.T
    return abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) / 2.0


def topology(arcs: list[list[list[int]]], geometries: list[list[list[int]]]) -> dict[str, Any]:
    """Steps of whole degrees from the South Pole's corner of the map; arcs are deltas."""
    shapes = [{"type": "Polygon", "arcs": rings} for rings in geometries]
    return {
        "transform": {"scale": [1.0, 1.0], "translate": [-180.0, -90.0]},
        "arcs": arcs,
        "objects": {"shapes": {"type": "GeometryCollection", "geometries": shapes}},
    }


def test_arcs_are_joined_and_turned_round() -> None:
    """TopoJSON 2.1.4: an index below zero, ~i, is arc i the other way round."""
    halves = [[[10, 10], [0, 10]], [[10, 20], [10, 0], [0, -10], [-10, 0]]]
    square = topology(halves, [[[0, 1]]])
    other = topology([halves[0], [[10, 10], [10, 0], [0, 10], [-10, 0]]], [[[0, -2]]])
    for one in (square, other):
        (ring,) = rings_of(one, "shapes")
        assert ring[0].tolist() == ring[-1].tolist() == [-170.0, -80.0]
        assert area(ring[:-1]) == 100.0


def test_only_what_two_countries_share_is_a_border() -> None:
    arcs = [[[10, 10], [0, 10]], [[10, 20], [-5, -5], [5, -5]], [[10, 20], [5, -5], [-5, -5]]]
    (border,) = borders_of(topology(arcs, [[[0, 1]], [[0, 2]]]), "shapes")
    assert border.tolist() == [[-170.0, -80.0], [-170.0, -70.0]]


def test_a_ring_over_the_date_line_is_cut_there() -> None:
    """Unwound it goes from 175 to 185 degrees; the first and last steps are of that ring."""
    east = [[355, 50], [-350, 0], [0, 10], [350, 0], [0, -10]]
    parts = list(rings_of(topology([east], [[[0]]]), "shapes"))
    assert sorted(round(float(part[:, 0].mean())) for part in parts) == [-178, 177]
    assert sum(area(part[:-1]) for part in parts) == pytest.approx(100.0)


def test_a_continent_at_the_pole_is_closed_along_it() -> None:
    coast = [[0, 20], [120, 0], [120, 0], [120, 0]]
    parts = list(rings_of(topology([coast], [[[0]]]), "shapes"))
    assert sum(area(part[:-1]) for part in parts) == pytest.approx(360.0 * 20.0)


def test_points_appear_where_they_can_be_told_apart() -> None:
    """A bump of 1 / 2**12 of the world is one pixel high at zoom 4, half a pixel at zoom 3."""
    x, y = np.array([0.25, 0.5, 0.75]), np.array([0.5, 0.5 + 2.0**-12, 0.5])
    assert zoom_levels(x, y)[1] == 3
    assert zoom_levels(x, y)[0] == 0
    assert zoom_levels(x, np.array([0.5, 0.5, 0.5]))[1] == FINEST_ZOOM


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    square = topology([[[190, 100], [10, 0], [0, 10], [-10, 0], [0, -10]]], [[[0]]])
    square["objects"]["land"] = square["objects"]["shapes"]
    halves = topology([[[190, 100], [0, 10]]], [[[0]], [[0]]])
    halves["objects"]["countries"] = halves["objects"]["shapes"]
    (tmp_path / "land-10m.json").write_text(json.dumps(square))
    (tmp_path / "countries-50m.json").write_text(json.dumps(halves))
    write_basemap(tmp_path, tmp_path / "own.npz")
    monkeypatch.setattr("widgets.map.basemap.BASEMAP_FILE", tmp_path / "own.npz")
    own = load_basemap.__wrapped__()
    (ring,) = own.land.at(20).inside(Bounds(0, 0, 1, 1))
    low = project(GeoPoint(10.0, 10.0))
    assert ring[0] == pytest.approx(low, abs=1e-6)
    assert len(ring) == 5
    (border,) = own.borders.at(20).inside(Bounds(0, 0, 1, 1))
    assert border[1] == pytest.approx(project(GeoPoint(20.0, 10.0)), abs=1e-6)


def test_a_line_of_one_place_is_left_out() -> None:
    lines = [np.array([(1.0, 1.0), (1.0, 1.0)]), np.array([(1.0, 1.0), (2.0, 2.0)])]
    assert packed(lines).starts.tolist() == [0]
