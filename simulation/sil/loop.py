"""SIL loop: a controller in the place of estimation, guidance, stabilization and mixer.

It runs in lock-step in a process of its own: simulated time waits for it, so a flight is
repeatable. When it fails, the motors stand from then on and the aircraft falls as it would;
nothing else is harmed.
"""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulation.autopilot.board import SimulatedBoard
from simulation.records.interface import STEP_US
from simulation.sil.config import SilConfig, SilError
from simulation.sil.exchange import Exchange
from simulation.sil.process import ControllerFailed, ControllerProcess
from simulation.sil.target import find_target
from simulation.simulator.simulator import Simulator

_STEPS_PER_S = 1_000_000 // STEP_US


class SoftwareInTheLoop:
    """A controller that flies the simulators it is attached to, one after the other.

    `failure` says in one sentence why it failed, the first time it did; "" while it has not.
    """

    def __init__(
        self, plan: SilConfig, on_failure: Callable[[str], None] = lambda sentence: None
    ) -> None:
        """Find, build and load the controller; raise SilError.

        `on_failure` is given one sentence, why the controller failed in flight.
        """
        self._plan = plan
        self._on_failure = on_failure
        self._folder = tempfile.TemporaryDirectory(prefix="lapwing-sil-")
        self._process: ControllerProcess | None = None
        self._is_fresh = True
        self._steps = 0
        self.failure = ""
        self.failed_at_s: float | None = None
        try:
            self._target = find_target(plan.target, Path(self._folder.name))
            self._process = ControllerProcess(self._target, plan.timeout_s)
        except SilError:
            self.close()
            raise

    def attach(
        self, simulator: Simulator, board: SimulatedBoard | None = None
    ) -> Callable[[int], None]:
        """Take over a simulator at time 0; return what is to be called instead of its `advance`.

        The sticks are those of `board`. Attaching to another simulator (after a reboot) loads the
        controller anew.
        """
        if not self._is_fresh:
            self._end_process()
            self._process = ControllerProcess(self._target, self._plan.timeout_s)
        self._is_fresh = False
        flight = _Flight(simulator, Exchange(simulator, board))
        period = _STEPS_PER_S // self._plan.rate_hz

        def advance(steps: int) -> None:
            simulator.command["external"] = 1
            flight.exchange.take_command()
            since = int(simulator.output["step"]) % period
            while steps > 0:
                if since == 0 and not flight.has_failed:
                    self._control(flight)
                part = min(steps, period - since)
                simulator.advance(part)
                steps -= part
                since = 0

        return advance

    @property
    def verdict(self) -> str:
        """Why a flight cannot count as one by this controller; "" if it can."""
        if self.failure or self._steps:
            return self.failure
        return (
            f"The controller {self._target.name} was never asked: this does not fly the whole "
            "aircraft. Give a scripted scenario."
        )

    def report(self) -> dict[str, Any]:
        """How it went, ready for JSON."""
        return {
            "controller": self._target.name,
            "rate_hz": self._plan.rate_hz,
            "steps": self._steps,
            "failed": self.failure or None,
            "at_s": self.failed_at_s,
        }

    def close(self) -> None:
        """End the controller's process. Closing twice is fine."""
        self._end_process()
        self._folder.cleanup()

    def _control(self, flight: "_Flight") -> None:
        """One step of the controller; if it fails, the rest of the flight is without it."""
        try:
            process = self._running()
            if not flight.has_started:
                process.start(flight.exchange.settings(_STEPS_PER_S // self._plan.rate_hz))
                flight.has_started = True
            flight.exchange.apply(process.step(flight.exchange.request()))
            self._steps += 1
        except ControllerFailed as reason:
            flight.has_failed = True
            flight.exchange.stop()
            self._end_process()
            self._note_failure(int(flight.simulator.output["time_us"]) / 1e6, str(reason))

    def _note_failure(self, now_s: float, reason: str) -> None:
        step = round(now_s * self._plan.rate_hz) + 1
        sentence = (
            f"The controller {self._target.name} failed in step {step} at {now_s:g} s: {reason}. "
            "The motors stand since then; correct it and fly again."
        )
        if not self.failure:
            self.failure, self.failed_at_s = sentence, now_s
        self._on_failure(sentence)

    def _running(self) -> ControllerProcess:
        if self._process is None:
            raise ControllerFailed("its process was ended")
        return self._process

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


@dataclass(slots=True)
class _Flight:
    """One simulator from time 0 on."""

    simulator: Simulator
    exchange: Exchange
    has_started: bool = False
    has_failed: bool = False
