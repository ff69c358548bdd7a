"""Stick controls: roll, pitch, yaw and throttle by name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal

from telemetry.vehicle.sticks import Sticks

StickControl = Literal["roll", "pitch", "yaw", "throttle"]
STICK_CONTROLS: Final[tuple[StickControl, ...]] = ("roll", "pitch", "yaw", "throttle")


def moved_sticks(sticks: Sticks, moved: Mapping[StickControl, float]) -> Sticks:
    """The same sticks with some controls elsewhere."""
    return replace(
        sticks,
        roll=moved.get("roll", sticks.roll),
        pitch=moved.get("pitch", sticks.pitch),
        yaw=moved.get("yaw", sticks.yaw),
        throttle=moved.get("throttle", sticks.throttle),
    )
