"""Maps as GeoTIFF, read by the station itself, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
import tifffile

from telemetry.base.rotations import matrix_by_angles
from telemetry.missions.local_coordinates import moved
from telemetry.missions.terrain.elevation import TerrainError
from telemetry.missions.terrain.opening import open_terrain
from telemetry.review.cameras.lens import Lens
from telemetry.review.mapping.colours import add_picture
from telemetry.review.mapping.files import MapOrigin, save_geotiff, save_world
from telemetry.review.mapping.grown_map import TEXELS, GrownMap, MapError
from telemetry.review.mapping.heights import add_points
from telemetry.review.mapping.space_pose import SpacePose

BACKNANG = MapOrigin(48.946, 9.43, 270.0)
ABOVE = SpacePose(np.array([0.0, 0.0, -9.0]), np.eye(3))


def slope(cell_m: float = 0.5) -> GrownMap:
    """Rises by 0.2 to the north and 0.05 to the east; a corner was not measured."""
    grown = GrownMap(cell_m)
    north, east = (
        part.ravel() for part in np.meshgrid(np.arange(-4, 6, cell_m), np.arange(-7, 3, cell_m))
    )
    use = ~((north > 3.0) & (east > 0.0))
    points = np.column_stack([north, east, -0.2 * north - 0.05 * east])[use] + cell_m / 2
    points[:, 2] = -0.2 * points[:, 0] - 0.05 * points[:, 1]
    add_points(grown, points, ABOVE)
    return grown


def test_heights_are_read_again_where_they_were(tmp_path: Path) -> None:
    """By the reader of the user's own terrain files, which knows nothing of maps that grow."""
    grown = slope()
    (path,) = save_geotiff(grown, tmp_path / "flown.tif", BACKNANG)
    terrain = open_terrain(path)
    for north, east in ((0.0, 0.0), (4.1, -5.3), (-3.2, 1.7), (2.22, -0.41)):
        there = moved(BACKNANG.latitude_deg, BACKNANG.longitude_deg, north, east)
        expected = 270.0 + 0.2 * north + 0.05 * east
        assert terrain.height_m(*there) == pytest.approx(expected, abs=1e-3)
    unmeasured = moved(BACKNANG.latitude_deg, BACKNANG.longitude_deg, 5.0, 2.0)
    outside = moved(BACKNANG.latitude_deg, BACKNANG.longitude_deg, 0.0, 90.0)
    assert terrain.height_m(*unmeasured) is None
    assert terrain.height_m(*outside) is None


def test_without_a_home_it_lies_in_metres(tmp_path: Path) -> None:
    (path,) = save_geotiff(slope(), tmp_path / "flown.tif", None)
    with tifffile.TiffFile(path) as file:
        tags = {tag.code: tag.value for tag in file.pages.first.tags.values()}
    assert tags[33550][:2] == (0.5, 0.5)
    assert tags[33922][3:5] == (-7.0, 6.0), "the north-west corner, east and north"
    with pytest.raises(TerrainError, match="EPSG:32767"):
        open_terrain(path)


def test_colours_lie_beside_the_heights(tmp_path: Path) -> None:
    grown = slope()
    down = SpacePose(np.array([0.0, 0.0, -3.0]), matrix_by_angles(0.0, -90.0, 0.0))
    red = np.full((60, 80, 3), (0, 0, 255), np.uint8)
    assert add_picture(grown, red, Lens((60.0, 60.0), (39.5, 29.5)), down)
    heights, ortho = save_geotiff(grown, tmp_path / "flown.tif", BACKNANG)
    assert ortho.name == "flown-ortho.tif"
    pixels, size = tifffile.imread(ortho), tifffile.imread(heights).shape
    assert pixels.shape == (TEXELS * size[0], TEXELS * size[1], 4)
    assert {tuple(pixel) for pixel in pixels.reshape(-1, 4)} == {(255, 0, 0, 255), (0, 0, 0, 0)}


def test_nothing_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="nothing on the map"):
        save_geotiff(GrownMap(), tmp_path / "flown.tif", None)
    with pytest.raises(MapError, match="nothing on the map"):
        save_world(GrownMap(), tmp_path / "flown", None)
    small = GrownMap()
    add_points(small, np.zeros((1, 3)), ABOVE)
    with pytest.raises(MapError, match="only 1 x 1 cells"):
        save_world(small, tmp_path / "flown", None)
    assert not list(tmp_path.iterdir())


def test_a_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    with pytest.raises(MapError, match="holds other files"):
        save_world(slope(), tmp_path, None)
    save_world(slope(), tmp_path / "flown", None)
    save_world(slope(), tmp_path / "flown", BACKNANG)
    assert "latitude_deg = 48.946" in (tmp_path / "flown" / "world.toml").read_text()


def test_what_the_disk_has_against_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MapError, match="cannot be written"):
        save_geotiff(slope(), tmp_path / "file" / "flown.tif", None)
    with pytest.raises(MapError, match="cannot be written"):
        save_world(slope(), tmp_path / "file" / "flown", None)
