"""Motor pairing: which output of a mixer is which motor of a frame."""

from collections.abc import Mapping
from dataclasses import dataclass

from telemetry.configuration.airframe.airframe import Airframe, AirframeChannel
from telemetry.configuration.airframe.mixer import Mixer, MixerChannel

Pair = tuple[AirframeChannel, MixerChannel]


@dataclass(frozen=True, slots=True)
class Match:
    """The outputs, by the name of the frame's motor, on which a mixer fits its frame."""

    outputs: Mapping[str, int]
    propellers_reversed: bool


def pair_motors(mixer: Mixer, frame: Airframe, outputs: Mapping[str, int]) -> tuple[Pair, ...]:
    """The frame's motors with theirs: by `outputs`, else by name, else in order of the outputs.

    Both have as many. A motor whose output has none is left out.
    """
    motors = mixer.motors
    names = {channel.name for channel in frame.motors}
    if outputs:
        on = {channel.output: channel for channel in motors}
        found = {name: on.get(output) for name, output in outputs.items()}
    elif {channel.name for channel in motors} == names:
        found = {channel.name: channel for channel in motors}
    else:
        in_order = zip(frame.motors, sorted(motors, key=lambda c: c.output), strict=True)
        found = {channel.name: motor for channel, motor in in_order}
    pairs = ((channel, found.get(channel.name)) for channel in frame.motors)
    return tuple((channel, motor) for channel, motor in pairs if motor is not None)


def matching_outputs(mixer: Mixer, frame: Airframe) -> Match | None:
    """The order of outputs in which every weight of the mixer has the frame's sign, or None.

    The signs of roll, pitch and yaw tell all motors of any frame apart, but not a mixer with a
    flipped axis from one whose motors are plugged in elsewhere: only the user knows that.
    """
    motors = mixer.motors
    for turned in (1, -1):
        by_signs = {_signs(channel.vector[2:5], turned): channel.output for channel in motors}
        wanted = {channel.name: _signs(channel.mix[2:5], 1) for channel in frame.motors}
        if len(by_signs) == len(motors) and set(wanted.values()) == set(by_signs):
            outputs = {name: by_signs[signs] for name, signs in wanted.items()}
            return Match(outputs, turned < 0)
    return None


def sign(value: int) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)


def _signs(weights: tuple[int, ...], turned: int) -> tuple[int, int, int]:
    roll, pitch, yaw = weights
    return sign(roll), sign(pitch), sign(yaw) * turned
