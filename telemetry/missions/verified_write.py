"""Verified write: an object written until the board is seen to hold it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from telemetry.vehicle.commands import Commands, Ticket

_ATTEMPTS: Final = 3


class VerifiedWrite:
    """Writes values, reads the object back, and does so again where it holds something else.

    `holds` compares what the board has told last. `state` and `text` are the outcome.
    """

    def __init__(
        self, commands: Commands, name: str, values: Mapping[str, Any], holds: Callable[[], bool]
    ) -> None:
        self.state: Literal["waiting", "done", "failed"] = "waiting"
        self.text = ""
        self._commands = commands
        self._name = name
        self._values = dict(values)
        self._holds = holds
        self._attempts = 0
        self._is_read = False
        self._ticket: Ticket | None = None

    def poll(self) -> None:
        """Begin, or go on with what has been answered."""
        ticket = self._ticket
        if ticket is None:
            self._ticket = self._commands.send(self._name, self._values)
        elif self.state != "waiting" or not ticket.is_finished:
            return
        elif ticket.state == "done" and not self._is_read:
            self._is_read, self._ticket = True, self._commands.request(self._name)
        elif ticket.state == "done" and self._holds():
            self.state = "done"
        else:
            self._try_again(ticket)

    def _try_again(self, ticket: Ticket) -> None:
        self._attempts += 1
        if self._attempts < _ATTEMPTS:
            self._ticket, self._is_read = None, False
            return
        why = ticket.text if ticket.state == "failed" else "The board holds something else."
        self.state, self.text = "failed", f"{self._name} was not taken over. {why}"
