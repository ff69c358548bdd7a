"""What a button of an input device asks for, done as by the buttons of *Controls*."""

from typing import Final

from plugins.api import PanelContext
from plugins.pilot import guide
from plugins.pilot.devices.buttons import ACTION, ARM, DISARM, MARKER, POSITION
from plugins.pilot.group.orders import order, why_not_order
from plugins.pilot.guide import Situation
from plugins.pilot.seat import Seat
from telemetry.review.flights.marker_editing import marking_of

_ORDERS: Final = {
    f"{ACTION}pilot.hold": "Hold",
    f"{ACTION}pilot.land": "Land",
    f"{ACTION}pilot.return_home": "Return",
}
"""What an aircraft does by itself, which may be asked for wherever the pilot looks."""
NOT_IN_SIGHT = "Not armed: the controls are out of sight. Have them in sight, and press it again."
LAND_FIRST = "Not disarmed: the aircraft flies. Land first, or use the emergency stop."


def press(
    command: str, context: PanelContext, seat: Seat, situation: Situation, *, in_sight: bool = True
) -> str:
    """Do it; returns what to tell the pilot, or "". With the controls out of sight nothing is
    armed, and what else starts motors says so itself."""
    if command == ARM:
        refusal = guide.why_not_arm(situation) if in_sight else NOT_IN_SIGHT
        if refusal is None:
            seat.arm(situation)
        return refusal or ""
    if command in _ORDERS:
        return _order(_ORDERS[command], context)
    if command == DISARM:
        if situation.is_flying:
            return LAND_FIRST
        seat.disarm(situation)
        return ""
    if command == MARKER:
        return _mark(context)
    if command.startswith(POSITION):
        return _fly_position(int(command.removeprefix(POSITION)) - 1, seat, situation)
    if command.startswith(ACTION):
        context.run_action(command.removeprefix(ACTION))
    return ""


def _fly_position(position: int, seat: Seat, situation: Situation) -> str:
    refusal = guide.why_not_position(position, situation)
    if refusal is None:
        seat.fly_position(position, situation)
        return f"Flight mode switch: {situation.switches.modes[position]}."
    return refusal


def _order(title: str, context: PanelContext) -> str:
    vehicle = context.vehicle
    if vehicle is None:
        return ""
    refusal = why_not_order(title, vehicle)
    if not refusal:
        order(title, vehicle)
    return refusal or f"{title}."


def _mark(context: PanelContext) -> str:
    vehicle = context.vehicle
    if vehicle is None:
        return ""
    marking_of(vehicle).add(vehicle.end_s)
    return "Marker set."
