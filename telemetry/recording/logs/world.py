"""World of a log: the simulated world it was recorded in, in `<log>.world.json` beside it, and the
IMU that was simulated.

The log stays what every reader of `.opl` knows.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from telemetry.base import safe_files
from telemetry.base.text_formats import FormatError, parse_json, read_limited
from telemetry.recording.simulated_imu import SimulatedImu
from telemetry.recording.simulated_world import SimulatedWorld, located_world

_FORMAT, _VERSION = "lapwing-world", 1
_LARGEST_SEED: Final = 2**63 - 1
_WIDEST_M: Final = 100.0
_LARGEST: Final = 1e6
WORLD_SUFFIX: Final = ".world.json"
_Noted = TypeVar("_Noted")


class LogWorldError(ValueError):
    """What is wrong with the note of a world beside a log, as a sentence."""


def world_note_path(log: Path) -> Path:
    """Where it is noted in which world a log was recorded."""
    return log.parent / f"{log.name}{WORLD_SUFFIX}"


def write_world_note(
    log: Path, world: SimulatedWorld | None, imu: SimulatedImu | None = None
) -> None:
    """Keep beside a log where it was recorded, if that was in a world, and by which IMU, if that is
    known. Raises OSError."""
    value: dict[str, Any] = {"format": _FORMAT, "version": _VERSION}
    if world is not None:
        name = located_world(world.name)
        value |= {"world": name, "seed": world.seed, "span_m": world.span_m}
    if imu is not None:
        value["imu"] = asdict(imu)
    safe_files.replace_file(world_note_path(log), f"{json.dumps(value, indent=1)}\n".encode())


def read_world_note(log: Path) -> SimulatedWorld | None:
    """Where a log was recorded, None where nobody noted it. Raises LogWorldError."""
    return _read(log, _world)


def read_imu_note(log: Path) -> SimulatedImu | None:
    """The IMU that was simulated, None where nobody noted it. Raises LogWorldError."""
    return _read(log, _imu)


def _read(log: Path, take: Callable[[dict[str, Any]], _Noted | None]) -> _Noted | None:
    path = world_note_path(log)
    try:
        if not path.is_file():
            return None
        return take(_checked(parse_json(read_limited(path))))
    except FormatError as error:
        raise LogWorldError(f"{path.name} was left out: {error}.") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise LogWorldError(f"{path.name} was left out: {reason}.") from error


def _checked(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        raise FormatError('it does not say "format": "lapwing-world"')
    if value.get("version") != _VERSION:
        raise FormatError("another version of Lapwing wrote it")
    return value


def _imu(value: dict[str, Any]) -> SimulatedImu | None:
    said = value.get("imu")
    if said is None:
        return None
    if not isinstance(said, dict):
        raise FormatError("its IMU is no object")
    numbers = [_number(said.get(one.name)) for one in fields(SimulatedImu)]
    imu = SimulatedImu(*numbers)
    if min(numbers[:5]) < 0.0 or not imu.rate_hz:
        raise FormatError("its IMU has a rate or a noise below 0")
    return imu


def _number(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not abs(value) < _LARGEST:
        raise FormatError("its IMU has something that is no number")
    return float(value)


def _world(value: dict[str, Any]) -> SimulatedWorld | None:
    if "world" not in value and value.get("imu") is not None:
        return None
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
