"""Body meshes: triangles with places in a picture."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from simulation.worlds.mesh_file import MeshFile
from simulation.worlds.scene import Floats, Mesh, Picture, joined
from simulation.worlds.world import Box, Cylinder, MeshBody, Placed, Surface, Wall
from telemetry.base.rotations import matrix_by_angles

Array = npt.NDArray[np.float64]

_FACES = (
    # Outwards, and where the bottom of its picture is; that of the top is in the south.
    ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    ((-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.0, -1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.0, 0.0, -1.0), (-1.0, 0.0, 0.0)),
    ((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0)),
)
_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
_TWO = np.array([[0, 1, 2], [0, 2, 3]], np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class BodyMesh:
    """A body's triangles, and where in its picture each vertex lies (n, 2), whether it has one or
    not."""

    mesh: Mesh
    places: Floats


def body_mesh(body: Box | Cylinder | Wall) -> BodyMesh:
    """A body at its place in the world."""
    match body:
        case Box():
            return _placed(_box(body.size_m, body.surface), body.placed)
        case Cylinder():
            return _placed(_cylinder(body), body.placed)
        case Wall():
            return _together([_placed(*part) for part in _wall_parts(body)])


def file_meshes(body: MeshBody, file: MeshFile) -> Iterator[tuple[BodyMesh, Picture | None]]:
    """The parts of a mesh at their place in the world, each with its own picture. Every triangle
    is flat to the light, as it is to rays."""
    corners = np.concatenate([part.corners for part in file.parts]).reshape(-1, 3, 3)
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    inwards = -1.0 if volume < 0.0 and not file.is_open else 1.0
    for part in file.parts:
        triangles = part.corners.reshape(-1, 3, 3)
        normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        area = np.linalg.norm(normal, axis=1)
        kept = np.repeat(area > 0.0, 3)
        normals = np.repeat(inwards * normal[area > 0.0] / area[area > 0.0, None], 3, axis=0)
        count = int(kept.sum())
        mesh = Mesh(
            part.corners[kept].astype(np.float32),
            normals.astype(np.float32),
            (part.colours[kept] * body.surface.colour).astype(np.float32),
            np.arange(count, dtype=np.int32).reshape(-1, 3),
        )
        own = BodyMesh(mesh, part.places[kept].astype(np.float32))
        yield _placed(own, body.placed), part.pixels


def _box(size_m: tuple[float, float, float], surface: Surface) -> BodyMesh:
    """On its base, in its own axes."""
    half = 0.5 * np.array(size_m)
    middle = np.array((0.0, 0.0, -half[2]))
    return _together([_face(middle, half, *face, surface) for face in _FACES])


def _face(
    middle: Array, half: Array, out: tuple[float, ...], down: tuple[float, ...], surface: Surface
) -> BodyMesh:
    """One side of a box, its picture as one sees it who looks at it from outside."""
    normal, below = np.array(out), np.array(down)
    right = np.cross(below, -normal)
    width, height = (2.0 * float(np.abs(axis) @ half) for axis in (right, below))
    across = (_SQUARE[:, :1] - 0.5) * width * right
    along = (_SQUARE[:, 1:] - 0.5) * height * below
    corners = middle + normal * half + across + along
    normals = np.tile(normal, (4, 1))
    return _mesh(corners, normals, _TWO, _in_picture(_SQUARE * (width, height), surface), surface)


def _cylinder(body: Cylinder) -> BodyMesh:
    """Round to the light, flat to rays; the caps are fans."""
    sides, radius, height = body.sides, body.radius_m, body.height_m
    turn = np.linspace(0.0, 2.0 * math.pi, sides + 1)
    out = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(sides + 1)])
    top, foot = out * radius - (0.0, 0.0, height), out * radius
    i = np.arange(sides, dtype=np.int32)
    n = np.int32(sides + 1)
    triangles = np.concatenate(
        [np.column_stack([i, i + 1, i + n]), np.column_stack([i + 1, i + n + 1, i + n])]
    )
    # From outside the turn, which is clockwise from above, runs from right to left.
    around = -turn * radius
    metres = np.concatenate(
        [np.column_stack([around, np.full(n, 0.0)]), np.column_stack([around, np.full(n, height)])]
    )
    whole = np.array((2.0 * math.pi * radius, height))
    places = _in_picture(metres, body.surface, whole)
    side = _mesh(
        np.concatenate([top, foot]), np.concatenate([out, out]), triangles, places, body.surface
    )
    return _together([side, *(_cap(ring[:-1], body) for ring in (top, foot))])


def _cap(ring: Array, body: Cylinder) -> BodyMesh:
    """The upper or the lower end."""
    middle = np.array([[0.0, 0.0, ring[0, 2]]])
    n = len(ring)
    i = np.arange(n, dtype=np.int32)
    triangles = np.column_stack([i, (i + 1) % n, np.full(n, n, np.int32)])
    corners = np.concatenate([ring, middle])
    normal = np.array((0.0, 0.0, -1.0 if ring[0, 2] < 0.0 else 1.0))
    metres = corners[:, 1::-1] * (1.0, -1.0) + body.radius_m
    places = _in_picture(metres, body.surface, np.full(2, 2.0 * body.radius_m))
    return _mesh(corners, np.tile(normal, (n + 1, 1)), triangles, places, body.surface)


def _wall_parts(wall: Wall) -> Iterator[tuple[BodyMesh, Placed]]:
    """A box for each stretch, which reaches half its thickness beyond its ends, so that corners
    are whole."""
    for (north, east), (to_north, to_east) in pairwise(wall.line_m):
        length = math.hypot(to_north - north, to_east - east) + wall.thickness_m
        middle = (0.5 * (north + to_north), 0.5 * (east + to_east), wall.base_m)
        heading_deg = math.degrees(math.atan2(to_east - east, to_north - north))
        box = _box((length, wall.thickness_m, wall.height_m), wall.surface)
        yield box, Placed(middle, (0.0, 0.0, heading_deg))


def _in_picture(metres: Array, surface: Surface, whole: Array | None = None) -> Array:
    """Where in its picture a surface's places (n, 2), in metres to the right and downwards, are;
    `whole` is the size of what the picture is stretched over once."""
    if surface.picture_m[0]:
        return np.asarray(metres / surface.picture_m)
    return np.asarray(metres / (metres.max(axis=0) if whole is None else whole))


def _mesh(
    corners: Array, normals: Array, triangles: npt.NDArray[np.int32], places: Array, look: Surface
) -> BodyMesh:
    colours = np.tile(np.array(look.colour, np.float32), (len(corners), 1))
    vertices, directions = corners.astype(np.float32), normals.astype(np.float32)
    return BodyMesh(Mesh(vertices, directions, colours, triangles), places.astype(np.float32))


def _together(parts: list[BodyMesh]) -> BodyMesh:
    places = np.concatenate([part.places for part in parts])
    return BodyMesh(joined([part.mesh for part in parts]), places)


def _placed(body: BodyMesh, placed: Placed) -> BodyMesh:
    """Turned, and moved to its place."""
    mesh, turned = body.mesh, matrix_by_angles(*placed.attitude_deg).T
    vertices = mesh.vertices.astype(np.float64) @ turned + np.array(placed.position_m)
    normals = mesh.normals.astype(np.float64) @ turned
    moved = Mesh(
        vertices.astype(np.float32), normals.astype(np.float32), mesh.colours, mesh.triangles
    )
    return BodyMesh(moved, body.places)
