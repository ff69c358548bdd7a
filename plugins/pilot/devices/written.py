"""Sticks that a program writes: the source behind UDP, scripts and behaviours."""

import math
from collections.abc import Sequence
from typing import Any, Final

from plugins.pilot.devices.default_profiles import written_profile
from plugins.pilot.devices.profile import CONTROLS
from plugins.pilot.devices.reading import Reading
from plugins.pilot.devices.source import DeviceKind
from telemetry.base.text_formats import FormatError, parse_json

MOST_AXES: Final = 16
MOST_BUTTONS: Final = 64
LARGEST_MESSAGE: Final = 1500
"""Bytes; what fits into one packet."""
GONE_S: Final = 1.0
"""A program that has said nothing for so long is gone. It flies nothing long before that."""


class WrittenSource:
    """A device whose axes and buttons somebody else writes, from any thread: roll, pitch, yaw and
    throttle, each -1..1, then what else there is. It is gone once it is closed, or after a second
    without a word, and there again when it is written.
    """

    def __init__(self, name: str, guid: str) -> None:
        self.kind = DeviceKind(
            name, guid, tuple(map(str.title, CONTROLS)), written_profile(), by_itself=False
        )
        self._reading: Reading | None = None

    def write(self, axes: Sequence[float], buttons: Sequence[bool], now_s: float) -> None:
        """Say where everything is now. The latest counts."""
        self._reading = Reading(tuple(axes), tuple(buttons), now_s)

    def poll(self, now_s: float) -> Reading | None:
        reading = self._reading
        if reading is None or now_s - reading.read_s > GONE_S:
            return None
        return reading

    def close(self) -> None:
        self._reading = None


def parse_message(data: bytes | str) -> tuple[tuple[float, ...], tuple[bool, ...]]:
    """Axes and buttons of a message: {"axes": [roll, pitch, yaw, throttle], "buttons": [0, 1]}.

    Axes are from -1 to 1, 4 to 16 of them; buttons may be left out. Raises FormatError.
    """
    found = parse_json(data, LARGEST_MESSAGE)
    if not isinstance(found, dict):
        raise FormatError("it must be a JSON object")
    axes, buttons = found.get("axes"), found.get("buttons", [])
    if not isinstance(axes, list) or not len(CONTROLS) <= len(axes) <= MOST_AXES:
        raise FormatError(f"axes must be a list of {len(CONTROLS)} to {MOST_AXES} numbers")
    if not isinstance(buttons, list) or len(buttons) > MOST_BUTTONS:
        raise FormatError(f"buttons must be a list of at most {MOST_BUTTONS}")
    if not all(isinstance(button, bool | int) for button in buttons):
        raise FormatError("buttons must be 0 or 1")
    return tuple(map(_axis, axes)), tuple(map(bool, buttons))


def _axis(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not -1.0 <= value <= 1.0:
        raise FormatError("axes must be numbers from -1 to 1")
    return float(value)
