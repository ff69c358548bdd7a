"""What does not fit in the assignment of the controls, in words and with a remedy."""

from collections.abc import Iterator, Sequence
from typing import Final

from telemetry.configuration.receiver.controls import COLLECTIVE, NEEDED, THROTTLE, Control
from telemetry.finding import Finding, Level

_SHORTEST_US: Final = 300
_THROTTLE_SHARE: Final = 0.2
_NO_STICK: Final = ("FlightMode", "Rssi")


def check_controls(
    controls: Sequence[Control], is_helicopter: bool = False, is_ground: bool = False
) -> tuple[Finding, ...]:
    """What does not fit, worst first."""
    found = [
        *_missing(controls, is_helicopter),
        *_twice(controls),
        *(f for control in controls if control.is_assigned for f in _range(control, is_ground)),
    ]
    return tuple(sorted(found, key=lambda finding: -finding.level))


def _missing(controls: Sequence[Control], is_helicopter: bool) -> Iterator[Finding]:
    needed = (*NEEDED, COLLECTIVE) if is_helicopter else NEEDED
    missing = [c.title for c in controls if c.name in needed and not c.is_assigned]
    if missing:
        yield Finding(
            Level.ERROR,
            "not-assigned",
            f"{', '.join(missing)}: not on any channel, so the receiver counts as not connected "
            "and the aircraft does not arm.",
            "Run the set-up, or choose receiver and channel.",
        )


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
