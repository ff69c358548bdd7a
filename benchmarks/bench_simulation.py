"""Speed of the simulator: the compiled loop, a fleet, how long it takes to start; and its drift."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.free_flight import drift_per_minute
from benchmarks.hover import READY_STEPS, flown_fleet, standing, steps_per_s
from benchmarks.result import BenchmarkResult, at_least, at_most
from simulation.records.interface import FUSION_INS13
from simulation.simulator.flown_world import open_world

_ROOT = Path(__file__).parent.parent
_FLEET = 1000
_ROUNDS = 3
_START = """
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.serving.warm_up import warm_up
from telemetry.protocol.objects.catalogue import load_catalogue
warm_up(AutopilotConfig(load_preset("ar100b")), load_catalogue())
"""


def _fleet_steps_per_s(threads: int, steps: int = 1000) -> float:
    """Vehicle-steps per second of many hovering aircraft, each with its own seed."""
    with flown_fleet(_FLEET, threads) as fleet:
        start = time.perf_counter()
        for _ in range(_ROUNDS):
            fleet.advance(steps)
        return _FLEET * _ROUNDS * steps / (time.perf_counter() - start)


def _in_world_steps_per_s(steps: int = 200_000) -> float:
    """Steps per second of an aircraft whose feet touch the floor of an office."""
    simulator = standing()
    simulator.enter(open_world("office"))
    simulator.advance(READY_STEPS)
    start = time.perf_counter()
    simulator.advance(steps)
    return steps / (time.perf_counter() - start)


def _start_s(cache: str) -> float:
    """Seconds from the start of a process to the whole aircraft's first loop."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", _START],
        cwd=_ROOT,
        env={**os.environ, "LAPWING_CODE_FOLDER": cache},
        capture_output=True,
        check=True,
    )
    return time.perf_counter() - start


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes two minutes."""
    yield from _starts()
    yield at_least(
        "one quadrotor, all sensors, control", steps_per_s(10_000, 400_000), "steps/s", 1e6
    )
    yield at_least(
        "the same with the EKF", steps_per_s(10_000, 400_000, FUSION_INS13), "steps/s", 5e5
    )
    yield at_least("the same, 20 steps per call", steps_per_s(20, 500_000), "steps/s", 5e5)
    yield at_least("the same, one step per call", steps_per_s(1, 100_000), "steps/s", 2.5e5)
    yield at_least("standing in a world, all sensors", _in_world_steps_per_s(), "steps/s", 2e5)
    one, two = _fleet_steps_per_s(1), _fleet_steps_per_s(2)
    yield at_least(f"{_FLEET:,} quadrotors, one core", one, "steps/s", 2e6)
    yield at_least(f"{_FLEET:,} quadrotors, two cores", two / one, "x", 1.8)
    energy, momentum = drift_per_minute()
    yield at_most("energy drift in free flight", energy * 1e6, "1e-6/min", 1.0)
    yield at_most("angular momentum drift", momentum * 1e6, "1e-6/min", 1.0)


def _starts() -> Iterator[BenchmarkResult]:
    with tempfile.TemporaryDirectory() as cache:
        yield at_most("first start (cold cache)", _start_s(cache), "s", 8.0)
        warm_s = min(_start_s(cache) for _ in range(_ROUNDS))
        yield at_most("start (warm cache)", warm_s, "s", 1.0)
