"""A camera's picture and rays through its pixels see the same edges."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from simulation.worlds.body_meshes import attitude_matrix
from simulation.worlds.rays import SceneRays
from simulation.worlds.renderer import CameraView, SceneRenderer
from tests.simulation.worlds.scenes import plain

Array = npt.NDArray[np.float64]

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


def picture_edges(to_camera: Array) -> Array:
    """Row and column (n, 2) of every place where a row of the picture turns red or back; column 1
    is the border between the first pixel and the second."""
    renderer = SceneRenderer(SCENE, SIZE, FOCAL)
    picture = renderer.draw(CameraView(PLACE, to_camera))
    renderer.close()
    red = is_red(picture[..., ::-1], 255.0)
    rows, columns = np.nonzero(red[:, 1:] != red[:, :-1])
    inside = np.abs(columns + 1 - SIZE[0] / 2) < SIZE[0] / 2 - SEARCHED_PX
    return np.column_stack([rows, columns + 1.0])[inside]


def ray_edge_px(rays: SceneRays, edge: Array, to_camera: Array) -> float:
    """How far from an edge of the picture that of the rays is; inf beyond SEARCHED_PX."""
    columns = edge[1] + np.arange(-SEARCHED_PX, SEARCHED_PX, 0.05)
    across, down = columns - SIZE[0] / 2, edge[0] + 0.5 - SIZE[1] / 2
    ways = np.column_stack([np.full(len(columns), FOCAL), across, np.full(len(columns), down)])
    ways = ways / np.linalg.norm(ways, axis=1, keepdims=True) @ to_camera
    hits = rays.cast(np.tile(PLACE, (len(ways), 1)), ways, 1e4)
    red = is_red(rays.colours(hits), 1.0)
    found = columns[1:][red[1:] != red[:-1]]
    return float(np.abs(found - edge[1]).min(initial=math.inf))


@pytest.fixture(scope="module")
def rays() -> SceneRays:
    return SceneRays(SCENE)


def deviations_px(rays: SceneRays, turned_deg: float = 0.0) -> list[float]:
    """Of at least as many edges as EDGES, the rays' camera turned to the right by an angle."""
    found = []
    for attitude in ATTITUDES_DEG:
        to_camera = attitude_matrix(attitude).T
        other = attitude_matrix((0.0, 0.0, turned_deg)).T @ to_camera
        edges = picture_edges(to_camera)[::30]
        found += [ray_edge_px(rays, edge, other) for edge in edges]
    assert len(found) >= EDGES
    return found


def test_picture_and_rays_agree_within_a_pixel_at_a_hundred_edges(rays: SceneRays) -> None:
    assert max(deviations_px(rays)) < 1.0


def test_rays_of_a_camera_turned_by_two_pixels_do_not_agree(rays: SceneRays) -> None:
    """The negative control."""
    turned = deviations_px(rays, math.degrees(2.0 / FOCAL))
    assert np.median(turned) == pytest.approx(2.0, abs=0.5)
