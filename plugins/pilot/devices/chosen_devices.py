"""Chosen devices of an aircraft, as they are kept while the station is off."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

from plugins.pilot.devices.mix import MixSetup, Takeover
from telemetry.base.board_store import BoardStore
from telemetry.base.text_formats import FormatError
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS, StickControl

NOTHING: Final = ""
_LONGEST_KEY: Final = 80


@dataclass(frozen=True, slots=True)
class ChosenDevices:
    """What the user chose, by keys of the hub: "" is the first device that is set up."""

    pilot: str = NOTHING
    student: str = NOTHING
    mix: MixSetup = field(default_factory=MixSetup)


def chosen_devices_store(folder: Path | None) -> BoardStore[ChosenDevices]:
    """What is chosen, by aircraft; in memory only where there is no folder."""
    return BoardStore(folder, _pack, _parse)


def _pack(chosen: ChosenDevices) -> dict[str, Any]:
    return {
        "pilot": chosen.pilot,
        "student": chosen.student,
        "student_controls": sorted(chosen.mix.student_controls),
        "takeover": chosen.mix.takeover,
    }


def _parse(data: dict[str, Any]) -> ChosenDevices:
    """Raises FormatError for what is none."""
    names = data.get("student_controls", [])
    takeover = data.get("takeover")
    if not isinstance(names, list) or takeover not in get_args(Takeover):
        raise FormatError("it says nothing of a student's controls")
    given: frozenset[StickControl] = frozenset(name for name in STICK_CONTROLS if name in names)
    mix = MixSetup(given, "button" if takeover == "button" else "moving")
    return ChosenDevices(_key(data.get("pilot")), _key(data.get("student")), mix)


def _key(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_KEY:
        raise FormatError("a device is named by a short text")
    return value
