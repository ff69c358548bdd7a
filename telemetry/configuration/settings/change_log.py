"""Settings change log since connecting: when, from which page, before and after."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from telemetry.base.finding import Level
from telemetry.configuration.settings.difference import is_same
from telemetry.configuration.settings.edit import Edit
from telemetry.configuration.settings.snapshot import Address, setting_name
from telemetry.configuration.settings.value_text import text_of
from telemetry.recording.events import Event
from telemetry.recording.sample import Value


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One value that the board holds instead of another. `t` is when it was read back, in seconds
    of the recording; `page` is where it was edited; `before` is None if nobody knew it."""

    t: float
    page: str
    address: Address
    path: str
    before: Value | None
    after: Value
    is_saved: bool = False

    @property
    def setting(self) -> str:
        """Which setting it is, in full."""
        return setting_name(self.address, self.path)

    @property
    def event(self) -> Event:
        """The change as the timeline shows it."""
        before = "unknown" if self.before is None else text_of(self.before)
        text = f"Changed {self.setting} {before} → {text_of(self.after)}"
        return Event(self.t, "setting", Level.INFO, text)


class ChangeLog:
    """The changes of one connection in their order. `version` rises with every change."""

    def __init__(self) -> None:
        self.version = 0
        self.entries: tuple[SettingChange, ...] = ()
        self._events: tuple[int, tuple[Event, ...]] = (0, ())
        self._pages: dict[tuple[Address, str], str] = {}

    @property
    def events(self) -> tuple[Event, ...]:
        """The changes as the timeline shows them."""
        version, events = self._events
        if version != self.version:
            events = tuple(entry.event for entry in self.entries)
            self._events = self.version, events
        return events

    def note_staged(self, address: Address, path: str, page: str) -> None:
        """A value was staged on a page: what becomes of it later is said to come from there."""
        self._pages[address, path] = page

    def add(
        self, t: float, edit: Edit, present: Mapping[str, Value], page: str = "", *, continues: bool
    ) -> None:
        """An edit was sent, and reading back gave `present`. Without `page` it is where each value
        was staged.

        What the board holds counts, not what was sent: it may have kept the old value, or taken
        another. With `continues`, a value changed again joins its last entry: gains that follow a
        slider are one change.
        """
        address = edit.address
        entries = list(self.entries)
        for path in edit.after:
            before = edit.before.get(path)
            if path not in present or (before is not None and is_same(before, present[path])):
                continue
            where = page or self._pages.get((address, path), "")
            change = SettingChange(t, where, address, path, before, present[path])
            same = (e for e in reversed(entries) if (e.address, e.path) == (address, path))
            last = next(same, None)
            if continues and last is not None and not last.is_saved:
                entries.remove(last)
                change = replace(change, before=last.before)
            entries.append(change)
        self._show(entries)

    def mark_saved(self, address: Address) -> None:
        """An object was saved on board, with all that was changed in it."""
        self._show([replace(e, is_saved=e.is_saved or e.address == address) for e in self.entries])

    def clear(self) -> None:
        """Forget everything: this is another board."""
        self._show([])

    def _show(self, entries: list[SettingChange]) -> None:
        if tuple(entries) != self.entries:
            self.entries = tuple(entries)
            self.version += 1
