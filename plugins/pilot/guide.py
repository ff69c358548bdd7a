"""What each button of the pilot's panel asks for, and when it may be pressed. Pure values."""

from dataclasses import dataclass, replace

from plugins.pilot.switches import Switches
from plugins.pilot.transmitter import PilotRequest, Throttle

ACTIONS = ("Take off", "Hold", "Land", "Fly by hand")
NO_POSITION = (
    "No switch position selects {mode}. Give it one in FlightModeSettings.FlightModePosition."
)
_MODE_NAMES = {"Take off": "AutoTakeoff", "Hold": "PositionHold", "Land": "Land"}


@dataclass(frozen=True, slots=True)
class Situation:
    """What the buttons depend on. `refusal` is why nothing can be sent at all, if so."""

    refusal: str | None
    switches: Switches
    armed: str | None
    is_flying: bool = False


def why_deaf(situation: Situation) -> str | None:
    """Why the aircraft would not listen to anything sent from here, or None."""
    return situation.refusal or situation.switches.refusal


def why_not_arm(situation: Situation) -> str | None:
    """Why Arm cannot be used now, or None."""
    refusal = why_deaf(situation)
    if refusal:
        return refusal
    if situation.armed == "Armed":
        return "The aircraft is armed."
    if situation.switches.stabilized is None:
        return NO_POSITION.format(mode="a stabilized mode")
    return None


def why_not(action: str, situation: Situation) -> str | None:
    """Why a guided action cannot be used now, or None."""
    refusal = why_deaf(situation)
    if refusal:
        return refusal
    if position_for(action, situation.switches) is None:
        return NO_POSITION.format(mode=_MODE_NAMES.get(action, "a stabilized mode"))
    if situation.armed != "Armed":
        return "Arm the aircraft first."
    if action == "Take off" and situation.is_flying:
        return "The aircraft is flying already."
    if action in ("Hold", "Land") and not situation.is_flying:
        return "The aircraft is on the ground. Take off first."
    return None


def position_for(action: str, switches: Switches) -> int | None:
    """The switch position an action selects, or None where the aircraft has none."""
    return switches.by_hand if action == "Fly by hand" else switches.guided(action)


def throttle_for(action: str, switches: Switches) -> Throttle:
    """What the throttle does during an action."""
    if action != "Fly by hand":
        return "middle"
    return "stick" if switches.vario is None else "spring"


def arm(request: PilotRequest, switches: Switches) -> PilotRequest:
    """Ask for arming: throttle down, a mode that may be armed, switch on."""
    return replace(
        request,
        transmitting=True,
        arm=True,
        flight_mode_position=switches.stabilized or 0,
        throttle="cut",
    )


def disarm(request: PilotRequest, switches: Switches) -> PilotRequest:
    """Ask for motors off, now.

    Firmware takes about a second to disarm; until then a stabilized mode with the throttle down
    stops the motors at once, which a guided mode would not.
    """
    return replace(
        request, arm=False, flight_mode_position=switches.stabilized or 0, throttle="cut"
    )


def choose(request: PilotRequest, action: str, switches: Switches) -> PilotRequest:
    """Ask for a guided action. The caller has asked `why_not`."""
    return replace(
        request,
        transmitting=True,
        flight_mode_position=position_for(action, switches) or 0,
        throttle=throttle_for(action, switches),
    )
