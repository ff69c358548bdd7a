"""Arming gestures: which control goes where to arm, as words and as places of the sticks."""

from dataclasses import dataclass
from typing import Literal

from telemetry.configuration.receiver.transmitter_layout import STICK_MODES

StickMode = Literal[1, 2, 3, 4]
Place = tuple[float, float]
"""A stick, each axis -1 to 1, right and up positive."""

_SIDES = {
    "Left": ("to the left", "to the right", -1),
    "Right": ("to the right", "to the left", 1),
    "Forward": ("forward", "back", 1),
    "Aft": ("back", "forward", -1),
}
"""Where a control goes to arm and to disarm, and the sign of the first."""
_SWITCH, _STICK = 0.2, 0.8


@dataclass(frozen=True, slots=True)
class Gesture:
    """What arms and what disarms. `moves` are the controls to move and which way (up and right
    positive), beside a throttle at its lowest; none for a switch or where no stick arms."""

    kind: Literal["stick", "corners", "switch", "always", "never", "unknown"]
    arm: str
    disarm: str
    moves: tuple[tuple[str, int], ...] = ()
    accessory: str = ""
    """The channel of a switch as ManualControlSettings.ChannelGroups names it."""

    @property
    def switch(self) -> str:
        """The switch in a sentence."""
        number = self.accessory.removeprefix("Accessory")
        return f"accessory {number}" if number.isdigit() else "a switch"


def gesture_of(option: str) -> Gesture:
    """Understand an option of Arming of any release."""
    method = option.removesuffix("+Throttle")
    first, _, second = method.partition(" ")
    if method == "Always Disarmed":
        return Gesture("never", "It never arms.", "")
    if method == "Always Armed":
        return Gesture(
            "always", "Armed as soon as the throttle is at its lowest.", "It never disarms."
        )
    if first == "Accessory":
        return Gesture(
            "switch",
            f"Throttle at its lowest, then switch accessory {second} on.",
            f"Switch accessory {second} off.",
            accessory=f"Accessory{second}",
        )
    if method.startswith("Switch"):
        return Gesture("switch", _switch_words(option), "Switch off.", accessory="Arming")
    if method == "Corners":
        return Gesture("corners", "Hold both sticks in lower corners.", "The same again.")
    if second in _SIDES:
        arms, disarms, sign = _SIDES[second]
        control = first.lower()
        return Gesture(
            "stick",
            f"Throttle at its lowest, then hold {control} {arms}.",
            f"Throttle at its lowest, then hold {control} {disarms}.",
            ((first, sign),),
        )
    return Gesture("unknown", f"{option}: this station has no words for it.", "")


def arming_control(gesture: Gesture) -> tuple[str, int, float] | None:
    """The control that arms, as ManualControlCommand and FailsafeChannel call it, the sign of the
    side that arms, and how far over counts (armhandler.c); the other side disarms. None where no
    single control does."""
    if gesture.accessory.startswith("Accessory"):
        return gesture.accessory, 1, _SWITCH
    if gesture.kind != "stick":
        return None
    control, way = gesture.moves[0]
    return control, -way if control == "Pitch" else way, _STICK  # pitch pulled back is positive


def stick_places(gesture: Gesture, mode: StickMode) -> tuple[Place, Place]:
    """Where the left and the right stick have to go in a transmitter mode."""
    wanted = {"Throttle": -1.0, **{control: float(sign) for control, sign in gesture.moves}}
    left, right = (
        (wanted.get(across, 0.0), wanted.get(up, 0.0)) for across, up in STICK_MODES[mode]
    )
    return left, right


def _switch_words(option: str) -> str:
    low = "Throttle at its lowest, then switch on" if "Throttle" in option else "Switch on"
    return f"{low}, and wait a moment." if "Delay" in option else f"{low}."
