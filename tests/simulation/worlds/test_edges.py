"""A camera's picture and rays through its pixels see the same edges."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from simulation.worlds.rays import SceneRays
from simulation.worlds.renderer import CameraView, SceneRenderer
from telemetry.base.rotations import matrix_by_angles
from tests.simulation.worlds.scenes import plain

Array = npt.NDArray[np.float64]
Edges = list[tuple[Array, Array]]

SIZE, FOCAL = (320, 120), 260.0
EDGES = 100
SEARCHED_PX = 6.0
POSTS = [(20.0 + 3.0 * i, 2.9 * (i - 7) + 0.31 * i * i - 9.0) for i in range(15)]
SCENE = plain(*POSTS)
PLACE = np.array((0.0, 0.0, -6.0))
ATTITUDES_DEG = ((8.0, -2.0, 3.0), (-15.0, 4.0, -12.0), (0.0, 1.0, 14.0))


def is_red(colours: npt.NDArray[np.uint8] | Array, most: float) -> npt.NDArray[np.bool_]:
    """Of red, green, blue in the last axis."""
    return np.asarray((colours[..., 0] > 0.5 * most) & (colours[..., 1] < 0.5 * most))


@pytest.fixture(scope="module")
def edges() -> Edges:
    """For each attitude the camera's rotation, and row and column (n, 2) of places where a row of
    its picture turns red or back; column 1 is the border between the first pixel and the second."""
    renderer, found = SceneRenderer(SCENE, SIZE, FOCAL), []
    for attitude in ATTITUDES_DEG:
        to_camera = matrix_by_angles(*attitude).T
        picture = renderer.draw(CameraView(PLACE, to_camera))
        red = is_red(picture[..., ::-1], 255.0)
        rows, columns = np.nonzero(red[:, 1:] != red[:, :-1])
        inside = np.abs(columns + 1 - SIZE[0] / 2) < SIZE[0] / 2 - SEARCHED_PX
        found.append((to_camera, np.column_stack([rows, columns + 1.0])[inside][::30]))
    renderer.close()
    assert sum(len(part) for _, part in found) >= EDGES
    return found


@pytest.fixture(scope="module")
def rays() -> SceneRays:
    return SceneRays(SCENE)


def deviations_px(rays: SceneRays, edges: Edges, turned_deg: float = 0.0) -> list[float]:
    """How far from each edge of the pictures that of the rays is, whose camera is turned to the
    right by an angle; inf beyond SEARCHED_PX."""
    found = []
    searched = np.arange(-SEARCHED_PX, SEARCHED_PX, 0.05)
    turn = matrix_by_angles(0.0, 0.0, turned_deg).T
    for to_camera, part in edges:
        columns = part[:, 1, None] + searched
        down = np.broadcast_to(part[:, :1] + 0.5 - SIZE[1] / 2, columns.shape)
        ways = np.stack([np.full_like(columns, FOCAL), columns - SIZE[0] / 2, down], -1)
        ways = ways.reshape(-1, 3) / np.linalg.norm(ways.reshape(-1, 3), axis=1, keepdims=True)
        hits = rays.cast(np.tile(PLACE, (len(ways), 1)), ways @ (turn @ to_camera), 1e4)
        red = is_red(rays.colours(hits), 1.0).reshape(columns.shape)
        for row in red:
            turns = searched[1:][row[1:] != row[:-1]]
            found.append(float(np.abs(turns).min(initial=math.inf)))
    return found


def test_picture_and_rays_agree_within_a_pixel_at_a_hundred_edges(
    rays: SceneRays, edges: Edges
) -> None:
    assert max(deviations_px(rays, edges)) < 1.0


def test_rays_of_a_camera_turned_by_two_pixels_do_not_agree(rays: SceneRays, edges: Edges) -> None:
    """The negative control."""
    turned = deviations_px(rays, edges, math.degrees(2.0 / FOCAL))
    assert np.median(turned) == pytest.approx(2.0, abs=0.5)
