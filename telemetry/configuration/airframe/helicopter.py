"""Helicopter swash plates: from the angles of their servos to mixer vectors."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from telemetry.configuration.airframe.airframe import (
    HELICOPTER,
    MOTOR,
    SERVO,
    Airframe,
    AirframeError,
    Levels,
    load_family,
)
from telemetry.configuration.airframe.mixer import MixerChannel

DEFAULT_SWASH_TYPE: Final = "CCPM 3 Servo 120"
_SERVO_NAMES: Final = ("ServoW", "ServoX", "ServoY", "ServoZ")
_DIGITS: Final = 9
"""A sine is exact to far more; so that of 30 degrees is a half before it is truncated."""


@dataclass(frozen=True, slots=True)
class SwashType:
    """A kind of swash plate: the angles of its servos from the front, degrees clockwise."""

    name: str
    angles_deg: tuple[float, ...]
    collective: int
    coaxial: bool = False


@dataclass(frozen=True, slots=True)
class SwashPlate:
    """A swash plate as it is built in.

    `angles_deg` replaces those of its type, for a custom one. `collective` is the share (%) of
    collective pitch in its servos; None is that of its type (50, or 0 without collective).
    """

    type: str = DEFAULT_SWASH_TYPE
    angles_deg: tuple[float, ...] = ()
    correction_deg: float = 0.0
    collective: int | None = None

    @property
    def share(self) -> int:
        """The share (%) of collective pitch, as said or that of its type."""
        said = self.collective
        return swash_type_named(self.type).collective if said is None else said


@cache
def swash_types() -> tuple[SwashType, ...]:
    """The kinds there are."""
    return tuple(_swash_type(entry) for entry in load_family(HELICOPTER)["swash_plates"])


def swash_type_named(name: str) -> SwashType:
    """The kind of that name; raise AirframeError naming those that exist."""
    for kind in swash_types():
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in swash_types())
    raise AirframeError(f"There is no swash plate '{name}'; there are: {known}.")


def swash_channels(
    frame: Airframe, levels: Levels | None, plate: SwashPlate, full: int
) -> tuple[MixerChannel, ...]:
    """Engine and tail, or the two rotors of a coaxial one, and the servos of the plate.

    `levels` are the cyclic shares of roll and pitch; without any, cyclic and collective are
    linked: together they are 100 %. Raises AirframeError for what no plate can be.
    """
    kind = swash_type_named(plate.type)
    angles = plate.angles_deg or kind.angles_deg
    collective = plate.share
    _check(angles, plate.correction_deg, collective)
    roll, pitch = levels[:2] if levels else (100 - collective, 100 - collective)
    rows = _rotors(frame, kind, full)
    for name, angle in zip(_SERVO_NAMES, angles, strict=False):
        vector = _servo(angle, plate.correction_deg, (collective, roll, pitch), full)
        rows.append((SERVO, vector, name))
    return tuple(MixerChannel(n, *row) for n, row in enumerate(rows, 1))


def _rotors(frame: Airframe, kind: SwashType, full: int) -> list[tuple[str, tuple[int, ...], str]]:
    if kind.coaxial:
        return [
            (MOTOR, (full, 0, 0, 0, -full), "RotorCW"),
            (MOTOR, (full, 0, 0, 0, full), "RotorCCW"),
        ]
    return [(c.type, tuple(m * full // 100 for m in c.mix), c.name) for c in frame.channels]


def _servo(
    angle_deg: float, correction_deg: float, shares: tuple[int, int, int], full: int
) -> tuple[int, ...]:
    """Truncated towards zero, as LibrePilot's station does (its configccpmwidget.cpp)."""
    collective, roll, pitch = shares
    turned = math.radians(correction_deg + angle_deg)
    return (
        0,
        full * collective // 100,
        _truncated(-full * roll / 100 * math.sin(turned)),
        _truncated(full * pitch / 100 * math.cos(turned)),
        0,
    )


def _truncated(value: float) -> int:
    return math.trunc(round(value, _DIGITS))


def _check(angles: tuple[float, ...], correction_deg: float, collective: int) -> None:
    if not 1 <= len(angles) <= len(_SERVO_NAMES):
        raise AirframeError(f"A swash plate has 1 to 4 servos, not {len(angles)}; say each angle.")
    if not all(map(math.isfinite, (*angles, correction_deg))):
        raise AirframeError("An angle of the swash plate is no number; give degrees.")
    if not 0 <= collective <= 100:
        raise AirframeError(f"A collective of {collective} % cannot be; give 0 to 100.")


def _swash_type(entry: dict[str, Any]) -> SwashType:
    angles = tuple(float(angle) for angle in entry["angles_deg"])
    return SwashType(entry["name"], angles, entry["collective"], entry.get("coaxial", False))
