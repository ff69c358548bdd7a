"""Device profile: which axes and buttons do what, and the arithmetic from readings to sticks."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS, StickControl
from telemetry.vehicle.sticks import Sticks

Part = Literal["both", "raises", "lowers"]
MOST_AXES: Final = 64
MOST_BUTTONS: Final = 256
_LEAST_TRAVEL: Final = 0.02
"""An axis that was calibrated over less than this share of its range says nothing."""
DEFAULT_DEAD_ZONE: Final = 0.05
DEFAULT_EXPO: Final = 0.3


@dataclass(frozen=True, slots=True)
class AxisSetup:
    """One axis of a device and what of a control it moves.

    `lowest`, `middle` and `highest` are its readings (-1..1) at its stops and at rest. With
    `part` "both" it moves the control over all of its travel; an axis that "raises" or "lowers"
    moves it from the middle to one side only, from its lowest reading to its highest, as one of a
    pair of triggers does. `is_reversed` swaps its ends.
    """

    axis: int
    lowest: float = -1.0
    middle: float = 0.0
    highest: float = 1.0
    is_reversed: bool = False
    part: Part = "both"

    def share(self, value: float) -> float:
        """What a reading contributes to the control, -1..1."""
        if self.part == "both":
            return self._from_middle(value)
        travel = _ratio(value - self.lowest, self.highest - self.lowest)
        travel = 1.0 - travel if self.is_reversed else travel
        return travel if self.part == "raises" else -travel

    def _from_middle(self, value: float) -> float:
        if value >= self.middle:
            share = _ratio(value - self.middle, self.highest - self.middle)
        else:
            share = -_ratio(self.middle - value, self.middle - self.lowest)
        return -share if self.is_reversed else share


@dataclass(frozen=True, slots=True)
class ControlSetup:
    """The axes that move one control together, and how their travel is shaped.

    Within `dead_zone` (a share of the travel) of the middle nothing moves; `expo` makes the
    middle gentle (0: straight, 1: cubic); `rate` is what full travel gives (0..1]. A throttle that
    does not spring to the middle (`springs`) has its dead zone at the bottom and is not bent.
    """

    axes: tuple[AxisSetup, ...] = ()
    dead_zone: float = DEFAULT_DEAD_ZONE
    expo: float = DEFAULT_EXPO
    rate: float = 1.0
    springs: bool = True

    def travel(self, reading: Reading) -> float | None:
        """How far its axes are pushed together, -1..1; None where it has none, or the device
        lacks one."""
        if not self.axes or any(setup.axis >= len(reading.axes) for setup in self.axes):
            return None
        total = sum(setup.share(reading.axes[setup.axis]) for setup in self.axes)
        return max(-1.0, min(1.0, total))

    def shape(self, travel: float) -> float:
        """What a travel (-1..1) gives, -1..1."""
        return shape(travel, self.dead_zone, self.expo) * self.rate

    def shape_throttle(self, travel: float) -> float:
        """The throttle that a travel (-1..1) gives, 0..1."""
        if self.springs:
            return (shape(travel, self.dead_zone, self.expo) + 1.0) / 2.0 * self.rate
        raised = (travel + 1.0) / 2.0
        return max(0.0, (raised - self.dead_zone) / (1.0 - self.dead_zone)) * self.rate


@dataclass(frozen=True, slots=True)
class Trigger:
    """A button, or a stretch of an axis that counts as one: a switch with positions."""

    button: int | None = None
    axis: int = 0
    low: float = 0.5
    high: float = 1.0

    def is_down(self, reading: Reading) -> bool:
        """Whether it is pressed. What the device lacks is not."""
        if self.button is not None:
            return self.button < len(reading.buttons) and reading.buttons[self.button]
        return self.axis < len(reading.axes) and self.low <= reading.axes[self.axis] <= self.high


@dataclass(frozen=True, slots=True)
class ButtonSetup:
    """What a button asks for once it was held for `hold_s`, and again each `repeat_s` (0: once)."""

    trigger: Trigger
    command: str
    hold_s: float = 0.0
    repeat_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Profile:
    """How one device flies an aircraft. `mode` says which stick has what (1 to 4)."""

    controls: Mapping[StickControl, ControlSetup] = field(default_factory=dict)
    buttons: tuple[ButtonSetup, ...] = ()
    mode: int = 2

    def control(self, name: StickControl) -> ControlSetup:
        """How a control is set up; without axes if it is not."""
        return self.controls.get(name, ControlSetup())

    @property
    def missing(self) -> tuple[StickControl, ...]:
        """The controls that no axis moves."""
        return tuple(name for name in STICK_CONTROLS if not self.control(name).axes)

    def with_control(self, name: StickControl, setup: ControlSetup) -> "Profile":
        """The same with one control set up otherwise."""
        return replace(self, controls={**self.controls, name: setup})


def shape(travel: float, dead_zone: float, expo: float) -> float:
    """Calm a stick (-1..1): nothing around the middle, gentle near it, full at the stops."""
    size = min(1.0, abs(travel))
    if size <= dead_zone:
        return 0.0
    moved = (size - dead_zone) / (1.0 - dead_zone)
    return math.copysign((1.0 - expo) * moved + expo * moved**3, travel)


def sticks_of(profile: Profile, reading: Reading) -> Sticks | None:
    """The sticks that a reading asks for, without switches; None where not all four controls have
    an axis, or the device says what is no number."""
    if not all(map(math.isfinite, reading.axes)):
        return None
    travels = {name: profile.control(name).travel(reading) for name in STICK_CONTROLS}
    roll, pitch, yaw, throttle = (travels[name] for name in STICK_CONTROLS)
    if roll is None or pitch is None or yaw is None or throttle is None:
        return None
    return Sticks(
        roll=profile.control("roll").shape(roll),
        pitch=profile.control("pitch").shape(pitch),
        yaw=profile.control("yaw").shape(yaw),
        throttle=profile.control("throttle").shape_throttle(throttle),
    )


_STICKS: Final[Mapping[int, tuple[StickControl, StickControl, StickControl, StickControl]]] = {
    1: ("yaw", "pitch", "roll", "throttle"),
    2: ("yaw", "throttle", "roll", "pitch"),
    3: ("roll", "pitch", "yaw", "throttle"),
    4: ("roll", "throttle", "yaw", "pitch"),
}
"""By mode: what the left stick does sideways and forward, and the right one. LibrePilot's station
says the same: ground/gcs/src/plugins/gcscontrol/gcscontrolgadget.cpp."""
MODES: Final = tuple(_STICKS)


def sticks_in_mode(mode: int) -> tuple[StickControl, StickControl, StickControl, StickControl]:
    """What the left stick does sideways and forward, and the right one, in a mode (1 to 4)."""
    return _STICKS[mode]


def with_mode(profile: Profile, mode: int) -> Profile:
    """The same device with its sticks swapped as another mode wants it.

    Axes go over with their calibration; dead zone, expo and rate stay with the control. Forward
    is more throttle, but less pitch: an axis that goes from one to the other is reversed.
    """
    controls = dict(profile.controls)
    for old, new in zip(_STICKS[profile.mode], _STICKS[mode], strict=True):
        axes = profile.control(old).axes
        if {old, new} == {"pitch", "throttle"}:
            axes = tuple(map(_opposed, axes))
        controls[new] = replace(profile.control(new), axes=axes)
    return replace(profile, controls=controls, mode=mode)


def _opposed(setup: AxisSetup) -> AxisSetup:
    """The same axis, moving its control the other way."""
    if setup.part == "both":
        return replace(setup, is_reversed=not setup.is_reversed)
    return replace(setup, part="lowers" if setup.part == "raises" else "raises")


def _ratio(part: float, whole: float) -> float:
    """A share of the travel, 0..1; none of one that is too short to mean anything."""
    if abs(whole) < _LEAST_TRAVEL:
        return 0.0
    return max(0.0, min(1.0, part / whole))
