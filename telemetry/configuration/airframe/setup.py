"""Airframe set-up: an aircraft's build as far as its mixer depends on it; from and to a mixer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from telemetry.configuration.airframe.airframe import (
    AXES,
    CUSTOM,
    HELICOPTER,
    MULTIROTOR,
    SERVO,
    Airframe,
    Levels,
    all_airframes,
)
from telemetry.configuration.airframe.banks import bank_of, default_outputs
from telemetry.configuration.airframe.helicopter import SwashPlate, swash_types
from telemetry.configuration.airframe.mixer import Mixer, MixerChannel
from telemetry.configuration.airframe.mixer_generation import Options, generate
from telemetry.configuration.airframe.motor_pairing import sign

ROLL_SERVOS: Final = ("Aileron1", "Elevon1")
"""What the roll differential counts as the first, where a frame has it."""


@dataclass(frozen=True, slots=True)
class AirframeSetup:
    """A frame with its choices.

    `outputs` gives the output of each channel by name, without those that have none. `is_linked`:
    the cyclic of a helicopter is what its collective leaves; its levels do not count then.
    """

    frame: Airframe
    levels: Levels
    outputs: Mapping[str, int] = field(default_factory=dict)
    reversed: bool = False
    swash_plate: SwashPlate = field(default_factory=SwashPlate)
    is_linked: bool = True

    @property
    def channels(self) -> tuple[MixerChannel, ...]:
        """What the frame has to put on outputs, numbered from 1 in its order."""
        if self.frame.family == CUSTOM:
            return ()
        return generate(self.frame, self._levels, Options(swash_plate=self.swash_plate)).channels

    @property
    def first_roll_servo(self) -> int:
        """The output that the roll differential counts as the first; 0 for none."""
        return next((self.outputs[name] for name in ROLL_SERVOS if name in self.outputs), 0)

    def generated(self, on_board: Mixer) -> Mixer:
        """The mixer of the frame, in the size and with the other outputs of the one on board."""
        names = {channel.name for channel in self.channels}
        outputs = {n: o for n, o in self.outputs.items() if n in names and o <= on_board.size}
        if self.frame.family == CUSTOM:
            return on_board
        if not outputs:
            kept = tuple(channel for channel in on_board.channels if not channel.is_mixed)
            return replace(on_board, channels=kept)
        options = Options(self.reversed, outputs, on_board, self.swash_plate)
        return generate(self.frame, self._levels, options)

    @property
    def _levels(self) -> Levels | None:
        return None if self.frame.family == HELICOPTER and self.is_linked else self.levels


def read_setup(
    frame: Airframe,
    mixer: Mixer,
    levels: Levels | None = None,
    recalled: Mapping[str, int] | None = None,
    board: int = 0,
) -> AirframeSetup:
    """How the aircraft seems to be built. What a station left on board about it goes first.

    A mixer cannot tell a flipped axis from motors on other outputs, so without `recalled` the
    motors of a multirotor are taken to follow the order of the frame. `levels` are those a
    station has left, with a negative yaw where all propellers turn the other way; that counts
    where the mixer does not tell, as in a tricopter.
    """
    is_marked = levels is not None and levels.yaw < 0
    if levels is not None:
        levels = levels._replace(yaw=abs(levels.yaw))
    plate = _fitting_plate(mixer) if frame.family == HELICOPTER else SwashPlate()
    known = levels if levels is not None and _are_levels(levels) else _levels_in(frame, mixer)
    setup = AirframeSetup(frame, known, swash_plate=plate)
    if frame.family == HELICOPTER:
        left = 100 - plate.share
        setup = replace(setup, is_linked=levels is None or known[:2] == (left, left))
    setup = replace(setup, outputs=_outputs_in(setup, mixer, recalled or {}, board))
    found = _is_reversed(setup, mixer)
    return replace(setup, reversed=is_marked if found is None else found)


def usual_setup(
    frame: Airframe,
    before: AirframeSetup | None = None,
    levels: Levels | None = None,
    board: int = 0,
) -> AirframeSetup:
    """A frame as it is shipped; motors stay on the outputs they were on if there are as many.

    `board` (0x0903, ...) says which outputs share a bank; 0: not known.
    """
    setup = AirframeSetup(frame, levels or frame.levels)
    outputs = usual_outputs(setup.channels, board)
    if before is not None and before.frame.family == frame.family == MULTIROTOR:
        were = [before.outputs.get(channel.name) for channel in before.channels]
        is_alike = [c.type for c in before.channels] == [c.type for c in setup.channels]
        if is_alike and len(set(were)) == len(were) and None not in were:
            outputs = dict(zip(outputs, (output for output in were if output), strict=True))
    return replace(setup, outputs=outputs)


def usual_outputs(channels: Sequence[MixerChannel], board: int) -> dict[str, int]:
    """The outputs that motors and servos are put on, by name, as long as nobody chose others."""
    names = (channel.name for channel in channels)
    kinds = [channel.is_motor for channel in channels]
    return dict(zip(names, default_outputs(kinds, board), strict=True))


def completed_outputs(setup: AirframeSetup, mixer: Mixer, board: int = 0) -> dict[str, int]:
    """The outputs of a setup, with free ones for channels which have none: the usual ones where
    nothing is on any output, else the lowest in a bank without the other kind, else the lowest."""
    found = dict(setup.outputs)
    if not found and not mixer.channels:
        found = usual_outputs(setup.channels, board)
    kinds = {c.output: c.is_motor for c in mixer.channels}
    kinds |= {found[c.name]: c.is_motor for c in setup.channels if c.name in found}
    for channel in setup.channels:
        free = [output for output in range(1, mixer.size + 1) if output not in kinds]
        if channel.name not in found and free:
            apart = (o for o in free if not _shares_bank(o, channel.is_motor, kinds, board))
            found[channel.name] = output = next(apart, free[0])
            kinds[output] = channel.is_motor
    return {c.name: found[c.name] for c in setup.channels if c.name in found}


def _shares_bank(output: int, is_motor: bool, kinds: Mapping[int, bool], board: int) -> bool:
    """Whether the other kind is in the bank of an output."""
    bank = bank_of(output, board)
    others = (other for other, kind in kinds.items() if kind != is_motor)
    return bank is not None and any(bank_of(other, board) == bank for other in others)


def _are_levels(levels: Levels) -> bool:
    return all(0 <= level <= 100 for level in levels)


def _levels_in(frame: Airframe, mixer: Mixer) -> Levels:
    """The levels that would give the largest weights of a mixer."""
    levels = dict(zip(AXES, frame.levels, strict=True))
    for axis in frame.scaled:
        largest = max((abs(c.weight(axis)) for c in mixer.channels if c.is_mixed), default=0)
        most = max((abs(c.mix[2 + AXES.index(axis)]) for c in frame.channels), default=0)
        if largest and most:
            levels[axis] = min(100, largest * 10_000 // (mixer.full_weight * most))
    return Levels(*(levels[axis] for axis in AXES))


def _outputs_in(
    setup: AirframeSetup, mixer: Mixer, recalled: Mapping[str, int], board: int
) -> dict[str, int]:
    """Recalled, else found in the mixer, else the lowest that are free, unless it may lack them.

    What is recalled of another frame lacks motors that the mixer has.
    """
    is_whole = all(channel.name in recalled for channel in setup.frame.motors)
    if not is_whole and len(mixer.motors) == len(setup.frame.motors):
        recalled = {}
    found = {name: output for name, output in recalled.items() if output <= mixer.size}
    left = [c for c in mixer.channels if c.is_mixed and c.output not in found.values()]
    is_in_order = setup.frame.family == MULTIROTOR
    for channel in setup.channels:
        alike = [c for c in left if _is_alike(c, channel, by_type=is_in_order)]
        if channel.name not in found and alike:
            found[channel.name] = alike[0].output
            left.remove(alike[0])
    setup = replace(setup, outputs=found)
    if setup.frame.can_lack_channels and any(c.is_mixed for c in mixer.channels):
        return {c.name: found[c.name] for c in setup.channels if c.name in found}
    return completed_outputs(setup, mixer, board)


def _is_alike(channel: MixerChannel, wanted: MixerChannel, *, by_type: bool) -> bool:
    if channel.type != wanted.type:
        return False
    ours, theirs = channel.vector[:5], wanted.vector[:5]
    return by_type or list(map(sign, ours)) == list(map(sign, theirs))


def _is_reversed(setup: AirframeSetup, mixer: Mixer) -> bool | None:
    """Whether every motor yaws against what the frame asks for; None if none yaws."""
    if setup.frame.family != MULTIROTOR:
        return False
    asked = setup.generated(mixer).channels
    pairs = [(c.weight("Yaw"), mixer.at(c.output)) for c in asked if c.is_motor]
    signs = [sign(yaw) * sign(there.weight("Yaw")) for yaw, there in pairs if there and yaw]
    return set(signs) == {-1} if any(signs) else None


def _fitting_plate(mixer: Mixer) -> SwashPlate:
    """The swash plate that would give the servos in the mixer, or their signs; else the usual."""
    servos = _swash_servos(mixer.channels)
    is_coaxial = len(mixer.motors) > 1
    share = max((abs(c.weight("ThrottleCurve2")) for c in servos), default=0)
    collective = min(100, -(-share * 100 // mixer.full_weight))
    kinds = [
        k for k in swash_types() if k.coaxial == is_coaxial and bool(k.collective) == bool(share)
    ]
    plates = [SwashPlate(kind.name, collective=collective) for kind in kinds]
    heli = next(frame for frame in all_airframes() if frame.family == HELICOPTER)
    for exactly in (True, False):
        shape = [_shape(channel, exactly=exactly) for channel in servos]
        for plate in plates if servos else ():
            asked = _swash_servos(AirframeSetup(heli, heli.levels, swash_plate=plate).channels)
            if [_shape(channel, exactly=exactly) for channel in asked] == shape:
                return plate
    return SwashPlate()


def _swash_servos(channels: Iterable[MixerChannel]) -> list[MixerChannel]:
    return [c for c in channels if c.type == SERVO and not c.weight("Yaw")]


def _shape(channel: MixerChannel, *, exactly: bool) -> tuple[int, int]:
    roll, pitch = channel.weight("Roll"), channel.weight("Pitch")
    return (roll, pitch) if exactly else (sign(roll), sign(pitch))
