"""Scene ground: a world of the simulator's, the terrain of the place, or level with lines."""

import math
import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plugins.view3d.layers import SceneParts, SpaceInstant
from plugins.view3d.options import AUTOMATIC, SpaceOptions
from plugins.view3d.place_ground import PlaceGround, PlaceRequest, make_place_ground
from plugins.view3d.places import NOWHERE
from plugins.view3d.scene_theme import SceneTheme
from telemetry.base.earth.tangent_plane import TangentPlane
from telemetry.base.folders import Folders
from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.simulated_world import SimulatedWorld
from telemetry.vehicle.vehicle import Vehicle
from widgets.map.tile_workers import TileWorkers
from widgets.scene3d.flat_ground import ground_grid, level_ground
from widgets.scene3d.line_of_sight import LineOfSight
from widgets.scene3d.scene import Place

if TYPE_CHECKING:
    from plugins.view3d.world_space import WorldSpace


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is to be made: a world by its name, or the ground of a place."""

    world: SimulatedWorld | None = None
    place: PlaceRequest | None = None


class SpaceGround:
    """Made by a job, once for each wish; meanwhile the ground is level. `tell` takes a sentence for
    the user where something cannot be read."""

    def __init__(self, jobs: Executor, tell: Callable[[str], None]) -> None:
        self._jobs = jobs
        self._tell = tell
        self._tile_worker = TileWorkers(1)  # a server that does not answer holds up nothing else
        self._wish = _Wish()
        self._making: Future[WorldSpace | PlaceGround] | None = None
        self._made: WorldSpace | PlaceGround | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is being made."""
        return self._making is not None

    def close(self) -> None:
        """Wait for nothing any more."""
        self._tile_worker.shutdown()

    def poll(
        self, vehicle: Vehicle, origin: TangentPlane, options: SpaceOptions, look: SceneTheme
    ) -> bool:
        """Have made what these ask for, and take over what is ready; whether that is anything."""
        wish = _wish(vehicle, origin, options, look)
        if wish != self._wish:
            self._wish, self._made = wish, None
            self._making = self._begin(wish)
        making = self._making
        if making is None or not making.done():
            return False
        self._making = None
        error = making.exception()
        if error is None:
            self._made = making.result()
        else:
            self._tell(f"The 3-D view cannot show its surroundings: {error}")
        return True

    def below_m(self, place: Place) -> float | None:
        """Down to what lies below a place, if that is known."""
        match self._made:
            case None:
                return None
            case PlaceGround() as ground:
                return ground.down_m(*place[:2])
            case world:
                return world.obstacles.below_m(place)

    def surface_m(self, place: Place) -> float | None:
        """Down to what an eye stays above, if that is known: what lies below a place, and the
        ground also where the place is within it."""
        match self._made:
            case None:
                return None
            case PlaceGround() as ground:
                return ground.drawn.top_m(*place[:2])
            case world:
                return world.surface_m(place)

    @property
    def obstacles(self) -> LineOfSight | None:
        """What may stand between a camera and the aircraft, if that is known."""
        made = self._made
        return None if made is None or isinstance(made, PlaceGround) else made.obstacles

    def add(self, parts: SceneParts, now: SpaceInstant) -> None:
        """See SpaceLayer."""
        aircraft, look = now.aircraft, now.look
        below = (*aircraft.position[:2], aircraft.ground_down_m)
        match self._made:
            case None:
                parts.meshes.append(level_ground(below, look.ground))
                parts.lines.append(ground_grid(below, now.eye_m, look.grid, look.ground))
            case PlaceGround() as ground:
                parts.meshes += ground.meshes
                if ground.attribution:
                    parts.words.append(ground.attribution)
            case world:
                parts.meshes += world.meshes
                parts.light = world.light

    def _begin(self, wish: _Wish) -> "Future[WorldSpace | PlaceGround] | None":
        if wish.world is not None:
            return self._jobs.submit(_read_world, wish.world)
        if wish.place is None:
            return None
        cache = Folders.of_user(os.environ).map_tiles
        return self._tile_worker.submit(make_place_ground, wish.place, cache)


def _wish(vehicle: Vehicle, origin: TangentPlane, options: SpaceOptions, look: SceneTheme) -> _Wish:
    if options.world != AUTOMATIC and options.world:
        return _Wish(SimulatedWorld(options.world))
    if options.world == AUTOMATIC and vehicle.recording.world is not None:
        return _Wish(vehicle.recording.world)
    if origin == NOWHERE or not (options.tiles or options.terrain):
        return _Wish()
    state = read_flight_state(vehicle.recording, math.inf)
    altitude_m = round(state.home_altitude_m or 0.0, 1)
    place = PlaceRequest(options.tiles, options.terrain, origin, altitude_m, look.ground)
    return _Wish(place=place)


def _read_world(world: SimulatedWorld) -> "WorldSpace":
    """In a job, which loads what makes worlds as well."""
    from plugins.view3d.world_space import read_world

    return read_world(world.name, world.seed)
