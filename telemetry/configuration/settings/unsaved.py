"""Unsaved settings: changed on board and not saved there; a restart of the board undoes them."""

from collections.abc import Mapping
from dataclasses import dataclass

from telemetry.configuration.settings.difference import is_same
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.snapshot import Address
from telemetry.recording.sample import Value


@dataclass(frozen=True, slots=True)
class _Change:
    """The value that is saved (None if unknown), and the one that the board was given since."""

    saved: Value | None
    given: Value


class Unsaved:
    """By object and path. A value that is set back to the saved one needs no saving any more."""

    def __init__(self) -> None:
        self._changes: dict[Address, dict[str, _Change]] = {}

    def addresses(self) -> tuple[Address, ...]:
        """The objects that would lose something, in the order of their changes."""
        return tuple(self._changes)

    def take(self, edit: Edit) -> None:
        """An edit has been put on board, or may be there."""
        address = edit.address
        changes = self._changes.setdefault(address, {})
        for path, given in edit.after.items():
            known = changes.pop(path, None)
            saved = known.saved if known is not None else edit.before.get(path)
            if saved is None or not is_same(saved, given):
                changes[path] = _Change(saved, given)
        if not changes:
            del self._changes[address]

    def forget(self, address: Address) -> None:
        """An object has been saved."""
        self._changes.pop(address, None)

    def clear(self) -> None:
        """Forget everything: this is another board."""
        self._changes.clear()

    def lost(self, address: Address, present: Mapping[str, Value]) -> dict[str, Value]:
        """What the board was given and does not hold any more; it is forgotten by this."""
        changes = self._changes.get(address, {})
        gone = {
            path: change.given
            for path, change in changes.items()
            if path in present and not is_same(present[path], change.given)
        }
        for path in gone:
            del changes[path]
        if address in self._changes and not changes:
            del self._changes[address]
        return gone
