"""Rays into a scene, by Embree: for lidar, sonar and small cameras."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.worlds.random_tiles import repeated
from simulation.worlds.scene import Floats, Picture, Triangles, WorldScene

Array = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class RayHits:
    """What n rays met: how far away in metres (inf: nothing), the direction of length 1 that
    stands on the surface there towards the sensor (0 if nothing), its triangle (-1: nothing), and
    the place (NED) where. All but the triangles are float64."""

    range_m: Array
    normal: Array
    triangle: Numbers
    point: Array


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceTable:
    """What m triangles are, for whoever works out by himself what is seen on one.

    `planes` (m, 4): the normal of length 1, and the distance along it of the plane from the origin.
    `corners` (m, 3, 3) are NED; each has a tint, `colours` (m, 3, 3), and a place in a picture,
    `places` (m, 3, 2), as `PicturedMesh` has them; `picture` (m,) is the number of that in
    `pictures`.
    """

    planes: Array
    corners: Array
    colours: Floats
    places: Floats
    picture: Numbers
    pictures: tuple[Picture, ...]


class SceneRays:
    """One scene, ready for rays. Used by one thread at a time."""

    def __init__(self, scene: WorldScene) -> None:
        from embreex.mesh_construction import TriangleMesh
        from embreex.rtcore_scene import EmbreeScene

        self._scene = scene
        vertices, triangles = scene.triangles()
        # Robust: else one ray in twelve that is aimed at an edge of far ground slips through.
        self._engine = EmbreeScene(robust=True)
        self._mesh = TriangleMesh(self._engine, vertices, triangles)
        self._planes = _planes(vertices, triangles)
        self._looks = _Looks(scene, vertices, triangles)

    @property
    def surfaces(self) -> SurfaceTable:
        """All triangles, with their planes and what is seen on them."""
        return self._looks.table(self._planes)

    def first_triangles(self, origins: Array, directions: Array, longest_m: float) -> Numbers:
        """The triangles alone that `cast` finds, (n,), -1 for nothing."""
        return np.asarray(
            self._engine.run(
                origins.astype(np.float32), directions.astype(np.float32), dists=longest_m
            )
        )

    def cast(self, origins: Array, directions: Array, longest_m: float) -> RayHits:
        """What rays from `origins` (n, 3) in `directions` (n, 3), of length 1, first meet within
        `longest_m`; either side of a triangle is met.

        Embree finds the triangle; the range is worked out in float64 from its plane, so that it
        is exact to micrometres, also of triangles that are kilometres long.
        """
        origins, directions = (np.ascontiguousarray(a, np.float64) for a in (origins, directions))
        triangle = self.first_triangles(origins, directions, longest_m)
        plane = self._planes[triangle]
        normal = plane[:, :3]
        along = np.einsum("ij,ij->i", normal, directions)
        is_hit = (triangle >= 0) & (along != 0.0)
        height = plane[:, 3] - np.einsum("ij,ij->i", normal, origins)
        range_m = np.divide(height, along, out=np.full(len(along), np.inf), where=is_hit)
        is_hit &= (range_m >= 0.0) & (range_m <= longest_m)
        range_m[~is_hit] = np.inf
        normal *= np.where(is_hit, -np.sign(along), 0.0)[:, None]
        point = origins + directions * np.where(is_hit, range_m, 0.0)[:, None]
        return RayHits(range_m, normal, np.where(is_hit, triangle, np.int32(-1)), point)

    def colours(self, hits: RayHits) -> Array:
        """Red, green, blue (n, 3), 0 to 1, of the surfaces that were hit, by even light and without
        haze; 0 where there was nothing."""
        return self._looks.colours(hits)


def _planes(vertices: Floats, triangles: Triangles) -> Array:
    """(m, 4): for each triangle the normal of length 1, and the distance along it of its plane from
    the origin."""
    a, b, c = (vertices[triangles[:, i]].astype(np.float64) for i in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0.0)
    return np.column_stack([normal, np.einsum("ij,ij->i", normal, a)])


class _Looks:
    """What is seen at places of triangles."""

    def __init__(self, scene: WorldScene, vertices: Floats, triangles: Triangles) -> None:
        self._corners = vertices, triangles
        meshes = scene.meshes
        self._colours = np.concatenate([mesh.colours for mesh in meshes])
        places = [np.zeros((len(mesh.vertices), 2), np.float32) for mesh in meshes[:2]]
        ground = scene.picture
        places[0] = ground.places(scene.ground.vertices)
        self._places = np.concatenate([*places, *(body.places for body in scene.pictured)])
        self._ends = np.cumsum([len(mesh.triangles) for mesh in meshes])
        white = np.full((1, 1, 3), 255, np.uint8)
        self._pictures: list[Picture] = [
            ground.pixels,
            white,
            *(body.pixels for body in scene.pictured),
        ]

    def table(self, planes: Array) -> SurfaceTable:
        vertices, triangles = self._corners
        of_mesh = np.searchsorted(self._ends, np.arange(len(triangles)), side="right")
        return SurfaceTable(
            planes,
            vertices[triangles].astype(np.float64),
            self._colours[triangles],
            self._places[triangles],
            of_mesh.astype(np.int32),
            tuple(self._pictures),
        )

    def colours(self, hits: RayHits) -> Array:
        found = np.zeros((len(hits.range_m), 3))
        chosen = np.flatnonzero(hits.triangle >= 0)
        triangle = hits.triangle[chosen]
        corners = self._corners[1][triangle]
        share = _shares(self._corners[0][corners].astype(np.float64), hits.point[chosen])[..., None]
        colour = (self._colours[corners] * share).sum(axis=1)
        place = (self._places[corners] * share).sum(axis=1)
        of_mesh = np.searchsorted(self._ends, triangle, side="right")
        for number in np.unique(of_mesh):
            mine = of_mesh == number
            colour[mine] *= sampled(self._pictures[number], place[mine])
        found[chosen] = colour
        return found


def _shares(corners: Array, points: Array) -> Array:
    """How much of each of its corners (n, 3 corners, 3) a point in a triangle has: (n, 3)."""
    a, b, c = (corners[:, i] for i in range(3))
    normal = np.cross(b - a, c - a)
    square = np.einsum("ij,ij->i", normal, normal)
    second = np.einsum("ij,ij->i", np.cross(points - a, c - a), normal) / square
    third = np.einsum("ij,ij->i", np.cross(b - a, points - a), normal) / square
    return np.column_stack([1.0 - second - third, second, third])


def sampled(picture: Picture, places: Array) -> Array:
    """A picture that repeats, (n, 3) from 0 to 1, at places (n, 2) as `PicturedMesh` has them:
    bilinear, as OpenGL takes it where it is not made smaller."""
    rows, columns = picture.shape[:2]
    return repeated(picture, places[:, 1] * rows - 0.5, places[:, 0] * columns - 0.5) / 255.0
