"""Default profiles of devices that nobody has set up, where their maker's layout is known."""

import re
from typing import Final

from plugins.pilot.devices.profile import AxisSetup, ControlSetup, Profile
from telemetry.flying.inputs.stick_controls import StickControl

GAMEPAD_AXES: Final[tuple[tuple[StickControl, str], ...]] = (
    ("roll", "rightx"),
    ("pitch", "righty"),
    ("yaw", "leftx"),
    ("throttle", "lefty"),
)
"""Mode 2 by the names of SDL's game controller mappings."""


def gamepad_profile(mapping: str) -> Profile | None:
    """Sticks by SDL's mapping of a game controller ("GUID,name,leftx:a0,lefty:a1~,…"); None where
    one of the four is no whole axis. SDL counts right and down (towards the pilot) positive.
    """
    places = dict(part.split(":", 1) for part in mapping.split(",") if part.count(":") == 1)
    controls: dict[StickControl, ControlSetup] = {}
    for control, name in GAMEPAD_AXES:
        found = re.fullmatch(r"a(\d{1,2})(~?)", places.get(name, ""))
        if found is None:
            return None
        is_reversed = (control == "throttle") != bool(found[2])
        axis = AxisSetup(int(found[1]), is_reversed=is_reversed)
        controls[control] = ControlSetup((axis,))
    return Profile(controls)


def space_mouse_profile() -> Profile:
    """A 3-D mouse (axes X, Y, Z, RX, RY, RZ; right, back and down positive): pushed it moves the
    aircraft that way, twisted it yaws, lifted it climbs."""
    return Profile(
        {
            "roll": ControlSetup((AxisSetup(0),), dead_zone=0.1),
            "pitch": ControlSetup((AxisSetup(1),), dead_zone=0.1),
            "yaw": ControlSetup((AxisSetup(5),), dead_zone=0.1),
            "throttle": ControlSetup((AxisSetup(2, is_reversed=True),), dead_zone=0.1),
        }
    )


def program_profile() -> Profile:
    """Sticks that a program writes: roll, pitch, yaw, throttle, taken as they are."""
    straight = {
        name: ControlSetup((AxisSetup(axis),), dead_zone=0.0, expo=0.0, springs=False)
        for axis, name in enumerate(_WRITTEN)
    }
    return Profile(straight)


_WRITTEN: Final[tuple[StickControl, ...]] = ("roll", "pitch", "yaw", "throttle")
