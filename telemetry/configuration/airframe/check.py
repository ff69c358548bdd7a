"""Mixer check: findings where a mixer does not fit its frame, in words and with a remedy."""

from collections import Counter
from collections.abc import Iterator, Mapping

from telemetry.base.finding import Finding, Level, error, info, warning
from telemetry.configuration.airframe.airframe import (
    AXES,
    CUSTOM,
    MOTOR,
    MULTIROTOR,
    SERVO,
    Airframe,
    AirframeChannel,
)
from telemetry.configuration.airframe.mixer import Curves, Mixer, MixerChannel
from telemetry.configuration.airframe.motor_pairing import Pair, matching_outputs, pair_motors, sign

_LARGEST = 128
"""What the firmware divides by: a weight above it is more than all."""


def check_mixer(
    mixer: Mixer,
    frame: Airframe,
    curves: Curves | None = None,
    outputs: Mapping[str, int] | None = None,
    propellers_reversed: bool | None = None,
) -> tuple[Finding, ...]:
    """What does not fit, worst first; nothing if all is well.

    `outputs` says which output each of the frame's motors is on; without it the names of the
    mixer's channels do, and without those the frame's order. `propellers_reversed` says whether
    all propellers turn the other way; None is not known.
    """
    curves, outputs = curves or Curves(), outputs or {}
    found = [*_used_twice(mixer, outputs), *_too_much(mixer, curves, frame.family)]
    found += _no_thrust(mixer, curves)
    if frame.family == MULTIROTOR:
        found += _multirotor(mixer, frame, outputs, propellers_reversed)
    elif frame.family != CUSTOM and frame.motors and not mixer.motors:
        found.append(
            info(
                "no-motor",
                f"No output drives a motor, and {frame.title.lower()} usually has one.",
                "Choose the type Motor for its output, unless it has none.",
            )
        )
    return tuple(sorted(found, key=lambda finding: -finding.level))


def _no_thrust(mixer: Mixer, curves: Curves) -> Iterator[Finding]:
    """A curve that nobody has set yet is zero everywhere."""
    users = [motor for motor in mixer.motors if motor.weight("ThrottleCurve1")]
    if users and not any(curves.curve1):
        yield warning(
            "no-thrust",
            "The throttle curve is zero everywhere, so throttle moves no motor.",
            "Give the curve five points that rise, for instance linear from 0 to 100 %.",
            tuple(motor.output for motor in users),
        )


def _too_much(mixer: Mixer, curves: Curves, family: str) -> Iterator[Finding]:
    """Outputs that would have to go beyond their full scale.

    A full weight gives 127/128 of an output. Multirotors are mixed so that motors can reach beyond
    it with sticks, which their firmware evens out; thrust alone must stay within for any of them.
    """
    for channel in mixer.channels:
        if not channel.is_mixed:
            continue
        output, full = channel.output, mixer.full_weight
        large = [weight for weight in channel.vector if abs(weight) > _LARGEST]
        steady = _steady(channel, curves)
        total = steady + sum(abs(channel.weight(axis)) for axis in AXES)
        is_evened_out = channel.type == MOTOR and family in (MULTIROTOR, CUSTOM)
        if large:
            yield warning(
                "weight-too-large",
                f"Output {output} has a weight of {large[0]}, and {_LARGEST} is full scale.",
                f"Give weights from -{_LARGEST} to {_LARGEST}.",
                (output,),
            )
        elif channel.is_motor and steady > full:
            yield warning(
                "thrust-too-large",
                f"Throttle alone asks the motor on output {output} for {steady / _LARGEST:.0%} "
                "of what it can give, which leaves nothing to steer with.",
                "Lower its weights of the two throttle curves, or the curves.",
                (output,),
            )
        elif total > full and not is_evened_out:
            yield info(
                "sum-too-large",
                f"All sticks together ask output {output} for {total / _LARGEST:.0%} of its "
                "travel, so it stops before they do.",
                "Lower its weights if that matters, for instance by the mix levels.",
                (output,),
            )


def _steady(channel: MixerChannel, curves: Curves) -> float:
    """The most that the two curves ask for, with all other sticks centred."""
    one, two = channel.weight("ThrottleCurve1"), channel.weight("ThrottleCurve2")
    if curves.curve2_source == "Throttle":
        points = zip(curves.curve1, curves.curve2, strict=True)
        return max(abs(one * c1 + two * c2) for c1, c2 in points)
    most1, most2 = (max(map(abs, curve)) for curve in (curves.curve1, curves.curve2))
    return abs(one) * most1 + abs(two) * most2


def _used_twice(mixer: Mixer, outputs: Mapping[str, int]) -> Iterator[Finding]:
    used = Counter(channel.output for channel in mixer.channels)
    wished = Counter(outputs.values())
    for output in sorted({*used, *wished}):
        if max(used[output], wished[output]) > 1:
            yield error(
                "output-twice",
                f"Output {output} is used twice, so one motor or servo would not move.",
                "Give each motor and servo an output of its own.",
                (output,),
            )
    names = Counter(channel.name for channel in mixer.channels if channel.name)
    for name, count in names.items():
        if count > 1:
            yield error(
                "motor-twice",
                f"{name} is on {count} outputs.",
                "Give each motor and servo one output.",
                tuple(channel.output for channel in mixer.channels if channel.name == name),
            )


def _multirotor(
    mixer: Mixer, frame: Airframe, outputs: Mapping[str, int], propellers_reversed: bool | None
) -> list[Finding]:
    motors = mixer.motors
    if len(motors) != len(frame.motors):
        return [_wrong_count(motors, frame)]
    found = [*_same_vector(motors, frame), *_thrust(motors), *_servos(mixer, frame)]
    pairs = pair_motors(mixer, frame, outputs)
    if len(pairs) < len(motors):
        return [*found, _unassigned(pairs, frame)]
    for axis in AXES:
        if not _wanted_by(frame, axis):
            continue
        flipped = list(_flipped(pairs, frame, axis, propellers_reversed, mixer))
        found += flipped or list(_off_axis(pairs, axis)) or _unbalanced(pairs, axis)
    return found


def _wrong_count(motors: tuple[MixerChannel, ...], frame: Airframe) -> Finding:
    return error(
        "motor-count",
        f"{len(motors)} outputs drive motors, but {frame.title} has {len(frame.motors)}.",
        "Assign an output to each motor, or choose the frame that the aircraft has.",
        tuple(channel.output for channel in motors),
    )


def _unassigned(pairs: tuple[Pair, ...], frame: Airframe) -> Finding:
    placed = {channel.name for channel, _ in pairs}
    missing = [channel.name for channel in frame.motors if channel.name not in placed]
    return error(
        "motor-unassigned",
        f"No output drives the motor of {', '.join(missing)}.",
        "Assign an output of the type Motor to each motor of the frame.",
    )


def _same_vector(motors: tuple[MixerChannel, ...], frame: Airframe) -> Iterator[Finding]:
    """No two motors of any frame have the same signs in all axes that are in use."""
    if any(_wanted_by(frame, axis) and not _in_use(motors, axis) for axis in AXES):
        return  # without that axis some motors are alike, which is another finding
    first: dict[tuple[int, ...], MixerChannel] = {}
    for channel in motors:
        other = first.setdefault(channel.vector, channel)
        if other is not channel:
            yield error(
                "motor-twice",
                f"Outputs {other.output} and {channel.output} are mixed as the same motor.",
                "Give each motor of the frame one output.",
                (other.output, channel.output),
            )


def _wanted_by(frame: Airframe, axis: str) -> bool:
    return any(_wanted(channel, axis) for channel in frame.motors)


def _in_use(motors: tuple[MixerChannel, ...], axis: str) -> bool:
    return any(channel.weight(axis) for channel in motors)


def _wanted(channel: AirframeChannel, axis: str) -> int:
    return channel.mix[2 + AXES.index(axis)]


def _thrust(motors: tuple[MixerChannel, ...]) -> Iterator[Finding]:
    weights = [c.weight("ThrottleCurve1") + c.weight("ThrottleCurve2") for c in motors]
    usual = Counter(weights).most_common(1)[0][0]
    for channel, weight in zip(motors, weights, strict=True):
        if weight <= 0 or weight != usual:
            yield Finding(
                Level.ERROR if weight <= 0 else Level.WARNING,
                "thrust-uneven",
                f"The motor on output {channel.output} gets {weight} of the throttle, "
                f"the others {usual}.",
                "Give all motors the same weight of the throttle curves.",
                (channel.output,),
            )


def _servos(mixer: Mixer, frame: Airframe) -> Iterator[Finding]:
    wanted = [channel.name for channel in frame.channels if channel.type == SERVO]
    if wanted and not any(channel.type == SERVO for channel in mixer.channels):
        yield error(
            "servo-missing",
            f"No output drives the servo that turns {frame.title} ({', '.join(wanted)}).",
            "Choose the type Servo for its output, with a weight of yaw.",
        )


def _flipped(
    pairs: tuple[Pair, ...],
    frame: Airframe,
    axis: str,
    propellers_reversed: bool | None,
    mixer: Mixer,
) -> Iterator[Finding]:
    turned = -1 if axis == "Yaw" and propellers_reversed else 1
    wanted = [(c, m, sign(_wanted(c, axis)) * turned) for c, m in pairs if _wanted(c, axis)]
    if not any(m.weight(axis) for _, m, _ in wanted):
        yield error(
            "axis-dead",
            f"No motor answers {axis.lower()}, so nothing holds the aircraft in that axis.",
            "Raise its mix level, or stage what the frame generates.",
            tuple(m.output for _, m, _ in wanted),
        )
        return
    wrong = [(c, m) for c, m, s in wanted if sign(m.weight(axis)) == -s]
    if wrong and len(wrong) == len(wanted):
        yield _all_flipped(wrong, axis, propellers_reversed, _other_order(mixer, frame))
        return
    for channel, motor in wrong:
        yield error(
            "sign-flipped",
            f"{_name(channel, motor)} works against {axis.lower()}: its weight is "
            f"{motor.weight(axis)}, and the frame asks for the other sign.",
            "Stage what the frame generates" + _other_order(mixer, frame) + ".",
            (motor.output,),
        )


def _other_order(mixer: Mixer, frame: Airframe) -> str:
    """What would explain a motor of the wrong sign, if anything does."""
    match = matching_outputs(mixer, frame)
    if match is None:
        return ""
    order = ", ".join(f"{name} {output}" for name, output in match.outputs.items())
    also = " with all propellers reversed" if match.propellers_reversed else ""
    return f", or, if the motors are on these outputs, assign them{also}: {order}"


def _all_flipped(
    wrong: list[Pair], axis: str, propellers_reversed: bool | None, other_order: str
) -> Finding:
    outputs = tuple(motor.output for _, motor in wrong)
    if axis == "Yaw" and propellers_reversed is None:
        return info(
            "propellers-reversed",
            "All propellers are taken to turn the other way than drawn for this frame.",
            "Make sure that they do; if not, stage what the frame generates.",
            outputs,
        )
    return error(
        "axis-flipped",
        f"{axis} is flipped on every motor, so the aircraft would turn over or spin at once.",
        f"Stage what the frame generates{other_order}.",
        outputs,
    )


def _off_axis(pairs: tuple[Pair, ...], axis: str) -> Iterator[Finding]:
    for channel, motor in pairs:
        if not _wanted(channel, axis) and motor.weight(axis):
            yield warning(
                "off-axis",
                f"{_name(channel, motor)} has {motor.weight(axis)} of {axis.lower()}, "
                "and its place in the frame gives it none.",
                "Stage what the frame generates, or choose the frame that the aircraft has.",
                (motor.output,),
            )


def _unbalanced(pairs: tuple[Pair, ...], axis: str) -> list[Finding]:
    lopsided = list(_lopsided(pairs)) if axis == "Roll" else []
    if lopsided:
        return lopsided
    total = sum(motor.weight(axis) for _, motor in pairs)
    if abs(total) <= len(pairs):  # each weight is rounded to a whole number
        return []
    return [
        warning(
            f"{axis.lower()}-unbalanced",
            f"The weights of {axis.lower()} add up to {total} instead of 0, so throttle and "
            f"{axis.lower()} pull on each other.",
            "Stage what the frame generates, or make the motors' weights cancel out.",
            tuple(motor.output for _, motor in pairs),
        )
    ]


def _lopsided(pairs: tuple[Pair, ...]) -> Iterator[Finding]:
    """Left and right of a frame are mirror images, and so must be their shares of roll."""
    for channel, motor in pairs:
        forward, right = channel.place
        if right <= 0:
            continue
        for other, mirrored in pairs:
            is_mirror = other.place == (forward, -right) and other.layer == channel.layer
            if is_mirror and abs(motor.weight("Roll") + mirrored.weight("Roll")) > 1:
                yield warning(
                    "roll-lopsided",
                    f"{_name(channel, motor)} has {motor.weight('Roll')} of roll, and "
                    f"{_name(other, mirrored)} opposite to it {mirrored.weight('Roll')}.",
                    "Give both the same amount with opposite signs.",
                    (motor.output, mirrored.output),
                )


def _name(channel: AirframeChannel, motor: MixerChannel) -> str:
    return f"Motor {channel.name} (output {motor.output})"
