"""Metadata change for a while: how an object is sent, by one user of it, who ends it.

    change = vehicle.commands.change_metadata("GyroState", sent_every(40))
    ...
    change.restore()

Several may change one object: their edits apply one after the other, and when the last one
restores it, the board has again what it had.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata, fitting_logging

MetadataEdit = Callable[[Metadata], Metadata]
"""From the metadata a board has to those wanted."""


def sent_every(period_ms: int) -> MetadataEdit:
    """An edit that has the aircraft send an object at least every `period_ms` milliseconds."""

    def edit(metadata: Metadata) -> Metadata:
        flight = metadata.flight
        is_timed = flight.mode in (UpdateMode.PERIODIC, UpdateMode.THROTTLED)
        is_faster = is_timed and 0 < flight.period_ms < period_ms
        period = flight.period_ms if is_faster else period_ms
        sent = UpdatePolicy(UpdateMode.PERIODIC, period)
        return replace(metadata, flight=sent, logging=fitting_logging(metadata.logging, sent))

    return edit


class MetadataChange:
    """One user's change of one object. The worker publishes how far it is; anyone may read it."""

    def __init__(
        self,
        name: str,
        edit: MetadataEdit,
        on_restore: "Callable[[MetadataChange], object]" = lambda change: None,
    ) -> None:
        self.name = name
        self.edit = edit
        self._on_restore = on_restore
        self._status: tuple[Literal["waiting", "active", "ended"], str] = (
            "waiting",
            f"Asking the board to send {name} so.",
        )

    @property
    def state(self) -> Literal["waiting", "active", "ended"]:
        """Waiting for the board, active (the change is on board), or ended: restored, refused,
        or lost with the link. What ended may be asked for anew, as another change."""
        return self._status[0]

    @property
    def text(self) -> str:
        """How far it is, as a sentence."""
        return self._status[1]

    @property
    def is_active(self) -> bool:
        """Whether the change is on board."""
        return self._status[0] == "active"

    def restore(self) -> None:
        """No longer needed. Restoring twice is fine, and so is restoring what ended."""
        if self.state != "ended":
            self._on_restore(self)

    # For the worker

    def activate(self) -> None:
        """The change is on board."""
        if self.state == "waiting":
            self._status = ("active", f"{self.name} is sent as asked.")

    def end(self, text: str) -> None:
        """It is over, for the reason in `text`. Only the first reason counts."""
        if self.state != "ended":
            self._status = ("ended", text)
