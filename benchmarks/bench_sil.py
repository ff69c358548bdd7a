"""Software in the loop: the whole simulated aircraft flown by a controller of the user's."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from runpy import run_path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.hover import standing, take_off
from benchmarks.result import BenchmarkResult, at_least, at_most
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.scenarios.flight import SimulatedFlight, fly
from simulation.scenarios.scenario import Scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.sil.config import SilConfig
from simulation.sil.exchange import Exchange
from simulation.sil.loop import SoftwareInTheLoop
from simulation.sil.records import ACTUATORS, SIL_SENSORS, SIL_SETTINGS, STEP
from simulation.sil.target import build_library, find_compiler
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue

_EXAMPLES = Path(__file__).parent.parent / "examples" / "sil"
_FLIGHT_S = 25.0
_ROUNDS = 3
_STEPS, _EXCHANGES = 20, 10
"""Of the simulator's and the controller's, in what is measured at once: 20 ms."""
_BLOCKS = 500
_READY_STEPS = 3000


@dataclass(frozen=True, slots=True)
class _Controller:
    """What flies; `own` is one step of it in this process, without what is around it."""

    how: str
    target: str
    own: Callable[[], object]
    least_speed: float
    most_us: float


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes some twenty seconds."""
    catalogue, scenario = load_catalogue(), load_scenario(str(_EXAMPLES / "hover.json"))
    if find_compiler() is not None:
        with TemporaryDirectory() as folder:
            built = build_library(_EXAMPLES / "hover.c", Path(folder))
            in_c = _Controller("a controller in C", str(built), _own_c(built), 100.0, 7.0)
            yield from _measured(in_c, catalogue, scenario)
    source = _EXAMPLES / "hover.py"
    in_python = _Controller("in Python", f"{source}:Hover", _own_python(source), 30.0, 15.0)
    yield from _measured(in_python, catalogue, scenario)


def _measured(
    controller: _Controller, catalogue: Catalogue, scenario: Scenario
) -> Iterator[BenchmarkResult]:
    loop = SoftwareInTheLoop(SilConfig(controller.target))
    try:
        speed = _speed(loop, catalogue, scenario)
        beyond_us = _exchange_us(loop) - _lasts_us(controller.own)
    finally:
        loop.close()
    how = controller.how
    yield at_least(f"--sil at 500 Hz, {how}", speed, "x real time", controller.least_speed)
    yield at_most(f"its exchange beyond own code, {how}", beyond_us, "us", controller.most_us)


def _speed(loop: SoftwareInTheLoop, catalogue: Catalogue, scenario: Scenario) -> float:
    """The best of some flights, by the clock: both processes and their waiting count."""
    config = AutopilotConfig(load_preset("ar100b"), inner_loop=loop)
    best = 0.0
    for _ in range(_ROUNDS):
        flight = SimulatedFlight(config, catalogue, scenario)
        flight.run_loop()  # starts the controller
        start_s = monotonic_s()
        fly(flight, _FLIGHT_S, None, None)
        best = max(best, _FLIGHT_S / (monotonic_s() - start_s))
    return best


def _exchange_us(loop: SoftwareInTheLoop) -> float:
    """What a step of the controller adds to the flight of a bare simulator, by the clock."""
    simulator = standing()
    advance = loop.attach(simulator)
    advance(_READY_STEPS)
    take_off(simulator)
    with_us = _lasts_us(lambda: advance(_STEPS))
    return (with_us - _lasts_us(lambda: simulator.advance(_STEPS))) / _EXCHANGES


def _lasts_us(work: Callable[[], object]) -> float:
    """The usual time of one call, in the best of some rounds."""
    return min(median(_times_us(work)) for _ in range(_ROUNDS))


def _times_us(work: Callable[[], object]) -> Iterator[float]:
    for _ in range(_BLOCKS):
        start_s = monotonic_s()
        work()
        yield (monotonic_s() - start_s) * 1e6


# The user's own code, called in this process


def _asked() -> tuple[bytes, Any]:
    """Settings, and a step to ask in flight."""
    simulator = standing()
    simulator.advance(_READY_STEPS)
    take_off(simulator)
    exchange = Exchange(simulator, None)
    exchange.take_command()
    settings = exchange.settings(_STEPS // _EXCHANGES)
    return settings, np.frombuffer(bytes(exchange.request()), STEP)[0]


def _own_python(source: Path) -> Callable[[], object]:
    hover: Any = run_path(str(source))["Hover"]()
    settings, step = _asked()
    hover.start(np.frombuffer(settings, SIL_SETTINGS)[0])
    return _warmed_up(lambda: hover.step(step["sensors"], step["command"]))


def _own_c(library: Path) -> Callable[[], object]:
    functions = ctypes.CDLL(str(library))
    settings, step = _asked()
    functions.lapwing_sil_init(settings, ctypes.c_uint32(len(settings)))
    memory = ctypes.create_string_buffer(step.tobytes(), STEP.itemsize + ACTUATORS.itemsize)
    places = (0, SIL_SENSORS.itemsize, STEP.itemsize)
    given = [ctypes.byref(memory, place) for place in places]
    return _warmed_up(lambda: functions.lapwing_sil_step(*given))


def _warmed_up(work: Callable[[], object]) -> Callable[[], object]:
    """It estimates by now."""
    for _ in range(_READY_STEPS):
        work()
    return work
