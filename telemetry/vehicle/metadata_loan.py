"""One borrower's hold on how an object is sent: taken for a while, given back whatever happens.

    loan = vehicle.commands.borrow_metadata("GyroState", sent_every(40))
    ...
    loan.give_back()

Several borrowers may hold one object: their changes apply one after the other, and the last one
to give back restores what the board had.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from telemetry.objects.definition import UpdateMode, UpdatePolicy
from telemetry.objects.metadata import Metadata

Change = Callable[[Metadata], Metadata]
LoanWord = Literal["waiting", "held", "ended"]


def sent_every(period_ms: int) -> Change:
    """A change that has the aircraft send an object at least every `period_ms` milliseconds."""

    def change(metadata: Metadata) -> Metadata:
        flight = metadata.flight
        is_periodic = flight.mode is UpdateMode.PERIODIC and flight.period_ms > 0
        period = min(period_ms, flight.period_ms) if is_periodic else period_ms
        return replace(metadata, flight=UpdatePolicy(UpdateMode.PERIODIC, period))

    return change


class MetadataLoan:
    """What a borrower holds. The worker publishes how it stands; anyone may read it."""

    def __init__(
        self,
        name: str,
        change: Change,
        on_give_back: "Callable[[MetadataLoan], None]" = lambda loan: None,
    ) -> None:
        self.name = name
        self.change = change
        self._on_give_back = on_give_back
        self._standing: tuple[LoanWord, str] = ("waiting", f"Asking the board to send {name} so.")

    @property
    def state(self) -> LoanWord:
        """Waiting for the board, held (the change is on board), or ended: given back, refused,
        or lost with the link. What ended may be borrowed anew, by another call."""
        return self._standing[0]

    @property
    def text(self) -> str:
        """How it stands, as a sentence."""
        return self._standing[1]

    @property
    def is_held(self) -> bool:
        """Whether the change is on board."""
        return self._standing[0] == "held"

    def give_back(self) -> None:
        """No longer needed. Giving back twice is fine, and so is giving back what ended."""
        if self.state != "ended":
            self._on_give_back(self)

    # For the worker

    def hold(self) -> None:
        """The change is on board."""
        if self.state == "waiting":
            self._standing = ("held", f"{self.name} is borrowed.")

    def end(self, text: str) -> None:
        """It is over, for the reason in `text`. Only the first reason counts."""
        if self.state != "ended":
            self._standing = ("ended", text)
