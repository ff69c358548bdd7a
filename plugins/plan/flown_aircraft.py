"""Aircraft to fly a plan in simulation: shipped ones, and the connected one's settings.

Those settings fly on the shipped body that resembles the connected one most.
"""

from dataclasses import dataclass
from typing import Final

from telemetry.base.simulation_command import aircraft_names
from telemetry.configuration.airframe.airframe import find_airframe
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.document import SettingsDocument
from telemetry.vehicle.vehicle import Vehicle

_SIM: Final = "sim:"
_USUAL_BODY: Final = "ar100b"
"""Of a frame that nothing simulated has."""


@dataclass(frozen=True, slots=True)
class FlownAircraft:
    """One to choose. `body` is a shipped aircraft, `settings` are a board's; None for its own."""

    title: str
    body: str
    settings: SettingsDocument | None = None


def connected_title(vehicle: Vehicle | None) -> str:
    """What to call the choice of the connected aircraft's settings; empty without them."""
    body = _body_of(vehicle) if vehicle is not None else ""
    return f"{vehicle.name}'s settings on {body}" if vehicle is not None and body else ""


def connected_aircraft(vehicle: Vehicle) -> FlownAircraft:
    """The connected aircraft's settings as they are on board now."""
    snapshot = configuration_of(vehicle).snapshot(vehicle.name)
    return FlownAircraft(connected_title(vehicle), _body_of(vehicle), SettingsDocument(snapshot))


def body_named(vehicle: Vehicle) -> str:
    """The shipped aircraft that a simulated one is; empty for others."""
    if not vehicle.name.startswith(_SIM):
        return ""
    name = vehicle.name.removeprefix(_SIM).partition(" ")[0].partition("#")[0]
    return name if name in aircraft_names() else ""


def _body_of(vehicle: Vehicle) -> str:
    frame = configuration_of(vehicle).on_board("SystemSettings", "AirframeType")
    if frame is None:
        return ""
    known = find_airframe(str(frame))
    alike = known.simulated if known is not None else ""
    return body_named(vehicle) or alike or _USUAL_BODY
