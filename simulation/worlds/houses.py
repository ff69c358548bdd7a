"""House meshes: their bodies as triangles."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.worlds.body_meshes import BodyMesh
from simulation.worlds.scene import Mesh, joined

Array = npt.NDArray[np.float64]
Corner = tuple[float, float, float]

_HIGH = np.array((0.0, 0.0, 2.0))
_DEEP_M = 1.0
"""Walls reach so far into the ground, which may slope."""
_TILES, _FLAT = np.array((0.45, 0.22, 0.16)), np.array((0.5, 0.5, 0.5))


@dataclass(frozen=True, slots=True, eq=False)
class GableHouse:
    """A box of length, width and height with a gable roof `roof_m` higher (0: flat). Places in
    pictures are metres: to the left, and downwards from the eaves or from the ridge."""

    walls: BodyMesh
    roof: BodyMesh


def house(place: Array, size_m: Corner, roof_m: float, turn_rad: float, colour: Array) -> Mesh:
    """A house without pictures, at a NED place."""
    roof = _TILES if roof_m else _FLAT
    built = gable_house(place, size_m, roof_m, turn_rad, (colour, roof))
    return joined((built.walls.mesh, built.roof.mesh))


def gable_house(
    place: Array, size_m: Corner, roof_m: float, turn_rad: float, colours: tuple[Array, Array]
) -> GableHouse:
    """At a NED place; `colours` are those of walls and roof."""
    length, width, height = size_m
    x, y = 0.5 * length, 0.5 * width
    ends = [(-x, -y), (x, -y), (x, y), (-x, y)]
    walls: list[list[Corner]] = []
    for (ax, ay), (bx, by) in zip(ends, ends[1:] + ends[:1], strict=True):
        walls.append([(ax, ay, -height), (bx, by, -height), (bx, by, _DEEP_M), (ax, ay, _DEEP_M)])
    ridge = -height - roof_m
    for end in (-x, x) if roof_m else ():
        walls.append([(end, -y, -height), (end, y, -height), (end, 0.0, ridge)])
    roof: list[list[Corner]] = [
        [(-x, 0.0, ridge), (x, 0.0, ridge), (x, side, -height), (-x, side, -height)]
        for side in (-y, y)
    ]
    return GableHouse(
        _of_faces(walls, place, turn_rad, colours[0]), _of_faces(roof, place, turn_rad, colours[1])
    )


def _of_faces(faces: list[list[Corner]], place: Array, turn_rad: float, colour: Array) -> BodyMesh:
    """The upper edge of each face comes first."""
    cos, sin = math.cos(turn_rad), math.sin(turn_rad)
    rotation = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    vertices, normals, places, triangles = [], [], [], []
    count = 0
    for corners in faces:
        points = np.array(corners)
        normal = np.cross(points[1] - points[0], points[2] - points[0])
        normal /= max(float(np.linalg.norm(normal)), 1e-9)
        along = points[1] - points[0]
        along = along / np.linalg.norm(along)
        down = np.cross(along, normal)
        down *= 1.0 if down[2] >= 0.0 else -1.0
        if normal @ (points.mean(axis=0) + _HIGH) < 0.0:
            normal = -normal
        vertices.append(points @ rotation.T + place)
        normals.append(np.broadcast_to(rotation @ normal, points.shape))
        places.append((points - points[0]) @ np.column_stack([along, down]))
        triangles += [(count, count + i, count + i + 1) for i in range(1, len(points) - 1)]
        count += len(points)
    mesh = Mesh(
        np.concatenate(vertices).astype(np.float32),
        np.concatenate(normals).astype(np.float32),
        np.tile(np.asarray(colour, np.float32), (count, 1)),
        np.array(triangles, np.int32),
    )
    return BodyMesh(mesh, np.concatenate(places).astype(np.float32))
