"""Orders to one aircraft that need nobody who looks: hold, land, return, motors off.

By the flight mode switch and the arming switch of its own controls, as the buttons of *Controls* do
it. What came of it is what the aircraft then says of itself.
"""

from collections.abc import Callable
from typing import Final

from telemetry.flying import actions
from telemetry.flying.controls import controls_of
from telemetry.flying.guided_flight import GuidedFlight, guided_of
from telemetry.vehicle.vehicle import LinkState, Vehicle

STOP: Final = "Motors off"

_GUIDED: Final[dict[str, Callable[[GuidedFlight], None]]] = {
    "Hold": GuidedFlight.hold,
    "Land": GuidedFlight.land,
    "Return": GuidedFlight.return_home,
}


def why_not_order(action: str, vehicle: Vehicle) -> str:
    """Why one aircraft cannot be asked for it now, "" if it can."""
    if vehicle.status.state is LinkState.REPLAY:
        return "It is a log."
    situation = controls_of(vehicle).situation_at(vehicle.end_s)[1]
    if action == STOP:
        deaf = actions.why_deaf(situation) or "It is not armed."
        return "" if actions.can_stop(situation) else deaf
    return actions.why_not(action, situation) or ""


def order(action: str, vehicle: Vehicle) -> None:
    """Ask one aircraft for it, whose controls are joined. The caller has asked
    `why_not_order`."""
    if action == STOP:
        controls = controls_of(vehicle)
        controls.disarm(controls.situation_at(vehicle.end_s)[1])
    else:
        _GUIDED[action](guided_of(vehicle))
