"""Triangle edges that stick out, so that something can be pressed by them: not those within a face.

Each that several triangles have is said of one of them.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Wholes = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

_FLAT: Final = 1e-4
"""Triangles that turn by less than this rad, squared, are one face."""


def edges_of(places: Wholes, corners: Floats, planes: Floats) -> Wholes:
    """(m,): of triangles by the numbers of their corners (m, 3), these (m, 3, 3), and their planes
    (m, 12), 1 if the edge from the first corner to the second sticks out, 2 for that to the third,
    4 for that back, together."""
    count = len(places)
    end = places[:, [1, 2, 0]]
    key = (np.minimum(places, end) * (3 * count + 1) + np.maximum(places, end)).ravel()
    order = np.argsort(key, kind="stable")
    is_first = np.ones(len(order), bool)
    is_first[1:] = key[order[1:]] != key[order[:-1]]
    first = np.flatnonzero(is_first)
    shared = np.diff(np.append(first, len(order)))
    sticks_out = np.ones(len(first), bool)
    pairs = np.flatnonzero(shared == 2)
    one, two = order[first[pairs]], order[first[pairs] + 1]
    sticks_out[pairs] = ~_are_one_face(corners, planes, one, two)
    found = np.zeros(3 * count, np.int64)
    found[order[first[sticks_out]]] = 1
    return np.asarray(found.reshape(count, 3) @ np.array([1, 2, 4]))


def _are_one_face(
    corners: Floats, planes: Floats, one: Wholes, two: Wholes
) -> npt.NDArray[np.bool_]:
    """Of pairs of edges that are the same, by number of triangle and corner, whether their
    triangles lie in a plane, on both sides of it."""
    normals = planes[one // 3, :3], planes[two // 3, :3]
    across = np.cross(*normals)
    start = corners[one // 3, one % 3]
    along = corners[one // 3, (one + 1) % 3] - start
    side = [
        np.einsum("ij,ij->i", np.cross(along, corners[k // 3, (k + 2) % 3] - start), normals[0])
        for k in (one, two)
    ]
    return np.asarray((np.square(across).sum(axis=1) < _FLAT) & (side[0] * side[1] < 0.0))
