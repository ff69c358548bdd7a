"""Tree meshes: trees as triangles."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.worlds.scene import Mesh, joined

Array = npt.NDArray[np.float64]
Triangles = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class _Crown:
    """Corners around, and the rings from the bottom up: share of the height, of the radius,
    brightness; for broad-leaved trees and for conifers, which have as many."""

    sides: int
    broadleaf: tuple[tuple[float, float, float], ...]
    conifer: tuple[tuple[float, float, float], ...]


_NEAR = _Crown(
    6,
    ((0.18, 0.45, 0.55), (0.42, 1.0, 0.8), (0.72, 0.85, 1.0), (0.93, 0.4, 1.12)),
    ((0.1, 0.9, 0.55), (0.35, 0.75, 0.75), (0.7, 0.36, 0.95), (0.93, 0.09, 1.1)),
)
_FAR = _Crown(
    5,
    ((0.28, 0.85, 0.65), (0.75, 0.9, 1.0)),
    ((0.12, 0.95, 0.6), (0.6, 0.5, 0.95)),
)
_BARK = (0.27, 0.21, 0.15)
_CLOSE_M = 450.0
"""Trees so close to the origin are seen from near and have more corners, and trunks."""


def trees(places: Array, random: np.random.Generator) -> Mesh:
    """A tree at each NED place (n, 3): two in three are broad-leaved, 6 to 14 m high."""
    is_near = np.hypot(places[:, 0], places[:, 1]) < _CLOSE_M
    return joined(
        (
            _crowns(places[is_near], _NEAR, random),
            _trunks(places[is_near]),
            _crowns(places[~is_near], _FAR, random),
        )
    )


def _crowns(places: Array, crown: _Crown, random: np.random.Generator) -> Mesh:
    n, rings, sides = len(places), len(crown.broadleaf), crown.sides
    conifer = random.random(n) < 1 / 3
    height = random.uniform(6.0, 14.0, n)
    radius = height * np.where(conifer, 0.2, 0.33) * random.uniform(0.85, 1.2, n)
    shape = np.where(conifer[:, None, None], np.array(crown.conifer), np.array(crown.broadleaf))
    share, width, bright = shape[..., 0], shape[..., 1], shape[..., 2]
    corner = np.arange(sides) + 0.5 * np.arange(rings)[:, None]
    angle = random.uniform(0.0, 2 * np.pi, n)[:, None, None] + corner * (2 * np.pi / sides)
    away = (radius[:, None] * width)[..., None] * random.uniform(0.8, 1.15, (n, rings, sides))
    lift = (share[..., None] + random.uniform(-0.03, 0.03, angle.shape)) * height[:, None, None]
    around = np.stack([away * np.cos(angle), away * np.sin(angle), -lift], -1)
    around = around.reshape(n, rings * sides, 3)
    zero = np.zeros(n)
    ends = np.stack([np.stack([zero, zero, -share * height], -1) for share in (1.0, 0.12)], 1)
    local = np.concatenate([around, ends], axis=1)
    normals = local + np.stack([zero, zero, 0.5 * height], -1)[:, None]
    normals[..., :2] *= 1.6
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    tint = np.where(conifer[:, None], (0.13, 0.22, 0.13), (0.23, 0.31, 0.13))
    tint = tint * random.uniform(0.75, 1.25, (n, 1)) + random.uniform(-0.02, 0.03, (n, 3))
    levels = np.concatenate([np.repeat(bright, sides, 1), np.tile((1.2, 0.45), (n, 1))], axis=1)
    colours = tint[:, None, :] * levels[..., None]
    return _repeated(local + places[:, None], normals, colours, _crown_triangles(rings, sides))


def _crown_triangles(rings: int, sides: int) -> Triangles:
    top, bottom = rings * sides, rings * sides + 1
    found = []
    for i in range(sides):
        j = (i + 1) % sides
        for ring in range(0, (rings - 1) * sides, sides):
            found += [(ring + i, ring + j, ring + sides + i)]
            found += [(ring + j, ring + sides + j, ring + sides + i)]
        found += [((rings - 1) * sides + i, (rings - 1) * sides + j, top), (j, i, bottom)]
    return np.array(found, np.int32)


def _trunks(places: Array) -> Mesh:
    angle = np.arange(3) * (2 * np.pi / 3)
    foot = np.stack([0.25 * np.cos(angle), 0.25 * np.sin(angle), np.full(3, 0.5)], -1)
    head = foot * (0.8, 0.8, 0.0) - (0.0, 0.0, 2.6)
    outwards = np.stack([np.cos(angle), np.sin(angle), np.zeros(3)], -1)
    vertices = np.concatenate([foot, head])[None] + places[:, None]
    normals = np.broadcast_to(np.concatenate([outwards, outwards]), vertices.shape)
    sides = [((i, j, i + 3), (j, j + 3, i + 3)) for i, j in ((0, 1), (1, 2), (2, 0))]
    triangles = np.array(sides, np.int32).reshape(-1, 3)
    return _repeated(vertices, normals, np.broadcast_to(_BARK, vertices.shape), triangles)


def _repeated(vertices: Array, normals: Array, colours: Array, triangles: Triangles) -> Mesh:
    """One mesh of n bodies of equal shape; the arrays are (n, vertices of one, 3)."""
    n, each = vertices.shape[:2]
    starts = (np.arange(n, dtype=np.int32) * each)[:, None, None]
    return Mesh(
        vertices.reshape(-1, 3).astype(np.float32),
        normals.reshape(-1, 3).astype(np.float32),
        colours.reshape(-1, 3).astype(np.float32),
        (triangles[None] + starts).reshape(-1, 3),
    )
