"""World of a log: the simulated world it was recorded in, in `<log>.world.json` beside it.

The log stays what every reader of `.opl` knows.
"""

import json
from pathlib import Path
from typing import Any, Final

from telemetry.base import safe_files
from telemetry.base.text_formats import FormatError, parse_json, read_limited
from telemetry.recording.simulated_world import SimulatedWorld, located_world

_FORMAT, _VERSION = "lapwing-world", 1
_LARGEST_SEED: Final = 2**63 - 1
_WIDEST_M: Final = 100.0


class LogWorldError(ValueError):
    """What is wrong with the note of a world beside a log, as a sentence."""


def world_note_path(log: Path) -> Path:
    """Where it is noted in which world a log was recorded."""
    return log.parent / f"{log.name}.world.json"


def write_world_note(log: Path, world: SimulatedWorld) -> None:
    """Keep beside a log where it was recorded. Raises OSError."""
    value = {
        "format": _FORMAT,
        "version": _VERSION,
        "world": located_world(world.name),
        "seed": world.seed,
        "span_m": world.span_m,
    }
    safe_files.replace_file(world_note_path(log), f"{json.dumps(value, indent=1)}\n".encode())


def read_world_note(log: Path) -> SimulatedWorld | None:
    """Where a log was recorded, None where nobody noted it. Raises WorldNoteError."""
    path = world_note_path(log)
    try:
        if not path.is_file():
            return None
        return _from_json(parse_json(read_limited(path)))
    except FormatError as error:
        raise LogWorldError(f"{path.name} was left out: {error}.") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise LogWorldError(f"{path.name} was left out: {reason}.") from error


def _from_json(value: Any) -> SimulatedWorld:
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        raise FormatError('it does not say "format": "lapwing-world"')
    if value.get("version") != _VERSION:
        raise FormatError("another version of Lapwing wrote it")
    name, seed = value.get("world"), value.get("seed")
    if not isinstance(name, str) or not name or "\0" in name:
        raise FormatError("it names no world")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= _LARGEST_SEED:
        raise FormatError("its seed is no whole number from 0 on")
    span_m = value.get("span_m", 0.0)
    if (
        isinstance(span_m, bool)
        or not isinstance(span_m, int | float)
        or not 0 <= span_m <= _WIDEST_M
    ):
        raise FormatError("its aircraft has no width in metres")
    return SimulatedWorld(name, seed, float(span_m))
