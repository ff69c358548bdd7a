"""Board word: what the board says of who flies it, and how long ago it said so."""

import math
from dataclasses import dataclass, field
from typing import Final

from telemetry.flying.cached_by_samples import CachedBySamples
from telemetry.flying.failsafe import receiver_word
from telemetry.flying.transmitter.lost_sticks import LostSticksTable, read_lost_sticks
from telemetry.recording.sample import Sample
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Vehicle

LOW_THROTTLE: Final = 0.02
"""Below the neutral of 1040 us that a station sets, so that the board takes it for low."""
TOLD_LATE_S: Final = 1.0
"""So late may arrive what a board has said before it was armed."""


@dataclass(frozen=True, slots=True)
class BoardWord:
    """What is known of a board at one instant. Ages are in seconds, infinite where it has said
    nothing.

    `silent_s` is how long nothing was heard of it, `status_age_s` the age of `armed` and `mode`
    (FlightStatus), `receiver_age_s` that of `is_on_failsafe`. `hears_low_throttle`: by its own
    word (ManualControlCommand) the throttle is low.
    """

    silent_s: float = 0.0
    armed: str = ""
    mode: str = ""
    status_age_s: float = math.inf
    is_on_failsafe: bool = False
    receiver_age_s: float = math.inf
    hears_low_throttle: bool = False
    table: LostSticksTable = field(default_factory=LostSticksTable)


class BoardListener:
    """Reads the word of one board; for one thread."""

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self._table = CachedBySamples(read_lost_sticks)

    def word(self) -> BoardWord:
        """What it has said up to now."""
        vehicle = self._vehicle
        now_s, heard_s = vehicle.end_s, vehicle.status.heard_s

        def read(name: str) -> Sample | None:
            return vehicle.recording.latest(name, now_s)

        status, receiver = read("FlightStatus"), receiver_word(read)
        command = read("ManualControlCommand")
        return BoardWord(
            silent_s=0.0 if heard_s is None else now_s - heard_s,
            armed="" if status is None else str(status["Armed"]),
            mode="" if status is None else str(status["FlightMode"]),
            status_age_s=math.inf if status is None else now_s - status.t,
            is_on_failsafe=receiver is not None and receiver.is_on_failsafe,
            receiver_age_s=math.inf if receiver is None else now_s - receiver.said_s,
            hears_low_throttle=command is not None and float(command.raw("Throttle")) < 0.0,
            table=self._table.read(read),
        )

    def ask(self) -> None:
        """Have the board say anew what mode it is in, and whether its receiver hears anybody."""
        for name in ("FlightStatus", "ManualControlCommand"):
            self._vehicle.commands.request(name)


class GroundWatch:
    """Whether the aircraft may be flying: in doubt it is.

    It stands while the board says Disarmed. After that it does as long as the mode is one without
    thrust while the throttle is low, and neither the station has raised that nor, while the station
    sends none, the board says that it hears a raised one.
    """

    def __init__(self) -> None:
        self.may_fly = True
        self._raised_s = -math.inf

    def step(self, now_s: float, board: BoardWord, sent: Sticks | None) -> None:
        """Take in what the board says, and what was sent since the last time."""
        is_disarmed = board.armed == "Disarmed"
        if sent is not None and sent.throttle > LOW_THROTTLE and (sent.arm or not is_disarmed):
            self.may_fly, self._raised_s = True, now_s
        elif is_disarmed:
            if now_s - board.status_age_s > self._raised_s + TOLD_LATE_S:
                self.may_fly = False
        elif not board.table.is_throttle_thrust(board.mode) or (
            sent is None and not board.hears_low_throttle
        ):
            self.may_fly = True
