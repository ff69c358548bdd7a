"""Emulated controller: the simulated board in a process of its own, on the clock of lockstep.

    python -m simulation.hitl.emulated_controller [AIRCRAFT]

It proves the contract of `lapwing_lockstep.h` from the other side: a board fresh from the factory
that has no settings, and saves them in the folder in which it is started, sensors only as they are
supplied, and no clock. Its stabilization runs with each reading of its sensor task, 200 times a
second; its modules run 50 times a second.
"""

import os
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import DEFAULT_AIRCRAFT, load_preset
from simulation.autopilot.storage import Storage
from simulation.hitl.lockstep.wire import (
    ADVANCE,
    DONE,
    FD_VARIABLE,
    VERSION,
    Hello,
    WireError,
    receive,
    send,
    send_hello,
)
from simulation.records.interface import STEP_US
from simulation.serving.warm_up import warm_up
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.definition import UpdateMode

TICK_US: Final = 5000
_FLASH: Final = Path("flash.json")
_COMMANDS: Final = "ActuatorCommand"


class LockstepClock:
    """Lets the board's time pass: an inner loop that waits for each tick before it flies it."""

    def __init__(self, end: socket.socket) -> None:
        self.autopilot: Autopilot | None = None
        """To be set before the first loop."""
        self._end = end
        self._tick: int | None = None
        """The tick whose work is being done."""

    def attach(self, simulator: Simulator, board: SimulatedBoard) -> Callable[[int], None]:
        """See `InnerLoop`."""
        commands = board[_COMMANDS]
        steps_per_tick = TICK_US // STEP_US

        def advance(steps: int) -> None:
            autopilot = self.autopilot
            assert autopilot is not None
            for _ in range(steps // steps_per_tick):
                autopilot.receive(self._next_tick(autopilot))
                simulator.advance(steps_per_tick)
                if commands.metadata.flight.mode is UpdateMode.ONCHANGE:
                    autopilot.session.publish(commands.definition.object_id)

        return advance

    def _next_tick(self, autopilot: Autopilot) -> bytes:
        """Answer the last one, and wait for the next: the bytes that have come by then."""
        if self._tick is not None:
            send(self._end, DONE, self._tick, autopilot.bytes_to_send())
        kind, self._tick, data = receive(self._end)
        if kind != ADVANCE:
            raise WireError(f"sends a message of kind {kind}")
        return data


def _flash() -> Storage:
    """What was saved in this folder; an erased one where nothing was."""
    is_new = not _FLASH.is_file()
    storage = Storage(_FLASH)
    if is_new:
        storage.erase()
    return storage


def main(words: Sequence[str]) -> int:
    """Fly until the socket ends. 2: nobody asked for lockstep."""
    number = os.environ.get(FD_VARIABLE)
    if number is None:
        print("Start it by `lapwing sim fly --firmware`.", file=sys.stderr)
        return 2
    preset = load_preset(words[0] if words else DEFAULT_AIRCRAFT)
    catalogue = load_catalogue()
    with socket.socket(fileno=int(number)) as end:
        clock = LockstepClock(end)
        config = AutopilotConfig(preset, storage=_flash(), inner_loop=clock)
        warm_up(config, catalogue)
        autopilot = clock.autopilot = Autopilot(config, catalogue)
        send_hello(end, Hello(VERSION, TICK_US, 1))
        try:
            while True:
                autopilot.run_loop()
        except (OSError, WireError):
            return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
