"""Mixer preview: what the firmware's mixer makes of the sticks, without a board."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from telemetry.configuration.airframe.airframe import (
    FIXED_WING,
    MOTOR,
    MULTIROTOR,
    REVERSABLE_MOTOR,
    SERVO,
)
from telemetry.configuration.airframe.curves import curve_value
from telemetry.configuration.airframe.mixer import Curves, Mixer, MixerChannel

DIVISOR: Final = 128.0
"""What the firmware divides a sum of weights by; a weight of 127 is a little less than all."""

Array = npt.NDArray[np.float64]


class StickInputs(NamedTuple):
    """What is asked for: throttle 0 to 1 (reversible ones from -1), the others -1 to 1."""

    throttle: float = 0.0
    collective: float = 0.0
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0


@dataclass(frozen=True, slots=True)
class Ends:
    """The pulses of each output in microseconds. Minimum above maximum turns an output round."""

    minimum: tuple[float, ...]
    neutral: tuple[float, ...]
    maximum: tuple[float, ...]


def outputs(mixer: Mixer, curves: Curves, sticks: StickInputs, family: str = MULTIROTOR) -> Array:
    """Each output from -1 to 1 (`mixer.size` values) of an armed aircraft of that family.

    Motors go from 0 to 1, and stand while the throttle is at zero. All are moved together until
    the weakest is not below zero, or the strongest not above full as far as the weakest has room
    for it, and where they are further apart than that, drawn together: turning moments stay while
    their room lasts, and what it lasts for goes before thrust. Outputs that do not come from the
    sticks are 0.
    """
    curve1 = curve_value(curves.curve1, sticks.throttle)
    curve2 = curve_value(curves.curve2, _source(curves.curve2_source, sticks))
    mixed = np.zeros(mixer.size)
    motors: list[int] = []
    for channel in mixer.channels:
        index = channel.output - 1
        if channel.type == MOTOR:
            motors.append(index)
            low = curve2 if family == MULTIROTOR else max(curve2, 0.0)
            mixed[index] = _sum(channel, (max(curve1, 0.0), low), sticks, 1.0)
        elif channel.type == SERVO or (channel.type == REVERSABLE_MOTOR and sticks.throttle):
            part = _differential(channel, curves, sticks.roll) if family == FIXED_WING else 1.0
            mixed[index] = _sum(channel, (curve1, curve2), sticks, part)
    if motors:
        mixed[motors] = _motor_values(mixed[motors], sticks.throttle, family)
    return np.clip(mixed, -1.0, 1.0)


def pulses(mixer: Mixer, values: Array, ends: Ends, motors_run: bool = True) -> Array:
    """The pulse (microseconds) of each output for values of `outputs`.

    A running motor goes from neutral, its slowest, to maximum; one that does not run, and an
    output without a channel, is at minimum. Everything else goes about neutral to both ends. Parts
    of a microsecond are cut off, as scaleChannel and scaleMotorMoveAndCompress of actuator.c do.
    """
    found = np.array(ends.minimum[: mixer.size], dtype=np.float64)
    for channel in mixer.channels:
        index = channel.output - 1
        if motors_run or channel.type != MOTOR:
            found[index] = _pulse(float(values[index]), ends, index, channel.type == MOTOR)
    return found


def read_ends(values: dict[str, Any]) -> Ends:
    """The ends in the values of an ActuatorSettings."""
    names = ("ChannelMin", "ChannelNeutral", "ChannelMax")
    return Ends(*(tuple(float(pulse) for pulse in values[name]) for name in names))


def _source(name: str, sticks: StickInputs) -> float:
    """The stick that moves the second curve; accessories are not among them and rest."""
    return float(getattr(sticks, name.lower(), 0.0))


def _sum(
    channel: MixerChannel, curves: tuple[float, float], sticks: StickInputs, roll_part: float
) -> float:
    asked = (*curves, sticks.roll * roll_part, sticks.pitch, sticks.yaw)
    return sum(w * a for w, a in zip(channel.vector, asked, strict=False)) / DIVISOR


def _differential(channel: MixerChannel, curves: Curves, roll: float) -> float:
    """The part of roll an aileron gets: one of the two moves less, by sign of the setting."""
    percent = curves.roll_differential
    if curves.first_roll_servo <= 0 or not percent or not channel.weight("Roll"):
        return 1.0
    is_first = channel.output == curves.first_roll_servo
    moves_less = roll > 0.0 if is_first == (percent > 0) else roll < 0.0
    return 1.0 - abs(percent) / 100 if moves_less else 1.0


def _motor_values(mixed: Array, throttle: float, family: str) -> Array:
    """The rule of scaleMotorMoveAndCompress in LibrePilot's actuator.c; on other craft than
    multirotors none is below zero before."""
    if throttle <= 0.0:
        return np.zeros_like(mixed)
    if family != MULTIROTOR:
        mixed = np.maximum(mixed, 0.0)
    highest, lowest = float(mixed.max()), float(mixed.min())
    moved = 0.0
    if lowest <= 0.0:
        moved = -lowest
    elif highest > 1.0:
        moved = -min(highest - 1.0, lowest)
    values: Array = (mixed + moved) / max(highest - lowest, 1.0)
    return values


def _pulse(value: float, ends: Ends, index: int, is_motor: bool) -> float:
    neutral, high = ends.neutral[index], ends.maximum[index]
    low = neutral if is_motor else ends.minimum[index]
    reach = high - neutral if value >= 0.0 else neutral - low
    pulse = int(neutral + value * reach) if is_motor else neutral + int(value * reach)
    return float(np.clip(pulse, min(low, high), max(low, high)))
