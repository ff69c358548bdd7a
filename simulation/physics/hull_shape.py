"""Hull shape around an aircraft's contact points: the planes and edges of their convex hull."""

from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.records.flight import HULL_PLANES

Array = npt.NDArray[np.float64]

_FLAT: Final = 1e-6
"""What is this share of the aircraft's size away from a plane is in it."""


def set_hull(p: Any) -> None:
    """Set the hull of PARAMETERS by its points. What is flat has none."""
    count, feet = int(p["point_count"]), int(p["foot_count"])
    points = np.array(p["point"][:count], np.float64)
    size = float(np.abs(points).max())
    planes = _planes(points, _FLAT * size)
    are_in = points @ planes[:, :3].T - planes[:, 3] > -_FLAT * size  # point, plane
    edges = [pair for pair in combinations(range(count), 2) if are_in[list(pair)].all(0).sum() > 1]
    p["hull_plane_count"], p["hull_edge_count"] = len(planes), len(edges)
    p["hull_plane"][: len(planes)] = planes
    p["hull_edge"][: len(edges)] = np.array(edges).reshape(-1, 2)
    p["hull_stands"] = 0
    p["hull_stands"][: len(planes)] = ~are_in[feet:].any(axis=0)
    ends = p["hull_stands"][HULL_PLANES:]
    ends[: len(edges)] = [max(pair) < feet for pair in edges]


def _planes(points: Array, flat: float) -> Array:
    """Each once, as the direction outwards, of length 1, and how far out it is (n, 4)."""
    found: list[Array] = []
    for corners in combinations(points, 3):
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        area = float(np.linalg.norm(normal))
        if area <= flat * flat:
            continue
        heights = (points - corners[0]) @ (normal / area)
        if min(heights.max(), -heights.min()) > flat or np.abs(heights).max() <= flat:
            continue
        normal *= (1.0 if heights.max() <= flat else -1.0) / area
        if not any(np.abs(normal - other[:3]).max() < 1e-6 for other in found):
            found.append(np.append(normal, normal @ corners[0]))
    return np.array(found).reshape(-1, 4)
