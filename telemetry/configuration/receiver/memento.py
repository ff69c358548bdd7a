"""What was on board before a set-up, so that it can be put back: in memory, and on disk.

One JSON file per board while a set-up runs; it is there to be found after a crash.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from telemetry.configuration.receiver.controls import SETTINGS, control_names
from telemetry.configuration.settings.configuration import Configuration
from telemetry.own_folders import own_folder
from telemetry.recording.sample import Value

ARMING_OBJECTS: Final = ("FlightModeSettings", SETTINGS)
"""Where releases keep how to arm."""
ARMING: Final = "Arming"
NEVER_ARMED: Final = "Always Disarmed"
FIELDS: Final = (
    "ChannelGroups",
    "ChannelNumber",
    "ChannelMin",
    "ChannelNeutral",
    "ChannelMax",
)
POSITIONS: Final = "FlightModeNumber"
_POSITION_OBJECTS: Final = (SETTINGS, "FlightModeSettings")
_VERSION: Final = 1

Values = dict[str, dict[str, Value]]
"""Values by object and path."""


@dataclass(frozen=True, slots=True)
class Memento:
    """The values on board before."""

    values: Values

    def of(self, name: str) -> dict[str, Value]:
        """Those of one object."""
        return dict(self.values.get(name, {}))


def arming_object(settings: Configuration) -> str:
    """The object that says how to arm; empty if this aircraft has none."""
    return next((name for name in ARMING_OBJECTS if settings.has(name, ARMING)), "")


def positions_object(settings: Configuration) -> str:
    """The object that says how many positions the flight mode switch has; empty if none."""
    return next((name for name in _POSITION_OBJECTS if settings.has(name, POSITIONS)), "")


def take_memento(settings: Configuration) -> Memento:
    """Everything on board that a set-up may change."""
    values: Values = {}
    names = control_names(settings.definition(SETTINGS))
    paths = [(SETTINGS, f"{field}.{name}") for field in FIELDS for name in names]
    paths += [(arming_object(settings), ARMING), (positions_object(settings), POSITIONS)]
    for name, path in paths:
        value = settings.on_board(name, path) if name else None
        if value is not None:
            values.setdefault(name, {})[path] = value
    return Memento(values)


class Journal(Protocol):
    """Where mementos outlive the process, by board; see SetupJournal."""

    def memento(self, board: str) -> Memento | None:
        """What was not put back, if anything."""

    def remember(self, board: str, memento: Memento) -> bool:
        """Keep a memento; False if that is not possible."""

    def forget(self, board: str) -> None:
        """It was put back."""


class MemoryJournal:
    """Mementos that do not outlive the process."""

    def __init__(self) -> None:
        self._kept: dict[str, Memento] = {}

    def memento(self, board: str) -> Memento | None:
        """See `Journal.memento`."""
        return self._kept.get(board)

    def remember(self, board: str, memento: Memento) -> bool:
        """See `Journal.remember`."""
        self._kept[board] = memento
        return True

    def forget(self, board: str) -> None:
        """See `Journal.forget`."""
        self._kept.pop(board, None)


class SetupJournal:
    """Mementos on disk. A file that cannot be read is none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def memento(self, board: str) -> Memento | None:
        """See `Journal.memento`."""
        try:
            content = json.loads(self._path(board).read_text(encoding="utf-8"))
            return Memento({name: dict(paths) for name, paths in content["values"].items()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def remember(self, board: str, memento: Memento) -> bool:
        """See `Journal.remember`."""
        path = self._path(board)
        fresh = path.with_name(path.name + ".new")
        content = {"version": _VERSION, "board": board, "values": memento.values}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("w", encoding="utf-8") as file:
                json.dump(content, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        except OSError:
            return False
        return True

    def forget(self, board: str) -> None:
        """See `Journal.forget`."""
        self._path(board).unlink(missing_ok=True)

    def _path(self, board: str) -> Path:
        return self._folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', board) or 'board'}.json"


def usual_journal(environ: Mapping[str, str]) -> SetupJournal:
    """Where mementos are kept."""
    return SetupJournal(own_folder("state", environ) / "receiver-setup")
