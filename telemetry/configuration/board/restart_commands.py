"""The three commands that restart a board, sent at their times without ever waiting.

1122, 2233 and 3344 go to FirmwareIAPObj.Command, each 0.5 to 5 s after the one before and while
disarmed; anything else in between, even a repeated write that the link had doubled, begins anew.
The board resets half a second after the last (`flight/modules/FirmwareIAP/firmwareiap.c`), and by
USB it stays in its bootloader then.
"""

from collections.abc import Callable
from dataclasses import dataclass

from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.vehicle.commands import Ticket
from telemetry.vehicle.vehicle import LinkState, Vehicle

OBJECT_NAME = "FirmwareIAPObj"
COMMANDS = (1122, 2233, 3344)
_PAUSE_S = 0.8
"""Between acknowledgement and the next command; the board wants 0.5 to 5 s between arrivals."""
_TOO_LATE_S = 4.0
"""After that much since the last command the board has given up waiting for the next."""
_ATTEMPTS = 4


@dataclass(slots=True)
class _Sent:
    """The last command: its outcome, when it was sent, and when the outcome was seen."""

    ticket: Ticket
    at_s: float
    seen_s: float | None = None


def why_not(vehicle: Vehicle) -> str:
    """Why the board cannot be restarted now, as a sentence; empty where it can."""
    aircraft = Aircraft(vehicle)
    if aircraft.is_log:
        return "A flight of the past cannot be restarted."
    reason = obstacle(aircraft)
    if reason:
        return reason
    if vehicle.status.state is not LinkState.CONNECTED:
        return "Not before everything has been fetched from the board."
    if aircraft.definition(OBJECT_NAME) is None:
        return f"This firmware has no {OBJECT_NAME}, so it cannot be restarted from afar."
    if aircraft.sample("FlightStatus") is None:
        return "It is not known yet whether the aircraft is armed."
    return ""


def obstacle(aircraft: Aircraft) -> str:
    """What ends a restart that was begun: no link, or an armed aircraft."""
    refusal = aircraft.refusal()
    if refusal:
        return refusal
    return "The aircraft is armed. Disarm it first." if aircraft.is_armed else ""


class RestartCommands:
    """One request to restart. `asked_s` is when the last command was sent, None before;
    `failure` says why it was given up, "" while it was not."""

    def __init__(self, vehicle: Vehicle, clock: Callable[[], float]) -> None:
        self.asked_s: float | None = None
        self.failure = ""
        self._vehicle = vehicle
        self._aircraft = Aircraft(vehicle)
        self._clock = clock
        self._step = 0
        self._attempt = 1
        self._sent: _Sent | None = None

    def poll(self) -> None:
        """Send what is due; a few times a second will do."""
        self.failure = self.failure or obstacle(self._aircraft)
        if self.failure:
            return
        now, sent = self._clock(), self._sent
        if sent is not None:
            if not sent.ticket.is_finished:
                return
            if sent.seen_s is None:
                sent.seen_s = now
            if now - sent.seen_s < _PAUSE_S:
                return
            if sent.ticket.state == "failed" or now - sent.at_s > _TOO_LATE_S:
                self.begin_again("the link is too slow for the commands to arrive in time")
                return
        self._send(now)

    def begin_again(self, why: str) -> None:
        """The board has not understood: once more, or `why` is the failure."""
        if self._attempt == _ATTEMPTS:
            self.failure = f"{why}. Try a better link, or switch the power off and on."
            return
        self._attempt += 1
        self._step = 0
        self._sent = self.asked_s = None

    def _send(self, now: float) -> None:
        values = {"Command": COMMANDS[self._step]}
        self._sent = _Sent(self._vehicle.commands.send(OBJECT_NAME, values), now)
        self._step += 1
        if self._step == len(COMMANDS):
            self.asked_s = now
            self._vehicle.commands.expect_restart()
