"""A robot over the simulator's board, in simulated time; by a thread for scripts that wait."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from simulation.autopilot.autopilot import AutopilotConfig
from telemetry.flying.robot.action import RobotAction
from telemetry.flying.robot.pilot import PERIOD_S, RobotPilot
from telemetry.flying.robot.robot import Robot
from telemetry.protocol.objects.catalogue import Catalogue
from tests.flown_bench import FlownBench


class RobotBench(FlownBench):
    """A robot on a bench: its pilot steps as often as by a thread."""

    def __init__(self, catalogue: Catalogue, config: AutopilotConfig | None = None) -> None:
        self.pilot: RobotPilot | None = None
        self._next_s = 0.0
        super().__init__(catalogue, config)
        self.pilot = RobotPilot(self.vehicle)
        self.robot = Robot(self.vehicle, self.pilot)

    def step(self) -> None:
        super().step()
        if self.pilot is not None and self.clock.now >= self._next_s:
            self._next_s = self.clock.now + PERIOD_S
            self.pilot.step()

    def finish_action(self, action: RobotAction, limit_s: float = 60.0) -> None:
        """Fly until it is done. Raises RobotError if it failed."""
        self.run(lambda: action.is_finished, limit_s)
        action.wait(0.0)

    @property
    def truth(self) -> tuple[float, float, float]:
        """Metres north, east and up of the start."""
        north, east, down = self.autopilot.simulator.output["true_position"].tolist()
        return north, east, -down


@contextmanager
def flying_by_themselves(*benches: RobotBench) -> Iterator[None]:
    """Let time pass for all of them alike, as fast as it can, while a script waits for robots."""
    ending = threading.Event()

    def fly() -> None:
        while not ending.is_set():
            for bench in benches:
                bench.pass_time(0.1)

    thread = threading.Thread(target=fly)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()
