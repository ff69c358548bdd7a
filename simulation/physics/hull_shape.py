"""Hull shape around an aircraft's contact points: the planes and edges of their convex hull."""

from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.records.flight import HULL_PLANES

Array = npt.NDArray[np.float64]

_FLAT: Final = 1e-6
"""What is this share of the aircraft's size away from a plane is in it."""
_STROKE: Final = 0.5
"""Springs give way by no more than this share of the way from the hull to the centre of mass. So
that they carry the aircraft on one foot too, with a foot's share of that to spare, they are stiffer
than its file says where they have to."""


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
    inside = max(float(planes[:, 3].min()), 0.0) if len(planes) else 0.0
    if inside:
        p["contact_depth"] = min(float(p["contact_depth"]), _STROKE * inside / (feet + 1))
    p["contact_stroke"] = (feet + 1) * p["contact_depth"]


def _planes(points: Array, flat: float) -> Array:
    """Each once, as the direction outwards, of length 1, and how far out it is (n, 4)."""
    corners = points[np.array(list(combinations(range(len(points)), 3)))]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    corners, normals = corners[areas > flat * flat], normals[areas > flat * flat]
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    heights = normals @ points.T - (normals * corners[:, 0]).sum(axis=1)[:, None]
    highest, lowest = heights.max(axis=1), heights.min(axis=1)
    has_all_behind = np.minimum(highest, -lowest) <= flat
    is_plane = has_all_behind & (np.maximum(highest, -lowest) > flat)
    normals *= np.where(highest <= flat, 1.0, -1.0)[:, None]
    found: list[Array] = []
    for normal, corner in zip(normals[is_plane], corners[is_plane, 0], strict=True):
        if not any(np.abs(normal - other[:3]).max() < 1e-6 for other in found):
            found.append(np.append(normal, normal @ corner))
    return np.array(found).reshape(-1, 4)
