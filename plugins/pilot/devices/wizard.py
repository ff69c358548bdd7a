"""Input wizard: finds which axis and which button is meant, by the one that moves.

Pure: fed with readings, asked what it waits for.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from plugins.pilot.devices.profile import AxisSetup, Profile, Trigger
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_controls import StickControl

MOVED: Final = 0.5
"""So far an axis moves, of a travel of 2, to be the one that is meant."""
CLEARLY: Final = 2.0
"""So many times as far as the next one: two that move alike are asked for again."""
STILL: Final = 0.05
STILL_S: Final = 0.4
HELD_S: Final = 0.3
RESTING_S: Final = 1.2
_TRIGGER_RESTS_AT: Final = 0.8

Direction = Literal[1, -1]


@dataclass(frozen=True, slots=True)
class FoundAxis:
    """The axis that moved most and to which side."""

    axis: int
    direction: Direction


def axis_that_moved(
    rest: Reading, now: Reading, but_not: frozenset[int] = frozenset()
) -> FoundAxis | None:
    """The axis that has moved most since `rest`, or None while none has moved clearly."""
    pairs = enumerate(zip(rest.axes, now.axes, strict=False))
    moves = [0.0 if axis in but_not else after - before for axis, (before, after) in pairs]
    by_size = sorted(range(len(moves)), key=lambda axis: abs(moves[axis]), reverse=True)
    if not by_size or abs(moves[by_size[0]]) < MOVED:
        return None
    if len(by_size) > 1 and abs(moves[by_size[0]]) < CLEARLY * abs(moves[by_size[1]]):
        return None
    return FoundAxis(by_size[0], 1 if moves[by_size[0]] > 0 else -1)


def trigger_that_changed(rest: Reading, now: Reading) -> Trigger | None:
    """The button that is down and was not, or the switch (an axis) that went elsewhere."""
    for button, (before, after) in enumerate(zip(rest.buttons, now.buttons, strict=False)):
        if after and not before:
            return Trigger(button=button)
    found = axis_that_moved(rest, now)
    if found is None:
        return None
    value = now.axes[found.axis]
    return Trigger(axis=found.axis, low=max(-1.0, value - 0.3), high=min(1.0, value + 0.3))


@dataclass(slots=True)
class AxisSpans:
    """The lowest and highest reading of each axis while everything is moved to its stops."""

    lowest: list[float] = field(default_factory=list)
    highest: list[float] = field(default_factory=list)

    def take(self, reading: Reading) -> None:
        """Widen by one reading."""
        if len(self.lowest) != len(reading.axes):
            self.lowest, self.highest = list(reading.axes), list(reading.axes)
        self.lowest = list(map(min, self.lowest, reading.axes))
        self.highest = list(map(max, self.highest, reading.axes))

    def width(self, axis: int) -> float:
        """How far an axis has been moved, of 2."""
        return self.highest[axis] - self.lowest[axis] if axis < len(self.lowest) else 0.0


ASKS: Final[Mapping[StickControl, str]] = {
    "throttle": "Push the throttle all the way up and hold it there.",
    "roll": "Push the roll stick all the way to the right and hold it there.",
    "pitch": "Pull the pitch stick all the way back, towards you, and hold it there.",
    "yaw": "Push the yaw stick all the way to the right and hold it there.",
}
LET_GO: Final = "Let go of all sticks; pull a throttle that stays where it is all the way down."
ENDS: Final = "Move every stick to all of its ends, a few times. Then let go of them and wait."
GONE: Final = "The device is gone. Plug it in again to go on, or cancel."
DONE: Final = "Done. Move the sticks, look at the bars, then save."
TAKEN: Final = "That axis moves {control} already. Move another one."
LEAST_SPAN: Final = 0.6
"""An axis that was moved less than this, of 2, has not been at its ends."""
_AT_END: Final = 0.2
"""A throttle that rests nearer to an end of its span than this share of it does not spring."""

Stage = Literal["rest", "moves", "ends", "done"]


class Wizard:
    """Sets all four controls up, one question after the other.

    `step` with each reading; None is a device that is gone or says nonsense: once it is back, the
    question is asked again. `profile` is what was given to it until `stage` is "done".
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.stage: Stage = "rest"
        self.sentence = LET_GO
        self._found: dict[StickControl, FoundAxis] = {}
        self._wanted: tuple[StickControl, ...] = tuple(ASKS)
        self._rest: Reading | None = None
        self._calm = _Calm()
        self._span = AxisSpans()

    @property
    def progress(self) -> tuple[int, int]:
        """How many questions are answered, of how many."""
        return len(self._found) + (self.stage == "done"), len(self._wanted) + 1

    def take_axes(self, found: Mapping[StickControl, FoundAxis]) -> None:
        """Ask for the ends of these axes only."""
        self._found, self._wanted = dict(found), tuple(found)

    def step(self, reading: Reading | None) -> None:
        """Take one reading."""
        if self.stage == "done":
            return
        if reading is None or not all(map(math.isfinite, reading.axes)):
            self._calm, self._span = _Calm(), AxisSpans()
            self.stage, self.sentence = "rest", GONE
            return
        still_s = self._calm.take(reading)
        if self.stage == "rest":
            self._wait_for_rest(reading, still_s)
        elif self.stage == "moves":
            self._wait_for_move(reading, still_s)
        else:
            self._wait_for_ends(reading, still_s)

    def _wait_for_rest(self, reading: Reading, still_s: float) -> None:
        self.sentence = LET_GO
        if still_s >= STILL_S:
            self._go_on(reading)

    def _go_on(self, reading: Reading) -> None:
        """Ask for the next control from where everything is now, or for the ends."""
        self._rest, self._calm = reading, _Calm()
        control = self._next()
        self.stage, self.sentence = ("moves", ASKS[control]) if control else ("ends", ENDS)

    def _next(self) -> StickControl | None:
        return next((control for control in self._wanted if control not in self._found), None)

    def _wait_for_move(self, reading: Reading, still_s: float) -> None:
        control = self._next()
        if control is None or self._rest is None:
            return
        owners = {found.axis: other for other, found in self._found.items()}
        found = axis_that_moved(self._rest, reading, frozenset(owners))
        if found is not None and still_s >= HELD_S:
            self._found[control] = found
            self._go_on(reading)
            return
        let_go = frozenset(list(owners)[-1:])
        taken = axis_that_moved(self._rest, reading, let_go)
        owner = owners.get(taken.axis) if taken is not None else None
        self.sentence = TAKEN.format(control=owner) if owner else ASKS[control]

    def _wait_for_ends(self, reading: Reading, still_s: float) -> None:
        self._span.take(reading)
        are_wide = all(self._span.width(f.axis) >= LEAST_SPAN for f in self._found.values())
        if are_wide and still_s >= RESTING_S:
            for control, found in self._found.items():
                self.profile = self._with_found(control, found, reading)
            self.stage, self.sentence = "done", DONE

    def _with_found(self, control: StickControl, found: FoundAxis, rest: Reading) -> Profile:
        low, high = self._span.lowest[found.axis], self._span.highest[found.axis]
        middle = rest.axes[found.axis]
        springs = min(middle - low, high - middle) > _AT_END * (high - low)
        if not springs:
            middle = (low + high) / 2.0
        axis = AxisSetup(found.axis, low, middle, high, is_reversed=found.direction < 0)
        setup = replace(self.profile.control(control), axes=(axis,))
        if control == "throttle":
            setup = replace(setup, springs=springs)
        return self.profile.with_control(control, setup)


class _Calm:
    """For how long nothing has moved."""

    def __init__(self) -> None:
        self._since: Reading | None = None

    def take(self, reading: Reading) -> float:
        """Take a reading; the seconds for which all axes have been where they are."""
        since = self._since
        if since is None or any(
            abs(a - b) > STILL for a, b in zip(since.axes, reading.axes, strict=False)
        ):
            self._since = since = reading
        return reading.read_s - since.read_s


def detected_axis(rest: Reading, now: Reading, control: StickControl) -> AxisSetup | None:
    """How the axis that has moved most since `rest` moves a control, pushed as `ASKS` says; None
    while none has. One that rested at an end is a trigger, and moves it to one side only."""
    found = axis_that_moved(rest, now)
    if found is None:
        return None
    rested = rest.axes[found.axis]
    if control != "throttle" and abs(rested) > _TRIGGER_RESTS_AT:
        return AxisSetup(found.axis, is_reversed=found.direction < 0, part="raises")
    return AxisSetup(found.axis, is_reversed=found.direction < 0)


def calibration(profile: Profile) -> Wizard:
    """A wizard that asks for the ends only, of each control that one whole axis moves."""
    wizard = Wizard(profile)
    wizard.take_axes(
        {
            control: FoundAxis(setup.axes[0].axis, -1 if setup.axes[0].is_reversed else 1)
            for control, setup in profile.controls.items()
            if len(setup.axes) == 1 and setup.axes[0].part == "both"
        }
    )
    return wizard
