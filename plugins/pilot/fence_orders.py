"""What crossed fences ask for, done by each aircraft's own seat, whatever is shown meanwhile.

A fence's action is one that the aircraft flies by itself, chosen before the flight: it needs no
sticks, so it takes the aircraft from who let go of it, and from its failsafe. It is asked for again
and again until it can be done or the aircraft is back. What the pilot asks for after it counts.
"""

from collections.abc import Sequence
from typing import Final

from plugins.pilot.group.orders import order, why_not_order
from plugins.pilot.guided_flight import guided_of
from plugins.pilot.seat import Seat, seat_of
from telemetry.missions.geofences import FenceAction
from telemetry.vehicle.vehicle import Vehicle

_ORDERS: Final = {
    FenceAction.HOLD: "Hold",
    FenceAction.RETURN: "Return",
    FenceAction.LAND: "Land",
}
_STOPS: Final = "Its motors are being stopped."
_LANDS: Final = "It lands, and goes on landing."


class FenceOrders:
    """Sits down where a fence asks for something, and stands up once the pilot has taken over or
    the aircraft has disarmed."""

    def __init__(self) -> None:
        self._wanted: dict[Vehicle, FenceAction] = {}
        self._refused: dict[Vehicle, str] = {}
        self._seats: dict[Vehicle, Seat] = {}

    @staticmethod
    def flies(vehicle: Vehicle) -> bool:
        """Whether it is flown from here now, the active one or not."""
        return seat_of(vehicle).request.transmitting

    def ask(self, vehicle: Vehicle, action: FenceAction) -> None:
        """Have it done, as soon as it can be."""
        self._wanted[vehicle] = action
        self._refused.pop(vehicle, None)

    def forget(self, vehicle: Vehicle) -> None:
        """It is back: what was not done is not done any more."""
        self._wanted.pop(vehicle, None)

    def poll(self, vehicles: Sequence[Vehicle]) -> list[str]:
        """Go on, some times a second, with those that are there. Returns what is to be told."""
        for gone in [vehicle for vehicle in self._seats if vehicle not in vehicles]:
            self._seats.pop(gone).leave()
        self._wanted = {v: action for v, action in self._wanted.items() if v in vehicles}
        told = [self._try(vehicle, action) for vehicle, action in list(self._wanted.items())]
        told += [self._keep(vehicle, seat) for vehicle, seat in list(self._seats.items())]
        return [text for text in told if text]

    def close(self) -> None:
        """Stand up from all seats: what nobody else flies is left to its failsafe."""
        while self._seats:
            self._seats.popitem()[1].leave()

    def _try(self, vehicle: Vehicle, action: FenceAction) -> str:
        title = _ORDERS[action]
        refusal = _why_not(vehicle, title)
        if refusal:
            if refusal == self._refused.get(vehicle):
                return ""
            self._refused[vehicle] = refusal
            return f"{vehicle.name} crossed a fence. Not done: {title}. {refusal}"
        del self._wanted[vehicle]
        if vehicle not in self._seats:
            self._seats[vehicle] = seat_of(vehicle)
            self._seats[vehicle].join()
        order(title, vehicle)
        return f"{vehicle.name} crossed a fence: {title}."

    def _keep(self, vehicle: Vehicle, seat: Seat) -> str:
        flight, situation = seat.look(vehicle.end_s)
        is_down = flight.armed == "Disarmed"
        if is_down and not seat.is_watched:
            seat.disarm(situation)  # its arming switch is still on
        if is_down or seat.is_by_hand:
            self._seats.pop(vehicle).leave()
            return ""
        return guided_of(vehicle).poll(situation, flight)


def _why_not(vehicle: Vehicle, title: str) -> str:
    seat = seat_of(vehicle)
    if seat.is_stopping:
        return _STOPS
    flight, _ = seat.look(vehicle.end_s)
    if flight.flight_mode == "Land" and title != "Land":
        return _LANDS
    return why_not_order(title, vehicle)
