"""Orders of crossed fences, done by each aircraft's own controls, whatever is shown meanwhile.

A fence's action is one that the aircraft flies by itself, chosen before the flight: it needs no
sticks, so it takes the aircraft from who let go of it, and from its failsafe. It is asked for again
and again until it can be done or the aircraft is back. What the pilot asks for after it counts.
"""

from collections.abc import Sequence
from typing import Final

from telemetry.flying.controls import FlightControls, controls_of
from telemetry.flying.guided_flight import guided_of
from telemetry.flying.joined_controls import JoinedControls
from telemetry.flying.orders.aircraft import order, why_not_order
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
    """Joins the controls where a fence asks for something, and leaves them once the pilot has taken
    over or the aircraft has disarmed."""

    def __init__(self) -> None:
        self._asked: dict[Vehicle, FenceAction] = {}
        self._refused: dict[Vehicle, str] = {}
        self._joined = JoinedControls()

    @staticmethod
    def flies(vehicle: Vehicle) -> bool:
        """Whether it is flown from here now, the active one or not."""
        return controls_of(vehicle).request.transmitting

    def ask(self, vehicle: Vehicle, action: FenceAction) -> None:
        """Have it done, as soon as it can be."""
        self._asked[vehicle] = action
        self._refused.pop(vehicle, None)

    def forget(self, vehicle: Vehicle) -> None:
        """It is back: what was not done is not done any more."""
        self._asked.pop(vehicle, None)

    def poll(self, vehicles: Sequence[Vehicle]) -> list[str]:
        """Go on, some times a second, with those that are there. Returns what is to be told."""
        self._joined.leave_gone(vehicles)
        self._asked = {v: action for v, action in self._asked.items() if v in vehicles}
        told = [self._try(vehicle, action) for vehicle, action in list(self._asked.items())]
        told += [self._keep(vehicle, controls) for vehicle, controls in self._joined]
        return [text for text in told if text]

    def close(self) -> None:
        """Leave all controls: what nobody else flies is left to its failsafe."""
        self._joined.leave_all()

    def _try(self, vehicle: Vehicle, action: FenceAction) -> str:
        title = _ORDERS[action]
        refusal = _why_not(vehicle, title)
        if refusal:
            if refusal == self._refused.get(vehicle):
                return ""
            self._refused[vehicle] = refusal
            return f"{vehicle.name} crossed a fence. Not done: {title}. {refusal}"
        del self._asked[vehicle]
        self._joined.join(vehicle)
        order(title, vehicle)
        return f"{vehicle.name} crossed a fence: {title}."

    def _keep(self, vehicle: Vehicle, controls: FlightControls) -> str:
        flight, situation = controls.situation_at(vehicle.end_s)
        is_down = flight.armed == "Disarmed"
        if is_down and not controls.is_watched:
            controls.disarm(situation)  # its arming switch is still on
        if is_down or controls.is_by_hand:
            self._joined.leave(vehicle)
            return ""
        return guided_of(vehicle).poll(situation, flight)


def _why_not(vehicle: Vehicle, title: str) -> str:
    controls = controls_of(vehicle)
    if controls.is_stopping:
        return _STOPS
    flight, _ = controls.situation_at(vehicle.end_s)
    if flight.flight_mode == "Land" and title != "Land":
        return _LANDS
    return why_not_order(title, vehicle)
