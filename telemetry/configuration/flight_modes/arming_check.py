"""Arming check: can the aircraft be armed on purpose, and only on purpose?

The arming checklist asks the same of what is on board and of the mode it is in.
"""

from collections.abc import Iterator

from telemetry.base.finding import Finding, error, info, warning
from telemetry.configuration.flight_modes.arming_gestures import gesture_of
from telemetry.configuration.flight_modes.modes import HEIGHT_MODES, flight_mode
from telemetry.configuration.flight_modes.setup import FlightModeSetup, Position, keeper_of
from telemetry.configuration.receiver.check import is_unassigned
from telemetry.recording.sample import ReadValues, Values

_SHORTEST_MS = 200
_STABILIZER = "AlwaysStabilizeWhenArmedSwitch"
_AUTOMATIC = "GPSAssist"
"""The assistance that sets the thrust too."""


def check_method(method: str, receiver: Values) -> Finding | None:
    """What is wrong with an option of Arming; `receiver` is ManualControlSettings by path."""
    gesture = gesture_of(method)
    if gesture.kind == "always":
        return error(
            "always-armed",
            "Always Armed: motors may start as soon as the battery is plugged in.",
            "Choose a stick gesture or a switch.",
        )
    if gesture.accessory and is_unassigned(receiver, gesture.accessory):
        return error(
            "arming-channel",
            f"Arming is by {gesture.accessory}, but no receiver channel is assigned to it, so the "
            "aircraft cannot be armed or disarmed.",
            f"Assign {gesture.accessory} on the Receiver page, or choose a stick gesture.",
        )
    return None


def check_arming_mode(
    mode: str, thrust: str, assist: str = "", is_always_stabilized: bool = False
) -> Finding | None:
    """Why firmware does not arm in a flight mode; None where it does.

    `thrust` is what the mode's set does with thrust. `assist` is FlightStatus.FlightModeAssist,
    which firmware sets to GPSAssist only where thrust is automatic as well, and
    `is_always_stabilized` FlightStatus.AlwaysStabilizeWhenArmed.
    """
    if not flight_mode(mode).is_armable:
        return error(
            "mode-not-armable",
            f"It cannot be armed in {mode}.",
            "Switch to a stabilized mode to arm.",
        )
    if is_always_stabilized:
        return error(
            "always-stabilized",
            "It is kept stabilized at zero throttle (AlwaysStabilizeWhenArmed), and motors would "
            "start at once.",
            f"Switch off what {_STABILIZER} names, then arm.",
        )
    if not flight_mode(mode).is_hand_flown or not (thrust in HEIGHT_MODES or assist == _AUTOMATIC):
        return None
    why = f"thrust {thrust}" if thrust in HEIGHT_MODES else assist
    return error(
        "takes-off-by-itself",
        f"{mode} has {why}, which would take off by itself once armed.",
        "Switch to a position with Manual thrust and no assistance to arm.",
    )


def can_arm_at(position: Position, setup: FlightModeSetup) -> bool:
    """Whether firmware arms at a position of the switch."""
    thrust = setup.thrust_mode(position)
    is_automatic = position.is_assisted and thrust not in HEIGHT_MODES
    return check_arming_mode(position.mode, thrust, _AUTOMATIC if is_automatic else "") is None


def check_arming(values: ReadValues) -> Iterator[Finding]:
    """What does not fit, in the order of the page."""
    kept, receiver = values(keeper_of("Arming", values)), values("ManualControlSettings")
    if "Arming" not in kept:
        return
    method = str(kept["Arming"])
    if (found := check_method(method, receiver)) is not None:
        yield found
    yield from _times(gesture_of(method).kind == "stick", kept)
    yield from _stabilizer(method, kept, receiver)
    if str(kept.get("DisableSanityChecks")).upper() == "TRUE":
        yield warning(
            "checks-off",
            "The board's own checks of the configuration are off, so it arms though they fail.",
            "Set DisableSanityChecks to False.",
        )


def _times(is_stick: bool, kept: Values) -> Iterator[Finding]:
    held_ms = int(kept.get("ArmingSequenceTime", 1000))
    if is_stick and held_ms < _SHORTEST_MS:
        yield warning(
            "arming-too-quick",
            f"A touch of the stick of {held_ms} ms arms the aircraft.",
            "Set ArmingSequenceTime to 1 s.",
        )
    if int(kept.get("ArmedTimeout", 1)) == 0:
        yield info(
            "no-timeout",
            "A forgotten aircraft stays armed: ArmedTimeout is 0.",
            "Set it to 30 s, unless you glide with the motor off.",
        )


def _stabilizer(method: str, kept: Values, receiver: Values) -> Iterator[Finding]:
    switch = str(kept.get(_STABILIZER, "Disabled"))
    if switch == "Disabled":
        return
    if switch == method:
        yield warning(
            "switch-twice",
            f"{switch} both arms and keeps the aircraft stabilized at zero throttle.",
            f"Choose another channel for {_STABILIZER}.",
        )
    if is_unassigned(receiver, switch.replace(" ", "")):
        yield warning(
            "stabilizer-channel",
            f"{_STABILIZER} is {switch}, but no receiver channel is assigned to it.",
            "Assign it on the Receiver page, or choose Disabled.",
        )
