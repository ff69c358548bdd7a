"""Speed of the simulator: the compiled loop, a fleet, how long it takes to start; and its drift."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.free_flight import drift_per_minute
from benchmarks.peers import peers
from benchmarks.result import BenchmarkResult, as_table, at_least, at_most
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.fleet import SimulatedFleet
from simulation.interface import FUSION_COMPLEMENTARY_MAG_GPS, FUSION_INS13, VERTICAL_HOLD
from simulation.simulator import Simulator
from telemetry.objects.catalogue import load_catalogue

_ROOT = Path(__file__).parent.parent
_FLEET = 1000
_ROUNDS = 3
_READY_STEPS = 6000
_START = """
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.warm_up import warm_up
from telemetry.objects.catalogue import load_catalogue
warm_up(AutopilotConfig(load_preset("ar100b")), load_catalogue())
"""


def _standing(fusion: int) -> Simulator:
    simulator = factory_simulator(load_preset("ar100b"), load_catalogue())
    simulator.settings["fusion_algorithm"] = fusion
    simulator.set_wind(3.0, 0.0)
    simulator.set_turbulence(5.0)
    return simulator


def _take_off(simulator: Simulator) -> None:
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"] = 2
    command["vertical_mode"] = VERTICAL_HOLD
    command["down_m"] = -10.0


def _steps_per_s(
    steps_per_call: int, total: int, fusion: int = FUSION_COMPLEMENTARY_MAG_GPS
) -> float:
    """Steps per second of a hovering aircraft with everything running."""
    simulator = _standing(fusion)
    simulator.advance(_READY_STEPS)
    _take_off(simulator)
    simulator.advance(10_000)
    start = time.perf_counter()
    for _ in range(total // steps_per_call):
        simulator.advance(steps_per_call)
    return total / (time.perf_counter() - start)


def _best(steps_per_call: int, total: int, fusion: int = FUSION_COMPLEMENTARY_MAG_GPS) -> float:
    return max(_steps_per_s(steps_per_call, total, fusion) for _ in range(_ROUNDS))


def _fleet_steps_per_s(threads: int, steps: int = 1000) -> float:
    """Vehicle-steps per second of many hovering aircraft, each with its own seed."""
    pattern = _standing(FUSION_COMPLEMENTARY_MAG_GPS)
    with SimulatedFleet([pattern.aircraft] * _FLEET, threads=threads) as fleet:
        fleet.records["settings"] = pattern.settings
        fleet.advance(_READY_STEPS // 2)
        for simulator in fleet.simulators:
            _take_off(simulator)
        fleet.advance(2000)
        start = time.perf_counter()
        for _ in range(_ROUNDS):
            fleet.advance(steps)
        return _FLEET * _ROUNDS * steps / (time.perf_counter() - start)


def _start_s(cache: str) -> float:
    """Seconds from the start of a process to the whole aircraft's first loop."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", _START],
        cwd=_ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        check=True,
    )
    return time.perf_counter() - start


def run() -> list[BenchmarkResult]:
    """Measure; takes a minute."""
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = _start_s(cache), min(_start_s(cache) for _ in range(_ROUNDS))
    one, two = _fleet_steps_per_s(1), _fleet_steps_per_s(2)
    energy, momentum = drift_per_minute()
    return [
        at_least("one quadrotor, all sensors, control", _best(10_000, 400_000), "steps/s", 1e6),
        at_least("the same with the EKF", _best(10_000, 400_000, FUSION_INS13), "steps/s", 5e5),
        at_least("the same, 20 steps per call", _best(20, 500_000), "steps/s", 5e5),
        at_least(f"{_FLEET:,} quadrotors, one core", one, "steps/s", 2e6),
        at_least(f"{_FLEET:,} quadrotors, two cores", two / one, "x", 1.8),
        *peers(),
        at_most("first start (cold cache)", cold, "s", 15.0),
        at_most("start (warm cache)", warm, "s", 1.0),
        at_most("energy drift in free flight", energy * 1e6, "1e-6/min", 1.0),
        at_most("angular momentum drift", momentum * 1e6, "1e-6/min", 1.0),
    ]


if __name__ == "__main__":
    print(as_table(run()))
