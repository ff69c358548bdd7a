"""Worlds of some boxes, to be flown in."""

from pathlib import Path

from simulation.simulator.flown_world import FlownWorld
from simulation.worlds.make_scene import make_scene
from simulation.worlds.scene import Light
from simulation.worlds.world import (
    Body,
    Box,
    Placed,
    PlaneGround,
    StartPlace,
    Surface,
    Vector,
    WindZone,
    World,
)

_DAY = Light((0.0, 0.0, -1.0), (0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (0.5,) * 3, (0.5,) * 3, 0.0)


def box(position_m: Vector, size_m: Vector, attitude_deg: Vector = (0.0, 0.0, 0.0)) -> Box:
    """A box by the middle of its base, its size to north, east and upwards, and its attitude."""
    return Box("box", Surface(), Placed(position_m, attitude_deg), size_m)


def world_of(
    *bodies: Body,
    start_m: Vector = (0.0, 0.0, 0.0),
    heading_deg: float = 0.0,
    wind_zones: tuple[WindZone, ...] = (),
) -> FlownWorld:
    """Level ground with these bodies on it."""
    world = World(
        "boxes",
        "Boxes",
        Path(),
        _DAY,
        (StartPlace("start", start_m, heading_deg),),
        PlaneGround(Surface(), 500.0),
        bodies,
        wind_zones=wind_zones,
    )
    return FlownWorld(world, make_scene(world))
