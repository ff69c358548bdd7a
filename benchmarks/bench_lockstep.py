"""Lockstep: a scenario flown by the emulated controller, in a process of its own, at each tick."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.result import BenchmarkResult, at_least
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.hitl import emulated_controller
from simulation.hitl.lockstep.board import LockstepFirmware
from simulation.hitl.lockstep.program import LockstepProgram
from simulation.scenarios.flight import SimulatedFlight, fly
from simulation.scenarios.scenario_file import load_scenario
from telemetry.base.clock import monotonic_s
from telemetry.base.installation import ROOT
from telemetry.protocol.objects.catalogue import load_catalogue

_ROUNDS = 3


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes some ten seconds. By the clock: both processes and their waiting count."""
    with TemporaryDirectory() as folder:
        program = _emulated(Path(folder))
        firmware = LockstepFirmware(lambda: LockstepProgram(program))
        try:
            speed = max(_speed(firmware) for _ in range(_ROUNDS))
        finally:
            firmware.close()
    rate_hz = 1_000_000 // emulated_controller.TICK_US
    name = f"lockstep, the emulated controller with sensors at {rate_hz} Hz"
    yield at_least(name, speed, "x real time", 20.0)


def _speed(firmware: LockstepFirmware) -> float:
    """How many times as fast as real time it flies, from when it is ready."""
    config = AutopilotConfig(load_preset("ar100b"), firmware=firmware)
    flight = SimulatedFlight(config, load_catalogue(), load_scenario("takeoff-hold-land"))
    start_s = monotonic_s()
    fly(flight, None, None, None)
    return flight.aircraft.now_s / (monotonic_s() - start_s)


def _emulated(folder: Path) -> Path:
    """A program that starts it, as `--firmware` takes it."""
    program = folder / "emulated"
    module = emulated_controller.__name__
    words = shlex.join([sys.executable, "-m", module])
    path = f"PYTHONPATH={shlex.quote(str(ROOT))}"
    program.write_text(f"#!/bin/sh\n{path} exec {words}\n", "utf-8")
    program.chmod(0o755)
    return program
