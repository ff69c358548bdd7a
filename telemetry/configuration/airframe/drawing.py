"""Airframe drawing: an aircraft's motors and servos at their places, with numbers."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from telemetry.configuration.airframe.airframe import CUSTOM, HELICOPTER, MOTOR, AirframeChannel
from telemetry.configuration.airframe.helicopter import swash_type_named
from telemetry.configuration.airframe.mixer import Mixer
from telemetry.configuration.airframe.setup import AirframeSetup

_SWASH_RADIUS: Final = 0.3
_ROW_OF_SERVOS: Final = -1.7
"""Behind the propellers of whatever flies."""


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """One motor or servo. `place` is (forward, right) in arm lengths, `output` 0 without one.

    `spin` is "cw", "ccw" or "" seen from above; `layer` is "top", "bottom" or "".
    """

    name: str
    is_motor: bool
    place: tuple[float, float]
    output: int
    spin: str = ""
    layer: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A family's body, the frame it belongs to, and the parts on it."""

    family: str
    frame: str
    parts: tuple[DrawnPart, ...]


def drawing_of(setup: AirframeSetup, mixer: Mixer) -> Drawing:
    """The aircraft as it is set up; one without a frame of its own as its mixer works."""
    frame = setup.frame
    if frame.family == CUSTOM:
        return Drawing(frame.family, frame.name, tuple(_parts_of_mixer(mixer)))
    if frame.family == HELICOPTER:
        parts = tuple(_helicopter(setup))
    else:
        turned = setup.reversed
        parts = tuple(_part(channel, setup, turned=turned) for channel in frame.channels)
    return Drawing(frame.family, frame.name, parts)


def _part(channel: AirframeChannel, setup: AirframeSetup, *, turned: bool) -> DrawnPart:
    other = {"cw": "ccw", "ccw": "cw", "": ""}
    spin = channel.spin if setup.frame.family == "multirotor" else ""
    return DrawnPart(
        channel.name,
        channel.is_motor,
        channel.place,
        setup.outputs.get(channel.name, 0),
        other[spin] if turned else spin,
        channel.layer,
    )


def _helicopter(setup: AirframeSetup) -> Iterator[DrawnPart]:
    plate = setup.swash_plate
    angles = iter(plate.angles_deg or swash_type_named(plate.type).angles_deg)
    places = {channel.name: channel.place for channel in setup.frame.channels}
    for channel in setup.channels:
        output = setup.outputs.get(channel.name, 0)
        if channel.name in places:
            place = places[channel.name]
            spin = "cw" if channel.is_motor else ""
            yield DrawnPart(channel.name, channel.is_motor, place, output, spin)
        elif channel.is_motor:
            layer = "top" if channel.weight("Yaw") < 0 else "bottom"
            spin = "cw" if layer == "top" else "ccw"
            yield DrawnPart(channel.name, True, (0.0, 0.0), output, spin, layer)
        else:
            turn = math.radians(next(angles) + plate.correction_deg)
            place = (_SWASH_RADIUS * math.cos(turn), _SWASH_RADIUS * math.sin(turn))
            yield DrawnPart(channel.name, False, place, output)


def _parts_of_mixer(mixer: Mixer) -> Iterator[DrawnPart]:
    """Motors where their weights of roll and pitch would have them, servos in a row behind."""
    mixed = [channel for channel in mixer.channels if channel.is_mixed]
    largest = max(
        (abs(c.weight(axis)) for c in mixed if c.is_motor for axis in ("Roll", "Pitch")), default=0
    )
    servos = [channel for channel in mixed if not channel.is_motor]
    for channel in mixed:
        name, yaw = f"Output {channel.output}", channel.weight("Yaw")
        if channel.is_motor:
            place = (
                channel.weight("Pitch") / (largest or 1),
                -channel.weight("Roll") / (largest or 1),
            )
            is_propeller = channel.type == MOTOR and largest > 0
            spin = ("cw" if yaw < 0 else "ccw" if yaw else "") if is_propeller else ""
            yield DrawnPart(name, True, place, channel.output, spin)
        else:
            across = servos.index(channel) - (len(servos) - 1) / 2
            yield DrawnPart(name, False, (_ROW_OF_SERVOS, 0.4 * across), channel.output)
