"""Arguments of a robot's methods: checked before anything is asked for, and refused by name."""

import math
from numbers import Real
from typing import Final

from telemetry.flying.manoeuvres.nose import KEPT, Facing, Heading, Nose, TurnRate
from telemetry.flying.robot.errors import RobotError

_UNITS: Final = {
    "_mps": "m/s",
    "_degps": "degrees per second",
    "_deg": "degrees",
    "_m": "metres",
    "_s": "seconds",
    "seconds": "seconds",
    "heading": "degrees",
}
Looking = float | tuple[float, float]
"""Degrees clockwise from north, or a place to look at: metres north and east of home."""


def check_numbers(**arguments: object) -> None:
    """Raise RobotError for an argument that is no finite number."""
    for name, value in arguments.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            unit = next(
                (unit for end, unit in _UNITS.items() if name.partition(" ")[0].endswith(end)), ""
            )
            of_unit = f" of {unit}" if unit else ""
            raise RobotError(f"{name} has to be a number{of_unit}; it is {value!r}.")


def check_positive(**arguments: object) -> None:
    """The same, and for one that is not above 0."""
    check_numbers(**arguments)
    for name, value in arguments.items():
        if isinstance(value, Real) and value <= 0.0:
            raise RobotError(f"{name} has to be above 0; it is {value!r}.")


def check_place(name: str, value: object, numbers: int = 2) -> None:
    """Raise RobotError for an argument that is not so many numbers: north, east, height."""
    parts = ("north_m", "east_m", "height_m")[:numbers]
    if not isinstance(value, tuple | list) or len(value) != numbers:
        raise RobotError(f"{name} has to be a place ({', '.join(parts)}); it is {value!r}.")
    for part, number in zip(parts, value, strict=True):
        check_numbers(**{f"{part} of {name}": number})


def nose_of(heading: Looking | None, turn_degps: float = 0.0) -> Nose:
    """Where the nose shall look. Raises RobotError."""
    check_numbers(turn_degps=turn_degps)
    if heading is not None and turn_degps:
        raise RobotError("turn_degps and heading do not go together. Leave one of them out.")
    if isinstance(heading, tuple | list):
        check_place("heading", heading)
        return Facing(*heading)
    if heading is not None:
        check_numbers(heading=heading)
        return Heading(heading)
    return TurnRate(turn_degps) if turn_degps else KEPT
