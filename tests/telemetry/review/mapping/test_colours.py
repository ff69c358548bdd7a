"""Pictures on the map, against scenes whose colours are told by a formula."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from telemetry.base.rotations import matrix_by_angles
from telemetry.protocol.streams.samples import StreamDescription, StreamKind
from telemetry.review.cameras.camera_settings import camera_of_stream
from telemetry.review.cameras.lens import Lens, lens_of
from telemetry.review.mapping.colours import add_picture, looks_down
from telemetry.review.mapping.grown_map import TEXELS, GrownMap
from telemetry.review.mapping.heights import add_points
from telemetry.review.mapping.space_pose import SpacePose
from tests.telemetry.review.mapping.mapped import DOWNWARDS

SIZE = 160, 120
Array = npt.NDArray[np.float64]


def camera(
    north: float, east: float, height: float, angles_deg: tuple[float, float, float]
) -> SpacePose:
    rotation = matrix_by_angles(*angles_deg) @ matrix_by_angles(0.0, -90.0, 0.0)
    return SpacePose(np.array([north, east, -height]), rotation)


def shade(north: Array, east: Array) -> Array:
    """Blue by how far north, red by how far east, green alike."""
    parts = [128 + 40 * north, np.full_like(north, 60.0), 128 + 40 * east]
    return np.clip(np.stack(parts, axis=-1), 0, 255)


def photo(lens: Lens, pose: SpacePose, height_m: float = 0.0) -> npt.NDArray[np.uint8]:
    """What the camera sees of level ground with these shades."""
    across, down = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    seen = lens.directions(np.column_stack([across.ravel(), down.ravel()]).astype(np.float64))
    rays = np.column_stack([np.ones(len(seen)), seen]) @ pose.rotation.T
    away = (-height_m - pose.position_m[2]) / np.maximum(rays[:, 2], 1e-3)
    met = pose.position_m + rays * away[:, None]
    pixels = shade(met[:, 0], met[:, 1]) * (rays[:, 2:] > 1e-3)
    return pixels.reshape(SIZE[1], SIZE[0], 3).astype(np.uint8)


def errors(grown: GrownMap) -> Array:
    """Of all texels of cells that were seen, from the formula."""
    rows, columns = (TEXELS * side for side in grown.window.shape)
    step = grown.cell_m / TEXELS
    north = grown.window.south * grown.cell_m + (np.arange(rows) + 0.5) * step
    east = grown.window.west * grown.cell_m + (np.arange(columns) + 0.5) * step
    true = shade(*np.meshgrid(north, east, indexing="ij"))
    seen = grown.is_seen.repeat(TEXELS, axis=0).repeat(TEXELS, axis=1)
    return np.abs(grown.colours.astype(np.float64) - true)[seen]


LENSES = {
    "pinhole": Lens((140.0, 140.0), (79.5, 59.5)),
    "distorted": Lens((140.0, 138.0), (82.0, 57.0), (-0.1, 0.02, 0.001, 0.0, 0.0)),
    "fisheye": Lens((90.0, 90.0), (79.5, 59.5), (0.01, 0.0, 0.0, 0.0), is_fisheye=True),
}


@pytest.mark.parametrize("name", LENSES)
def test_colours_stand_where_they_are_seen(name: str) -> None:
    """Tilted and turned, over ground 0.6 m high that was measured in part."""
    lens, grown = LENSES[name], GrownMap(0.1)
    add_points(grown, np.array([[0.0, 0.0, -0.6], [1.0, 1.0, -0.6]]), camera(0, 0, 2, (0, 0, 0)))
    for pose in (camera(0.3, -0.2, 2.4, (8, -5, 30)), camera(-0.4, 0.5, 2.0, (-6, 4, 200))):
        assert add_picture(grown, photo(lens, pose, 0.6), lens, pose) > 50
    assert np.percentile(errors(grown), 99) < 3.0


def test_with_the_roll_the_wrong_way_round_they_do_not() -> None:
    lens, grown = LENSES["pinhole"], GrownMap(0.1)
    pixels = photo(lens, camera(0.0, 0.0, 2.4, (8, -5, 30)))
    add_picture(grown, pixels, lens, camera(0.0, 0.0, 2.4, (-8, -5, 30)))
    assert np.percentile(errors(grown), 99) > 15.0


def test_a_clearer_picture_stays_and_of_two_alike_the_newest() -> None:
    lens, grown = LENSES["pinhole"], GrownMap(0.1)
    near, far = camera(0.0, 0.0, 1.0, (0, 0, 0)), camera(0.0, 0.0, 4.0, (0, 0, 0))
    black, white = np.zeros((120, 160), np.uint8), np.full((120, 160), 255, np.uint8)
    assert add_picture(grown, black, lens, near)
    assert add_picture(grown, white, lens, far)
    assert below(grown) == [0, 0, 0], "from nearer by"
    assert add_picture(grown, white, lens, near)
    assert below(grown) == [255, 255, 255]


def below(grown: GrownMap) -> list[int]:
    """The colour at the origin."""
    colour: list[int] = grown.colours[-TEXELS * grown.window.south, -TEXELS * grown.window.west]
    return list(colour)


def test_the_horizon_and_the_sky_are_not_laid_onto_the_ground() -> None:
    lens, grown = LENSES["pinhole"], GrownMap(0.1)
    white = np.full((120, 160, 3), 255, np.uint8)
    assert not add_picture(grown, white, lens, camera(0, 0, 2, (0, 90, 0)))
    assert not add_picture(grown, white, lens, camera(0, 0, 2, (180, 0, 0)))
    assert not add_picture(grown, white, lens, camera(0, 0, -1, (0, 0, 0))), "underground"
    add_picture(grown, white, lens, camera(0, 0, 2, (0, 40, 0)))
    if grown.is_seen.any():
        north, _ = grown.centres_m(grown.window)
        assert north[grown.is_seen.any(axis=1)].max() < 2.0 * math.tan(math.radians(60.0)) + 0.1


@pytest.mark.parametrize(
    "lens", [None, 7, {}, {"focal_px": ["x", 0]}, {"focal_px": [0, 0]}, {"field_of_view_deg": -1}]
)
def test_a_lens_that_is_not_told_is_that_of_any_camera(lens: object) -> None:
    description = StreamDescription(
        "bottom", StreamKind.PICTURES, "", attitude_q_wxyz=DOWNWARDS, details={"lens": lens}
    )
    found = lens_of(camera_of_stream(description), SIZE)
    assert found.focal_px[0] == pytest.approx(80.0 / math.tan(math.radians(30.0)))
    assert looks_down(description)
    assert not looks_down(StreamDescription("front", StreamKind.PICTURES, ""))
