"""World scene: a world of the simulator's, its ground, what stands on it, its light."""

import math
from dataclasses import dataclass, replace

from simulation.worlds.closed_bodies import turned
from simulation.worlds.make_scene import make_scene
from simulation.worlds.scene import Mesh, Picture, PicturedMesh, WorldScene
from simulation.worlds.world_file import load_world
from widgets.scene3d.line_of_sight import LineOfSight
from widgets.scene3d.scene import Floats32, Place, PlacedMesh, SolidMesh, SpaceLight

_GRAIN_M = 17.0
"""As the simulator's own pictures have it."""
_BELOW = 0.6
"""How bright the haze is below the horizon."""


@dataclass(frozen=True, slots=True, eq=False)
class WorldSpace:
    """What there is of a world, and what to call it."""

    title: str
    meshes: tuple[PlacedMesh, ...]
    light: SpaceLight
    obstacles: LineOfSight
    ground: LineOfSight | None

    def surface_m(self, place: Place) -> float:
        """Down to the ground somewhere, or to what stands on it if a place is above that; infinity
        where there is nothing."""
        ground_m = self.ground.top_m(*place[:2]) if self.ground is not None else None
        known = [m for m in (ground_m, self.obstacles.below_m(place)) if m is not None]
        return min(known, default=math.inf)


def read_world(name: str, seed: int = 1) -> WorldSpace:
    """A world by its name or path; takes a second or so. `seed`: see SimulatedWorld. Raises
    WorldError."""
    world = load_world(name)
    scene = make_scene(world, seed)
    ground = [mesh for mesh in (_ground(scene),) if len(mesh.triangles)]
    standing = [*_bodies(scene.bodies), *map(_pictured, scene.pictured)]
    meshes = [*ground, *(mesh for mesh in standing if len(mesh.triangles))]
    placed = tuple(PlacedMesh(mesh) for mesh in meshes)
    below = LineOfSight(ground) if ground else None
    return WorldSpace(world.title, placed, _light(scene), LineOfSight(meshes), below)


def _ground(scene: WorldScene) -> SolidMesh:
    ground, picture = scene.ground, scene.picture
    solid = _solid(ground, picture.places(ground.vertices), picture.pixels)
    return replace(solid, grain=scene.grain, grain_m=_GRAIN_M)


def _pictured(body: PicturedMesh) -> SolidMesh:
    return _solid(body.mesh, body.places, body.pixels)


def _bodies(mesh: Mesh) -> list[SolidMesh]:
    """Those that are closed, and the others."""
    closed, others = turned(mesh).halves()
    largest_m = float(closed.diameter_m.max(initial=0.0))
    return [replace(_solid(closed.mesh), body_m=largest_m), _solid(others.mesh)]


def _solid(mesh: Mesh, uv: Floats32 | None = None, picture: Picture | None = None) -> SolidMesh:
    return SolidMesh(mesh.vertices, mesh.normals, mesh.colours, mesh.triangles, uv, picture)


def _light(scene: WorldScene) -> SpaceLight:
    light = scene.light
    red, green, blue = (_BELOW * value for value in light.haze)
    return SpaceLight(
        light.to_sun,
        light.sun,
        light.ambient,
        light.haze,
        light.zenith,
        (red, green, blue),
        light.haze_per_m,
    )
