"""Full scale check: outputs that are asked for more than they can give.

A full weight gives 127/128 of an output. Multirotors are mixed so that motors can reach beyond
it with sticks, which their firmware evens out; thrust alone must stay within for any of them.
"""

from collections.abc import Iterator

from telemetry.base.finding import Finding, Level
from telemetry.configuration.airframe.airframe import AXES, CUSTOM, MOTOR, MULTIROTOR
from telemetry.configuration.airframe.mixer import Curves, Mixer, MixerChannel

_LARGEST = 128
"""What the firmware divides by: a weight above it is more than all."""


def too_much(mixer: Mixer, curves: Curves, family: str) -> Iterator[Finding]:
    """A finding for each output that would have to go beyond its full scale."""
    evens_out = family in (MULTIROTOR, CUSTOM)
    for channel in mixer.channels:
        if not channel.is_mixed:
            continue
        large = [weight for weight in channel.vector if abs(weight) > _LARGEST]
        steady = _steady(channel, curves)
        sticks = sum(abs(channel.weight(axis)) for axis in AXES)
        if large:
            yield _weight_too_large(channel, large[0])
        elif channel.is_motor and steady > mixer.full_weight:
            yield _steady_too_large(channel, steady)
        elif steady + sticks > mixer.full_weight and not (channel.type == MOTOR and evens_out):
            yield _sum_too_large(channel, steady + sticks)


def _steady(channel: MixerChannel, curves: Curves) -> float:
    """The most that the two curves ask for, with all other sticks centred."""
    one, two = channel.weight("ThrottleCurve1"), channel.weight("ThrottleCurve2")
    if curves.curve2_source == "Throttle":
        points = zip(curves.curve1, curves.curve2, strict=True)
        return max(abs(one * c1 + two * c2) for c1, c2 in points)
    most1, most2 = (max(map(abs, curve)) for curve in (curves.curve1, curves.curve2))
    return abs(one) * most1 + abs(two) * most2


def _weight_too_large(channel: MixerChannel, weight: int) -> Finding:
    return Finding(
        Level.WARNING,
        "weight-too-large",
        f"Output {channel.output} has a weight of {weight}, and {_LARGEST} is full scale.",
        f"Give weights from -{_LARGEST} to {_LARGEST}.",
        (channel.output,),
    )


def _steady_too_large(channel: MixerChannel, steady: float) -> Finding:
    return Finding(
        Level.WARNING,
        "thrust-too-large",
        f"Throttle alone asks the motor on output {channel.output} for {steady / _LARGEST:.0%} "
        "of what it can give, which leaves nothing to steer with.",
        "Lower its weights of the two throttle curves, or the curves.",
        (channel.output,),
    )


def _sum_too_large(channel: MixerChannel, total: float) -> Finding:
    return Finding(
        Level.INFO,
        "sum-too-large",
        f"All sticks together ask output {channel.output} for {total / _LARGEST:.0%} of its "
        "travel, so it stops before they do.",
        "Lower its weights if that matters, for instance by the mix levels.",
        (channel.output,),
    )
