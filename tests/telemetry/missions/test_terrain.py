"""Heights of the ground, from files made here by their formats' descriptions: SRTM documentation
(USGS), OGC GeoTIFF 19-008r4."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tifffile
import utm

from telemetry.missions.height_profile import height_profile
from telemetry.missions.legs import legs_of
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights, TerrainError
from telemetry.missions.terrain.opening import open_terrain
from tests.telemetry.missions.made import HOME, mission, waypoint

_NORTH, _EAST = 48.95, 9.45


def _slope(latitude: np.ndarray, longitude: np.ndarray) -> np.ndarray:
    """100 m per degree to the north, 50 to the east, from 200 m."""
    return 200.0 + 100.0 * (latitude - 48.0) + 50.0 * (longitude - 9.0)


def _hgt(path: Path, side: int = 1201, void: tuple[int, int] | None = None) -> Path:
    rows = np.round(_slope(np.linspace(49.0, 48.0, side), np.array(9.0))).astype(">i2")
    columns = np.round(50.0 * np.linspace(0.0, 1.0, side)).astype(">i2")
    heights = (rows[:, None] + columns[None, :]).astype(">i2")
    if void is not None:
        heights[void] = -32768
    path.write_bytes(heights.tobytes())
    return path


@pytest.mark.parametrize("side", [1201, 3601])
def test_hgt(tmp_path: Path, side: int) -> None:
    heights = open_terrain(_hgt(tmp_path / "N48E009.hgt", side))
    expected = float(_slope(np.array(48.25), np.array(9.75)))
    assert heights.height_m(48.25, 9.75) == pytest.approx(expected, abs=1.1)
    assert heights.height_m(48.0, 9.0) == 200.0
    assert heights.height_m(49.0, 10.0) == 350.0
    assert heights.height_m(47.999, 9.5) is None
    assert heights.height_m(48.5, 10.001) is None


def test_a_void_is_not_known_and_its_neighbours_are(tmp_path: Path) -> None:
    heights = open_terrain(_hgt(tmp_path / "n48e009.hgt", void=(600, 600)))
    assert heights.height_m(48.5, 9.5) is None
    assert heights.height_m(48.5 + 0.5 / 1200, 9.5) is None
    assert heights.height_m(48.5 + 1.5 / 1200, 9.5) is not None


def test_south_and_west(tmp_path: Path) -> None:
    path = _hgt(tmp_path / "S34W071.hgt")
    assert open_terrain(path).height_m(-33.5, -70.5) == pytest.approx(275.0, abs=1.0)


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("home.hgt", 2 * 1201 * 1201, "its name must tell the corner"),
        ("N48E009.hgt", 1000, "neither 1201 x 1201"),
        ("N48E009.asc", 1000, "must end with one of"),
    ],
)
def test_what_is_no_hgt_says_so(tmp_path: Path, name: str, size: int, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(bytes(size))
    with pytest.raises(TerrainError, match=message):
        open_terrain(path)
    with pytest.raises(TerrainError, match="cannot be read"):
        open_terrain(tmp_path / "N01E001.hgt")


def _keys(**keys: int) -> list[int]:
    numbers = {"model": 1024, "raster": 1025, "geographic": 2048, "projected": 3072}
    entries = [value for name, key in keys.items() for value in (numbers[name], 0, 1, key)]
    return [1, 1, 0, len(keys), *entries]


def _tiff(
    path: Path,
    heights: np.ndarray,
    scale: tuple[float, float],
    corner: tuple[float, float],
    keys: list[int],
    **options: object,
) -> Path:
    tags = [
        (33550, "d", 3, (*scale, 0.0), True),
        (33922, "d", 6, (0.0, 0.0, 0.0, *corner, 0.0), True),
        (34735, "H", len(keys), tuple(keys), True),
        (42113, "s", 0, "-9999", True),
    ]
    tifffile.imwrite(path, heights, extratags=tags, **options)
    return path


def _degrees_tiff(path: Path, raster: int, **options: object) -> Path:
    """300 x 200 pixels of 0.001 degree; the corner is that of the first pixel or its middle."""
    half = 0.5 if raster == 1 else 0.0
    latitude = 49.0 - 0.001 * (np.arange(200)[:, None] + half)
    longitude = 9.3 + 0.001 * (np.arange(300)[None, :] + half)
    heights = _slope(latitude, longitude).astype(np.float32)
    heights[150, 10] = -9999.0
    keys = _keys(model=2, raster=raster, geographic=4326)
    return _tiff(path, heights, (0.001, 0.001), (9.3, 49.0), keys, **options)


@pytest.mark.parametrize("raster", [1, 2])
@pytest.mark.parametrize(
    "options", [{}, {"tile": (64, 64)}, {"rowsperstrip": 16}], ids=["one strip", "tiles", "strips"]
)
def test_geotiff_in_degrees(tmp_path: Path, raster: int, options: dict[str, object]) -> None:
    heights = open_terrain(_degrees_tiff(tmp_path / "area.tif", raster, **options))
    expected = float(_slope(np.array(_NORTH), np.array(_EAST)))
    assert heights.height_m(_NORTH, _EAST) == pytest.approx(expected, abs=0.01)
    assert heights.height_m(49.1, _EAST) is None
    half = 0.5 if raster == 1 else 0.0
    assert heights.height_m(49.0 - 0.001 * (150 + half), 9.3 + 0.001 * (10 + half)) is None


def _utm_tiff(path: Path) -> Path:
    """101 x 101 pixels of 10 m around a place, a metre lower in each row to the south."""
    east, north, zone, _ = utm.from_latlon(_NORTH, _EAST)
    rows = np.arange(101)[:, None] * np.ones((1, 101))
    heights = (300.0 - rows).astype(np.int16)
    keys = _keys(model=1, raster=1, projected=32600 + zone)
    corner = (float(east) - 505.0, float(north) + 505.0)
    return _tiff(path, heights, (10.0, 10.0), corner, keys)


def test_geotiff_in_utm(tmp_path: Path) -> None:
    east, north, zone, _ = utm.from_latlon(_NORTH, _EAST)
    known = open_terrain(_utm_tiff(tmp_path / "utm.tiff"))
    assert known.height_m(_NORTH, _EAST) == pytest.approx(250.0, abs=0.01)
    place = utm.to_latlon(float(east), float(north) + 100.0, zone, "U")
    assert known.height_m(float(place[0]), float(place[1])) == pytest.approx(260.0, abs=0.01)
    assert known.height_m(48.0, 9.45) is None
    assert known.height_m(-89.0, 9.45) is None


def test_what_geotiff_cannot_be_read_is_said(tmp_path: Path) -> None:
    flat = np.zeros((8, 8), np.float32)
    cases = {
        "other.tif": (flat, _keys(model=1, projected=31467), "EPSG:31467. Convert it"),
        "nowhere.tif": (flat, _keys(model=2), "no coordinate system. Convert it"),
        "bands.tif": (np.zeros((8, 8, 3), np.uint8), _keys(model=2, geographic=4326), "bands"),
    }
    for name, (heights, keys, message) in cases.items():
        path = _tiff(tmp_path / name, heights, (0.1, 0.1), (9.0, 49.0), keys)
        with pytest.raises(TerrainError, match=message):
            open_terrain(path)
    tifffile.imwrite(tmp_path / "plain.tif", flat)
    with pytest.raises(TerrainError, match="does not say where it lies"):
        open_terrain(tmp_path / "plain.tif")
    (tmp_path / "broken.tif").write_bytes(b"II*\0\0\0\0\0nonsense")
    with pytest.raises(TerrainError, match="cannot be read"):
        open_terrain(tmp_path / "broken.tif")


def test_the_profile_tells_the_ground_and_where_it_is_only_taken_for_flat(tmp_path: Path) -> None:
    ground = GroundHeights((open_terrain(_hgt(tmp_path / "N48E009.hgt")),))
    made = mission(waypoint(0.0, 0.0), waypoint(2000.0, 0.0, 40.0), waypoint(2000.0, 50.0))
    legs = legs_of(made, HOME, ground)
    profile = height_profile(made, legs, HOME, ground)
    end = next(p for p in profile if abs(p.distance_m - 2000.0) < 5.0)
    assert end.height_m == pytest.approx(40.0, abs=0.2)
    assert end.ground_m == pytest.approx(1.8, abs=1.1), "100 m in a degree, in whole metres"
    assert all(p.is_known for p in profile)
    flat = height_profile(made, legs, HOME, FLAT_GROUND)
    assert {p.ground_m for p in flat} == {0.0}
    assert not any(p.is_known for p in flat)


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: _hgt(folder / "N48E009.hgt", void=(60, 540)),
        lambda folder: _degrees_tiff(folder / "area.tif", 1),
        lambda folder: _utm_tiff(folder / "utm.tif"),
    ],
    ids=["hgt", "degrees", "utm"],
)
def test_many_places_at_once_are_those_one_by_one(
    tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    heights = open_terrain(make(tmp_path))
    random = np.random.default_rng(3)
    latitude = np.append(random.normal(_NORTH, 0.003, 1000), [48.0, 49.0, _NORTH, _NORTH, 51.0])
    longitude = np.append(random.normal(_EAST, 0.005, 1000), [9.0, 10.0, _EAST, 9.0, _EAST])
    one_by_one = [
        heights.height_m(*place)
        for place in zip(latitude.tolist(), longitude.tolist(), strict=True)
    ]
    expected = np.array([np.nan if one is None else one for one in one_by_one])
    assert 300 < np.isfinite(expected).sum() < len(expected)
    assert np.allclose(heights.heights_m(latitude, longitude), expected, equal_nan=True)
    ground = GroundHeights((heights,))
    assert np.allclose(ground.known_of_many_m(latitude, longitude), expected, equal_nan=True)
    assert np.isnan(FLAT_GROUND.known_of_many_m(latitude, longitude)).all()
