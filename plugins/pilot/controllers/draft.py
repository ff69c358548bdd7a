"""Profile draft: the profile that is being edited, and what is being detected for it."""

from dataclasses import dataclass, replace

from plugins.pilot.devices.buttons import MARKER, STOP
from plugins.pilot.devices.profile import AxisSetup, ButtonSetup, Profile, Trigger
from plugins.pilot.devices.source import DeviceKind
from plugins.pilot.devices.wizard import ASKS, detected_axis, trigger_that_changed
from telemetry.flying.inputs.reading import Reading
from telemetry.flying.inputs.stick_controls import StickControl

STOP_HOLD_S = 0.3
"""At first: long enough that a touch in flight stops nothing."""
PRESS = "Press the button, or move the switch to the position that is meant."
OTHER_SIDE = {
    "roll": "Push what moves roll to the left.",
    "pitch": "Push what moves the nose down.",
    "yaw": "Push what moves yaw to the left.",
    "throttle": "Push what lowers the throttle.",
}


@dataclass(frozen=True, slots=True)
class ProfileDraft:
    """A device's profile as it is edited, for one aircraft or ("") all of them."""

    kind: DeviceKind
    aircraft: str
    saved: Profile | None
    profile: Profile

    @property
    def is_changed(self) -> bool:
        """Whether it differs from what is saved."""
        return self.profile != (self.saved or Profile())


@dataclass(frozen=True, slots=True)
class Detection:
    """Waits for what is moved next: `control`, its `other_side`, or ("") a new button. `rest` is
    where everything was when it was asked."""

    rest: Reading
    control: StickControl | None = None
    other_side: bool = False

    @property
    def sentence(self) -> str:
        """What to do."""
        if self.control is None:
            return PRESS
        return OTHER_SIDE[self.control] if self.other_side else ASKS[self.control]

    def found(self, reading: Reading, profile: Profile) -> Profile | None:
        """The profile with what was moved, or None while nothing was."""
        if self.control is None:
            trigger = trigger_that_changed(self.rest, reading)
            if trigger is None:
                return None
            return replace(profile, buttons=(*profile.buttons, _new_button(profile, trigger)))
        axis = detected_axis(self.rest, reading, self.control)
        if axis is None:
            return None
        setup = profile.control(self.control)
        axes: tuple[AxisSetup, ...] = (axis,)
        if self.other_side:
            axes = (*setup.axes[:1], replace(axis, part="lowers"))
        return profile.with_control(self.control, replace(setup, axes=axes))


def _new_button(profile: Profile, trigger: Trigger) -> ButtonSetup:
    """The emergency stop, held for a moment, if no button has it yet."""
    if any(setup.command == STOP for setup in profile.buttons):
        return ButtonSetup(trigger, MARKER)
    return ButtonSetup(trigger, STOP, STOP_HOLD_S)
