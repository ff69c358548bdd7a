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
from simulation.compiler.code_folder import FOLDER_VARIABLE
from simulation.records.interface import FUSION_INS13
from simulation.simulator.flown_world import open_world
from telemetry.base.folders import HOME_VARIABLE
from telemetry.protocol.objects.catalogue import load_catalogue

_ROOT = Path(__file__).parent.parent
_FLEET = 1000
_ROUNDS = 3
_LOOK_S = 0.005
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
        env={**os.environ, FOLDER_VARIABLE: cache},
        capture_output=True,
        check=True,
    )
    return time.perf_counter() - start


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes two minutes."""
    yield from _starts()
    yield at_least(
        "one quadrotor, all sensors, control", steps_per_s(10_000, 400_000), "steps/s", 1.4e6
    )
    yield at_least(
        "the same with the EKF", steps_per_s(10_000, 400_000, FUSION_INS13), "steps/s", 5e5
    )
    yield at_least("the same, 20 steps per call", steps_per_s(20, 500_000), "steps/s", 5e5)
    yield at_least("the same, one step per call", steps_per_s(1, 100_000), "steps/s", 2.5e5)
    yield at_least("standing in a world, all sensors", _in_world_steps_per_s(), "steps/s", 2e5)
    one, two = _fleet_steps_per_s(1), _fleet_steps_per_s(2)
    yield at_least(f"{_FLEET:,} quadrotors, one core", one, "steps/s", 1.5e6)
    yield at_least(f"{_FLEET:,} quadrotors, two cores", two / one, "x", 1.8)
    energy, momentum = drift_per_minute()
    yield at_most("energy drift in free flight", energy * 1e6, "1e-6/min", 1.0)
    yield at_most("angular momentum drift", momentum * 1e6, "1e-6/min", 1.0)


def _first_telemetry_s(cache: str) -> float:
    """Seconds from the start of `lapwing open sim:ar100b` to an attitude in its recording."""
    attitude = load_catalogue().find("AttitudeState").object_id.to_bytes(4, "little")
    with tempfile.TemporaryDirectory() as home:
        places = {HOME_VARIABLE: home, FOLDER_VARIABLE: cache, "QT_QPA_PLATFORM": "offscreen"}
        start = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "lapwing", "open", "sim:ar100b"],
            cwd=_ROOT,
            env={**os.environ, **places},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as window:
            try:
                while not any(attitude in log.read_bytes() for log in Path(home).rglob("*.opl")):
                    time.sleep(_LOOK_S)
                return time.perf_counter() - start
            finally:
                window.terminate()


def _starts() -> Iterator[BenchmarkResult]:
    with tempfile.TemporaryDirectory() as cache:
        cold_s = _first_telemetry_s(cache)
        yield at_most("window and simulator to first telemetry (cold cache)", cold_s, "s", 3.0)
        warm_s = min(_first_telemetry_s(cache) for _ in range(_ROUNDS))
        yield at_most("the same (warm cache)", warm_s, "s", 1.5)
    with tempfile.TemporaryDirectory() as cache:
        yield at_most("first start (cold cache)", _start_s(cache), "s", 4.0)
        warm_s = min(_start_s(cache) for _ in range(_ROUNDS))
        yield at_most("start (warm cache)", warm_s, "s", 1.0)
