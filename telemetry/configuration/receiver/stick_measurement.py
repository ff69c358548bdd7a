"""Stick measurement: on which channel each stick is, its ends and its direction, by moving them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from telemetry.configuration.receiver.channel_movement import Channel, MovementWatch
from telemetry.configuration.receiver.controls import (
    NO_GROUP,
    THROTTLE,
    Control,
    title_of,
    why_no_pulse,
)
from telemetry.configuration.receiver.pulse_ranges import Seen, is_rest
from telemetry.configuration.receiver.transmitter_layout import TransmitterLayout
from telemetry.recording.sample import Sample, Value

_HELD_S: Final = 0.3
_THROTTLE_START: Final = 0.04
"""Throttle begins this share of its way above its lowest, so that noise does not start motors."""
_CLEAR, _AT_REST = 0.5, 0.25


class StickMeasurement:
    """Asks for one control after the other; what it does not find stays out."""

    def __init__(self, plan: TransmitterLayout) -> None:
        self.plan = plan
        self.found: dict[str, Channel] = {}
        """The channel of each control that was identified."""
        self.seen: dict[str, Seen] = {}
        self.reversed: dict[str, bool] = {}
        """Whether a control's pulses run backwards, as far as checked."""
        self.is_at_rest = False
        """Whether the control whose direction is asked for has been at rest since."""
        self._todo = list(plan.controls)
        self._done: list[str] = []
        self._centres: dict[str, int] = {}
        self._watch = MovementWatch(frozenset())
        self._clear_since: tuple[bool, float] | None = None

    @property
    def current(self) -> str:
        """The control that is asked for; empty if all were."""
        return self._todo[0] if self._todo else ""

    @property
    def has_before(self) -> bool:
        """Whether there is a control before the one asked for."""
        return bool(self._done)

    def listen(self) -> None:
        """Only what comes from now on counts."""
        self._watch = MovementWatch(frozenset(self.found.values()))
        self._clear_since, self.is_at_rest = None, False

    def next(self) -> bool:
        """Go to the next control; False after the last."""
        self._done.append(self._todo.pop(0))
        self.listen()
        return bool(self._todo)

    def back(self) -> None:
        """Ask again for the control before, if there is one."""
        if self._done:
            name = self._done.pop()
            self.found.pop(name, None)
            self._todo.insert(0, name)
            self.listen()

    # Which channel

    def look_for_movement(self, now: float, activity: Sequence[Sample]) -> str:
        """Take what the aircraft says has moved; a sentence once the control is found."""
        for sample in activity:
            self._watch.take(now, str(sample["ActiveGroup"]), int(sample["ActiveChannel"]))
        self._watch.wait(now)
        if self._watch.moved is None:
            return ""
        group, number = self.found[self.current] = self._watch.moved
        return f"{title_of(self.current)} is {group} channel {number}."

    def assignment(self) -> dict[str, Value]:
        """What assigns the controls that were found, and takes the others off their channels."""
        values: dict[str, Value] = {}
        for name in self.plan.controls:
            group, number = self.found.get(name, (NO_GROUP, 0))
            values |= {f"ChannelGroups.{name}": group, f"ChannelNumber.{name}": number}
        return values

    # Which pulses

    def start_over(self) -> None:
        """Forget the pulses seen."""
        self.seen = {name: Seen() for name in self.found}

    def take_pulses(self, controls: Sequence[Control], channels: Sequence[int]) -> None:
        """A reading of all channels, in the order of the controls on board."""
        for control, raw in zip(controls, channels, strict=False):
            if control.name in self.seen and not why_no_pulse(control, raw):
                self.seen[control.name].take(raw)

    @property
    def is_silent(self) -> bool:
        """Whether some control has not been heard of yet."""
        return any(not self.seen[name].rest for name in self.found)

    def take_centres(self) -> None:
        """The sticks rest now where they should."""
        self._centres = {name: seen.rest for name, seen in self.seen.items()}

    def narrow(self) -> list[str]:
        """The controls that have not been moved to both ends yet."""
        return [name for name in self.found if not self.seen[name].is_wide]

    def not_at_rest(self) -> list[str]:
        """The controls that were not where they should be when their centres were taken."""
        return [
            name
            for name in self.plan.checked
            if name in self.found
            and not is_rest(self.seen[name], self._centres[name], self.plan.is_centred(name))
        ]

    # Which direction

    def start_check(self) -> None:
        """Ask for the directions."""
        self._todo = [name for name in self.plan.checked if name in self.found]
        self._done = []
        self.listen()

    def look_for_direction(self, now: float) -> str:
        """A control that comes from rest and is held clearly to one side shows whether its
        pulses run backwards: a sentence then."""
        name = self.current
        share = self._share(name)
        self.is_at_rest |= abs(share) < _AT_REST
        if abs(share) < _CLEAR or not self.is_at_rest:
            self._clear_since = None
            return ""
        is_backwards = share < 0
        if self._clear_since is None or self._clear_since[0] != is_backwards:
            self._clear_since = (is_backwards, now)
        if now - self._clear_since[1] < _HELD_S:
            return ""
        self.reversed[name] = is_backwards
        way = "runs backwards and will be reversed" if is_backwards else "runs as it should"
        return f"{title_of(name)} {way}."

    def _share(self, name: str) -> float:
        """How far a control is from where it rested, in halves of its way, by pulse."""
        seen = self.seen[name]
        half = (seen.high - seen.low) / 2
        return (seen.newest - self._centres.get(name, 0)) / half if half else 0.0

    # What comes of it

    def pulses(self) -> dict[str, Value]:
        """The pulses of all the controls found, for ManualControlSettings."""
        return {
            f"Channel{end}.{name}": pulse
            for name in self.found
            for end, pulse in zip(("Min", "Neutral", "Max"), self._ends(name), strict=True)
        }

    def as_measured(self, control: Control) -> Control:
        """A control as it would be with what is known so far."""
        channel, seen = self.found.get(control.name), self.seen.get(control.name)
        if channel is None:
            return control
        changed = replace(control, group=channel[0], number=channel[1])
        if seen is None or not seen.high:
            return changed
        first, neutral, last = self._ends(control.name)
        return replace(changed, minimum=first, neutral=neutral, maximum=last)

    def _ends(self, name: str) -> tuple[int, int, int]:
        """A control's pulses in µs at its lowest, in its middle and at its highest."""
        seen = self.seen[name]
        first, last = seen.low, seen.high
        if self.reversed.get(name, False):
            first, last = last, first
        if self.plan.is_centred(name):
            neutral = min(max(self._centres.get(name, seen.rest), seen.low), seen.high)
        elif name == THROTTLE:
            neutral = round(first + _THROTTLE_START * (last - first))
        else:
            neutral = round((first + last) / 2)
        return first, neutral, last
