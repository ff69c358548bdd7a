"""Temporary settings: changed on a board for a while, on consent, and given back.

What a setting was is on disk before it is written. It is written to the board's memory only, never
saved there, read back, and given back by whoever took it, or at the next connection to the same
board after a crash, once it is disarmed. A value that somebody else has changed meanwhile is left
alone. The worker writes what it was when the station leaves the board disarmed, and refuses to save
the object meanwhile.

    temporary = TemporarySettings(vehicle, store_in(folder))
    taken = temporary.take("take off", "FlightModeSettings", "AutoTakeOffHeight", 10.0)
    while taken.is_under_way: temporary.poll()
    temporary.give_back("take off")
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from telemetry.base.board_store import BoardStore
from telemetry.base.safe_files import Json
from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.configuration.settings.difference import is_same
from telemetry.recording.sample import Value
from telemetry.vehicle.commands import Ticket, Write
from telemetry.vehicle.vehicle import LinkState, Vehicle

_ATTEMPTS: Final = 3
_NOT_SAVED: Final = (
    "{name} is not saved while some of it is changed for a flight only: give the receiver back, or "
    "land, and save it then."
)


@dataclass(frozen=True, slots=True)
class KeptSetting:
    """A setting that was changed for a while: what it was, and what was written."""

    object: str
    path: str
    original: Value
    wanted: Value


KeptSettings = tuple[KeptSetting, ...]


class TakenState(Enum):
    """How far a setting has come."""

    WRITING = "being written"
    CHECKING = "being read back"
    TAKEN = "taken"
    RETURNING = "being given back"
    RETURN_CHECKING = "being given back, and read back"
    RETURNED = "given back"


_TAKING: Final = (TakenState.WRITING, TakenState.CHECKING)


class TakenSetting:
    """One setting on its way. `owner` is who wants it, "" once nobody does; `problem` says why it
    was not taken, empty if nothing went wrong.
    """

    def __init__(self, kept: KeptSetting, owner: str, state: TakenState) -> None:
        self.kept = kept
        self.owner = owner
        self.state = state
        self.problem = ""
        self.ticket: Ticket | None = None
        self.attempts = 0

    @property
    def is_taken(self) -> bool:
        """Whether it is on board."""
        return self.state is TakenState.TAKEN


def store_in(folder: Path | None) -> BoardStore[KeptSettings]:
    """Where kept settings of boards are; in memory without a folder."""
    return BoardStore(folder, _pack, _parse)


class TemporarySettings:
    """The settings of one aircraft that are changed for a while. Call `poll` from a tick."""

    def __init__(self, vehicle: Vehicle, store: BoardStore[KeptSettings]) -> None:
        self._vehicle = vehicle
        self._store = store
        self._aircraft = Aircraft(vehicle)
        self._board = ""
        self._was_connected = False
        self._entries: dict[tuple[str, str], TakenSetting] = {}
        self._told: KeptSettings = ()
        self._waits = False

    @property
    def entries(self) -> tuple[TakenSetting, ...]:
        """All that is changed, or on its way there or back."""
        return tuple(self._entries.values())

    def take(self, owner: str, name: str, path: str, value: Value) -> TakenSetting:
        """Begin to change a setting for `owner`. What another owner has taken is not changed."""
        problem = self.take_all(owner, name, {path: value})
        entry = self._entries.get((name, path))
        if entry is None or problem:  # with no problem it is as wanted: there is nothing to change
            state = TakenState.RETURNED if problem else TakenState.TAKEN
            entry = TakenSetting(KeptSetting(name, path, value, value), owner, state)
            entry.problem = problem
        return entry

    def take_all(self, owner: str, name: str, values: Mapping[str, Value]) -> str:
        """Begin to change several settings of an object for `owner`, in one write. Returns why
        that cannot be; then nothing is changed."""
        present = self._aircraft.values(name)
        entries: dict[tuple[str, str], TakenSetting] = {}
        for path, value in values.items():
            known = self._entries.get((name, path))
            if known is not None and known.owner not in ("", owner):
                return f"{name}.{path} is in use: {known.owner}."
            if path not in present:
                return f"The aircraft has not sent {name}.{path}."
            original = known.kept.original if known is not None else present[path]
            if known is not None or not is_same(original, value):
                kept = KeptSetting(name, path, original, value)
                entries[name, path] = TakenSetting(kept, owner, TakenState.WRITING)
        if not entries:
            return ""
        before = dict(self._entries)
        self._entries.update(entries)
        if not self._keep():
            self._entries = before
            return f"{self._store.problem} Nothing was changed."
        self._write(
            tuple(entries.values()), {path: values[path] for _, path in entries}, is_return=False
        )
        return ""

    def give_back(self, owner: str = "") -> None:
        """Begin to give back what `owner` took, or everything."""
        leaving = [e for e in self.entries if e.owner and owner in ("", e.owner)]
        for entry in leaving:
            entry.owner = ""
        self._return(leaving)

    def of(self, owner: str) -> tuple[TakenSetting, ...]:
        """What `owner` has taken, or is about to."""
        return tuple(entry for entry in self.entries if entry.owner == owner)

    def poll(self) -> str:
        """Go on with what the board has answered. Returns what its user must be told, or ""."""
        self._notice_board()
        told = ""
        for entry in self.entries:
            ticket = entry.ticket
            if ticket is not None and ticket.is_finished:
                entry.ticket = None
                told = self._go_on(entry, ticket) or told
        self._return_forgotten()
        self._tell_the_worker()
        return told

    # Inside

    def _notice_board(self) -> None:
        """What a former session, or a lost link, left changed on this board is given back."""
        state = self._vehicle.status.state
        was_connected, self._was_connected = self._was_connected, state is LinkState.CONNECTED
        if was_connected or not self._was_connected or not self._aircraft.serial:
            self._was_connected = self._was_connected and bool(self._aircraft.serial)
            return
        board = self._aircraft.board_key
        if board != self._board:
            self._board, self._entries = board, {}
            for kept in self._store.get(board) or ():
                entry = TakenSetting(kept, "", TakenState.TAKEN)
                self._entries[kept.object, kept.path] = entry
        self._waits = True

    def _keep(self) -> bool:
        if not self._board:
            self._store.problem = "It is not known yet which board this is."
            return False
        kept = tuple(entry.kept for entry in self._entries.values())
        return self._store.put(self._board, kept or None)

    def _return_forgotten(self) -> None:
        """Give back what nobody wants, once it is safe: in the air it may be what it flies by."""
        if not self._waits or self._aircraft.is_armed or not self._aircraft.is_complete:
            return
        self._waits = False
        forgotten = [entry for entry in self.entries if not entry.owner]
        for entry in forgotten:
            entry.attempts = 0
        self._return(forgotten)

    def _write(
        self, entries: Sequence[TakenSetting], values: Mapping[str, Value], *, is_return: bool
    ) -> None:
        """One write of one object. What is given back was there, whatever it is."""
        name = entries[0].kept.object
        ticket = self._vehicle.commands.send(name, values, is_meant=is_return)
        for entry in entries:
            entry.ticket = ticket

    def _read_back(self, entry: TakenSetting, state: TakenState) -> None:
        """One request serves all settings of an object that wait for it at once."""
        entry.state = state
        name = entry.kept.object
        asked = (e.ticket for e in self.entries if e.kept.object == name and e.state is state)
        known = next((ticket for ticket in asked if ticket and not ticket.is_finished), None)
        entry.ticket = known or self._vehicle.commands.request(name)

    def _return(self, entries: Sequence[TakenSetting]) -> None:
        by_object: dict[str, list[TakenSetting]] = {}
        for entry in entries:
            present = self._aircraft.value(entry.kept.object, entry.kept.path)
            if present is not None and not is_same(present, entry.kept.wanted):
                self._forget(entry)  # as it was already, or somebody else has changed it since
                continue
            entry.attempts += 1
            entry.state = TakenState.RETURNING
            by_object.setdefault(entry.kept.object, []).append(entry)
        for leaving in by_object.values():
            back = {entry.kept.path: entry.kept.original for entry in leaving}
            self._write(leaving, back, is_return=True)

    def _tell_the_worker(self) -> None:
        """What must not be saved meanwhile, and what is written when the station leaves."""
        kept = tuple(entry.kept for entry in self.entries)
        if kept == self._told:
            return
        self._told = kept
        commands, aircraft = self._vehicle.commands, self._aircraft
        commands.protect({one.object: _NOT_SAVED.format(name=one.object) for one in kept})
        originals: dict[str, dict[str, Value]] = {}
        for one in kept:
            originals.setdefault(one.object, {})[one.path] = one.original
        writes = [Write(name, values, is_meant=True) for name, values in originals.items()]
        commands.set_farewell(writes, lambda: not aircraft.is_armed)

    def _go_on(self, entry: TakenSetting, ticket: Ticket) -> str:
        is_done = ticket.state == "done"
        if is_done and entry.state is TakenState.WRITING:
            self._read_back(entry, TakenState.CHECKING)
        elif is_done and entry.state is TakenState.RETURNING:
            self._read_back(entry, TakenState.RETURN_CHECKING)
        elif entry.state is TakenState.CHECKING and self._holds(entry, entry.kept.wanted, is_done):
            entry.state = TakenState.TAKEN
        elif entry.state in _TAKING:
            return self._give_up(entry, ticket.text if not is_done else "It reads back otherwise.")
        elif self._holds(entry, entry.kept.original, is_done):
            self._forget(entry)
        elif entry.attempts < _ATTEMPTS:
            self._return([entry])
        else:
            return (
                f"{_named(entry.kept)} was not given back: {ticket.text} It was "
                f"{entry.kept.original}; that is written at the next connection."
            )
        return ""

    def _give_up(self, entry: TakenSetting, why: str) -> str:
        entry.owner, entry.problem = "", f"{_named(entry.kept)} was not changed. {why}"
        self._return([entry])
        return entry.problem

    def _holds(self, entry: TakenSetting, value: Value, is_done: bool) -> bool:
        present = self._aircraft.value(entry.kept.object, entry.kept.path)
        return is_done and present is not None and is_same(present, value)

    def _forget(self, entry: TakenSetting) -> None:
        entry.state = TakenState.RETURNED
        self._entries.pop((entry.kept.object, entry.kept.path), None)
        self._keep()


def _named(kept: KeptSetting) -> str:
    return f"{kept.object}.{kept.path}"


def _pack(kept: KeptSettings) -> Json:
    return {"settings": [[k.object, k.path, k.original, k.wanted] for k in kept]}


def _parse(stored: Json) -> KeptSettings:
    return tuple(
        KeptSetting(str(name), str(path), original, wanted)
        for name, path, original, wanted in stored["settings"]
    )


def temporary_settings_of(vehicle: Vehicle, folder: Path | None = None) -> TemporarySettings:
    """Those of one vehicle. What they were is kept in the `folder` that is told first, as who
    connects does; without one it is lost in a crash."""
    return vehicle.attachment(
        "temporary_settings", lambda: TemporarySettings(vehicle, store_in(folder))
    )
