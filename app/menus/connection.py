"""The Connection menu, and the toolbar's list of aircraft."""

from functools import partial

from app.connection.popup import ConnectionPopup
from app.menus.parts import MenuParts
from app.window.commands import Command, MenuEntry
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.vehicle.vehicle import Vehicle

_POPUP_HZ = 10
_FLOWN_IN = "fly"


def connection_menu(parts: MenuParts) -> tuple[Command, ...]:
    """Everything that opens or ends a connection, or chooses between aircraft."""
    tick = parts.services.tick
    popup = ConnectionPopup(
        parts.window, parts.connections, parts.services.fleet, monotonic_s, tick.wake
    )
    tick.add(popup.refresh, _POPUP_HZ, popup.isVisible)

    def toggle_popup() -> None:
        if popup.isVisible():
            popup.hide()
        else:
            popup.open_below(parts.window.toolbar.link_button)

    toggle, menu = parts.connections.toggle, "Connection"
    return (
        Command("connect", "Connect or disconnect", toggle, ("Ctrl+L",), menu),
        Command("connections", "Connections …", toggle_popup, ("Ctrl+Shift+L",), menu),
        Command("next-vehicle", "Next aircraft", partial(_show_next, parts), ("Ctrl+Tab",), menu),
    )


def vehicle_entries(parts: MenuParts) -> list[MenuEntry]:
    """Every aircraft and flight by name, the active one checked; choosing one makes it that."""
    fleet = parts.services.fleet
    return [
        MenuEntry(vehicle.name, partial(_activate, parts, vehicle), checked=vehicle is fleet.active)
        for vehicle in fleet.vehicles
    ]


def show_live(parts: MenuParts) -> None:
    """Lead back to the aircraft that is live, and to the workspace that it is flown in."""
    fleet = parts.services.fleet
    live = [vehicle for vehicle in fleet.vehicles if vehicle.is_live]
    if not live:
        parts.services.messages.tell("There is no flight to close and no aircraft to go back to.")
        return
    if fleet.active not in live:
        _activate(parts, live[0])
    parts.window.stack.show_workspace(_FLOWN_IN)


def _show_next(parts: MenuParts) -> None:
    fleet = parts.services.fleet
    if fleet.active is None and fleet.vehicles:
        _activate(parts, fleet.vehicles[0])
    elif fleet.active is not None and len(fleet.vehicles) > 1:
        next_number = fleet.vehicles.index(fleet.active) + 1
        _activate(parts, fleet.vehicles[next_number % len(fleet.vehicles)])


def _activate(parts: MenuParts, vehicle: Vehicle) -> None:
    refusal = parts.services.fleet.choose(vehicle)
    if refusal:
        parts.services.messages.report(refusal, Level.WARNING)
    parts.services.tick.wake()
