"""Closed bodies of a mesh: from outside, the backs of their triangles are never seen."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from simulation.worlds.scene import Mesh

Array = npt.NDArray[np.float64]

_OPEN = np.inf


@dataclass(frozen=True, slots=True, eq=False)
class TurnedMesh:
    """A mesh whose triangles turn the same way, clockwise seen from where their normals point, and
    for each the diameter of the closed body that it belongs to: inf where that is open."""

    mesh: Mesh
    diameter_m: Array

    def halves(self) -> "tuple[TurnedMesh, TurnedMesh]":
        """What is closed, and what is open."""
        is_closed = np.isfinite(self.diameter_m)
        closed, rest = (
            TurnedMesh(
                replace(self.mesh, triangles=self.mesh.triangles[chosen]), self.diameter_m[chosen]
            )
            for chosen in (is_closed, ~is_closed)
        )
        return closed, rest


def turned(mesh: Mesh) -> TurnedMesh:
    """Turn the triangles of a mesh by its normals, and find its closed bodies: those all of whose
    edges have two triangles, which run along it in opposite directions."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    triangles = _clockwise(mesh)
    places, corners = welded(mesh.vertices, triangles)
    ones = np.ones(2 * len(corners), np.int8)
    ends = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]]])
    graph = coo_matrix((ones, (ends[:, 0], ends[:, 1])), (len(places), len(places)))
    count, body_of_place = connected_components(graph, directed=False)
    body = body_of_place[corners[:, 0]]
    is_closed = _closed(corners, body, count, len(places))
    low = np.full((count, 3), np.inf)
    high = np.full((count, 3), -np.inf)
    np.minimum.at(low, body_of_place, places)
    np.maximum.at(high, body_of_place, places)
    diameter = np.where(is_closed, np.linalg.norm(high - low, axis=1), _OPEN)
    return TurnedMesh(replace(mesh, triangles=triangles), diameter[body])


def outward(mesh: Mesh, body: npt.NDArray[np.int32], count: int) -> npt.NDArray[np.int8]:
    """(m,): 1 for triangles whose normal, by the order of their vertices, points out of their body
    (m,), -1 if into it, and 0 if that is not closed."""
    triangles = _clockwise(mesh)
    places, corners = welded(mesh.vertices, triangles)
    # Bodies that touch have places in common, and are closed each by itself.
    own = corners + body[:, None].astype(np.int64) * len(places)
    is_closed = _closed(own, body, count, len(places) * max(count, 1))
    a, b, c = (mesh.vertices[triangles[:, i]].astype(np.float64) for i in range(3))
    volume = np.bincount(body, np.einsum("ij,ij->i", a, np.cross(b, c)), count)
    way = np.where((triangles == mesh.triangles).all(axis=1), 1, -1)
    return np.where((is_closed & (volume > 0.0))[body], way, 0).astype(np.int8)


def welded(
    vertices: npt.NDArray[np.float32], triangles: npt.NDArray[np.int32] | npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Places, each once, and for each corner of the triangles the number of its place."""
    order = np.lexsort(vertices.T)
    is_new = np.ones(len(order), bool)
    is_new[1:] = (vertices[order[1:]] != vertices[order[:-1]]).any(axis=1)
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(is_new) - 1
    return vertices[order[is_new]], number[triangles]


def _clockwise(mesh: Mesh) -> npt.NDArray[np.int32]:
    corners = mesh.vertices[mesh.triangles].astype(np.float64)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    outwards = mesh.normals[mesh.triangles].sum(axis=1)
    is_wrong = (normal * outwards).sum(axis=1) < 0.0
    return np.where(is_wrong[:, None], mesh.triangles[:, [0, 2, 1]], mesh.triangles)


def _closed(
    corners: npt.NDArray[np.int64], body: npt.NDArray[np.int32], count: int, places: int
) -> npt.NDArray[np.bool_]:
    """Of each body, whether every edge is there once in each direction."""
    start, end = corners.ravel(), corners[:, [1, 2, 0]].ravel()
    forward, back = start * places + end, end * places + start
    order = np.sort(forward)
    at = np.searchsorted(order, back)
    has_other = order[np.minimum(at, len(order) - 1)] == back
    _, first, times = np.unique(forward, return_inverse=True, return_counts=True)
    is_open = ~has_other | (times[first.ravel()] > 1)
    is_closed: npt.NDArray[np.bool_] = np.bincount(np.repeat(body, 3), is_open, count) == 0
    return is_closed
