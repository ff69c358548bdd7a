"""Trees and houses as triangles."""

import math

import numpy as np
import numpy.typing as npt

from simulation.worlds.scene import Mesh

Array = npt.NDArray[np.float64]

_SIDES = 6
_HIGH = np.array((0.0, 0.0, 2.0))
_BARK = (0.27, 0.21, 0.15)
# Rings of a crown: share of the height, share of the radius, brightness.
_BROADLEAF = ((0.18, 0.45, 0.55), (0.42, 1.0, 0.8), (0.72, 0.85, 1.0), (0.93, 0.4, 1.12))
_CONIFER = ((0.1, 0.9, 0.55), (0.35, 0.75, 0.75), (0.7, 0.36, 0.95), (0.93, 0.09, 1.1))


def trees(places: Array, random: np.random.Generator) -> Mesh:
    """A tree at each NED place (n, 3): two in three are broad-leaved, 6 to 14 m high."""
    n = len(places)
    conifer = random.random(n) < 1 / 3
    height = random.uniform(6.0, 14.0, n)
    radius = height * np.where(conifer, 0.2, 0.33) * random.uniform(0.85, 1.2, n)
    rings = np.where(conifer[:, None, None], np.array(_CONIFER), np.array(_BROADLEAF))
    share, width, bright = rings[..., 0], rings[..., 1], rings[..., 2]
    turn = random.uniform(0.0, 2 * np.pi, n)[:, None, None]
    angle = turn + (np.arange(_SIDES) + 0.5 * np.arange(4)[:, None]) * (2 * np.pi / _SIDES)
    r = (radius[:, None] * width)[..., None] * random.uniform(0.8, 1.15, (n, 4, _SIDES))
    lift = share[..., None] + random.uniform(-0.03, 0.03, (n, 4, _SIDES))
    out = np.stack(
        [r * np.cos(angle), r * np.sin(angle), -lift * height[:, None, None]], -1
    ).reshape(n, -1, 3)
    top = np.zeros((n, 1, 3))
    top[:, 0, 2] = -height
    bottom = np.zeros((n, 1, 3))
    bottom[:, 0, 2] = -0.12 * height
    local = np.concatenate([out, top, bottom], axis=1)
    middle = np.stack([np.zeros(n), np.zeros(n), -0.5 * height], -1)[:, None]
    normals = local - middle
    normals[..., :2] *= 1.6
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    tint = np.where(conifer[:, None], (0.13, 0.22, 0.13), (0.23, 0.31, 0.13))
    tint = tint * random.uniform(0.75, 1.25, (n, 1)) + random.uniform(-0.02, 0.03, (n, 3))
    level = np.concatenate([np.repeat(bright, _SIDES, 1), np.full((n, 1), 1.2)], axis=1)
    level = np.concatenate([level, np.full((n, 1), 0.45)], axis=1)
    colours = tint[:, None, :] * level[..., None]
    return _repeated(local + places[:, None], normals, colours, _crown_triangles())


def _crown_triangles() -> npt.NDArray[np.int32]:
    top, bottom = 4 * _SIDES, 4 * _SIDES + 1
    found = []
    for ring in range(3):
        for i in range(_SIDES):
            a, b = ring * _SIDES + i, ring * _SIDES + (i + 1) % _SIDES
            c, d = a + _SIDES, b + _SIDES
            found += [(a, b, c), (b, d, c)]
    for i in range(_SIDES):
        j = (i + 1) % _SIDES
        found += [(3 * _SIDES + i, 3 * _SIDES + j, top), (j, i, bottom)]
    return np.array(found, np.int32)


def trunks(places: Array) -> Mesh:
    """What the crowns of `trees` stand on."""
    angle = np.arange(3) * (2 * np.pi / 3)
    foot = np.stack([0.25 * np.cos(angle), 0.25 * np.sin(angle), np.full(3, 0.5)], -1)
    head = foot * (0.8, 0.8, 0.0) - (0.0, 0.0, 2.6)
    local = np.concatenate([foot, head])
    normals = np.concatenate([foot, foot]) * (4.0, 4.0, 0.0)
    triangles = np.array(
        [
            t
            for i in range(3)
            for t in ((i, (i + 1) % 3, i + 3), ((i + 1) % 3, (i + 1) % 3 + 3, i + 3))
        ],
        np.int32,
    )
    vertices = local[None] + places[:, None]
    return _repeated(
        vertices,
        np.broadcast_to(normals, vertices.shape),
        np.broadcast_to(np.array(_BARK), vertices.shape),
        triangles,
    )


def house(
    place: Array, size_m: tuple[float, float, float], roof_m: float, turn_rad: float, colour: Array
) -> Mesh:
    """A box of length, width and height with a gable roof (0: flat), at a NED place."""
    length, width, height = size_m
    x, y = 0.5 * length, 0.5 * width
    ends = [(-x, -y), (x, -y), (x, y), (-x, y)]
    wall = colour
    roof = np.array((0.45, 0.22, 0.16)) if roof_m else np.array((0.5, 0.5, 0.5))
    faces: list[tuple[list[tuple[float, float, float]], Array]] = []
    for (ax, ay), (bx, by) in zip(ends, ends[1:] + ends[:1], strict=True):
        faces.append(([(ax, ay, 1.0), (bx, by, 1.0), (bx, by, -height), (ax, ay, -height)], wall))
    ridge = -height - roof_m
    for side in (-y, y):
        faces.append(
            ([(-x, side, -height), (x, side, -height), (x, 0.0, ridge), (-x, 0.0, ridge)], roof)
        )
    for end in (-x, x) if roof_m else ():
        faces.append(([(end, -y, -height), (end, y, -height), (end, 0.0, ridge)], wall))
    return _of_faces(faces, place, turn_rad)


def _of_faces(
    faces: list[tuple[list[tuple[float, float, float]], Array]], place: Array, turn_rad: float
) -> Mesh:
    cos, sin = math.cos(turn_rad), math.sin(turn_rad)
    rotation = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    vertices, normals, colours, triangles = [], [], [], []
    count = 0
    for corners, colour in faces:
        points = np.array(corners)
        normal = np.cross(points[1] - points[0], points[2] - points[0])
        normal /= max(float(np.linalg.norm(normal)), 1e-9)
        if normal @ (points.mean(axis=0) + _HIGH) < 0.0:
            normal = -normal
        vertices.append(points @ rotation.T + place)
        normals.append(np.broadcast_to(rotation @ normal, points.shape))
        colours.append(np.broadcast_to(colour, points.shape))
        triangles += [(count, count + i, count + i + 1) for i in range(1, len(points) - 1)]
        count += len(points)
    return Mesh(
        np.concatenate(vertices).astype(np.float32),
        np.concatenate(normals).astype(np.float32),
        np.concatenate(colours).astype(np.float32),
        np.array(triangles, np.int32),
    )


def _repeated(
    vertices: Array, normals: Array, colours: Array, triangles: npt.NDArray[np.int32]
) -> Mesh:
    """One mesh of n bodies of equal shape; the arrays are (n, vertices of one, 3)."""
    n, each = vertices.shape[:2]
    starts = (np.arange(n, dtype=np.int32) * each)[:, None, None]
    return Mesh(
        vertices.reshape(-1, 3).astype(np.float32),
        normals.reshape(-1, 3).astype(np.float32),
        colours.reshape(-1, 3).astype(np.float32),
        (triangles[None] + starts).reshape(-1, 3),
    )
