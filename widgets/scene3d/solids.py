"""Solid meshes of simple bodies, flat faces with a normal each; sizes in metres."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product

import numpy as np

from widgets.scene3d.scene import Floats, Place, Rgb, SolidMesh, joined_meshes

_SIDES = 20


def faces_mesh(faces: Iterable[Sequence[Place]], colour: Rgb, *, both: bool = False) -> SolidMesh:
    """Flat convex faces of three corners and more, their corners to the left seen from outside;
    seen and lit from `both` sides if they are thin."""
    vertices, normals, triangles = [], [], []
    start = 0
    for face in faces:
        corners = np.asarray(face, np.float64)
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        normal /= max(float(np.linalg.norm(normal)), 1e-12)
        fan = [(0, i, i + 1) for i in range(1, len(corners) - 1)]
        for side in (1.0, -1.0) if both else (1.0,):
            # Thin faces stand a little apart, so that each is seen from its own side.
            vertices.append(corners + side * normal * (0.002 if both else 0.0))
            normals.append(np.broadcast_to(side * normal, corners.shape))
            triangles.append(np.asarray(fan) + start)
            start += len(corners)
    return SolidMesh(
        np.concatenate(vertices).astype(np.float32),
        np.concatenate(normals).astype(np.float32),
        np.full((start, 3), colour, np.float32),
        np.concatenate(triangles).astype(np.int32),
    )


def box(low: Place, high: Place, colour: Rgb) -> SolidMesh:
    """A box along the axes (right-handed)."""
    corner = np.array([[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)])
    sides = ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6))
    return faces_mesh(_outwards(corner[list(side)] for side in sides), colour)


def box_edges(size: float, thickness: float, colour: Rgb) -> SolidMesh:
    """The twelve edges of a cube about the origin."""
    half, thin = 0.5 * size, 0.5 * thickness
    sides = (-half, half)
    edges = []
    for axis, a, b in product(range(3), sides, sides):
        low, high = [0.0] * 3, [0.0] * 3
        low[axis], high[axis] = -half - thin, half + thin
        for other, at in (((axis + 1) % 3, a), ((axis + 2) % 3, b)):
            low[other], high[other] = at - thin, at + thin
        edges.append(box((low[0], low[1], low[2]), (high[0], high[1], high[2]), colour))
    return joined_meshes(*edges)


def tapered(sections: Sequence[tuple[float, float, float]], colour: Rgb) -> SolidMesh:
    """A body along the first axis: at each place of it half a width and half a height."""
    rings = [[(x, -w, -h), (x, w, -h), (x, w, h), (x, -w, h)] for x, w, h in sections]
    middle = np.array([sum(x for x, _, _ in sections) / len(sections), 0.0, 0.0])
    faces = [rings[0], rings[-1]]
    for a, b in pairwise(rings):
        faces += [[a[i], a[(i + 1) % 4], b[(i + 1) % 4], b[i]] for i in range(4)]
    return faces_mesh(_outwards((np.array(face) for face in faces), middle), colour)


def disc(centre: Place, radius: float, colour: Rgb) -> SolidMesh:
    """A thin level disc."""
    turns = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    ring = np.asarray(centre) + radius * np.column_stack(
        (np.cos(turns), np.sin(turns), np.zeros(_SIDES))
    )
    return faces_mesh([[tuple(point) for point in ring.tolist()]], colour, both=True)


def plate(corners: Sequence[Place], colour: Rgb) -> SolidMesh:
    """A thin flat face."""
    return faces_mesh([corners], colour, both=True)


def arrow(start: Place, end: Place, width: float, colour: Rgb) -> SolidMesh:
    """An arrow of two crossed plates, to be seen from all sides."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    way = b - a
    length = float(np.linalg.norm(way))
    way /= max(length, 1e-9)
    first = np.cross(way, (0.0, 0.0, 1.0) if abs(way[2]) < 0.9 else (1.0, 0.0, 0.0))
    first /= np.linalg.norm(first)
    neck = b - way * min(3.0 * width, 0.5 * length)
    parts = []
    for side in (first, np.cross(way, first)):
        thin, wide = 0.4 * width * side, 1.2 * width * side
        for outline in (
            (a - thin, a + thin, neck + thin, neck - thin),
            (neck - wide, neck + wide, b),
        ):
            parts.append(plate([(p[0], p[1], p[2]) for p in outline], colour))
    return joined_meshes(*parts)


def _outwards(faces: Iterable[Floats], middle: Floats | None = None) -> list[list[Place]]:
    """The faces of a body with their corners turned so that their normals point away from its
    middle."""
    found = list(faces)
    centre = np.concatenate(found).mean(axis=0) if middle is None else middle
    turned = []
    for corners in found:
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        outward = float(normal @ (corners.mean(axis=0) - centre)) >= 0.0
        rows = (corners if outward else corners[::-1]).tolist()
        turned.append([(x, y, z) for x, y, z in rows])
    return turned
