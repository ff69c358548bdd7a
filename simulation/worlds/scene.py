"""Scene: what there is to see, as triangles, so that pictures and rays come from the same.

Positions are NED metres from the world's origin, so z is negative above the ground. Colours are
red, green, blue, 0 to 1, as a screen shows them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Triangles = npt.NDArray[np.int32]
Picture = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles. `vertices`, `normals` (outwards, of length 1) and `colours` are (n, 3),
    `triangles` (m, 3) are numbers of vertices, in either sense of rotation."""

    vertices: Floats
    normals: Floats
    colours: Floats
    triangles: Triangles


@dataclass(frozen=True, slots=True, eq=False)
class PicturedMesh:
    """Triangles with a picture on them, which repeats. `places` (n, 2) say where in the picture
    each vertex lies: 0 to 1 from its left edge to its right one, and from its top to its bottom.
    `pixels` (rows, columns, 3); the colours of the vertices tint it."""

    mesh: Mesh
    places: Floats
    pixels: Picture


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Which body a triangle belongs to: `names[numbers[i]]`, with the triangles in the order of
    `WorldScene.triangles`."""

    numbers: Triangles
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GroundPicture:
    """What the ground looks like from above. `pixels` (rows, columns, 3): rows go from south to
    north, columns from west to east. It is `width_m` wide from west to east, and as long or
    `length_m` from south to north; its middle is at `middle_m` (north, east). Beyond, it repeats.
    """

    pixels: Picture
    width_m: float
    length_m: float = 0.0
    middle_m: tuple[float, float] = (0.0, 0.0)

    @property
    def size_m(self) -> tuple[float, float]:
        """From south to north, and from west to east."""
        return self.length_m or self.width_m, self.width_m

    def places(self, vertices: Floats) -> Floats:
        """Where in the picture the ground's vertices (n, 3) lie, as `PicturedMesh` has it."""
        north_east = (vertices[:, :2] - self.middle_m) / self.size_m + 0.5
        return np.ascontiguousarray(north_east[:, ::-1], np.float32)


@dataclass(frozen=True, slots=True)
class Light:
    """Sun, sky and haze. `to_sun` is a NED direction of length 1. What is `d` metres away keeps
    exp(-haze_per_m x d) of its own colour and has the haze's for the rest."""

    to_sun: tuple[float, float, float]
    sun: tuple[float, float, float]
    ambient: tuple[float, float, float]
    haze: tuple[float, float, float]
    zenith: tuple[float, float, float]
    haze_per_m: float


@dataclass(frozen=True, slots=True, eq=False)
class WorldScene:
    """The ground with its picture, everything that stands on it, and the light.

    `bodies` are those without pictures. `grain` and `clouds` are tiles (n, n) that repeat: fine
    structure of surfaces, about 128, and how much cloud there is.
    """

    ground: Mesh
    picture: GroundPicture
    bodies: Mesh
    light: Light
    grain: Picture
    clouds: Picture
    pictured: tuple[PicturedMesh, ...] = ()
    named: Segments | None = None
    notes: tuple[str, ...] = ()
    """What somebody should know who uses it, in sentences: what is missing in it."""

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """All surfaces: the ground, bodies without pictures, bodies with them."""
        return (self.ground, self.bodies, *(body.mesh for body in self.pictured))

    def triangles(self) -> tuple[Floats, Triangles]:
        """All surfaces as one: vertices (n, 3) and triangles (m, 3), which is all that is drawn."""
        everything = joined(self.meshes)
        return everything.vertices, everything.triangles

    def segments(self) -> Segments:
        """What the triangles belong to; if nobody has named it, to a mesh."""
        if self.named is not None:
            return self.named
        counts = [len(mesh.triangles) for mesh in self.meshes]
        names = ("ground", "bodies", *(f"pictured {i + 1}" for i in range(len(self.pictured))))
        return Segments(np.repeat(np.arange(len(counts), dtype=np.int32), counts), names)


_NONE = np.zeros((0, 3), np.float32)
NO_MESH = Mesh(_NONE, _NONE, _NONE, np.zeros((0, 3), np.int32))
"""Nothing."""


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.colours for mesh in meshes]),
        np.concatenate(
            [mesh.triangles + np.int32(n) for mesh, n in zip(meshes, starts, strict=True)]
        ),
    )


def linear_functions(corners: Array, values: Array) -> Array:
    """(m, k, 4): for k values that m triangles have at their corners (m, 3, k), what a place is
    multiplied with to get the value there, and what is added."""
    a, b, c = (corners[:, i] for i in range(3))
    normal = np.cross(b - a, c - a)
    square = np.maximum(np.einsum("ij,ij->i", normal, normal), 1e-300)[:, None]
    # The shares that the second and third corner have of a place.
    shares = np.stack([np.cross(c - a, normal) / square, np.cross(normal, b - a) / square], 1)
    steps = values[:, 1:] - values[:, :1]
    factors = np.einsum("msk,msx->mkx", steps, shares)
    added = values[:, 0] - np.einsum("mkx,mx->mk", factors, a)
    return np.concatenate([factors, added[..., None]], axis=2)
