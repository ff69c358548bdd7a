"""What the arena's file promises to be measured by is as large as it says."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from simulation.worlds.make_scene import make_scene
from simulation.worlds.rays import RayHits, SceneRays
from simulation.worlds.world_file import load_world

Array = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def rays() -> SceneRays:
    return SceneRays(make_scene(load_world("arena")))


def cast(rays: SceneRays, origins: Array, way: tuple[float, float, float]) -> RayHits:
    """Parallel rays."""
    return rays.cast(origins, np.tile(way, (len(origins), 1)), 100.0)


def test_the_calibration_board_has_squares_of_a_tenth_of_a_metre(rays: SceneRays) -> None:
    # Through the middle of a row of ten squares, and the margins beside them.
    east = np.arange(-0.59, 0.59, 0.0005)
    row = np.column_stack([np.full_like(east, 3.0), east, np.full_like(east, -1.05)])
    hits = cast(rays, row, (1.0, 0.0, 0.0))
    np.testing.assert_allclose(hits.range_m, 2.99, atol=1e-5)
    is_dark = rays.colours(hits)[:, 0] < 0.5
    edges = east[1:][is_dark[1:] != is_dark[:-1]]
    assert len(edges) == 10, "five dark squares"
    np.testing.assert_allclose(np.diff(edges), 0.1, atol=0.002)


def test_steps_ramp_and_platform_are_as_high_as_they_say(rays: SceneRays) -> None:
    east = np.array((7.0, 9.0, 10.0, 11.0, 14.0, 18.366))
    above = np.column_stack([np.full_like(east, 0.3), east, np.full_like(east, -5.0)])
    hits = cast(rays, above, (0.0, 0.0, 1.0))
    heights = 5.0 - hits.range_m
    np.testing.assert_allclose(heights, [0.0, 0.25, 0.5, 0.75, 1.0, 0.5], atol=0.001)
    assert math.degrees(math.acos(-hits.normal[5, 2])) == pytest.approx(15.0, abs=0.01)


@pytest.mark.parametrize(("north", "east", "down"), [(0, -10, -2), (4, -20, -2.5), (-3, -30, -1.5)])
def test_gates_are_two_metres_wide_and_high(
    rays: SceneRays, north: float, east: float, down: float
) -> None:
    middle = np.array([[north, east, down]], dtype=float)
    for way in ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)):
        assert cast(rays, middle, way).range_m[0] == pytest.approx(1.0, abs=1e-5)
    for way in ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0)):
        assert cast(rays, middle, way).range_m[0] > 5.0, "open"
