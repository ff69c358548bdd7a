"""Mixer: what each output drives and with which weights; to and from MixerSettings."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from telemetry.configuration.airframe.airframe import (
    ELEMENTS,
    MOTOR,
    REVERSABLE_MOTOR,
    SERVO,
    Airframe,
    AirframeError,
    Levels,
)
from telemetry.protocol.objects.definition import FieldType, ObjectDefinition

OUTPUTS: Final = 12
"""How many outputs the newest firmware mixes."""
FULL_WEIGHT: Final = 127
"""The weight that stands for all of something, in 8 bits."""
_WIDE_FULL_WEIGHT: Final = 128
"""The same where vectors have 16 bits (dRonin)."""
DISABLED: Final = "Disabled"
_TYPE_FIELD = re.compile(r"Mixer(\d+)Type")
_LEVELS: Final = ("MixerValueRoll", "MixerValuePitch", "MixerValueYaw")


@dataclass(frozen=True, slots=True)
class MixerChannel:
    """One output, numbered from 1. `name` is that of the frame's channel, empty if not known.

    `vector` holds the weights of ELEMENTS and whatever elements a firmware has after them.
    """

    output: int
    type: str
    vector: tuple[int, ...] = (0,) * len(ELEMENTS)
    name: str = ""

    @property
    def is_motor(self) -> bool:
        """Whether it turns a motor."""
        return self.type in (MOTOR, REVERSABLE_MOTOR)

    @property
    def is_mixed(self) -> bool:
        """Whether the frame's vectors drive it, rather than a gimbal or a knob."""
        return self.is_motor or self.type == SERVO

    def weight(self, element: str) -> int:
        """The weight of one of ELEMENTS."""
        return self.vector[ELEMENTS.index(element)]


@dataclass(frozen=True, slots=True)
class Mixer:
    """The channels that drive something, `size` outputs, and the weight that means all."""

    channels: tuple[MixerChannel, ...] = ()
    size: int = OUTPUTS
    full_weight: int = FULL_WEIGHT

    @property
    def motors(self) -> tuple[MixerChannel, ...]:
        """The channels with a motor."""
        return tuple(channel for channel in self.channels if channel.is_motor)

    def at(self, output: int) -> MixerChannel | None:
        """The first channel on that output, if any."""
        return next((channel for channel in self.channels if channel.output == output), None)


@dataclass(frozen=True, slots=True)
class Curves:
    """The two throttle curves, five points each, and which stick moves the second."""

    curve1: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    curve2: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    curve2_source: str = "Throttle"
    roll_differential: int = 0
    first_roll_servo: int = 0

    @classmethod
    def of_frame(cls, frame: Airframe) -> "Curves":
        """Those a frame is shipped with."""
        return cls(frame.curve1, frame.curve2)


def read_mixer(values: Mapping[str, Any], definition: ObjectDefinition | None = None) -> Mixer:
    """The mixer in the values of a MixerSettings, of any release.

    Keys are field names, values as of `read_value`. The definition tells apart releases whose
    weights go to 127 and to 128; without one they go to 127.
    """
    numbers = sorted(int(found[1]) for found in map(_TYPE_FIELD.fullmatch, values) if found)
    channels = tuple(
        MixerChannel(number, str(values[f"Mixer{number}Type"]), _vector(values, number))
        for number in numbers
        if values[f"Mixer{number}Type"] != DISABLED
    )
    full = _full_weight(definition) if definition else FULL_WEIGHT
    return Mixer(channels, max(numbers, default=OUTPUTS), full)


def read_curves(values: Mapping[str, Any]) -> Curves:
    """The curves in the values of a MixerSettings; what a release lacks stays at its default."""
    usual = Curves()
    return Curves(
        tuple(values.get("ThrottleCurve1", usual.curve1)),
        tuple(values.get("ThrottleCurve2", usual.curve2)),
        str(values.get("Curve2Source", usual.curve2_source)),
        int(values.get("RollDifferential", 0)),
        int(values.get("FirstRollServo", 0)),
    )


def read_levels(values: Mapping[str, Any]) -> Levels | None:
    """The mix levels a station has left in a MixerSettings; None where the release has none.

    A negative yaw level says that all propellers turn the other way (see `write_levels`).
    """
    if not all(name in values for name in _LEVELS):
        return None
    return Levels(*(int(values[name]) for name in _LEVELS))


def write_mixer(mixer: Mixer, definition: ObjectDefinition) -> dict[str, Any]:
    """The field values of a MixerSettings with that mixer: every output of that release.

    Raises AirframeError for outputs or types this firmware lacks, and for two channels on one.
    """
    size = mixer_size(definition)
    for channel in mixer.channels:
        if mixer.at(channel.output) != channel:
            raise AirframeError(
                f"Output {channel.output} is used twice; give each motor and servo its own."
            )
        if not 1 <= channel.output <= size:
            raise AirframeError(
                f"This firmware has no output {channel.output}; use 1 to {size} instead."
            )
    values: dict[str, Any] = {}
    for number in range(1, size + 1):
        wanted = mixer.at(number) or MixerChannel(number, DISABLED)
        values |= _written(wanted, definition)
    return values


def write_curves(curves: Curves, definition: ObjectDefinition) -> dict[str, Any]:
    """The field values of the curves, as far as that release has the fields."""
    values = {
        "ThrottleCurve1": curves.curve1,
        "ThrottleCurve2": curves.curve2,
        "Curve2Source": curves.curve2_source,
        "RollDifferential": curves.roll_differential,
        "FirstRollServo": curves.first_roll_servo,
    }
    return {name: value for name, value in values.items() if definition.has_field(name)}


def write_levels(
    levels: Levels, definition: ObjectDefinition, *, propellers_reversed: bool = False
) -> dict[str, Any]:
    """The field values in which stations remember the mix levels, where the release has them.

    LibrePilot's station stores the yaw level negative where all propellers turn the other way,
    and ticks *reverse* by that sign (its configmultirotorwidget.cpp).
    """
    stored = levels._replace(yaw=-levels.yaw) if propellers_reversed else levels
    return {n: v for n, v in zip(_LEVELS, stored, strict=True) if definition.has_field(n)}


def mixer_size(definition: ObjectDefinition) -> int:
    """How many outputs the mixer of that release has."""
    return sum(bool(_TYPE_FIELD.fullmatch(f.name)) for f in definition.fields)


def _full_weight(definition: ObjectDefinition) -> int:
    narrow = definition.field_named("Mixer1Vector").type is FieldType.INT8
    return FULL_WEIGHT if narrow else _WIDE_FULL_WEIGHT


def _vector(values: Mapping[str, Any], number: int) -> tuple[int, ...]:
    vector = tuple(int(weight) for weight in values[f"Mixer{number}Vector"])
    if len(vector) < len(ELEMENTS):
        raise AirframeError(
            f"Mixer{number}Vector has {len(vector)} elements, not {len(ELEMENTS)}; "
            "read it from the board again."
        )
    return vector


def _written(channel: MixerChannel, definition: ObjectDefinition) -> dict[str, Any]:
    name, vector = f"Mixer{channel.output}Type", f"Mixer{channel.output}Vector"
    types = definition.field_named(name).options
    if channel.type not in types:
        raise AirframeError(
            f"This firmware's outputs cannot be {channel.type}; choose one of {', '.join(types)}."
        )
    elements = definition.field_named(vector).elements
    padded = (channel.vector + (0,) * elements)[:elements]
    return {name: channel.type, vector: padded}
