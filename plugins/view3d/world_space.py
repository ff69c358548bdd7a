"""A world of the simulator's as a scene of the view: its ground, what stands on it, its light."""

from dataclasses import dataclass, replace

from simulation.worlds.closed_bodies import turned
from simulation.worlds.make_scene import make_scene
from simulation.worlds.scene import Mesh, Picture, WorldScene
from simulation.worlds.world_file import load_world
from widgets.scene3d.sight_lines import SightLines
from widgets.scene3d.space import Floats32, PlacedMesh, SolidMesh, SpaceLight

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
    obstacles: SightLines


def read_world(name: str, seed: int = 1) -> WorldSpace:
    """A world by its name or path; takes a second or so. `seed`: see SimulatedWorld. Raises
    WorldError."""
    world = load_world(name)
    scene = make_scene(world, seed)
    meshes = _meshes(scene)
    placed = tuple(PlacedMesh(mesh) for mesh in meshes)
    return WorldSpace(world.title, placed, _light(scene), SightLines(meshes))


def _meshes(scene: WorldScene) -> list[SolidMesh]:
    ground, picture = scene.ground, scene.picture
    spots = picture.places(ground.vertices)
    found = [
        replace(_solid(ground, spots, picture.pixels), grain=scene.grain, grain_m=_GRAIN_M),
        *_bodies(scene.bodies),
    ]
    found += [_solid(body.mesh, body.places, body.pixels) for body in scene.pictured]
    return [mesh for mesh in found if len(mesh.triangles)]


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
