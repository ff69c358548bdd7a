"""Guided offer: the guided actions of an aircraft, and why one cannot be asked for now."""

from collections.abc import Mapping
from typing import Any, Final

from telemetry.configuration.arming.by_sticks import NO_AUTO_TAKEOFF, no_position_text, values_of
from telemetry.configuration.arming.checklist import Read
from telemetry.configuration.flight_modes.setup import keeper_of
from telemetry.flying import actions
from telemetry.flying.situation import Situation
from telemetry.missions.guided_actions import GUIDED_ACTIONS, FollowedAs, GuidedAction, frame_of
from telemetry.recording.flight_state import FlightState
from telemetry.recording.mode_words import mode_words

_STALE_S: Final = 3.0
_PLACES: Final = ("go_to", "orbit", "height", "heading")
_BUSY: Final = {
    "PathPlanner": "It flies a mission. Pause it first.",
    "ReturnToBase": "It returns. Choose Hold first.",
    "Land": "It lands. Choose Hold first.",
}
_NO_PLACE = "The aircraft does not say where it is. Wait for GPS."
_OWN_THRUST: Final = ("AutoTakeoff", "Land", "")
"""Modes in which VtolPathFollowerSettings.ThrustControl does not count."""
MANUAL_THRUST = (
    "While it flies by itself the throttle stick would be the thrust, and nothing would hold the "
    "height. In Configure search for thrust control, and choose Auto for the path follower."
)
NO_PLAN = "There is no plan on board. Upload one in Plan."


def followed_as(read: Read) -> FollowedAs | None:
    """What the aircraft's path follower flies it as; None while it is unknown or has none."""
    values = values_of(read)
    follower = values("VtolPathFollowerSettings")
    return frame_of(values("SystemSettings"), follower) if follower else None


def offered_actions(read: Read) -> tuple[GuidedAction, ...]:
    """What this firmware can do with this airframe. Nothing else is shown."""
    frame, modes = followed_as(read), _known_modes(read)
    return tuple(
        action
        for action in GUIDED_ACTIONS
        if frame in action.frames and (not action.mode or action.mode in modes)
    )


def _known_modes(read: Read) -> tuple[str, ...]:
    sample = read(keeper_of("FlightModePosition", values_of(read)))
    if sample is None or not sample.definition.has_field("FlightModePosition"):
        return ()
    return tuple(sample.definition.field_named("FlightModePosition").options)


def lacks_position(action: GuidedAction, situation: Situation) -> bool:
    """Whether only a switch position is missing, which can be lent."""
    if actions.why_deaf(situation) or not action.mode:
        return False
    if situation.switches.position_of(action.mode) is not None:
        return False
    found = situation.not_taken_off_by
    if action.id == "take_off":
        return found is not None and found.code == NO_AUTO_TAKEOFF
    return situation.is_flying


def why_not_guided(
    action: GuidedAction, situation: Situation, flight: FlightState, read: Read
) -> str | None:
    """Why an action cannot be asked for now, as a sentence with what to do, or None."""
    if action.id == "take_off":
        return actions.why_not_take_off(situation)
    deaf = actions.why_deaf(situation)
    if deaf:
        return deaf
    refusal = _why_not_flying(situation)
    if refusal is None and action.mode and situation.switches.position_of(action.mode) is None:
        refusal = no_position_text(mode_words(action.mode))
    if refusal is None and is_thrust_by_stick(action, read):
        refusal = MANUAL_THRUST
    return refusal or _why_not_now(action, flight, values_of(read)("PathPlan"))


def is_thrust_by_stick(action: GuidedAction, read: Read) -> bool:
    """Whether the throttle stick would be its thrust (UpdateAutoPilot of vtolflycontroller.cpp)."""
    if action.mode in _OWN_THRUST or followed_as(read) is not FollowedAs.ROTORS:
        return False
    return values_of(read)("VtolPathFollowerSettings").get("ThrustControl") == "Manual"


def _why_not_flying(situation: Situation) -> str | None:
    if situation.armed != "Armed":
        return "Take off first."
    if situation.stage is not None:
        return "The aircraft is taking off and does not fly yet."
    return None if situation.is_flying else "The aircraft is not flying. Take off first."


def _why_not_now(action: GuidedAction, flight: FlightState, plan: Mapping[str, Any]) -> str | None:
    mode = flight.flight_mode or ""
    if action.id == "pause":
        return None if mode == "PathPlanner" else "No mission is being flown."
    if action.id == "resume":
        if mode == "PathPlanner":
            return "The mission is being flown."
        return None if plan.get("WaypointCount") else NO_PLAN
    if action.id in ("height", "heading") and mode in _BUSY:
        return _BUSY[mode]
    if action.id == "heading" and mode != "PositionHold":
        return "It turns while it holds. Choose Hold first."
    if action.id in _PLACES and _is_lost(flight):
        return _NO_PLACE
    return None


def _is_lost(flight: FlightState) -> bool:
    return flight.north_m is None or (flight.position_age_s or 0.0) > _STALE_S
