"""Exclusive access: what moves an aircraft's outputs or disables its controls is alone."""

from collections.abc import Callable

from telemetry.vehicle.vehicle import Vehicle


class Exclusive:
    """Who has an aircraft to itself."""

    def __init__(self) -> None:
        self._owner: object = None
        self._title = ""
        self._end: Callable[[], None] | None = None

    def why_not(self, owner: object) -> str:
        """Why `owner` cannot have it, as a sentence; empty if it can."""
        if self._owner is None or self._owner is owner:
            return ""
        return f"{self._title} is under way. End it first."

    def take(self, owner: object, title: str, end: Callable[[], None] | None = None) -> None:
        """Have it until `free`. `end` ends what is done with it at once, where that can be, for an
        emergency stop. Raises RuntimeError if somebody else has it."""
        why = self.why_not(owner)
        if why:
            raise RuntimeError(why)
        self._owner, self._title, self._end = owner, title, end

    def interrupt(self, owner: object) -> None:
        """Have somebody else who has it end it, where that can be: motors off are asked for."""
        if self.why_not(owner) and self._end is not None:
            self._end()

    def free(self, owner: object) -> None:
        """Give it up. Freeing what one does not have is fine."""
        if self._owner is owner:
            self._owner = self._end = None


def exclusive_of(vehicle: Vehicle) -> Exclusive:
    """The one right to a vehicle."""
    return vehicle.attachment("exclusive", Exclusive)
