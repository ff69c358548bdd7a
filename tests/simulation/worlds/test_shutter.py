"""Posts before a camera that moves while its rows are exposed, one behind the other.

The judge is plain geometry: where the edges of a post stand in the picture that a row's own pose
gives, row by row.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from simulation.perception.cameras.camera_truth import FrameGeometry, RowPoses
from simulation.worlds.picture_taker import PictureTaker, Shutter, TakenPicture
from simulation.worlds.pixel_rays import rays_of
from simulation.worlds.scene import Mesh, WorldScene
from simulation.worlds.shared_renderer import SharedRenderer
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of
from tests.simulation.worlds.boxes import box
from tests.simulation.worlds.scenes import Board, with_boards
from tests.simulation.worlds.test_picture_taker import Moving

SIZE = (160, 120)
LENS = lens_of(CameraSettings(60.0), SIZE)
POST_M, WALL_M, READOUT_S, HEIGHT_M = 6.0, 8.0, 0.03, 10.0
WIDTHS_M = (0.1, 0.4, 2.0)
SPEEDS_MPS = (0.5, 2.0, 8.0)

Array = npt.NDArray[np.float64]


@cache
def scene(width_m: float, has_wall: bool) -> WorldScene:
    wall = (Board(WALL_M, 0.0, 80.0, 60.0, (0.0, 1.0, 0.0)),) if has_wall else ()
    return with_boards(Board(POST_M, 0.0, width_m, 40.0), *wall)


@cache
def renderer(width_m: float, has_wall: bool) -> SharedRenderer:
    return SharedRenderer(scene(width_m, has_wall))


def moving(speed_mps: float, forward_mps: float = 0.0, yaw_radps: float = 0.0) -> Moving:
    return Moving((0.0, 0.0, -HEIGHT_M), (forward_mps, speed_mps, 0.0), yaw_radps)


def taken(width_m: float, has_wall: bool, path: Moving, exposure_s: float = 0.0) -> TakenPicture:
    around, shutter = renderer(width_m, has_wall), Shutter(READOUT_S, exposure_s)
    return PictureTaker(around, LENS, SIZE, shutter).take(path, 0.0)


def row_poses(path: Moving) -> tuple[Array, Array]:
    height = SIZE[1]
    return path.poses(((np.arange(height) + 0.5) / height - 0.5) * READOUT_S)


def judged(width_m: float, path: Moving) -> Array:
    """Where the left and the right edge of the post are seen, (rows, 2): x of the edge over its
    distance, as the camera stands that takes the row; upright edges stay so under yaw."""
    position, to_camera = row_poses(path)
    edges = np.array([[POST_M, side * width_m, -HEIGHT_M] for side in (-0.5, 0.5)])
    seen = np.einsum("nij,nej->nei", to_camera, edges - position[:, None])
    return np.asarray(LENS.centre_px[0] + LENS.focal_px[0] * seen[..., 1] / seen[..., 0])


def redness(picture: npt.NDArray[np.uint8], has_wall: bool) -> Array:
    """Which share of each pixel shows the post. Before wall and sky only it has red; the ground,
    which is seen without the wall, has all colours."""
    return (picture[..., 2] - (0.0 if has_wall else picture[..., 1].astype(float))) / 255.0


def seen_middle(picture: npt.NDArray[np.uint8], has_wall: bool) -> Array:
    """The middle of the post, row by row."""
    red = redness(picture, has_wall)
    return np.asarray((red * np.arange(SIZE[0])).sum(axis=1) / red.sum(axis=1))


def lean(middles: Array) -> float:
    """In pixels a row."""
    return float(np.polyfit(np.arange(len(middles)), middles, 1)[0])


@pytest.mark.slow
@pytest.mark.parametrize("has_wall", [False, True], ids=["sky", "wall"])
def test_a_post_leans_as_far_as_the_camera_moves_from_row_to_row(has_wall: bool) -> None:
    for width_m in WIDTHS_M:
        for speed_mps in SPEEDS_MPS:
            path = moving(speed_mps)
            wanted = lean(judged(width_m, path).mean(axis=1))
            found = lean(seen_middle(taken(width_m, has_wall, path).picture, has_wall))
            assert found == pytest.approx(wanted, rel=0.05), (width_m, speed_mps)
            assert found != pytest.approx(
                lean(judged(width_m, moving(-speed_mps)).mean(axis=1)), rel=0.05
            )


@pytest.mark.slow
@pytest.mark.parametrize("yaw_radps", [-2.0, 2.0])
@pytest.mark.parametrize("forward_mps", [-8.0, 8.0])
def test_each_edge_stands_where_it_is_in_fast_turns_too(
    yaw_radps: float, forward_mps: float
) -> None:
    """Within half a pixel, which is what a picture without smoothed edges is drawn to."""
    for width_m, has_wall in ((0.4, False), (2.0, True)):
        path = moving(8.0, forward_mps, yaw_radps)
        edges = judged(width_m, path)
        red = redness(taken(width_m, has_wall, path).picture, has_wall)
        for row, (left, right) in enumerate(edges):
            middle = round((left + right) / 2)
            assert middle - 0.5 - red[row, :middle].sum() == pytest.approx(left, abs=0.55)
            assert middle - 0.5 + red[row, middle:].sum() == pytest.approx(right, abs=0.55)
        turning = judged(width_m, moving(0.0, 0.0, yaw_radps))  # and not as if it only turned
        assert np.abs(turning - edges).max() > 2.5


@pytest.mark.slow
def test_a_side_that_comes_into_sight_is_seen() -> None:
    """A box whose left side is in line with the camera in the middle of the exposure, which does
    not see it; from further left its far edge is seen, from further right its near one."""
    vertices, triangles = box((POST_M, 0.0, -40.0), (POST_M + 2.0, 2.0, 0.0))
    rows = np.ones((len(vertices), 1), np.float32)
    mesh = Mesh(
        vertices.astype(np.float32), rows * (-1, 0, 0), rows * (1, 0, 0), triangles.astype(np.int32)
    )
    size, path = (640, 480), moving(8.0)
    lens = lens_of(CameraSettings(60.0), size)
    around = SharedRenderer(replace(with_boards(Board(0.0, 0.0)), bodies=mesh))
    picture = PictureTaker(around, lens, size, Shutter(READOUT_S)).take(path, 0.0).picture
    east = 8.0 * ((np.arange(size[1]) + 0.5) / size[1] - 0.5) * READOUT_S
    near, far = (lens.centre_px[0] - lens.focal_px[0] * east / (POST_M + d) for d in (0.0, 2.0))
    left = np.arange(size[0]) < 400
    seen = 399.5 - redness(picture[:, left], has_wall=False).sum(axis=1)
    rows_wrong = np.abs(seen - np.minimum(near, far))
    assert rows_wrong.max() < 1.0  # as drawn edges jump by a pixel
    assert lean(seen) == pytest.approx(lean(np.minimum(near, far)), rel=0.05)
    assert np.abs(near - far).max() > 2.5  # what is missed where only the near edge is known


@pytest.mark.slow
@pytest.mark.parametrize("behind_m", [WALL_M, np.inf], ids=["wall", "sky"])
def test_depth_segment_and_flow_are_those_of_what_each_row_saw(behind_m: float) -> None:
    """In the upper half, where no ground is seen, but for the pixels next to an edge."""
    path, period_s = moving(8.0), 0.04
    found = taken(0.4, behind_m < np.inf, path)
    rows = RowPoses(*row_poses(path))
    before = RowPoses(rows.position - (0.0, period_s * 8.0, 0.0), rows.to_camera)
    flow = FrameGeometry(found, rows, rays_of(LENS, SIZE), LENS).flow_px(before)[: SIZE[1] // 2]
    depth, segment = (each[: SIZE[1] // 2] for each in (found.depth_m(), found.segments()))
    left, right = judged(0.4, path)[: SIZE[1] // 2, :, None].swapaxes(0, 1)
    column = np.arange(SIZE[0])
    is_post = (column > left + 1.5) & (column < right - 1.5)
    is_behind = (column < left - 1.5) | (column > right + 1.5)
    for where, away_m in ((is_post, POST_M), (is_behind, behind_m)):
        assert where.any(axis=1).all()
        assert depth[where] == pytest.approx(away_m, abs=1e-3)
        moved_px = -period_s * 8.0 * LENS.focal_px[0] / away_m
        assert np.abs(flow[where] - (moved_px, 0.0)).max() < 0.01
    assert set(segment[is_post]) == {1}
    assert set(segment[is_behind]) == (
        {1} if behind_m < np.inf else {-1}
    )  # one mesh is one segment


@pytest.mark.slow
@pytest.mark.parametrize("has_wall", [False, True], ids=["sky", "wall"])
def test_a_post_is_smeared_as_far_as_it_moves_while_a_row_is_exposed(has_wall: bool) -> None:
    """Smeared evenly over speed x exposure, which adds length^2 / 12 to its variance."""
    path, exposure_s = moving(8.0), 0.015
    smeared_px = LENS.focal_px[0] / POST_M * 8.0 * exposure_s
    pictures = [taken(0.2, has_wall, path, each).picture for each in (0.0, exposure_s)]
    short, long = (variance(picture, has_wall) for picture in pictures)
    assert long - short == pytest.approx(smeared_px**2 / 12.0, rel=0.2)
    wanted = lean(judged(0.2, path).mean(axis=1))
    assert lean(seen_middle(pictures[1], has_wall)) == pytest.approx(wanted, rel=0.05)


def variance(picture: npt.NDArray[np.uint8], has_wall: bool) -> float:
    red = redness(picture, has_wall)
    away = np.arange(SIZE[0]) - seen_middle(picture, has_wall)[:, None]
    return float(((away**2 * red).sum(axis=1) / red.sum(axis=1)).mean())
