"""Receiver backup: what was on board before a set-up, in memory and on disk, to be put back.

One file per board while a set-up runs; it is there to be found after a crash.
"""

from pathlib import Path
from typing import Final

from telemetry.base.board_store import BoardStore
from telemetry.base.safe_files import Json
from telemetry.configuration.receiver.controls import FIELDS, SETTINGS, control_names
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.draft_store import values_from_json
from telemetry.recording.sample import Value

ARMING_OBJECTS: Final = ("FlightModeSettings", SETTINGS)
"""Where releases keep how to arm."""
ARMING: Final = "Arming"
NEVER_ARMED: Final = "Always Disarmed"
POSITIONS: Final = "FlightModeNumber"
_POSITION_OBJECTS: Final = (SETTINGS, "FlightModeSettings")

Values = dict[str, dict[str, Value]]
"""Values by object and path."""


def arming_object(settings: Configuration) -> str:
    """The object that says how to arm; empty if this aircraft has none."""
    return next((name for name in ARMING_OBJECTS if settings.has(name, ARMING)), "")


def positions_object(settings: Configuration) -> str:
    """The object that says how many positions the flight mode switch has; empty if none."""
    return next((name for name in _POSITION_OBJECTS if settings.has(name, POSITIONS)), "")


def take_backup(settings: Configuration) -> Values:
    """Everything on board that a set-up may change."""
    values: Values = {}
    names = control_names(settings.definition(SETTINGS))
    paths = [(SETTINGS, f"{field}.{name}") for field in FIELDS for name in names]
    paths += [(arming_object(settings), ARMING), (positions_object(settings), POSITIONS)]
    for name, path in paths:
        value = settings.on_board(name, path) if name else None
        if value is not None:
            values.setdefault(name, {})[path] = value
    return values


def backup_store(folder: Path | None) -> BoardStore[Values]:
    """Backups by the serial number of the board, on disk or (None) in memory."""
    return BoardStore(folder, _pack, _parse)


def _pack(backup: Values) -> Json:
    return {"values": backup}


def _parse(content: Json) -> Values:
    return {str(name): values_from_json(values) for name, values in content["values"].items()}
