"""Sceneries that a world's file can ask for, each with its keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from simulation.files.parameter_file import Schema, Values
from simulation.worlds.corridor import CORRIDOR_KEYS, corridor_bodies
from simulation.worlds.field import make_field
from simulation.worlds.scene import WorldScene
from simulation.worlds.village import VILLAGE_KEYS, make_village
from simulation.worlds.world import Body


@dataclass(frozen=True, slots=True)
class SceneryKind:
    """`bodies` are known as soon as the file is read; a `scene` is made of the keys' values and a
    seed, and has ground and light of its own."""

    keys: Schema
    bodies: Callable[[Values], tuple[Body, ...]] | None = None
    scene: Callable[[Values, int], WorldScene] | None = None


def _field(_: Values, seed: int) -> WorldScene:
    return make_field(seed)


SCENERIES: Final[Mapping[str, SceneryKind]] = {
    "corridor": SceneryKind(CORRIDOR_KEYS, bodies=corridor_bodies),
    "field": SceneryKind({}, scene=_field),
    "village": SceneryKind(VILLAGE_KEYS, scene=make_village),
}
