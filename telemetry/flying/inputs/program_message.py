"""Messages with stick positions, as programs send them by UDP or print them."""

import math
from dataclasses import dataclass
from typing import Any, Final

from telemetry.base.text_formats import FormatError, parse_json
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS

MOST_AXES: Final = 16
MOST_BUTTONS: Final = 64
LARGEST_MESSAGE: Final = 1500
"""Bytes; what fits into one packet."""
LONGEST_SENDER: Final = 32
"""Characters of the name that a program gives itself."""


@dataclass(frozen=True, slots=True)
class ProgramMessage:
    """What a program said: axes (roll, pitch, yaw, throttle and others, each -1..1), buttons, and
    the name that it gives itself, "" for none."""

    axes: tuple[float, ...]
    buttons: tuple[bool, ...]
    sender: str = ""


def parse_message(data: bytes | str) -> ProgramMessage:
    """A message: {"axes": [roll, pitch, yaw, throttle], "buttons": [0, 1], "sender": "name"}.

    Axes are from -1 to 1, 4 to 16 of them; buttons and sender may be left out. Raises FormatError.
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
    sender = _sender(found["sender"]) if "sender" in found else ""
    return ProgramMessage(tuple(map(_axis, axes)), tuple(map(bool, buttons)), sender)


def _sender(value: Any) -> str:
    """It is shown in labels, which would take "<" for the beginning of markup."""
    is_text = isinstance(value, str) and value.isprintable() and not {"<", ">"} & set(value)
    if not is_text or value != value.strip() or not 1 <= len(value) <= LONGEST_SENDER:
        raise FormatError(
            f"sender must be a text of 1 to {LONGEST_SENDER} characters that can be printed, "
            "without angle brackets and without blanks around it"
        )
    return str(value)


def _axis(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or not -1.0 <= value <= 1.0:
        raise FormatError("axes must be numbers from -1 to 1")
    return float(value)
