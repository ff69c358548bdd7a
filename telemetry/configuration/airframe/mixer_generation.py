"""Mixer generation: from a frame to its mixer, in the figures of the family's vehicle page."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from telemetry.configuration.airframe.airframe import (
    AXES,
    CUSTOM,
    ELEMENTS,
    HELICOPTER,
    MOTOR,
    MULTIROTOR,
    Airframe,
    AirframeError,
    Levels,
)
from telemetry.configuration.airframe.helicopter import SwashPlate, swash_channels
from telemetry.configuration.airframe.mixer import Mixer, MixerChannel

_MOST_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Options:
    """What besides frame and levels goes into a mixer.

    `reversed`: all propellers of a multirotor turn the other way. `outputs` gives the output
    (from 1) of each of the frame's channels by name; a name that is missing is left out, and
    without any they follow each other from 1. `on_board` is the mixer which stands there now:
    its size and scale are kept, and its gimbal and accessory outputs where the frame leaves
    them free; a frame without channels of its own keeps all of it.
    """

    reversed: bool = False
    outputs: Mapping[str, int] = field(default_factory=dict)
    on_board: Mixer = field(default_factory=Mixer)
    swash_plate: SwashPlate = field(default_factory=SwashPlate)


def generate(
    frame: Airframe, levels: Levels | None = None, options: Options | None = None
) -> Mixer:
    """The mixer of a frame at these levels, or at those it is shipped with.

    Raises AirframeError for levels outside 0 to 100 %, a channel the frame does not have and an
    output the mixer does not have. Two channels on one output are left for the check to find.
    """
    options = options or Options()
    if frame.family == CUSTOM:
        return options.on_board
    full = options.on_board.full_weight
    if frame.family == HELICOPTER:
        if levels is not None:
            check_levels(levels)
        plain = swash_channels(frame, levels, options.swash_plate, full)
    else:
        plain = _scaled_channels(frame, check_levels(levels or frame.levels), full)
    if options.reversed and frame.family == MULTIROTOR:
        plain = tuple(_reversed(channel) for channel in plain)
    assigned = _assigned(frame, plain, options)
    used = {channel.output for channel in assigned}
    kept = tuple(c for c in options.on_board.channels if not c.is_mixed and c.output not in used)
    channels = sorted((*assigned, *kept), key=lambda channel: channel.output)
    return replace(options.on_board, channels=tuple(channels))


def check_levels(levels: Levels) -> Levels:
    """The levels themselves; raise AirframeError unless each is a whole percent from 0 to 100."""
    for axis, level in zip(AXES, levels, strict=True):
        if not (isinstance(level, int) and 0 <= level <= _MOST_PERCENT):
            raise AirframeError(
                f"{level} is no mix level for {axis.lower()}; give whole percent from 0 to 100."
            )
    return levels


def _scaled_channels(frame: Airframe, levels: Levels, full: int) -> tuple[MixerChannel, ...]:
    level_of = dict(zip(AXES, levels, strict=True))
    share = [level_of[e] if e in frame.scaled else _MOST_PERCENT for e in ELEMENTS]
    return tuple(
        MixerChannel(
            number,
            channel.type,
            tuple(_weight(m, s, full) for m, s in zip(channel.mix, share, strict=True)),
            channel.name,
        )
        for number, channel in enumerate(frame.channels, 1)
    )


def _weight(mix_percent: int, level_percent: int, full: int) -> int:
    """Rounded away from zero, in whole numbers: 50 % of 127 are 64, 71 % are 91."""
    hundredths = abs(mix_percent) * level_percent * full
    size = -(-hundredths // (_MOST_PERCENT * _MOST_PERCENT))
    return size if mix_percent > 0 else -size


def _reversed(channel: MixerChannel) -> MixerChannel:
    if channel.type != MOTOR:
        return channel
    *others, yaw = channel.vector
    return replace(channel, vector=(*others, -yaw))


def _assigned(
    frame: Airframe, channels: tuple[MixerChannel, ...], options: Options
) -> tuple[MixerChannel, ...]:
    known = {channel.name: channel.output for channel in channels}
    wanted = options.outputs or known
    for name, output in wanted.items():
        if name not in known:
            raise AirframeError(
                f"{frame.name} has no channel '{name}'; it has: {', '.join(sorted(known))}."
            )
        if not 1 <= output <= options.on_board.size:
            raise AirframeError(
                f"{name} cannot be on output {output}; this board has 1 to {options.on_board.size}."
            )
    return tuple(replace(c, output=wanted[c.name]) for c in channels if c.name in wanted)
