"""A behaviour script's own code flown through a world, in simulated time: it is told what the
station tells it, and what is true is noted beside."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.perception.suite import PerceptionSuite, SuiteSample
from simulation.simulator.flown_world import open_world
from telemetry.flying.behaviours.pose import read_pose
from telemetry.flying.behaviours.script_behaviour import TOLD_EVERY_S, pose_numbers
from telemetry.flying.behaviours.script_moment import MomentWriter, ScriptMoment, read_moments
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.sticks import Sticks
from tests.flown_bench import FlownBench

Steer = Callable[[ScriptMoment], Mapping[str, float]]
_VARIO = Sticks(arm=True, flight_mode_position=1)
_CLIMB = replace(_VARIO, throttle=0.9)
_AROUND = [
    [math.cos(angle), math.sin(angle), 0.0] for angle in np.radians(np.arange(-179.5, 180.0))
]


@dataclass
class FlownBehaviour:
    """By moment: the true place, and the distance to what is nearest at its height (metres)."""

    places_m: list[list[float]] = field(default_factory=list)
    nearest_m: list[float] = field(default_factory=list)
    touched: bool = False


def fly_behaviour(
    catalogue: Catalogue,
    aircraft: str,
    world_name: str,
    steer: Steer,
    seconds: float,
    from_height_m: float,
) -> FlownBehaviour:
    """Arm and climb by hand, then leave it to the behaviour, until it touches something."""
    world = open_world(world_name)
    bench = FlownBench(catalogue, AutopilotConfig(load_preset(aircraft), world=world))
    simulator = bench.autopilot.simulator
    suite = PerceptionSuite(simulator, world.scene, simulator.aircraft.mounts)
    newest: dict[str, SuiteSample] = {}
    suite.subscribe(lambda taken: newest.__setitem__(taken.description.name, taken))
    bench.fly(Sticks(), 3.0)
    bench.fly(Sticks(arm=True), 2.0)
    while -simulator.output["true_position"][2] < from_height_m:
        bench.fly(_CLIMB, 0.1)
    flown = FlownBehaviour()
    for moment in read_moments(_lines(bench, newest, seconds)):
        bench.fly(_sticks(steer(moment)), TOLD_EVERY_S)
        place = simulator.output["true_position"].tolist()
        ranges = world.grid.cast(tuple(place), np.array(_AROUND)).range_m
        flown.places_m.append(place)
        flown.nearest_m.append(float(np.nanmin(ranges)))
        flown.touched = bool(simulator.output["touches_ground"] or simulator.output["crashed"])
        if flown.touched:
            break
    return flown


def _sticks(told: Mapping[str, float]) -> Sticks:
    """As the station understands what a script prints."""
    at = {axis: min(max(value, -1.0), 1.0) for axis, value in told.items()}
    throttle = 0.5 + 0.5 * at.pop("throttle", 0.0)
    return replace(_VARIO, throttle=throttle, **at)


def _lines(bench: FlownBench, newest: dict[str, SuiteSample], seconds: float) -> Iterator[str]:
    """What the station tells."""
    writer, end_s = MomentWriter(), bench.clock.now + seconds
    while bench.clock.now < end_s:
        pose = read_pose(bench.vehicle)
        assert pose is not None
        samples = [(taken.description, taken.sample) for taken in newest.values()]
        newest.clear()
        yield writer.line(pose_numbers(pose), samples).decode()
