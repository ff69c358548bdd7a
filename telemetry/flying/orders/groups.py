"""Orders to a group of aircraft, one after the other: refused or done, each for itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from telemetry.flying.controls import controls_of
from telemetry.flying.guided_flight import guided_of
from telemetry.flying.joined_controls import JoinedControls
from telemetry.flying.orders.aircraft import STOP, order, why_not_order
from telemetry.flying.switches import GUIDED_MODES
from telemetry.recording.flight_state import FlightState
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.vehicle import Vehicle

GROUP_ACTIONS: Final = ("Hold", "Land", "Return", STOP)
TOLD_WITHIN_S: Final = 3.0
FALLS: Final = "flies, and FALLS"


@dataclass(slots=True)
class GroupOrder:
    """One aircraft's share of what was asked for. `refusal` is why nothing was sent."""

    action: str
    asked_s: float
    refusal: str = ""
    is_done: bool = False

    def result(self, flight: FlightState, now_s: float) -> str:
        """What has come of it, as far as the aircraft has said."""
        if self.refusal:
            return f"{self.action} refused: {self.refusal}"
        self.is_done = self.is_done or _is_so(self.action, flight)
        if self.is_done:
            return f"{self.action}: done"
        if now_s - self.asked_s <= TOLD_WITHIN_S:
            return f"{self.action}: asked for"
        mode = mode_words(flight.flight_mode or "not known")
        return f"{self.action} not done: {flight.armed or 'silent'}, flight mode {mode}"


def question(action: str, vehicles: Sequence[Vehicle]) -> str:
    """What is asked before a group is told: every name, and why some are left out."""
    lines = [f"{action} for:"]
    for vehicle in vehicles:
        refusal = why_not_order(action, vehicle)
        falls = action == STOP and controls_of(vehicle).situation_at(vehicle.end_s)[1].is_flying
        word = f"not asked: {refusal}" if refusal else FALLS if falls else ""
        lines.append(f"{vehicle.name} ({word})" if word else vehicle.name)
    return "\n".join(lines)


class GroupOrders:
    """The controls joined for groups, and what came of the newest order of each aircraft.

    An aircraft that was asked keeps its stream of sticks until `leave`, or until it is gone,
    whichever is the active one meanwhile: its flight mode is held by that stream.
    """

    def __init__(self) -> None:
        self._joined = JoinedControls()
        self._orders: dict[Vehicle, GroupOrder] = {}

    def give(self, action: str, vehicles: Sequence[Vehicle], active: Vehicle | None) -> None:
        """Ask every aircraft of a group that can be asked."""
        for vehicle in vehicles:
            refusal = why_not_order(action, vehicle)
            self._orders[vehicle] = GroupOrder(action, vehicle.end_s, refusal)
            if not refusal:
                if vehicle not in self._joined:
                    self._joined.join(vehicle).hear_devices(hears=vehicle is active)
                order(action, vehicle)

    def follow(self, vehicles: Sequence[Vehicle]) -> dict[Vehicle, str]:
        """Keep the controls of these, leave others', and say what has come of the orders."""
        self._joined.leave_gone(vehicles)
        self._orders = {v: order for v, order in self._orders.items() if v in vehicles}
        for vehicle, controls in self._joined:
            flight, situation = controls.situation_at(vehicle.end_s)
            controls.follow(flight, situation)
            guided_of(vehicle).poll(situation, flight)
        return {
            vehicle: order.result(
                controls_of(vehicle).situation_at(vehicle.end_s)[0], vehicle.end_s
            )
            for vehicle, order in self._orders.items()
        }

    def leave(self) -> None:
        """Leave all controls. What nobody else flies is left to its failsafe."""
        self._joined.leave_all()


def _is_so(action: str, flight: FlightState) -> bool:
    if action == STOP:
        return flight.armed == "Disarmed"
    return flight.flight_mode == GUIDED_MODES[action]
