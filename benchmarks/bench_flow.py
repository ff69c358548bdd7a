"""Seed 003's loop on one core: physics, ring of cameras, optic flow, filter, controller."""

import time
from collections.abc import Iterator

from benchmarks.result import BenchmarkResult, at_least
from simulation.perception.flow.ring import FlowRing
from simulation.perception.flow.ring_layout import LAYOUTS, RingLayout
from simulation.perception.grey_scene import SeenScene
from simulation.scenarios.coaxial_flight import CYCLE_S, CoaxialFlight
from simulation.scenarios.controllers.corridor_following import CorridorFollowing
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.flow_flight import FlowFlight, seen_world
from simulation.scenarios.scenario_file import load_scenario
from telemetry.protocol.objects.catalogue import load_catalogue

_WARM_UP = 30
_BARS = (("64x64, flow of 64x64", "full", 5.0, 300), ("16x16", "direct", 50.0, 1500))


def run() -> Iterator[BenchmarkResult]:
    """How much faster than real time it follows a corridor, in processor time."""
    seen = seen_world("corridor")
    for title, layout, bar, cycles in _BARS:
        speed = _speed(seen, LAYOUTS[layout], cycles)
        yield at_least(f"corridor by a ring of 8 at {title}", speed, "x real time", bar)
    means = _speed(seen, LAYOUTS["A"], 300)
    yield at_least("corridor by a ring of 8 at 64x64, flow of their means", means, "x real time", 5)


def _speed(seen: SeenScene, layout: RingLayout, cycles: int) -> float:
    scenario = load_scenario("corridor")
    experiment = Experiment(scenario, 1, scenario.aircraft, load_catalogue())
    flight = CoaxialFlight(experiment, (0.0, 0.5, -1.5))
    loop = FlowFlight(flight, FlowRing(seen, layout), CorridorFollowing())
    for _ in range(_WARM_UP):
        loop.advance()
    start = time.process_time()
    for _ in range(cycles):
        loop.advance()
    return cycles * CYCLE_S / (time.process_time() - start)
