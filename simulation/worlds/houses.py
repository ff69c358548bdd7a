"""Houses as triangles."""

import math

import numpy as np
import numpy.typing as npt

from simulation.worlds.scene import Mesh

Array = npt.NDArray[np.float64]

_HIGH = np.array((0.0, 0.0, 2.0))


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
