"""The complete simulated aircraft: how much faster than real time, and what real time costs."""

import math
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

import psutil

from benchmarks.hover import steps_per_s
from benchmarks.result import BenchmarkResult, at_least, at_most
from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.records.interface import STEP_S
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.flight import SimulatedFlight, fly
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.serving.real_time_flight import RealTimeFlight
from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.memory import pair
from telemetry.protocol.objects.catalogue import load_catalogue

_ROUNDS = 3
_REAL_TIME_S = 5.0


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes some ten seconds."""
    yield from _complete_loop()
    yield _without_link()
    yield from _real_time()


def _complete_loop() -> tuple[BenchmarkResult, BenchmarkResult]:
    """A scripted flight from take-off to landing, flown and observed over UAVTalk."""
    catalogue = load_catalogue()
    config = AutopilotConfig(load_preset("ar100b"))
    SimulatedFlight(config, catalogue).run_loop()
    best = 0.0
    for _ in range(_ROUNDS):
        flight = SimulatedFlight(config, catalogue, load_scenario("takeoff-hold-land"))
        start_s = monotonic_s()
        fly(flight, None, None, None)
        best = max(best, flight.autopilot.now_s / (monotonic_s() - start_s))
    kernel = steps_per_s(10_000, 200_000) * STEP_S
    return (
        at_least("simulator: complete loop, UAVObjects published", best, "x real time", 300.0),
        at_least("the same, of the kernel alone", 100.0 * best / kernel, "% of it", 20.0),
    )


def _without_link() -> BenchmarkResult:
    """A scripted flight that nobody listens to, beside the same over UAVTalk, by processor time."""
    catalogue, scenario = load_catalogue(), load_scenario("position-hold-wind")
    linked_s = direct_s = math.inf
    for _ in range(_ROUNDS + 1):  # the first warms up
        linked = Experiment(scenario, 1, "ar100b", catalogue)
        linked_s = min(linked_s, _flown_s(linked))
        direct_s = min(direct_s, _flown_s(replace(linked, without_link=True, made=[])))
    return at_least("without a link, over the same with it", linked_s / direct_s, "x", 1.5)


def _flown_s(experiment: Experiment) -> float:
    start_s = _cpu_s()
    run_scenario(experiment)
    return _cpu_s() - start_s


def _real_time() -> tuple[BenchmarkResult, BenchmarkResult]:
    """The same in real time: punctuality of the loops, and the share of a core."""
    catalogue = load_catalogue()
    config = AutopilotConfig(load_preset("ar100b"))
    near, _far = pair()
    late_s: list[float] = []
    start_s, used_s = monotonic_s(), _cpu_s()
    flight = RealTimeFlight(
        lambda: Autopilot(config, catalogue),
        near,
        monotonic_s,
        lambda t, _data, _received: late_s.append(t - flight.autopilot.now_s),
    )
    flight.run(_REAL_TIME_S)
    share = (_cpu_s() - used_s) / (monotonic_s() - start_s) * 100.0
    usual_s = median(late_s)
    strayed_s = sorted(abs(late - usual_s) for late in late_s)
    jitter_ms = strayed_s[int(len(strayed_s) * 0.99)] * 1000.0
    return (
        at_most("simulator: jitter in real time, 99 %", jitter_ms, "ms", 5.0),
        at_most("simulator: share of a core in real time", share, "%", 15.0),
    )


def _cpu_s() -> float:
    used = psutil.Process().cpu_times()
    return float(used.user + used.system)
