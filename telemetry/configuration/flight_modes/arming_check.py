"""Arming check: can the aircraft be armed on purpose, and only on purpose?

The arming checklist asks the same of what is on board and of the mode it is in.
"""

from collections.abc import Iterator

from telemetry.base.finding import Finding, error, info, warning
from telemetry.configuration.flight_modes.arming_gestures import gesture_of
from telemetry.configuration.flight_modes.modes import HEIGHT_MODES, flight_mode
from telemetry.configuration.flight_modes.setup import FlightModeSetup, Position, keeper_of
from telemetry.configuration.receiver.check import is_unassigned
from telemetry.configuration.receiver.controls import SETTINGS
from telemetry.recording.mode_words import mode_words
from telemetry.recording.sample import ReadValues, Values

_SHORTEST_MS = 200
_STABILIZER = "AlwaysStabilizeWhenArmedSwitch"
_AUTOMATIC = "GPSAssist"
"""The assistance that sets the thrust too."""


def arming_setting(values: ReadValues) -> str:
    """The setting that says what arms."""
    return f"{keeper_of('Arming', values)}.Arming"


def never_arms(values: ReadValues) -> Finding:
    """That nothing arms it."""
    return error(
        "never-arms",
        "It is set never to arm.",
        "Choose a stick gesture or a switch under Arming.",
        settings=(arming_setting(values),),
    )


def check_method(values: ReadValues) -> Finding | None:
    """What is wrong with the way it is armed."""
    setting = arming_setting(values)
    gesture = gesture_of(str(values(setting.partition(".")[0]).get("Arming", "")))
    if gesture.kind == "always":
        return error(
            "always-armed",
            "It is always armed: motors may start as soon as the battery is plugged in.",
            "Choose a stick gesture or a switch under Arming.",
            settings=(setting,),
        )
    if gesture.accessory and is_unassigned(values(SETTINGS), gesture.accessory):
        return error(
            "arming-channel",
            f"It is armed by {gesture.switch}, but no receiver channel is assigned to that, so it "
            "cannot be armed or disarmed.",
            f"Assign {gesture.switch} on the Receiver page, or choose a stick gesture.",
            settings=(setting, f"{SETTINGS}.ChannelGroups.{gesture.accessory}"),
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
            f"It cannot be armed in {mode_words(mode)}.",
            "Switch to a stabilized mode to arm.",
        )
    if is_always_stabilized:
        return error(
            "always-stabilized",
            "A switch keeps it stabilized at zero throttle, and motors would start at once.",
            "Switch that off, then arm.",
            settings=(f"FlightModeSettings.{_STABILIZER}",),
        )
    if not flight_mode(mode).is_hand_flown or not (thrust in HEIGHT_MODES or assist == _AUTOMATIC):
        return None
    why = "holds the height" if thrust in HEIGHT_MODES else "is assisted by GPS"
    return error(
        "takes-off-by-itself",
        f"{mode_words(mode)} {why}, and would take off by itself once armed.",
        "Switch to a position with manual thrust and no assistance to arm.",
        settings=("StabilizationSettings.FlightModeAssistMap",)
        if thrust not in HEIGHT_MODES
        else (),
    )


def can_arm_at(position: Position, setup: FlightModeSetup) -> bool:
    """Whether firmware arms at a position of the switch."""
    thrust = setup.thrust_mode(position)
    is_automatic = position.is_assisted and thrust not in HEIGHT_MODES
    return check_arming_mode(position.mode, thrust, _AUTOMATIC if is_automatic else "") is None


def check_arming(values: ReadValues) -> Iterator[Finding]:
    """What does not fit, in the order of the page."""
    keeper = keeper_of("Arming", values)
    kept, receiver = values(keeper), values(SETTINGS)
    if "Arming" not in kept:
        return
    method = str(kept["Arming"])
    if (found := check_method(values)) is not None:
        yield found
    yield from _times(gesture_of(method).kind == "stick", kept, keeper)
    yield from _stabilizer(method, kept, receiver)
    if str(kept.get("DisableSanityChecks")).upper() == "TRUE":
        yield warning(
            "checks-off",
            "The board's own checks of the configuration are off, so it arms though they fail.",
            "Switch them on again: choose False.",
            settings=(f"{keeper}.DisableSanityChecks",),
        )


def _times(is_stick: bool, kept: Values, keeper: str) -> Iterator[Finding]:
    held_ms = int(kept.get("ArmingSequenceTime", 1000))
    if is_stick and held_ms < _SHORTEST_MS:
        yield warning(
            "arming-too-quick",
            f"A touch of the stick of {held_ms} ms arms the aircraft.",
            "Have it held for 1 s.",
            settings=(f"{keeper}.ArmingSequenceTime",),
        )
    if int(kept.get("ArmedTimeout", 1)) == 0:
        yield info(
            "no-timeout",
            "A forgotten aircraft stays armed: it never disarms by itself.",
            "Have it disarm after 30 s, unless you glide with the motor off.",
            settings=(f"{keeper}.ArmedTimeout",),
        )


def _stabilizer(method: str, kept: Values, receiver: Values) -> Iterator[Finding]:
    switch = str(kept.get(_STABILIZER, "Disabled"))
    if switch == "Disabled":
        return
    if switch == method:
        yield warning(
            "switch-twice",
            f"{switch} both arms and keeps the aircraft stabilized at zero throttle.",
            "Choose another channel for one of them.",
            settings=(f"FlightModeSettings.{_STABILIZER}",),
        )
    if is_unassigned(receiver, switch.replace(" ", "")):
        yield warning(
            "stabilizer-channel",
            f"{switch} is to keep it stabilized at zero throttle, but no receiver channel is "
            "assigned to it.",
            "Assign one on the Receiver page, or choose Disabled.",
            settings=(f"FlightModeSettings.{_STABILIZER}",),
        )
