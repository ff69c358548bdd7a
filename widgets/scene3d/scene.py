"""3-D scene as values: meshes, lines, points, labels and light.

Positions are NED metres from the scene's origin. Colours are red, green, blue, 0 to 1, as a screen
shows them. What is drawn with is kept by object: a value that is handed over again is not uploaded
again, so hand over the same one while nothing of it has changed.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Triangles = npt.NDArray[np.int32]
Picture = npt.NDArray[np.uint8]
Place = tuple[float, float, float]
Rgb = tuple[float, float, float]

UPRIGHT: Floats = np.eye(3)


@dataclass(frozen=True, slots=True, eq=False)
class SolidMesh:
    """Triangles in axes of their own.

    `vertices`, `normals` (outwards, of length 1) and `colours` are (n, 3), `triangles` (m, 3) are
    numbers of vertices in either sense. With a `picture` (h, w, 3), red first, every vertex has its
    place in it, `uv` (n, 2): columns and rows from 0 to 1. What is not `is_lit` keeps its colours
    whatever the light and the haze. On a picture, `grain` (n, n), about 128, is fine structure that
    repeats every `grain_m`, as seen from above. A mesh of closed bodies alone, whose triangles turn
    so that (b - a) x (c - a) points outwards, may say how large these are at most, `body_m`: from
    farther away their backs are not drawn.
    """

    vertices: Floats32
    normals: Floats32
    colours: Floats32
    triangles: Triangles
    uv: Floats32 | None = None
    picture: Picture | None = None
    is_lit: bool = True
    grain: Picture | None = None
    grain_m: float = 1.0
    body_m: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class PlacedMesh:
    """A mesh in space, `scale` times as large: `rotation` (3, 3) turns its axes into NED. What is
    not opaque is drawn last, in the order of the scene. One with `least_px` is drawn larger where a
    metre of it would have fewer pixels. What `is_carrier` is not seen by eyes that sit in it."""

    mesh: SolidMesh
    position: Place = (0.0, 0.0, 0.0)
    rotation: Floats = field(default_factory=lambda: UPRIGHT)
    opacity: float = 1.0
    scale: float = 1.0
    least_px: float = 0.0
    is_carrier: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LinePoints:
    """A line: points (n, 3), NaN breaks it; a colour for all of it, or (n, 3), one for each."""

    points: Floats32
    colours: Floats32 | Rgb


@dataclass(frozen=True, slots=True, eq=False)
class SpaceLine:
    """A line as it is drawn. Of its steps the first `strong` are opaque, all with None; the rest
    is faint."""

    line: LinePoints
    width_px: float = 2.0
    strong: int | None = None
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class PointCloud:
    """Points (n, 3) of some pixels; a colour for all of them, or (n, 3)."""

    points: Floats32
    colours: Floats32 | Rgb
    size_px: float = 3.0


@dataclass(frozen=True, slots=True)
class SpaceLabel:
    """A word at a place."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class SpaceLight:
    """Sun, sky and haze, as of `simulation.worlds`: what is `d` metres away keeps
    exp(-haze_per_m x d) of its own colour. `to_sun` is NED, of length 1; `below` is the sky's
    colour under the horizon, where no ground is."""

    to_sun: Place = (0.35, 0.35, -0.87)
    sun: Rgb = (0.55, 0.55, 0.52)
    ambient: Rgb = (0.5, 0.5, 0.52)
    haze: Rgb = (0.75, 0.8, 0.85)
    zenith: Rgb = (0.3, 0.5, 0.75)
    below: Rgb = (0.4, 0.4, 0.35)
    haze_per_m: float = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class SpaceScene:
    """Everything there is to see."""

    meshes: tuple[PlacedMesh, ...] = ()
    lines: tuple[SpaceLine, ...] = ()
    clouds: tuple[PointCloud, ...] = ()
    labels: tuple[SpaceLabel, ...] = ()
    light: SpaceLight = SpaceLight()


def colour_rows(colours: Floats32 | Rgb, count: int) -> Floats32:
    """One colour for each of `count` points."""
    rows = np.broadcast_to(np.asarray(colours, np.float32), (count, 3))
    return np.ascontiguousarray(rows)


def joined_meshes(*meshes: SolidMesh) -> SolidMesh:
    """Several meshes without pictures as one, lit as the first is."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    return SolidMesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.colours for mesh in meshes]),
        np.concatenate(
            [mesh.triangles + np.int32(n) for mesh, n in zip(meshes, starts, strict=True)]
        ),
        is_lit=meshes[0].is_lit,
    )
