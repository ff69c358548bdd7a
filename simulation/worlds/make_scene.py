"""Makes a world's scene: everything in it as triangles, with the pictures on them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from simulation.worlds.body_meshes import BodyMesh, body_mesh
from simulation.worlds.ground_meshes import plane_mesh
from simulation.worlds.patterns import pattern_picture
from simulation.worlds.picture_file import read_picture
from simulation.worlds.random_tiles import as_bytes, random_tile
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
from simulation.worlds.world import PlaneGround, Surface, World

Numbers = npt.NDArray[np.int32]

_TILE = 512
_GROUND_PICTURE_M = 4.0
"""How large a ground's picture is if its file does not say."""
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
    random = np.random.default_rng([seed, 0x5CE9E])
    ground, picture = NO_MESH, GroundPicture(_WHITE, 1.0)
    if world.ground is not None:
        ground = plane_mesh(world.ground, world.light.haze_per_m)
        picture = _ground_picture(world.ground, pictures)
    return WorldScene(
        ground,
        picture,
        NO_MESH,
        world.light,
        as_bytes(random_tile(random, _TILE, 0.75, coarsest=2), 42.0),
        _clouds(random, world.clouds),
    )


def _ground_picture(ground: PlaneGround, pictures: "_Pictures") -> GroundPicture:
    """Tinted: the ground's colour is that of its vertices."""
    pixels = pictures.of(ground.surface)
    width_m = ground.surface.picture_m[0] or _GROUND_PICTURE_M
    return GroundPicture(_WHITE if pixels is None else pixels, width_m)


def _clouds(random: np.random.Generator, cover: float) -> Picture:
    """None at 0, and at 1 hardly a gap."""
    tile = random_tile(random, _TILE, 1.7, coarsest=3)
    return as_bytes(tile + 4.0 * (cover - 0.4), 52.0) if cover else np.zeros((2, 2), np.uint8)


def _with_bodies(scene: WorldScene, world: World, pictures: "_Pictures") -> WorldScene:
    """The scene with the bodies of the world's file, which come behind its own."""
    before = scene.segments()
    plain, groups = _Group([scene.bodies]), dict[tuple[Path | None, str], _Group]()
    names = [*before.names]
    for body in world.bodies:
        pixels, number = pictures.of(body.surface), len(names)
        names.append(body.name)
        if pixels is None:
            plain.add(body_mesh(body), number)
        else:
            key = body.surface.picture, body.surface.pattern
            groups.setdefault(key, _Group([], pixels)).add(body_mesh(body), number)
    ends = np.cumsum([len(mesh.triangles) for mesh in scene.meshes])
    ground, own, pictured = np.split(before.numbers, ends[:2])
    numbers = [ground, own, *plain.numbers, pictured]
    numbers += [part for group in groups.values() for part in group.numbers]
    return replace(
        scene,
        bodies=joined(plain.meshes),
        pictured=(*scene.pictured, *(group.pictured() for group in groups.values())),
        named=Segments(np.concatenate(numbers), tuple(names)),
    )


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
