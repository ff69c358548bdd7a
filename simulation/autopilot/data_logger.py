"""The data logger of seed 004: a second board that the flight controller sends objects over USB.

It asks for a few objects every 30 ms (33.3 Hz). The controller's scheduler lets each wait a
little before it is sent, which seed 004 puts well below 5 ms. The stamps are the controller's, in
simulated time, and do not depend on the loop the other modules run in.
"""

from collections.abc import Callable, Sequence

from simulation.autopilot.board import SimulatedBoard
from simulation.mathematics.random_numbers import philox
from simulation.records.interface import STEP_US
from simulation.simulator.simulator import Simulator
from telemetry.protocol.wire.dialect import Dialect

Write = Callable[[float, bytes], None]

PERIOD_MS = 30
"""The fastest that seed 004's controller sends."""
SENSORS = ("GyroState", "AccelState", "MagState", "BaroSensor", "ActuatorCommand", "GroundTruth")
"""States that are fetched at the moment they are sent."""
_STREAM = 0x5000


class DataLogger:
    """Advances a simulator for the autopilot, and logs in between.

    Put it into `AutopilotConfig.inner_loop`. `write` is given the seconds since power-up and the
    frames.
    """

    def __init__(
        self,
        write: Write,
        objects: Sequence[str] = SENSORS,
        period_ms: int = PERIOD_MS,
        most_late_ms: int = 0,
    ) -> None:
        """Each sending is late by 0 to `most_late_ms`, less than a period, by chance."""
        self._write = write
        self._objects = tuple(objects)
        self._period_steps = period_ms * 1000 // STEP_US
        self._most_late_steps = most_late_ms * 1000 // STEP_US
        self._sent = 0

    def attach(self, simulator: Simulator, board: SimulatedBoard) -> Callable[[int], None]:
        """Begin with the flight; return what advances it by so many steps."""
        entries = [board[name] for name in self._objects]
        dialect = Dialect()
        seed = simulator.seed

        def log(step: int) -> None:
            frames = b"".join(entry.frame(dialect) for entry in entries)
            self._write(step * STEP_US / 1e6, frames)

        def advance(steps: int) -> None:
            step = int(simulator.output["step"])
            end = step + steps
            while (due := self._due(seed)) <= end:
                simulator.advance(due - step)
                step = due
                log(step)
                self._sent += 1
            simulator.advance(end - step)

        return advance

    def _due(self, seed: int) -> int:
        """The step at which the next sending happens."""
        word, _ = philox(seed, self._sent, _STREAM)
        late = word % (self._most_late_steps + 1)
        return (self._sent + 1) * self._period_steps + late
