"""Flown world: its scene, and the same triangles for compiled code."""

import math
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.program import address_of
from simulation.compiler.program_record import ProgramTables
from simulation.environment.earth import FIELD_NEAR_BACKNANG, WorldOrigin
from simulation.programs.world import in_world
from simulation.worlds.make_scene import make_scene
from simulation.worlds.scene import WorldScene
from simulation.worlds.triangle_grid import TriangleGrid
from simulation.worlds.world import StartPlace, World
from simulation.worlds.world_effects import sky_ways
from simulation.worlds.world_file import load_world
from simulation.worlds.world_record import WORLD_RECORD, ZONE_NUMBERS

_KEPT_WORLDS: Final = 4
_HOME_M: Final = 1.0
_ABOVE_M: Final = 0.1
"""The ground may be so much above a place that is on it."""


class FlownWorld:
    """What an aircraft meets: `scene` to be seen, `grid` to be touched. Any number of aircraft and
    threads may use one. `memory` is what compiled code needs to find it (WORLD_RECORD)."""

    def __init__(self, world: World, scene: WorldScene, name: str = "") -> None:
        """`name` is what it can be opened by; by default the world's own."""
        self.name = name or world.name
        self.world = world
        self.scene = scene
        self.grid = TriangleGrid(*scene.triangles())
        self._tables = ProgramTables(
            WORLD_RECORD,
            {"zones": _zone_numbers(world)},
            program=address_of(in_world.handle),
            grid=self.grid.memory,
            zone_count=len(world.wind_zones),
        )
        self.memory = self._tables.memory

    @property
    def origin(self) -> WorldOrigin:
        """Where on Earth it lies."""
        place = self.world.place
        if place is None:
            return FIELD_NEAR_BACKNANG
        return WorldOrigin(place.latitude_deg, place.longitude_deg, place.altitude_m)

    @property
    def start(self) -> StartPlace:
        """Where an aircraft starts."""
        return self.world.start

    @property
    def starts_away_from_home(self) -> bool:
        """Whether the start is farther from the origin than a position is known."""
        north, east, _ = self.start.position_m
        return math.hypot(north, east) > _HOME_M

    @property
    def sky_covered_at_start(self) -> float:
        """The share of the satellites that something hides from who stands there."""
        ranges = self.grid.cast(self._above_start(), sky_ways()).range_m
        return float(np.isfinite(ranges).mean())

    @property
    def room_above_start_m(self) -> float:
        """From the ground there to the ceiling; infinite under the sky."""
        place = self._above_start()
        up = self.grid.cast(place, np.array([[0.0, 0.0, -1.0]])).range_m[0]
        return float(up) + self.ground_below(*place) - place[2]

    def _above_start(self) -> tuple[float, float, float]:
        """As high above the ground as a small aircraft's receiver."""
        north, east, down = self.start.position_m
        ground = self.ground_below(north, east, down)
        return north, east, (ground if math.isfinite(ground) else down) - _ABOVE_M

    def ground_below(self, north: float, east: float, down: float) -> float:
        """How far down from the origin the first surface below a place is, in metres; infinite if
        there is none."""
        origin = (north, east, down - _ABOVE_M)
        reach = self.grid.cast(origin, np.array([[0.0, 0.0, 1.0]])).range_m[0]
        return float(origin[2] + reach)


@lru_cache(_KEPT_WORLDS)
def open_world(name: str, seed: int = 1) -> FlownWorld:
    """A world by name, or by the path of its folder; the same one again for those who ask again.
    `seed` chooses what it leaves to chance. Raises WorldError."""
    world = load_world(name)
    return FlownWorld(world, make_scene(world, seed), name)


def _zone_numbers(world: World) -> npt.NDArray[np.float64]:
    """ZONE_NUMBERS of each wind zone; one of zeros if there are none."""
    rows = [
        (*zone.centre_m, *(0.5 * size for size in zone.size_m), *zone.wind_mps, zone.edge_m)
        for zone in world.wind_zones
    ]
    return np.array(rows or [(0.0,) * ZONE_NUMBERS], np.float64).ravel()
