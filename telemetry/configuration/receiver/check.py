"""Receiver check: what does not fit in the assignment of the controls, in words with a remedy.

The rules are those of receiver.c and, for the range of the thrust, of sanitycheck.c.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from telemetry.base.finding import Finding, error, warning
from telemetry.configuration.receiver.controls import (
    COLLECTIVE,
    FLIGHT_MODE,
    NO_GROUP,
    PITCH,
    ROLL,
    SETTINGS,
    STATION,
    THROTTLE,
    YAW,
    Control,
    title_of,
    why_no_pulse,
)
from telemetry.recording.sample import ReadValues, Values

_SHORTEST_US: Final = 300
_THROTTLE_SHARE: Final = 0.2
_NO_STICK: Final = ("FlightMode", "Rssi")
_CUSTOM: Final = ("Custom", "VTOL")
_BEYOND_RANGE_US: Final = 250


def is_ground_vehicle(values: ReadValues) -> bool:
    """Whether it drives: its throttle rests in the middle. What a custom airframe is to be treated
    as, VtolPathFollowerSettings says."""
    airframe = str(values("SystemSettings").get("AirframeType", ""))
    if airframe in _CUSTOM:
        return values("VtolPathFollowerSettings").get("TreatCustomCraftAs") == "Ground"
    return airframe.startswith("Ground")


def thrust_control(values: ReadValues) -> str:
    """The control that is the thrust, "None" if none is."""
    system = values("SystemSettings")
    usual = COLLECTIVE if system.get("AirframeType") == "HeliCP" else THROTTLE
    return str(system.get("ThrustControl", usual))


def is_unassigned(receiver: Values, control: str) -> bool:
    """Whether a control of ManualControlSettings is on no channel; false while that is unknown."""
    group = receiver.get(f"ChannelGroups.{control}")
    return group == NO_GROUP or receiver.get(f"ChannelNumber.{control}") == 0


def comes_from_station(values: ReadValues) -> bool:
    """Whether all controls that are assigned are a station's sticks."""
    receiver = values(SETTINGS).items()
    groups = {value for path, value in receiver if path.startswith("ChannelGroups.")}
    return bool(groups) and groups <= {STATION, NO_GROUP}


def needed_controls(values: ReadValues) -> tuple[str, ...]:
    """The controls that have to be on a channel (receiver.c of OpenPilot and LibrePilot).

    The flight mode counts only if there are several, the collective only where it is the thrust;
    what drives steers by yaw and throttle.
    """
    is_ground = is_ground_vehicle(values)
    positions = int(values(SETTINGS).get("FlightModeNumber", 2))
    needed = {
        THROTTLE: True,
        ROLL: not is_ground,
        PITCH: not is_ground,
        YAW: True,
        FLIGHT_MODE: not is_ground and positions > 1,
        COLLECTIVE: thrust_control(values) == COLLECTIVE,
    }
    return tuple(name for name, is_needed in needed.items() if is_needed)


def check_channels(values: ReadValues, among: Sequence[str] | None = None) -> Finding | None:
    """The controls (of those in `among`, else of all) that lack a channel they need.

    Without one of these, firmware takes the receiver for not connected.
    """
    missing = [
        title_of(name)
        for name in needed_controls(values)
        if (among is None or name in among) and is_unassigned(values(SETTINGS), name)
    ]
    if not missing:
        return None
    return error(
        "not-assigned",
        f"{', '.join(missing)}: not on any channel, so the receiver counts as not connected "
        "and the aircraft does not arm.",
        "Run the set-up on the Receiver page, or choose receiver and channel there.",
        settings=(f"{SETTINGS}.ChannelGroups",),
    )


def check_mode_number(values: ReadValues, most: int) -> Finding | None:
    """Whether the switch has a number of positions that firmware takes, `most` at the most."""
    said = int(values(SETTINGS).get("FlightModeNumber", 1))
    if 1 <= said <= most:
        return None
    return error(
        "mode-number",
        f"The switch is said to have {said} positions and the board keeps {most}, so the receiver "
        "counts as not connected and the aircraft does not arm.",
        f"Choose 1 to {most} positions.",
        settings=(f"{SETTINGS}.FlightModeNumber",),
    )


def check_thrust_range(values: ReadValues) -> Finding | None:
    """Whether the control that is the thrust has the range that the board asks for."""
    receiver, control = values(SETTINGS), thrust_control(values)
    low, high = (receiver.get(f"Channel{end}.{control}") for end in ("Min", "Max"))
    if low is None or high is None or is_unassigned(receiver, control):
        return None
    span = abs(int(high) - int(low))
    return _no_thrust_range(control, span) if span <= _SHORTEST_US else None


def check_pulses(
    controls: Sequence[Control], pulses: Sequence[int], is_ground: bool
) -> Finding | None:
    """The controls that keep the input from being valid, though others are.

    `pulses` are those of ManualControlCommand, in the order of `controls`. One assigned control
    outside its range is enough; the mode switch may be anywhere, roll and pitch of what drives too.
    """
    free = {FLIGHT_MODE, *((ROLL, PITCH) if is_ground else ())}
    judged = [
        (control, pulse)
        for control, pulse in zip(controls, pulses, strict=False)
        if control.group != NO_GROUP and control.name not in free
    ]
    wrong = [(control, pulse) for control, pulse in judged if not _can_be(control, pulse)]
    if not wrong or len(wrong) == len(judged):
        return None
    control, pulse = wrong[0]
    why = why_no_pulse(control, pulse)
    span = f"{control.minimum} to {control.maximum}"
    what = f": {why}" if why else f" reads {pulse} µs, its range being {span}"
    return error(
        "pulse-outside",
        f"{control.title}{what}. One such control, and the whole receiver counts as lost.",
        f"Put {control.title} on a channel that it has, or take it off; measure its ends.",
        settings=(f"{SETTINGS}.ChannelGroups.{control.name}",),
    )


def _can_be(control: Control, pulse: int) -> bool:
    low, high = sorted((control.minimum, control.maximum))
    is_near = low - _BEYOND_RANGE_US <= pulse <= high + _BEYOND_RANGE_US
    return is_near and not why_no_pulse(control, pulse)


def check_controls(
    controls: Sequence[Control], is_ground: bool = False, thrust: str = THROTTLE
) -> tuple[Finding, ...]:
    """What does not fit in the controls that are assigned; `thrust` is the one that lifts."""
    assigned = [control for control in controls if control.is_assigned]
    ranges = (f for control in assigned for f in _range(control, is_ground, thrust))
    return (*_twice(controls), *ranges)


def _twice(controls: Sequence[Control]) -> Iterator[Finding]:
    by_channel: dict[tuple[str, int], list[str]] = {}
    for control in controls:
        if control.is_assigned:
            by_channel.setdefault((control.group, control.number), []).append(control.title)
    for (group, number), names in by_channel.items():
        if len(names) > 1:
            yield warning(
                "channel-twice",
                f"{' and '.join(names)} are all on {group} channel {number}.",
                "Give each a channel of its own, unless that is meant.",
            )


def _no_thrust_range(control: str, span: int) -> Finding:
    return error(
        "thrust-range",
        f"{control} goes over {span} µs only, and the board does not arm with {_SHORTEST_US} µs or "
        "less.",
        "Measure its ends with the set-up on the Receiver page.",
    )


def _range(control: Control, is_ground: bool, thrust: str) -> Iterator[Finding]:
    low, high = sorted((control.minimum, control.maximum))
    span = high - low
    if control.name == thrust and span <= _SHORTEST_US:
        yield _no_thrust_range(control.title, span)
    elif span < _SHORTEST_US:
        yield warning(
            "short-range",
            f"{control.title} goes over {span} µs only, so it jumps from end to end.",
            "Measure its ends with the set-up.",
        )
    elif control.name not in _NO_STICK and not low <= control.neutral <= high:
        yield warning(
            "neutral-outside",
            f"The neutral of {control.title} is outside its ends.",
            "Measure its neutral with the set-up.",
        )
    elif control.name == THROTTLE and not is_ground:
        yield from _throttle(control, span)


def _throttle(control: Control, span: int) -> Iterator[Finding]:
    if abs(control.neutral - control.minimum) > _THROTTLE_SHARE * span:
        yield warning(
            "throttle-neutral",
            "Throttle starts far above its lowest, so the motors start late, as if by surprise.",
            f"Set its neutral a little off the minimum, about {control.minimum} µs.",
        )
