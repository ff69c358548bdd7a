"""What does not fit in the assignment of the controls, in words and with a remedy."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from telemetry.configuration.receiver.controls import (
    COLLECTIVE,
    FLIGHT_MODE,
    NO_GROUP,
    PITCH,
    ROLL,
    THROTTLE,
    YAW,
    Control,
    title_of,
)
from telemetry.finding import Finding, Level
from telemetry.recording.sample import Value

Values = Mapping[str, Value]

_SHORTEST_US: Final = 300
_THROTTLE_SHARE: Final = 0.2
_NO_STICK: Final = ("FlightMode", "Rssi")


def is_ground_vehicle(system: Values) -> bool:
    """Whether SystemSettings, by path, says that it drives: its throttle rests in the middle."""
    return str(system.get("AirframeType", "")).startswith("Ground")


def is_unassigned(receiver: Values, control: str) -> bool:
    """Whether a control of ManualControlSettings is on no channel; false while that is unknown."""
    group = receiver.get(f"ChannelGroups.{control}")
    return group == NO_GROUP or receiver.get(f"ChannelNumber.{control}") == 0


def check_channels(
    receiver: Values, system: Values, among: Sequence[str] | None = None
) -> Finding | None:
    """The controls (of those in `among`, else of all) that lack a channel they need.

    Without one of these, firmware takes the receiver for not connected (receiver.c of OpenPilot
    and LibrePilot): the flight mode counts only if there are several, the collective only where
    it is the thrust; what drives steers by yaw and throttle.
    """
    is_ground = is_ground_vehicle(system)
    usual_thrust = COLLECTIVE if system.get("AirframeType") == "HeliCP" else THROTTLE
    needed = {
        THROTTLE: True,
        ROLL: not is_ground,
        PITCH: not is_ground,
        YAW: True,
        FLIGHT_MODE: not is_ground and int(receiver.get("FlightModeNumber", 2)) > 1,
        COLLECTIVE: system.get("ThrustControl", usual_thrust) == COLLECTIVE,
    }
    missing = [
        title_of(name)
        for name, is_needed in needed.items()
        if is_needed and (among is None or name in among) and is_unassigned(receiver, name)
    ]
    if not missing:
        return None
    return Finding(
        Level.ERROR,
        "not-assigned",
        f"{', '.join(missing)}: not on any channel, so the receiver counts as not connected "
        "and the aircraft does not arm.",
        "Run the set-up on the Receiver page, or choose receiver and channel there.",
    )


def check_controls(controls: Sequence[Control], is_ground: bool = False) -> tuple[Finding, ...]:
    """What does not fit in the controls that are assigned."""
    ranges = (f for control in controls if control.is_assigned for f in _range(control, is_ground))
    return (*_twice(controls), *ranges)


def _twice(controls: Sequence[Control]) -> Iterator[Finding]:
    by_channel: dict[tuple[str, int], list[str]] = {}
    for control in controls:
        if control.is_assigned:
            by_channel.setdefault((control.group, control.number), []).append(control.title)
    for (group, number), names in by_channel.items():
        if len(names) > 1:
            yield Finding(
                Level.WARNING,
                "channel-twice",
                f"{' and '.join(names)} are all on {group} channel {number}.",
                "Give each a channel of its own, unless that is meant.",
            )


def _range(control: Control, is_ground: bool) -> Iterator[Finding]:
    low, high = sorted((control.minimum, control.maximum))
    span = high - low
    if span < _SHORTEST_US:
        yield Finding(
            Level.WARNING,
            "short-range",
            f"{control.title} goes over {span} µs only, so it jumps from end to end.",
            "Measure its ends with the set-up.",
        )
    elif control.name not in _NO_STICK and not low <= control.neutral <= high:
        yield Finding(
            Level.WARNING,
            "neutral-outside",
            f"The neutral of {control.title} is outside its ends.",
            "Measure its neutral with the set-up.",
        )
    elif control.name == THROTTLE and not is_ground:
        yield from _throttle(control, span)


def _throttle(control: Control, span: int) -> Iterator[Finding]:
    if abs(control.neutral - control.minimum) > _THROTTLE_SHARE * span:
        yield Finding(
            Level.WARNING,
            "throttle-neutral",
            "Throttle starts far above its lowest, so the motors start late, as if by surprise.",
            f"Set its neutral a little off the minimum, about {control.minimum} µs.",
        )
