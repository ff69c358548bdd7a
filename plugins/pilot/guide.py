"""What each button of the pilot's panel asks for, when it may be pressed, and what comes of it.

Pure values. An aeroplane differs from what hovers: somebody throws it when its motor runs full,
holding is circling, and landing is a glide.
"""

from dataclasses import dataclass, replace

from plugins.pilot.switches import Switches
from plugins.pilot.transmitter import PilotRequest, Throttle

ACTIONS = ("Take off", "Hold", "Land", "Fly by hand")
NO_POSITION = (
    "No switch position selects {mode}. Give it one in FlightModeSettings.FlightModePosition."
)
CRASHED = "Crashed. Start anew to fly again."
_MODE_NAMES = {"Take off": "AutoTakeoff", "Hold": "PositionHold", "Land": "Land"}
_HELP = {
    "Take off": "Climbs to FlightModeSettings.AutoTakeOffHeight and stays there.",
    "Hold": "Stays where it is.",
    "Land": "Comes down where it is, and disarms.",
    "Fly by hand": "Stabilized flight by the sticks.",
}
_WING_HELP = {
    "Take off": "Full throttle; it is thrown, climbs to FlightModeSettings.AutoTakeOffHeight and "
    "circles.",
    "Hold": "Circles where it is: an aeroplane cannot stand.",
    "Land": "Circles down, glides in on the heading of the throw with its motor off, and disarms.",
    "Fly by hand": "Sticks bank and pitch it. Before the throw, full throttle has it thrown.",
}


@dataclass(frozen=True, slots=True)
class Situation:
    """What the buttons depend on. `refusal` is why nothing can be sent at all, if so;
    `is_link_lost`: because nothing is heard of the aircraft."""

    refusal: str | None
    switches: Switches
    armed: str | None
    is_link_lost: bool = False
    is_flying: bool = False
    is_fixed_wing: bool = False


def why_deaf(situation: Situation) -> str | None:
    """Why the aircraft would not listen to anything sent from here, or None."""
    return situation.refusal or situation.switches.refusal


def can_stop(situation: Situation) -> bool:
    """Whether an emergency stop may reach the aircraft: a lost link is no reason not to try."""
    is_reachable = situation.refusal is None or situation.is_link_lost
    return situation.armed == "Armed" and is_reachable and situation.switches.refusal is None


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
    if position_for(action, situation) is None:
        return NO_POSITION.format(mode=_MODE_NAMES.get(action, "a stabilized mode"))
    if situation.armed != "Armed":
        return "Arm the aircraft first."
    if action == "Take off" and situation.is_flying:
        return "The aircraft is flying already."
    if action in ("Hold", "Land") and not situation.is_flying:
        return "The aircraft is not flying. Take off first."
    return None


def help_for(action: str, situation: Situation) -> str:
    """What comes of an action."""
    return (_WING_HELP if situation.is_fixed_wing else _HELP)[action]


def advice(situation: Situation, mode: str) -> str:
    """What goes on in flight mode `mode` and what can be done about it. The aircraft listens."""
    wing = situation.is_fixed_wing
    if situation.armed != "Armed":
        return "Hold the arm button to let the motors turn."
    if not situation.is_flying:
        if wing:
            return "Armed. Take off has it thrown; or by hand: full throttle."
        return "Armed. Take off, or fly by hand."
    if mode == "Land":
        return f"{mode}. It glides in and disarms." if wing else f"{mode}. It disarms when down."
    if wing and mode in _MODE_NAMES.values():
        return f"{mode}. It circles when it is there. Land when done."
    return f"{mode}. Land when done."


def position_for(action: str, situation: Situation) -> int | None:
    """The switch position an action selects, or None where the aircraft has none."""
    switches = situation.switches
    if action != "Fly by hand":
        return switches.guided(action)
    return switches.stabilized if _is_thrown_by_hand(situation) else switches.by_hand


def throttle_for(action: str, situation: Situation) -> Throttle:
    """What the throttle does during an action."""
    if action != "Fly by hand":
        return "middle"
    holds_height = situation.switches.vario is not None and not _is_thrown_by_hand(situation)
    return "spring" if holds_height else "stick"


def _is_thrown_by_hand(situation: Situation) -> bool:
    """Whether flying by hand begins with full throttle, which holding a height never gives."""
    return situation.is_fixed_wing and not situation.is_flying


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


def choose(request: PilotRequest, action: str, situation: Situation) -> PilotRequest:
    """Ask for a guided action. The caller has asked `why_not`."""
    return replace(
        request,
        transmitting=True,
        flight_mode_position=position_for(action, situation) or 0,
        throttle=throttle_for(action, situation),
    )
