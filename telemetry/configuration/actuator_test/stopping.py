"""Motor test stop: asks the board what its outputs do until it says that they rest."""

from typing import Final

from telemetry.configuration.actuator_test.prerequisites import COMMAND
from telemetry.configuration.settings.configuration import Configuration
from telemetry.vehicle.commands import Commands, Ticket
from telemetry.vehicle.output_drive import PERIOD_S, STOP_REPEATS

_WORDS_S: Final = PERIOD_S * (STOP_REPEATS + 2)
"""How long the worker tells the board to rest; before that its answer would prove nothing."""
_DOUBTFUL_S: Final = 2.0


class Stop:
    """Asks, and tells again, until what the board holds is `rest`."""

    def __init__(self, settings: Configuration, commands: Commands, rest: tuple[int, ...]) -> None:
        self.is_doubtful = False
        """Whether it takes longer than it should."""
        self._settings = settings
        self._commands = commands
        self._rest = rest
        self._since_s: float | None = None
        self._asked: Ticket | None = None

    def poll(self, now: float) -> bool:
        """Go on; True once the board has confirmed."""
        if self._since_s is None:
            self._since_s = now
        waited_s = now - self._since_s
        self.is_doubtful = waited_s > _DOUBTFUL_S
        if waited_s < _WORDS_S:
            return False
        if self._asked is None:
            self._asked = self._commands.request(COMMAND)
        elif self._asked.is_finished:
            sample = self._settings.aircraft.sample(COMMAND)
            held = tuple(map(int, sample["Channel"])) if sample is not None else ()
            wanted = (*self._rest, *held[len(self._rest) :])[: len(held)]
            if self._asked.state == "done" and held == wanted:
                return True
            self._commands.send(COMMAND, {"Channel": wanted})
            self._asked = None
        return False
