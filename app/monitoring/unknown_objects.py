"""Unknown objects in flights, live or from files, as messages with a button that asks for
definitions."""

from collections.abc import Callable
from dataclasses import replace

from app.messages import Message, Messages
from telemetry.base.finding import Level
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle

RATE_HZ = 1
_TOPIC = "unknown objects"


class UnknownObjectMonitor:
    """Tells of each vehicle that has some, until its definitions came or it has gone. `ask` has
    the user choose them. For the GUI thread; call `poll` on the tick."""

    def __init__(self, fleet: Fleet, messages: Messages, ask: Callable[[Vehicle], object]) -> None:
        self._fleet = fleet
        self._messages = messages
        self._ask = ask
        self._told: dict[Vehicle, Message] = {}

    def poll(self) -> None:
        """Tell what has changed since the last call."""
        now = {one: self._message(one) for one in self._fleet.vehicles if _is_sure(one.status)}
        for vehicle, message in now.items():
            before = self._told.get(vehicle)
            if before is None or before.text != message.text:
                self._messages.put(message)
        for vehicle in self._told.keys() - now.keys():
            over = replace(self._told[vehicle], text="", is_over=True, remedy=None)
            self._messages.put(over)
        self._told = now

    def _message(self, vehicle: Vehicle) -> Message:
        is_replay = vehicle.status.state is LinkState.REPLAY
        return Message(
            _sentence(vehicle.status),
            Level.WARNING if is_replay else Level.INFO,  # no pilot can do anything about it
            topic=_TOPIC,
            about=vehicle.name,
            remedy_title="Take definitions …",
            remedy=lambda: self._ask_of(vehicle),
        )

    def _ask_of(self, vehicle: Vehicle) -> None:
        """A press takes its line away, and the dialog may be cancelled: it is told again."""
        self._told.pop(vehicle, None)
        self._ask(vehicle)


def _is_sure(status: LinkStatus) -> bool:
    """One damaged frame in 256 looks whole, with an id of its own; none does so twice. Nobody is
    told of that in flight; in a log everything that is left out is told."""
    is_repeated = status.unknown_frames > status.unknown_objects
    is_whole = is_repeated or not status.crc_errors or status.state is LinkState.REPLAY
    return status.unknown_objects > 0 and is_whole


def _sentence(status: LinkStatus) -> str:
    """A flight that goes on is not counted in: the sentence would change with every frame."""
    count = status.unknown_objects
    which = "an unknown object" if count == 1 else f"{count} unknown objects"
    if status.state is not LinkState.REPLAY:
        return f"It sends {which}, which no known release defines: recorded, but not shown."
    frames = "1 frame is" if status.unknown_frames == 1 else f"{status.unknown_frames} frames are"
    return f"{frames} of {which}, which no known release defines: kept in the log, but not shown."
