"""World as its file has it: plain values, without any engine.

Places are NED metres from the world's origin. A body's own axes are those of the world before it is
turned by its attitude: first by the heading (yaw), then by pitch, then by roll.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from simulation.worlds.scene import Light

Vector = tuple[float, float, float]


class WorldError(ValueError):
    """A world that cannot be used: which, where in it, and what to do."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What a body or the ground looks like: a colour (red, green, blue, 0 to 1), and on it, tinted
    by it, a picture from a file or a pattern (`simulation.worlds.patterns`), or none.

    It repeats every `picture_m`; (0, 0) stretches it over each face once.
    """

    colour: Vector = (0.7, 0.7, 0.7)
    picture: Path | None = None
    pattern: str = ""
    picture_m: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the middle of a body's base is, and how it is turned: roll, pitch, yaw."""

    position_m: Vector
    attitude_deg: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Box:
    """`size_m`: along its own north, east and upwards."""

    name: str
    surface: Surface
    placed: Placed
    size_m: Vector


@dataclass(frozen=True, slots=True)
class Cylinder:
    """An upright one, before it is turned, of flat sides."""

    name: str
    surface: Surface
    placed: Placed
    radius_m: float
    height_m: float
    sides: int = 24


@dataclass(frozen=True, slots=True)
class Wall:
    """Upright boxes along a line of corners (north, east), on a base at `base_m` (down)."""

    name: str
    surface: Surface
    line_m: tuple[tuple[float, float], ...]
    height_m: float
    thickness_m: float
    base_m: float = 0.0


@dataclass(frozen=True, slots=True)
class MeshBody:
    """A file of triangles, whose origin comes to `placed`. Its own pictures and colours are tinted
    by the surface's colour; the surface's picture, if it has one, comes in their place. `unit` and
    `axes` are keys of `simulation.worlds.mesh_file`."""

    name: str
    surface: Surface
    placed: Placed
    path: Path
    unit: str = "m"
    axes: str = "y-up"


Body = Box | Cylinder | Wall | MeshBody


@dataclass(frozen=True, slots=True)
class PlaneGround:
    """Level ground at `down_m`, as far as `reach_m` to each side."""

    surface: Surface
    reach_m: float
    down_m: float = 0.0


@dataclass(frozen=True, slots=True)
class RasterGround:
    """Ground by a file of heights in metres above the world's origin, first row in the north, one
    every `step_m`, their middle at `middle_m` (north, east). The surface's picture is stretched
    over all of it, north up, unless it has a size. `void` marks a hole, as NaN does."""

    surface: Surface
    path: Path
    step_m: float
    middle_m: tuple[float, float] = (0.0, 0.0)
    void: float = math.nan


@dataclass(frozen=True, slots=True)
class TerrainGround:
    """Ground by a map of heights above sea level that knows where on Earth it lies (GeoTIFF, HGT):
    the part around the world's place, `reach_m` to each side, in steps of `step_m`."""

    surface: Surface
    path: Path
    reach_m: float
    step_m: float
    middle_m: ClassVar[tuple[float, float]] = (0.0, 0.0)


Ground = PlaneGround | RasterGround | TerrainGround


@dataclass(frozen=True, slots=True)
class Scenery:
    """What is not written down body by body but made by a rule of
    `simulation.worlds.sceneries`, from these values of it."""

    kind: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StartPlace:
    """Where an aircraft may stand, or begin to fly, and where its nose points."""

    name: str
    position_m: Vector
    heading_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class WindZone:
    """An upright box with an air movement of its own: `wind_mps` is the velocity of the air (to
    where it blows), which it has to the full inside and no longer `edge_m` outside."""

    name: str
    centre_m: Vector
    size_m: Vector
    wind_mps: Vector
    edge_m: float


@dataclass(frozen=True, slots=True)
class EarthPlace:
    """Where the world's origin lies on Earth (WGS84)."""

    latitude_deg: float
    longitude_deg: float
    altitude_m: float


@dataclass(frozen=True, slots=True)
class World:
    """One world. `start` is the first of its start places."""

    name: str
    title: str
    folder: Path
    light: Light
    starts: tuple[StartPlace, ...]
    ground: Ground | None = None
    bodies: tuple[Body, ...] = ()
    scenery: Scenery | None = None
    wind_zones: tuple[WindZone, ...] = ()
    place: EarthPlace | None = None
    clouds: float = 0.0
    """How much cloud there is, 0 to 1."""

    @property
    def start(self) -> StartPlace:
        """Where an aircraft starts if nothing else is said."""
        return self.starts[0]
