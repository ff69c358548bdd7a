"""The ground's triangles: whole, and as high as things are set on them."""

import numpy as np
import pytest

from simulation.worlds.start_check import surface_depths
from simulation.worlds.terrain import REACH_M, Terrain


@pytest.fixture(scope="module")
def terrain() -> Terrain:
    return Terrain(np.random.default_rng(1), highest_m=45.0)


@pytest.mark.slow
def test_heights_are_those_of_the_triangles_that_are_drawn(terrain: Terrain) -> None:
    mesh = terrain.mesh()
    corners = mesh.vertices[mesh.triangles].astype(np.float64)
    places = np.random.default_rng(2).uniform(-1500.0, 1500.0, (40, 2))
    heights = terrain.height(*places.T)
    met = [surface_depths(np.array((*place, 0.0)), corners)[0] for place in places]
    np.testing.assert_allclose(heights, -np.array(met), atol=1e-4)
    assert heights.max() > 3.0, "hills, which a plane would not have"
    middles = corners.mean(axis=1)
    np.testing.assert_allclose(terrain.height(*middles[:, :2].T), -middles[:, 2], atol=1e-2)


def test_beyond_the_edge_there_is_no_height(terrain: Terrain) -> None:
    assert np.isnan(terrain.height(np.array([1.1 * REACH_M]), np.array([0.0]))).all()


def test_the_triangles_cover_the_ground_once(terrain: Terrain) -> None:
    """Two of them at every edge but at the border, and as much area as within the border."""
    mesh = terrain.mesh()
    corners = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    edges, counts = np.unique(np.sort(corners, axis=1), axis=0, return_counts=True)
    border = mesh.vertices[edges[counts == 1], :2].astype(np.float64)
    assert set(counts) == {1, 2}
    assert (np.hypot(*border.reshape(-1, 2).T) > 0.99 * REACH_M).all()
    a, b, c = (mesh.vertices[mesh.triangles[:, i], :2].astype(np.float64) for i in range(3))
    areas = 0.5 * np.abs(np.linalg.det(np.stack([b - a, c - a], axis=1)))
    sector = np.pi / len(border)
    within = len(border) * REACH_M**2 * np.sin(sector) * np.cos(sector)
    assert areas.sum() == pytest.approx(within, rel=1e-6)
    assert (mesh.normals[:, 2] < -0.5).all()
