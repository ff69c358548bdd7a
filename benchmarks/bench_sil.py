"""Software in the loop: the whole simulated aircraft flown by a controller of the user's."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks.result import BenchmarkResult, at_least
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.scenarios.flight import SimulatedFlight, fly
from simulation.scenarios.scenario import Scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.sil.config import SilConfig
from simulation.sil.loop import SoftwareInTheLoop
from simulation.sil.target import find_compiler
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue

_EXAMPLES = Path(__file__).parent.parent / "examples" / "sil"
_FLIGHT_S = 25.0
_ROUNDS = 3


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes some ten seconds."""
    catalogue, scenario = load_catalogue(), load_scenario(str(_EXAMPLES / "hover.json"))
    if find_compiler() is not None:
        speed = _speed(str(_EXAMPLES / "hover.c"), catalogue, scenario)
        yield at_least("--sil at 500 Hz, a controller in C", speed, "x real time", 100.0)
    speed = _speed(f"{_EXAMPLES / 'hover.py'}:Hover", catalogue, scenario)
    yield at_least("--sil at 500 Hz, in Python", speed, "x real time", 30.0)


def _speed(target: str, catalogue: Catalogue, scenario: Scenario) -> float:
    """The best of some flights, by the clock: both processes and their waiting count."""
    loop = SoftwareInTheLoop(SilConfig(target))
    config = AutopilotConfig(load_preset("ar100b"), inner_loop=loop)
    best = 0.0
    try:
        for _ in range(_ROUNDS):
            flight = SimulatedFlight(config, catalogue, scenario)
            flight.run_loop()  # starts the controller
            start_s = monotonic_s()
            fly(flight, _FLIGHT_S, None, None)
            best = max(best, _FLIGHT_S / (monotonic_s() - start_s))
    finally:
        loop.close()
    return best
