"""Device button actions: what a button of an input device asks for, done as in *Controls*."""

from typing import Final

from plugins.api import PanelContext
from plugins.pilot.devices.buttons import ACTION, ARM, DISARM, MARKER, POSITION
from telemetry.flying import actions
from telemetry.flying.controls import FlightControls
from telemetry.flying.orders.aircraft import order, why_not_order
from telemetry.flying.situation import Situation
from telemetry.recording.mode_words import mode_words
from telemetry.review.flights.marker_editing import marking_of

_ORDERS: Final = {
    f"{ACTION}pilot.hold": "Hold",
    f"{ACTION}pilot.land": "Land",
    f"{ACTION}pilot.return_home": "Return",
}
"""What an aircraft does by itself, which may be asked for wherever the pilot looks."""
NOT_IN_SIGHT = "Not armed: the controls are out of sight. Have them in sight, and press it again."
LAND_FIRST = "Not disarmed: the aircraft flies. Land first, or use the emergency stop."


def do_command(
    command: str,
    context: PanelContext,
    controls: FlightControls,
    situation: Situation,
    *,
    in_sight: bool = True,
) -> str:
    """Do it; returns what to tell the pilot, or "". With the controls out of sight nothing is
    armed, and what else starts motors says so itself."""
    if command == ARM:
        refusal = actions.why_not_arm(situation) if in_sight else NOT_IN_SIGHT
        if refusal is None:
            controls.arm(situation)
        return refusal or ""
    if command in _ORDERS:
        return _order(_ORDERS[command], context)
    if command == DISARM:
        if situation.is_flying:
            return LAND_FIRST
        controls.disarm(situation)
        return ""
    if command == MARKER:
        return _mark(context)
    if command.startswith(POSITION):
        return _fly_position(int(command.removeprefix(POSITION)) - 1, controls, situation)
    if command.startswith(ACTION):
        context.run_action(command.removeprefix(ACTION))
    return ""


def _fly_position(position: int, controls: FlightControls, situation: Situation) -> str:
    refusal = actions.why_not_position(position, situation)
    if refusal is None:
        controls.fly_position(position, situation)
        return f"Flight mode switch: {mode_words(situation.switches.modes[position])}."
    return refusal


def _order(title: str, context: PanelContext) -> str:
    vehicle = context.vehicle
    if vehicle is None:
        return ""
    refusal = why_not_order(title, vehicle)
    if not refusal:
        order(title, vehicle)
    return refusal or f"{title}: asked for."


def _mark(context: PanelContext) -> str:
    vehicle = context.vehicle
    if vehicle is None:
        return ""
    marking_of(vehicle).add(vehicle.end_s)
    return "Marker set."
