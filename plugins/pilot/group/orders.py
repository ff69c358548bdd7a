"""What a group of aircraft is asked to do, one after the other: refused or done, each for itself.

By the flight mode switch and the arming switch of each aircraft's own seat, as the buttons of
*Controls* do it. What came of it is what the aircraft then says of itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from plugins.pilot import guide
from plugins.pilot.guide import Situation
from plugins.pilot.guided_flight import guided_of
from plugins.pilot.seat import Seat, seat_of
from plugins.pilot.switches import GUIDED_MODES
from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import LinkState, Vehicle

STOP: Final = "Motors off"
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
        return f"{self.action} not done: {flight.armed or 'silent'}, {flight.flight_mode or '?'}"


def why_not_order(action: str, vehicle: Vehicle) -> str:
    """Why one aircraft cannot be asked for it now, "" if it can."""
    if vehicle.status.state is LinkState.REPLAY:
        return "It is a log."
    situation = seat_of(vehicle).look(vehicle.end_s)[1]
    if action == STOP:
        deaf = guide.why_deaf(situation) or "It is not armed."
        return "" if guide.can_stop(situation) else deaf
    return guide.why_not(action, situation) or ""


def order(action: str, vehicle: Vehicle) -> None:
    """Ask one aircraft for it, in whose seat somebody sits. The caller has asked
    `why_not_order`."""
    flight, situation = seat_of(vehicle).look(vehicle.end_s)
    _ACTS[action](vehicle, flight, situation)


def question(action: str, vehicles: Sequence[Vehicle]) -> str:
    """What is asked before a group is told: every name, and why some are left out."""
    lines = [f"{action} for:"]
    for vehicle in vehicles:
        refusal = why_not_order(action, vehicle)
        falls = action == STOP and seat_of(vehicle).look(vehicle.end_s)[1].is_flying
        word = f"not asked: {refusal}" if refusal else FALLS if falls else ""
        lines.append(f"{vehicle.name} ({word})" if word else vehicle.name)
    return "\n".join(lines)


class GroupOrders:
    """The seats taken for groups, and what came of the newest order of each aircraft.

    An aircraft that was asked keeps its stream of sticks until `leave`, or until it is gone,
    whichever is the active one meanwhile: its flight mode is held by that stream.
    """

    def __init__(self) -> None:
        self._seats: dict[Vehicle, Seat] = {}
        self._orders: dict[Vehicle, GroupOrder] = {}

    def give(self, action: str, vehicles: Sequence[Vehicle], active: Vehicle | None) -> None:
        """Ask every aircraft of a group that can be asked."""
        for vehicle in vehicles:
            refusal = why_not_order(action, vehicle)
            self._orders[vehicle] = GroupOrder(action, vehicle.end_s, refusal)
            if not refusal:
                self._sit_down(vehicle, is_active=vehicle is active)
                order(action, vehicle)

    def follow(self, vehicles: Sequence[Vehicle]) -> dict[Vehicle, str]:
        """Keep the seats of these, stand up from others, and say what has come of the orders."""
        for gone in [vehicle for vehicle in self._seats if vehicle not in vehicles]:
            self._seats.pop(gone).leave()
        self._orders = {v: order for v, order in self._orders.items() if v in vehicles}
        for vehicle, seat in self._seats.items():
            flight, situation = seat.look(vehicle.end_s)
            seat.follow(flight, situation)
            guided_of(vehicle).poll(situation, flight)
        return {
            vehicle: order.result(seat_of(vehicle).look(vehicle.end_s)[0], vehicle.end_s)
            for vehicle, order in self._orders.items()
        }

    def leave(self) -> None:
        """Stand up from all seats. What nobody else flies is left to its failsafe."""
        while self._seats:
            self._seats.popitem()[1].leave()

    def _sit_down(self, vehicle: Vehicle, *, is_active: bool) -> None:
        if vehicle not in self._seats:
            self._seats[vehicle] = seat_of(vehicle)
            self._seats[vehicle].join()
            self._seats[vehicle].hear_devices(hears=is_active)


_Act = Callable[[Vehicle, FlightState, Situation], None]
_ACTS: Final[dict[str, _Act]] = {
    "Hold": lambda vehicle, flight, situation: guided_of(vehicle).hold(situation, flight),
    "Land": lambda vehicle, _flight, situation: guided_of(vehicle).land(situation),
    "Return": lambda vehicle, _flight, situation: guided_of(vehicle).return_home(situation),
    STOP: lambda vehicle, _flight, situation: seat_of(vehicle).disarm(situation),
}


def _is_so(action: str, flight: FlightState) -> bool:
    if action == STOP:
        return flight.armed == "Disarmed"
    return flight.flight_mode == GUIDED_MODES[action]
