"""Scene of a world: everything in it as triangles, with the pictures on them."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from simulation.worlds.body_meshes import BodyMesh, body_mesh, file_meshes
from simulation.worlds.ground_meshes import plane_mesh, raster_mesh, raster_size_m, terrain_mesh
from simulation.worlds.mesh_file import read_mesh
from simulation.worlds.patterns import pattern_picture
from simulation.worlds.picture_file import read_picture
from simulation.worlds.random_tiles import clouds, grain
from simulation.worlds.scene import (
    NO_MESH,
    GroundPicture,
    Mesh,
    Picture,
    PicturedMesh,
    Segments,
    WorldScene,
    joined,
)
from simulation.worlds.sceneries import SCENERIES
from simulation.worlds.start_check import check_starts
from simulation.worlds.world import (
    Body,
    Ground,
    MeshBody,
    PlaneGround,
    RasterGround,
    Surface,
    TerrainGround,
    World,
    WorldError,
)

Numbers = npt.NDArray[np.int32]

_KEPT = 4
_GROUND_PICTURE_M = 4.0
"""How large a ground's picture is if its file does not say."""
_Look = tuple[Path | None, str, int]
_WHITE = np.full((2, 2, 3), 255, np.uint8)


def make_scene(world: World, seed: int = 1) -> WorldScene:
    """The same scene for the same world and seed, which chooses what is left to chance.

    Raises WorldError for a picture or a mesh that cannot be used, and where there is no ground
    under a start place.
    """
    pictures = _Pictures(seed)
    scene = _base(world, seed, pictures)
    scene = _with_bodies(scene, world, pictures)
    check_starts(world, scene)
    return scene


def _base(world: World, seed: int, pictures: "_Pictures") -> WorldScene:
    """The ground, or all of a scenery."""
    kind = SCENERIES[world.scenery.kind] if world.scenery else None
    if world.scenery and kind and kind.scene:
        return kind.scene(world.scenery.values, seed)
    ground, notes = _ground_mesh(world)
    picture = GroundPicture(_WHITE, 1.0)
    if world.ground is not None:
        picture = _ground_picture(world.ground, ground, pictures)
    return WorldScene(
        ground,
        picture,
        NO_MESH,
        world.light,
        _grain(seed),
        _clouds(seed, world.clouds),
        named=Segments(np.zeros(len(ground.triangles), np.int32), ("ground",)),
        notes=notes,
    )


def _ground_mesh(world: World) -> tuple[Mesh, tuple[str, ...]]:
    match world.ground:
        case None:
            return NO_MESH, ()
        case PlaneGround() as plane:
            return plane_mesh(plane, world.light.haze_per_m), ()
        case RasterGround() as raster:
            return raster_mesh(raster)
        case TerrainGround() as terrain:
            if world.place is None:
                raise WorldError(f"World {world.name}: its terrain needs a place on Earth.")
            return terrain_mesh(terrain, world.place)


def _ground_picture(ground: Ground, mesh: Mesh, pictures: "_Pictures") -> GroundPicture:
    """Its colour is that of the mesh. Pictures have their north above, the ground's its south."""
    pixels = pictures.of(ground.surface)
    if pixels is None:
        return GroundPicture(_WHITE, _GROUND_PICTURE_M)
    pixels = np.ascontiguousarray(pixels[::-1])
    width_m, length_m = ground.surface.picture_m
    if isinstance(ground, PlaneGround):
        return GroundPicture(pixels, width_m or _GROUND_PICTURE_M, length_m)
    if not width_m:
        length_m, width_m = raster_size_m(mesh)
    return GroundPicture(pixels, width_m, length_m, ground.middle_m)


@lru_cache(_KEPT)
def _grain(seed: int) -> Picture:
    return grain(np.random.default_rng([seed, 0x5CE9E]))


@lru_cache(_KEPT)
def _clouds(seed: int, cover: float) -> Picture:
    """None at 0, and at 1 hardly a gap."""
    if not cover:
        return np.zeros((2, 2), np.uint8)
    return clouds(np.random.default_rng([seed, 0xC10D]), 4.0 * (cover - 0.4))


def _with_bodies(scene: WorldScene, world: World, pictures: "_Pictures") -> WorldScene:
    """The scene with the bodies of the world's file, which come behind its own."""
    before = scene.segments()
    plain, groups = _Group([scene.bodies]), dict[_Look, _Group]()
    notes = [*scene.notes]
    for number, body in enumerate(world.bodies, len(before.names)):
        for mesh, look, pixels in _parts(body, pictures, notes):
            group = plain if pixels is None else groups.setdefault(look, _Group([], pixels))
            group.add(mesh, number)
    ends = np.cumsum([len(mesh.triangles) for mesh in scene.meshes])
    ground, own, pictured = np.split(before.numbers, ends[:2])
    numbers = [ground, own, *plain.numbers, pictured]
    numbers += [part for group in groups.values() for part in group.numbers]
    return replace(
        scene,
        bodies=joined(plain.meshes),
        pictured=(*scene.pictured, *(group.pictured() for group in groups.values())),
        named=Segments(
            np.concatenate(numbers), (*before.names, *(body.name for body in world.bodies))
        ),
        notes=tuple(notes),
    )


def _parts(
    body: Body, pictures: "_Pictures", notes: list[str]
) -> Iterator[tuple[BodyMesh, _Look, Picture | None]]:
    """The meshes of a body, each with what its picture is known by, and that."""
    look = body.surface.picture, body.surface.pattern, 0
    pixels = pictures.of(body.surface)
    if not isinstance(body, MeshBody):
        yield body_mesh(body), look, pixels
        return
    file = read_mesh(body.path, body.unit, body.axes)
    if file.is_open:
        notes.append(f"The mesh {body.path.name} is open: one can fly into it where it has a gap.")
    for number, (mesh, own) in enumerate(file_meshes(body, file)):
        if pixels is None:
            yield mesh, (body.path, "", number), own
        else:
            yield mesh, look, pixels


class _Group:
    """Bodies with the same picture."""

    def __init__(self, meshes: list[Mesh], pixels: Picture = _WHITE) -> None:
        self.meshes, self.numbers = meshes, list[Numbers]()
        self._pixels = pixels
        self._places: list[npt.NDArray[np.float32]] = []

    def add(self, body: BodyMesh, number: int) -> None:
        """One more, whose segment has this number."""
        self.meshes.append(body.mesh)
        self._places.append(body.places)
        self.numbers.append(np.full(len(body.mesh.triangles), number, np.int32))

    def pictured(self) -> PicturedMesh:
        """All of them."""
        return PicturedMesh(joined(self.meshes), np.concatenate(self._places), self._pixels)


class _Pictures:
    """Each picture is read or made once."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._known: dict[tuple[Path | None, str], Picture | None] = {}

    def of(self, surface: Surface) -> Picture | None:
        """What is on a surface. Raises WorldError."""
        key = surface.picture, surface.pattern
        if key not in self._known:
            self._known[key] = self._made(*key)
        return self._known[key]

    def _made(self, path: Path | None, pattern: str) -> Picture | None:
        if path is not None:
            return read_picture(path)
        return pattern_picture(pattern, self._seed) if pattern else None
