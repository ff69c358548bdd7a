"""Sensors that look: how fast they are carried in flight, on one core, in processor time."""

import time
from collections.abc import Iterator

from benchmarks.result import BenchmarkResult, at_least
from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.simulator.simulator import Simulator
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world

FLOWN_S = 20
SCANS_HZ = 40


def run() -> Iterator[BenchmarkResult]:
    """A bare flight in the office, each scan with poses, noise, drop-outs and truth."""
    surroundings = Surroundings(make_scene(load_world("office")))
    scanned = _times_real_time(surroundings, "utm-30lx")
    yield at_least("lidar, 1081 rays at 40 Hz, with the flight", scanned, "x real time", 50.0)
    yield at_least("scans of them", scanned * SCANS_HZ, "1/s", 8000.0)
    spinning = _times_real_time(surroundings, "vlp-16")
    yield at_least("lidar, 28 928 rays at 10 Hz, with the flight", spinning, "x real time", 5.0)


def _times_real_time(surroundings: Surroundings, sensor: str) -> float:
    simulator = Simulator(load_aircraft("ar100b"))
    suite = PerceptionSuite(simulator, surroundings, [SensorMount("lidar", sensor)])
    suite.subscribe(lambda _: None)
    simulator.advance(1000)
    start_s = time.process_time()
    simulator.advance(1000 * FLOWN_S)
    return FLOWN_S / (time.process_time() - start_s)
