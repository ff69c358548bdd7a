"""Messages with stick positions, as programs send them by UDP or print them."""

import math
from typing import Any, Final

from telemetry.base.text_formats import FormatError, parse_json
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS

MOST_AXES: Final = 16
MOST_BUTTONS: Final = 64
LARGEST_MESSAGE: Final = 1500
"""Bytes; what fits into one packet."""


def parse_message(data: bytes | str) -> tuple[tuple[float, ...], tuple[bool, ...]]:
    """Axes and buttons of a message: {"axes": [roll, pitch, yaw, throttle], "buttons": [0, 1]}.

    Axes are from -1 to 1, 4 to 16 of them; buttons may be left out. Raises FormatError.
    """
    found = parse_json(data, LARGEST_MESSAGE)
    if not isinstance(found, dict):
        raise FormatError("it must be a JSON object")
    axes, buttons = found.get("axes"), found.get("buttons", [])
    if not isinstance(axes, list) or not len(STICK_CONTROLS) <= len(axes) <= MOST_AXES:
        raise FormatError(f"axes must be a list of {len(STICK_CONTROLS)} to {MOST_AXES} numbers")
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
