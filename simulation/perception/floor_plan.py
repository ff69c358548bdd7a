"""Floor plan: the outlines of a world at one height, to compare a map of it with."""

import numpy as np
import numpy.typing as npt

from simulation.worlds.scene import WorldScene

Array = npt.NDArray[np.float64]


def floor_plan(scene: WorldScene, down_m: float) -> Array:
    """The lines (n, 2 ends, north and east) along which a level plane cuts the scene's surfaces;
    `down_m` is from the world's origin. Surfaces that lie in the plane are left out."""
    vertices, triangles = scene.triangles()
    corners = vertices[triangles].astype(np.float64)
    above = corners[..., 2] < down_m
    corners = corners[above.any(axis=1) & ~above.all(axis=1)]
    following = np.roll(corners, -1, axis=1)
    height, next_height = corners[..., 2] - down_m, following[..., 2] - down_m
    is_cut = (height < 0.0) != (next_height < 0.0)
    way = np.where(is_cut, height - next_height, 1.0)
    cuts = corners + (height / way)[..., None] * (following - corners)
    return np.asarray(cuts[is_cut][:, :2].reshape(-1, 2, 2))


def distances(points: Array, lines: Array) -> Array:
    """How far each of n points (n, 2) is from the nearest line (n,)."""
    import shapely

    found, drawn = np.asarray(shapely.points(points)), np.asarray(shapely.linestrings(lines))
    return np.asarray(shapely.distance(found, drawn[shapely.STRtree(drawn).nearest(found)]))


def nearest_distances(points: Array, others: Array) -> Array:
    """How far each of n points (n, 2) is from the nearest of the others (m, 2): (n,)."""
    import shapely

    tree = shapely.STRtree(np.asarray(shapely.points(others)))
    nearest = tree.nearest(np.asarray(shapely.points(points)))
    return np.asarray(np.hypot(*(points - others[nearest]).T))


def points_along(lines: Array, spacing_m: float) -> Array:
    """Points (n, 2) on all lines, no farther apart than that."""
    found = []
    for start, end in lines:
        count = int(np.hypot(*(end - start)) / spacing_m) + 2
        found.append(start + (end - start) * np.linspace(0.0, 1.0, count)[:, None])
    return np.concatenate(found)
