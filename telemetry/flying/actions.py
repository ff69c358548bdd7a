"""Actions of a pilot: when each may be asked for, what it asks for, and what comes of it.

Pure values. An aeroplane differs from what hovers: somebody throws it when its motor runs full,
holding is circling, and landing is a glide.
"""

from dataclasses import replace

from telemetry.base.finding import Finding
from telemetry.configuration.arming.by_sticks import ARMED_ALREADY, no_position_text
from telemetry.flying.situation import Situation
from telemetry.flying.switches import GUIDED_MODES
from telemetry.flying.transmitter.order import PilotRequest, Throttle
from telemetry.recording.mode_words import mode_words

TAKE_OFF = "Arm and take off"
BY_HAND = "Fly by hand"
ACTIONS = ("Hold", "Land", BY_HAND)
STABILIZED = "a stabilized mode"
CRASHED = "Crashed. Start anew to fly again."
_HELP = {
    TAKE_OFF: "Hold for 0.7 s. Arms, takes off by itself, climbs to the take-off height of its "
    "settings above where it was armed, and stays there.",
    "Hold": "Stays where it is.",
    "Land": "Comes down where it is, and disarms.",
    BY_HAND: "Stabilized flight by the sticks.",
}
_WING_HELP = {
    TAKE_OFF: "Hold for 0.7 s. Arms, and from then on the motor runs full. Throw it: it climbs to "
    "the take-off height of its settings above where it was armed, and comes back again and again.",
    "Hold": "Comes back to this place again and again: an aeroplane cannot stand.",
    "Land": "Glides straight on, motor off, and stays armed: bring it low and upwind first.",
    BY_HAND: "Sticks bank and pitch it. Before the throw, full throttle has it thrown.",
}


THROTTLE_DOWN = (
    "The throttle of the input device is at the bottom: the aircraft would fall. Raise it to the "
    "middle first."
)
NO_DEVICE = "The input device is not there. Plug it in, or choose another input, first."


def why_deaf(situation: Situation) -> str | None:
    """Why the aircraft would not listen to anything sent from here, or None."""
    return situation.refusal or situation.switches.refusal


def can_stop(situation: Situation) -> bool:
    """Whether an emergency stop may reach the aircraft: a lost link is no reason not to try, and
    nobody else's right to it stands against that."""
    is_free = situation.refusal in (None, CRASHED)
    is_reachable = is_free or situation.is_link_lost or situation.is_anothers
    return situation.armed == "Armed" and is_reachable and situation.switches.refusal is None


def why_not_arm(situation: Situation) -> str | None:
    """Why Arm cannot be used now, or None."""
    if situation.armed == "Armed":
        return why_deaf(situation) or "The aircraft is armed."
    if situation.switches.stabilized is None and not why_deaf(situation):
        return no_position_text(STABILIZED)
    return _why_not_begin(situation, situation.not_armed_by)


def why_not_take_off(situation: Situation) -> str | None:
    """Why it cannot be armed and taken off now, or None."""
    if situation.armed == "Armed":
        said = f"{ARMED_ALREADY.text} {ARMED_ALREADY.remedy}"
        return why_deaf(situation) or (
            "The aircraft is flying already." if situation.is_flying else said
        )
    return _why_not_begin(situation, situation.not_taken_off_by)


def why_not(action: str, situation: Situation) -> str | None:
    """Why a guided action cannot be used now, or None."""
    refusal = why_deaf(situation)
    if refusal:
        return refusal
    if position_for(action, situation) is None:
        return no_position_text(mode_words(GUIDED_MODES.get(action, STABILIZED)))
    if situation.armed != "Armed":
        return "Arm the aircraft first."
    if situation.stage is not None:
        return "The aircraft is taking off and does not fly yet."
    if action in GUIDED_MODES and not situation.is_flying:
        return "The aircraft is not flying. Take off first."
    return _why_not_by_hand(situation) if action == BY_HAND else None


def why_not_position(position: int, situation: Situation) -> str | None:
    """Why a position of the flight mode switch cannot be chosen now, or None."""
    refusal = why_deaf(situation)
    if refusal:
        return refusal
    if position >= len(situation.switches.modes):
        return f"The flight mode switch has {len(situation.switches.modes)} positions."
    if situation.armed != "Armed":
        return "Arm the aircraft first."
    if situation.stage is not None:
        return "The aircraft is taking off and does not fly yet."
    return _why_not_by_hand(situation) if _is_by_hand(situation.switches.modes[position]) else None


def _why_not_by_hand(situation: Situation) -> str | None:
    """A radio's pilot feels where the stick is; a device's may lie on the table, or be gone."""
    if situation.is_device_missing:
        return NO_DEVICE
    falls = situation.is_flying and not situation.is_fixed_wing and situation.is_throttle_down
    return THROTTLE_DOWN if falls else None


def _is_by_hand(mode: str) -> bool:
    return mode.startswith("Stabilized") or mode in ("Leveling", "Manual")


def _why_not_begin(situation: Situation, found: Finding | None) -> str | None:
    if situation.stage is not None:
        return "It is being done already."
    sentence = None if found is None else f"{found.text} {found.remedy}"
    return why_deaf(situation) or sentence


def help_for(action: str, situation: Situation) -> str:
    """What comes of an action."""
    return (_WING_HELP if situation.is_fixed_wing else _HELP)[action]


def advice(situation: Situation, mode: str) -> str:
    """What goes on in flight mode `mode` and what can be done about it. The aircraft listens."""
    wing, name = situation.is_fixed_wing, mode_words(mode)
    if situation.armed != "Armed":
        return _advice_before_arming(situation)
    if not situation.is_flying:
        if wing:
            return "Armed. By hand: full throttle has it thrown. Or disarm, then take off."
        return "Armed. Fly by hand; or disarm, then take off."
    if mode == "Land":
        if wing:
            return f"{name}. It glides straight on, motor off. Disarm it when it lies."
        return f"{name}. It disarms when down."
    if wing and mode in ("AutoTakeoff", *GUIDED_MODES.values()):
        return f"{name}. It comes back to its place again and again. Land when done."
    if situation.switches.position_of("Land") is None:
        return f"{name}. Come down by hand, then disarm, or hold Emergency stop."
    return f"{name}. Land when done."


def _advice_before_arming(situation: Situation) -> str:
    if situation.not_armed_by is not None:
        return f"{situation.not_armed_by.text} {situation.not_armed_by.remedy}"
    if situation.not_taken_off_by is not None:
        return f"{situation.not_taken_off_by.text} It can be armed to fly by hand."
    return "Hold a button: arm and take off, or arm to fly by hand. Motors turn after that."


def position_for(action: str, situation: Situation) -> int | None:
    """The switch position an action selects, or None where the aircraft has none."""
    switches = situation.switches
    if action != BY_HAND:
        return switches.position_of(GUIDED_MODES[action])
    return switches.stabilized if _is_thrown_by_hand(situation) else switches.by_hand


def throttle_by_hand(situation: Situation) -> Throttle:
    """What the throttle does while it is flown by hand."""
    holds_height = situation.switches.vario is not None and not _is_thrown_by_hand(situation)
    return "spring" if holds_height else "stick"


def _is_thrown_by_hand(situation: Situation) -> bool:
    """Whether flying by hand begins with full throttle, which holding a height never gives."""
    return situation.is_fixed_wing and not situation.is_flying


def by_hand(
    request: PilotRequest, situation: Situation, position: int | None = None
) -> PilotRequest:
    """Ask for flying by hand, in a position of the flight mode switch if one is given. The caller
    has asked `why_not` or `why_not_position`."""
    if position is None:
        position, throttle = position_for(BY_HAND, situation) or 0, throttle_by_hand(situation)
    else:  # where the mode holds the height, the middle of the throttle keeps it
        switches = situation.switches
        is_plain = _is_by_hand(switches.modes[position]) and position != switches.vario
        throttle = "stick" if is_plain else "spring"
    return replace(
        request, transmitting=True, fixed=None, flight_mode_position=position, throttle=throttle
    )
