"""Speed of the simulator's compiled loop, and how long it takes to compile."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.result import Result, as_table, at_least, at_most

_ROOT = Path(__file__).parent.parent
_COLD = """
import time
start = time.perf_counter()
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.warm_up import warm_up
from telemetry.objects.catalogue import load_catalogue
warm_up(AutopilotConfig(load_preset("ar100b")), load_catalogue())
print(time.perf_counter() - start)
"""


def _steps_per_s(steps_per_call: int, total: int) -> float:
    """Steps per second of a hovering aircraft with everything running."""
    from simulation.aircraft import load_aircraft
    from simulation.autopilot.board import Board
    from simulation.autopilot.kernel_settings import KernelSettings
    from simulation.autopilot.preset import load_preset
    from simulation.interface import VERTICAL_HOLD
    from simulation.simulator import Simulator
    from telemetry.objects.catalogue import load_catalogue

    simulator = Simulator(load_aircraft("ar100b"))
    KernelSettings(Board(load_catalogue(), load_preset("ar100b")), simulator.settings).update()
    simulator.set_wind(3.0, 0.0)
    simulator.set_turbulence(5.0)
    simulator.advance(6000)
    simulator.command["armed"] = 1
    simulator.command["axis_mode"] = 2
    simulator.command["vertical_mode"] = VERTICAL_HOLD
    simulator.command["down_m"] = -10.0
    simulator.advance(10_000)
    start = time.perf_counter()
    for _ in range(total // steps_per_call):
        simulator.advance(steps_per_call)
    return total / (time.perf_counter() - start)


def _start_s(cache: str) -> float:
    """Seconds from import to the first loop of the whole aircraft in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", _COLD],
        cwd=_ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def run() -> list[Result]:
    """Measure."""
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = _start_s(cache), _start_s(cache)
    return [
        at_least("simulator, compiled loop", _steps_per_s(10_000, 2_000_000), "steps/s", 1e6),
        at_least("simulator, 20 steps per call", _steps_per_s(20, 500_000), "steps/s", 5e5),
        at_most("simulator, first start (cold cache)", cold, "s", 20.0),
        at_most("simulator, start (warm cache)", warm, "s", 2.0),
    ]


if __name__ == "__main__":
    print(as_table(run()))
