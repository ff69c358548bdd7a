"""What a ray meets in the grid is what it meets when every triangle is tried, by a formula of its
own: Moeller and Trumbore, Fast, Minimum Storage Ray/Triangle Intersection (1997)."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from simulation.worlds.ray_casting import clearance, nearest_hit
from simulation.worlds.triangle_grid import TriangleGrid
from tests.simulation.worlds.boxes import Triangles, box, corridor, together

Floats = npt.NDArray[np.float64]


def _tried(scene: Triangles, origins: Floats, ways: Floats) -> Floats:
    """The range of the nearest triangle, each tried with every ray; infinite for nothing."""
    best = np.full(len(ways), np.inf)
    for corner, second, third in scene[0][scene[1]]:
        u, v = second - corner, third - corner
        across, away = np.cross(ways, v), origins - corner
        with np.errstate(all="ignore"):
            per = 1.0 / (across @ u)
            turned = np.cross(away, u)
            shares = (away * across).sum(axis=1) * per, (ways * turned).sum(axis=1) * per
            reach = turned @ v * per
            is_met = (np.min(shares, axis=0) >= 0.0) & (sum(shares) <= 1.0) & (reach >= 0.0)
        best = np.where(is_met & (reach < best), reach, best)
    return best


def _rays(n: int, low: Floats, high: Floats, seed: int = 1) -> tuple[Floats, Floats]:
    random = np.random.default_rng(seed)
    ways = random.normal(size=(n, 3))
    return random.uniform(low, high, (n, 3)), ways / np.linalg.norm(ways, axis=1)[:, None]


def _crowd(n: int = 500) -> Triangles:
    """Many small triangles in a corner of a wide plain: cells of cells."""
    random = np.random.default_rng(4)
    corners = random.uniform(-1.0, 1.0, (n, 1, 3)) + random.normal(0.0, 0.05, (n, 3, 3))
    crowd = corners.reshape(-1, 3), np.arange(3 * n).reshape(n, 3)
    return together([box((-400.0, -400.0, 2.0), (400.0, 400.0, 3.0)), crowd])


@pytest.mark.parametrize("scene", [corridor(), _crowd()], ids=["corridor", "crowd"])
def test_a_ray_meets_what_it_meets_when_every_triangle_is_tried(scene: Triangles) -> None:
    reach = np.array([4.0, 1.5, 1.5])
    origins, ways = _rays(500, scene[0][-1] - reach, scene[0][-1] + reach)
    found = TriangleGrid(*scene).cast(origins, ways)
    tried = _tried(scene, origins, ways)
    assert np.array_equal(np.isinf(tried), found.triangle < 0)
    assert np.isfinite(tried).mean() > 0.2
    np.testing.assert_allclose(found.range_m, tried, rtol=1e-9, atol=1e-9)


def test_a_triangle_left_out_is_missed() -> None:
    """The comparison above would see it: the negative control."""
    scene = corridor()
    origins, ways = _rays(1500, np.array([1.0, -0.9, -2.4]), np.array([19.0, 0.9, -0.1]))
    lacking = TriangleGrid(scene[0], np.delete(scene[1], 7, axis=0)).cast(origins, ways)
    assert not np.allclose(lacking.range_m, _tried(scene, origins, ways))


def test_compiled_and_plain_python_give_the_same_bits() -> None:
    for scene in (corridor(), _crowd(300)):
        grid = TriangleGrid(*scene)
        origins, ways = _rays(150, scene[0].min(axis=0) * 0.05, scene[0].max(axis=0) * 0.05)
        found, plain = grid.cast(origins, ways, 500.0), grid.plain()
        for origin, way, reach, item in zip(
            origins.tolist(), ways.tolist(), found.range_m, found.triangle, strict=True
        ):
            assert nearest_hit(plain, (*origin, *way), 500.0) == (min(reach, 500.0), item)


def test_no_ray_slips_between_two_triangles() -> None:
    """From the middle of a box, its faces cut up, through every edge and corner there is."""
    vertices, triangles = box((-1.0, -2.0, -3.0), (3.0, 2.0, 1.0))
    corners = vertices[triangles]
    middles = (corners + np.roll(corners, -1, axis=1)) / 2.0
    targets = np.concatenate(
        (vertices, middles.reshape(-1, 3), 0.3 * corners[:, 0] + 0.7 * middles[:, 0])
    )
    away = targets - np.array([0.3, 0.1, -0.2])
    lengths = np.linalg.norm(away, axis=1)
    found = TriangleGrid(vertices, triangles).cast((0.3, 0.1, -0.2), away / lengths[:, None])
    np.testing.assert_allclose(found.range_m, lengths, rtol=1e-9)


def test_rays_along_the_axes_and_from_outside() -> None:
    grid = TriangleGrid(*box((1.0, -1.0, -1.0), (2.0, 1.0, 1.0)))
    found = grid.cast(
        (-5.0, 0.0, 0.0), np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    )
    assert found.range_m.tolist() == [6.0, math.inf, math.inf]
    assert found.normal.tolist() == [[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    inside = grid.cast((1.5, 0.25, 0.5), np.vstack((np.eye(3), -np.eye(3))))
    assert inside.range_m.tolist() == [0.5, 0.75, 0.5, 0.5, 1.25, 1.5]
    assert inside.normal.tolist() == np.vstack((-np.eye(3), np.eye(3))).tolist()
    assert grid.cast((-5.0, 0.0, 0.0), np.array([[1.0, 0.0, 0.0]]), 5.9).triangle.tolist() == [-1]


def test_the_place_in_the_triangle_is_where_the_ray_meets_it() -> None:
    vertices, triangles = corridor()
    origins, ways = _rays(200, np.array([1.0, -0.9, -2.4]), np.array([19.0, 0.9, -0.1]))
    found = TriangleGrid(vertices, triangles).cast(origins, ways)
    first, second, third = np.moveaxis(vertices[triangles[found.triangle]], 1, 0)
    u, v = found.inside.T[:, :, None]
    met = origins + found.range_m[:, None] * ways
    np.testing.assert_allclose(first + u * (second - first) + v * (third - first), met, atol=1e-9)


def test_what_has_no_area_is_met_by_no_ray() -> None:
    vertices = np.array([[1.0, 0, 0], [1, 1, 0], [1, 2, 0], [math.nan, 0, 0], [0, 0, 1], [1, 0, 1]])
    flat = TriangleGrid(vertices, np.array([[0, 1, 2], [0, 1, 3], [1, 1, 5]]))
    assert flat.cast((0.0, 1.0, 0.0), np.array([[1.0, 0.0, 0.0]])).triangle.tolist() == [-1]
    nothing = TriangleGrid(np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    assert nothing.cast((0.0, 0.0, 0.0), np.array([[1.0, 0.0, 0.0]])).range_m.tolist() == [math.inf]


def _nearest(scene: Triangles, point: Floats) -> float:
    """How far the nearest point of all triangles is away: over its plane, or on a side."""
    first, second, third = np.moveaxis(scene[0][scene[1]], 1, 0)
    normal = np.cross(second - first, third - first)
    over = np.ones(len(first), bool)
    found = []
    for a, b in ((first, second), (second, third), (third, first)):
        side, away = b - a, point - a
        share = np.clip((away * side).sum(axis=1) / (side * side).sum(axis=1), 0.0, 1.0)
        found.append(np.linalg.norm(away - share[:, None] * side, axis=1).min())
        over &= (np.cross(side, away) * normal).sum(axis=1) >= 0.0
    height = np.abs(((point - first) * normal).sum(axis=1)) / np.linalg.norm(normal, axis=1)
    return float(min(*found, np.where(over, height, np.inf).min()))


@pytest.mark.parametrize("scene", [corridor(), _crowd(400)], ids=["corridor", "crowd"])
def test_nothing_is_nearer_than_the_clearance(scene: Triangles) -> None:
    """An aircraft that thinks it has more room than there is would pass a wall."""
    plain = TriangleGrid(*scene).plain()
    random, middle = np.random.default_rng(2), scene[0][-1]
    shares = []
    for point in random.uniform(middle - 3.0, middle + 3.0, (60, 3)):
        exact, found = _nearest(scene, point), clearance(plain, tuple(point.tolist()), 2.0)
        assert found <= exact + 1e-9
        shares.append(found / min(exact, 2.0))
    assert np.median(shares) > 0.8
