"""Profile files in JSON: written to share, and read from whoever made them, within limits."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from plugins.pilot.devices.buttons import (
    ACTION,
    ARM,
    DISARM,
    GIVE_CONTROL,
    MARKER,
    POSITION,
    STOP,
    TAKE_CONTROL,
)
from plugins.pilot.devices.profile import (
    MODES,
    MOST_AXES,
    MOST_BUTTONS,
    AxisSetup,
    ButtonSetup,
    ControlSetup,
    Part,
    Profile,
    Trigger,
)
from telemetry.base.safe_files import replace_file
from telemetry.base.text_formats import FormatError, parse_json, read_limited
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS

Json = dict[str, Any]
SUFFIX: Final = ".lapwing-controller"
FORMAT: Final = "lapwing-controller"
_LARGEST_BYTES: Final = 100_000
_MOST_SETUPS: Final = 64
_LONGEST_S: Final = 10.0
_LEAST_RATE: Final = 0.05
_MOST_DEAD_ZONE: Final = 0.9
_COMMANDS: Final = (STOP, DISARM, ARM, MARKER, TAKE_CONTROL, GIVE_CONTROL)
_COMMAND_WITH: Final = re.compile(
    rf"{POSITION}[1-9]|{ACTION}[a-z][a-z0-9_-]{{0,40}}(\.[a-z][a-z0-9_-]{{0,40}})?"
)

_Word = TypeVar("_Word", bound=str)


def pack_profile(profile: Profile) -> Json:
    """A profile as JSON."""
    return {
        "mode": profile.mode,
        "controls": {name: _pack_control(setup) for name, setup in profile.controls.items()},
        "buttons": [_pack_button(setup) for setup in profile.buttons],
    }


def parse_profile(data: object) -> Profile:
    """A profile from JSON. Raises FormatError for what is none, or is beyond its limits."""
    found = _fields(data, "the profile")
    controls = _fields(found.get("controls", {}), "controls")
    mode = _whole(found.get("mode", 2), "mode", 1, max(MODES))
    return Profile(
        {
            _word(name, STICK_CONTROLS, "controls"): _parse_control(value, name)
            for name, value in controls.items()
        },
        tuple(_parse_button(entry) for entry in _entries(found.get("buttons", []), "buttons")),
        mode,
    )


def write_profile_file(path: Path, profile: Profile, device: str, guid: str) -> None:
    """Save a profile to share it. Raises OSError."""
    whose = {"format": FORMAT, "version": 1, "device": device, "guid": guid}
    text = json.dumps({**whose, **pack_profile(profile)}, indent=2, ensure_ascii=False)
    replace_file(path, text.encode("utf-8", "backslashreplace"))


def read_profile_file(path: Path) -> tuple[Profile, str, str]:
    """A shared profile, the name of the device that it was made for, and its GUID.

    Raises OSError, or FormatError for what is no such file.
    """
    return parse_profile_file(read_limited(path, _LARGEST_BYTES))


def parse_profile_file(data: bytes) -> tuple[Profile, str, str]:
    """The same from the file's content. Raises FormatError."""
    found = _fields(parse_json(data, _LARGEST_BYTES), "the file")
    if found.get("format") != FORMAT:
        raise FormatError("it is no controller profile of Lapwing's")
    if found.get("version") != 1:
        raise FormatError("it was written by a newer Lapwing")
    device, guid = found.get("device", ""), found.get("guid", "")
    if not isinstance(device, str) or not isinstance(guid, str):
        raise FormatError("device and guid must be texts")
    return parse_profile(found), device[:80], guid[:80]


def _pack_control(setup: ControlSetup) -> Json:
    return {
        "axes": [_pack_axis(axis) for axis in setup.axes],
        "dead_zone": setup.dead_zone,
        "expo": setup.expo,
        "rate": setup.rate,
        "springs": setup.springs,
    }


def _pack_axis(setup: AxisSetup) -> Json:
    return {
        "axis": setup.axis,
        "lowest": setup.lowest,
        "middle": setup.middle,
        "highest": setup.highest,
        "reversed": setup.is_reversed,
        "part": setup.part,
    }


def _pack_button(setup: ButtonSetup) -> Json:
    trigger = setup.trigger
    if trigger.button is not None:
        place: Json = {"button": trigger.button}
    else:
        place = {"axis": trigger.axis, "low": trigger.low, "high": trigger.high}
    return {**place, "command": setup.command, "hold_s": setup.hold_s, "repeat_s": setup.repeat_s}


def _parse_control(data: object, name: str) -> ControlSetup:
    found = _fields(data, name)
    return ControlSetup(
        tuple(_parse_axis(entry) for entry in _entries(found.get("axes", []), f"{name}.axes")),
        _number(found.get("dead_zone", 0.0), f"{name}.dead_zone", 0.0, _MOST_DEAD_ZONE),
        _number(found.get("expo", 0.0), f"{name}.expo", 0.0, 1.0),
        _number(found.get("rate", 1.0), f"{name}.rate", _LEAST_RATE, 1.0),
        _flag(found.get("springs", True), f"{name}.springs"),
    )


def _parse_axis(data: object) -> AxisSetup:
    found = _fields(data, "an axis")
    setup = AxisSetup(
        _whole(found.get("axis"), "axis", 0, MOST_AXES - 1),
        _number(found.get("lowest", -1.0), "lowest", -1.0, 1.0),
        _number(found.get("middle", 0.0), "middle", -1.0, 1.0),
        _number(found.get("highest", 1.0), "highest", -1.0, 1.0),
        _flag(found.get("reversed", False), "reversed"),
        _word(found.get("part", "both"), get_args(Part), "part"),
    )
    if not setup.lowest <= setup.middle <= setup.highest:
        raise FormatError("an axis' middle must lie between its lowest and highest reading")
    return setup


def _parse_button(data: object) -> ButtonSetup:
    found = _fields(data, "a button")
    if "button" in found:
        trigger = Trigger(button=_whole(found["button"], "button", 0, MOST_BUTTONS - 1))
    else:
        trigger = Trigger(
            axis=_whole(found.get("axis"), "axis", 0, MOST_AXES - 1),
            low=_number(found.get("low"), "low", -1.0, 1.0),
            high=_number(found.get("high"), "high", -1.0, 1.0),
        )
    command = found.get("command")
    if not isinstance(command, str) or not is_command(command):
        raise FormatError(f"{str(command)[:40]!r} is nothing that a button can ask for")
    hold = _number(found.get("hold_s", 0.0), "hold_s", 0.0, _LONGEST_S)
    repeat = _number(found.get("repeat_s", 0.0), "repeat_s", 0.0, _LONGEST_S)
    return ButtonSetup(trigger, command, hold, repeat)


def is_command(command: str) -> bool:
    """Whether a button can ask for this."""
    return command in _COMMANDS or _COMMAND_WITH.fullmatch(command) is not None


def _fields(data: object, name: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise FormatError(f"{name} must be a JSON object")
    return data


def _entries(data: object, name: str) -> list[Any]:
    if not isinstance(data, list) or len(data) > _MOST_SETUPS:
        raise FormatError(f"{name} must be a list of at most {_MOST_SETUPS}")
    return data


def _number(data: object, name: str, low: float, high: float) -> float:
    if isinstance(data, int | float) and not isinstance(data, bool) and low <= data <= high:
        return float(data)
    raise FormatError(f"{name} must be a number from {low:g} to {high:g}")


def _whole(data: object, name: str, low: int, high: int) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or not low <= data <= high:
        raise FormatError(f"{name} must be a whole number from {low} to {high}")
    return data


def _flag(data: object, name: str) -> bool:
    if not isinstance(data, bool):
        raise FormatError(f"{name} must be true or false")
    return data


def _word(data: object, words: tuple[_Word, ...], name: str) -> _Word:
    for word in words:
        if data == word:
            return word
    raise FormatError(f"{name} must be one of {', '.join(words)}")
