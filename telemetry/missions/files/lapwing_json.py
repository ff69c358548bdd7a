"""Lapwing's mission file: readable JSON, `"format": "lapwing-mission", "version": 1`.

Within version 1 a newer Lapwing may add keys, which an older one ignores.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from telemetry.base.text_formats import FormatError, parse_json
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.geofences import Fence, FenceAction, FenceKind
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import (
    HeightReference,
    LegAction,
    Mission,
    MissionWaypoint,
    Parameters,
)
from telemetry.missions.steps import EndingStep, LandStep, ReturnStep, TakeOffStep
from telemetry.missions.waypoint_options import COMMAND_BY_NAME, END_CONDITION_BY_NAME, MODE_BY_NAME

FORMAT: Final = "lapwing-mission"
VERSION: Final = 1
_MOST: Final = 10_000
_ENDINGS: Final[dict[type[EndingStep], str]] = {ReturnStep: "return", LandStep: "land"}

Json = dict[str, Any]


def mission_json(mission: Mission) -> Json:
    """What a file of ours says."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": mission.name,
        "home": None if mission.home is None else asdict(mission.home),
        "waypoints": [_waypoint_json(waypoint) for waypoint in mission.waypoints],
        "fences": [_fence_json(fence) for fence in mission.fences],
        "take_off": None if mission.take_off is None else asdict(mission.take_off),
        "ending": _ending_json(mission.ending),
    }


def write_own(mission: Mission) -> bytes:
    """The file."""
    text = json.dumps(mission_json(mission), indent=2, ensure_ascii=False)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _ending_json(ending: EndingStep | None) -> Json | None:
    return None if ending is None else {"kind": _ENDINGS[type(ending)], **asdict(ending)}


def _waypoint_json(waypoint: MissionWaypoint) -> Json:
    return {
        "name": waypoint.name,
        "latitude_deg": waypoint.latitude_deg,
        "longitude_deg": waypoint.longitude_deg,
        "height_m": waypoint.height_m,
        "height_reference": waypoint.height_reference.value,
        "velocity_mps": waypoint.velocity_mps,
        "is_locked": waypoint.is_locked,
        "action": asdict(waypoint.action),
    }


def _fence_json(fence: Fence) -> Json:
    return {
        "name": fence.name,
        "kind": fence.kind.value,
        "corners": [list(corner) for corner in fence.corners],
        "radius_m": fence.radius_m,
        "lowest_m": fence.lowest_m if math.isfinite(fence.lowest_m) else None,
        "highest_m": fence.highest_m if math.isfinite(fence.highest_m) else None,
        "action": fence.action.value,
        "warning_m": fence.warning_m,
    }


def read_own(path: Path, data: bytes, _: MissionHome | None = None) -> Mission:
    """The mission in a file. Raises MissionFileError."""
    try:
        value = parse_json(data)
    except FormatError as error:
        raise MissionFileError(path, f"{error}. Mend it there, or save it anew.") from None
    top = _Reader(path, "", value)
    if top.raw("format", "") != FORMAT:
        raise MissionFileError(path, f"this is no mission: 'format' is not '{FORMAT}'.")
    if top.raw("version", 0) != VERSION:
        raise MissionFileError(
            path, f"it is of version {top.raw('version', 0)}, this Lapwing reads {VERSION}; update."
        )
    home, take_off, ending = (top.raw(key, None) for key in ("home", "take_off", "ending"))
    return Mission(
        tuple(_waypoint(item) for item in top.items("waypoints")),
        None if home is None else _home(_Reader(path, "home: ", home)),
        tuple(_fence(item) for item in top.items("fences")),
        top.text("name", ""),
        None if take_off is None else TakeOffStep(_height(top.inner("take_off"))),
        None if ending is None else _ending(top.inner("ending")),
    )


def _ending(item: "_Reader") -> EndingStep:
    returns = item.choice("kind", list(_ENDINGS.values())) == _ENDINGS[ReturnStep]
    return ReturnStep(_height(item)) if returns else LandStep()


def _height(item: "_Reader") -> float:
    return item.number("height_m", low=0.0, high=10_000.0)


def _home(item: "_Reader") -> MissionHome:
    return MissionHome(
        item.number("latitude_deg", low=-90.0, high=90.0),
        item.number("longitude_deg", low=-180.0, high=180.0),
        item.number("altitude_m", 0.0),
    )


def _waypoint(item: "_Reader") -> MissionWaypoint:
    return MissionWaypoint(
        item.number("latitude_deg", low=-90.0, high=90.0),
        item.number("longitude_deg", low=-180.0, high=180.0),
        item.number("height_m"),
        item.number("velocity_mps", 0.0),
        HeightReference(item.choice("height_reference", [r.value for r in HeightReference])),
        _action(item.inner("action")),
        item.text("name", ""),
        bool(item.raw("is_locked", False)),
    )


def _action(item: "_Reader") -> LegAction:
    return LegAction(
        item.choice("mode", MODE_BY_NAME),
        item.four("mode_parameters"),
        item.choice("end_condition", END_CONDITION_BY_NAME),
        item.four("condition_parameters"),
        item.choice("command", COMMAND_BY_NAME),
        item.whole("jump_destination", 0),
        item.whole("error_destination", -1),
    )


def _fence(item: "_Reader") -> Fence:
    corners = item.raw("corners", [])
    is_good = (
        isinstance(corners, list)
        and len(corners) <= _MOST
        and all(isinstance(c, list) and len(c) == 2 and all(map(_is_number, c)) for c in corners)
    )
    if not is_good or len(corners) in (0, 2):
        item.fail("'corners' must be at least three pairs of degrees, or one of a circle.")
    lowest, highest = item.raw("lowest_m", None), item.raw("highest_m", None)
    return Fence(
        tuple((float(a), float(b)) for a, b in corners),
        FenceKind(item.choice("kind", [k.value for k in FenceKind])),
        item.number("radius_m", 0.0, low=0.0),
        -math.inf if lowest is None else item.number("lowest_m"),
        math.inf if highest is None else item.number("highest_m"),
        FenceAction(item.choice("action", [a.value for a in FenceAction], FenceAction.WARN.value)),
        item.number("warning_m", 20.0),
        item.text("name", ""),
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class _Reader:
    """One object of the file; what is wrong is said with where it stands."""

    def __init__(self, path: Path, where: str, value: object) -> None:
        self._path = path
        self._where = where
        self._value: Mapping[str, Any] = value if isinstance(value, dict) else {}
        if not isinstance(value, dict):
            self.fail("this must be an object in braces.")

    def fail(self, what: str) -> None:
        raise MissionFileError(self._path, f"{self._where}{what}")

    def raw(self, key: str, default: Any) -> Any:
        return self._value.get(key, default)

    def inner(self, key: str) -> "_Reader":
        return _Reader(self._path, f"{self._where}{key}: ", self.raw(key, {}))

    def items(self, key: str) -> list["_Reader"]:
        values = self.raw(key, [])
        if not isinstance(values, list) or len(values) > _MOST:
            self.fail(f"'{key}' must be a list of at most {_MOST}.")
        name = key.removesuffix("s")
        return [_Reader(self._path, f"{name} {i}: ", value) for i, value in enumerate(values, 1)]

    def number(
        self, key: str, default: float | None = None, low: float = -1e9, high: float = 1e9
    ) -> float:
        value = self.raw(key, default)
        if value is None:
            self.fail(f"'{key}' is missing; add it.")
        if not _is_number(value) or not low <= value <= high:
            self.fail(f"'{key}' is {value!r}; give a number from {low:g} to {high:g}.")
        return float(value)

    def whole(self, key: str, default: int) -> int:
        value = self.raw(key, default)
        if type(value) is not int or not -32768 <= value <= 32767:
            self.fail(f"'{key}' is {value!r}; give a whole number.")
        return int(value)

    def text(self, key: str, default: str) -> str:
        value = self.raw(key, default)
        if not isinstance(value, str):
            self.fail(f"'{key}' must be a text.")
        return str(value)

    def choice(self, key: str, known: "Mapping[str, Any] | list[str]", default: str = "") -> str:
        options = list(known)
        value = self.raw(key, default or options[0])
        if value not in options:
            self.fail(f"'{key}' is {value!r}; choose one of: {', '.join(options)}.")
        return str(value)

    def four(self, key: str) -> Parameters:
        values = self.raw(key, [0.0] * 4)
        if not isinstance(values, list) or len(values) != 4 or not all(map(_is_number, values)):
            self.fail(f"'{key}' must be four numbers.")
        a, b, c, d = (float(value) for value in values)
        return a, b, c, d
