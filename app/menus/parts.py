"""Menu parts: the parts of the station that its menus act on."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.connection.connections import Connections
from app.exporting.exports import Exports
from app.opening.flights import FlightOpening
from app.opening.logs import LogOpening
from app.preferences import PreferenceStore
from app.saving.flights import FlightSaving
from app.saving.packing import FlightPacking
from app.window.appearance import Appearance
from app.window.main_window import MainWindow
from app.workspaces.panel_host import PanelServices
from plugins.api import Action
from telemetry.base.folders import Folders


@dataclass(frozen=True, slots=True)
class MenuParts:
    """`services` brings the fleet, the messages, the tick and the panels; `actions` are those of
    plugins by their full id."""

    window: MainWindow
    services: PanelServices
    appearance: Appearance
    connections: Connections
    logs: LogOpening
    flights: FlightOpening
    keeping: FlightSaving
    packing: FlightPacking
    exports: Exports
    preferences: PreferenceStore
    actions: Mapping[str, Action]
    folders: Folders
