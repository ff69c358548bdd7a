"""The parts of the station that its menus act on."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.appearance import Appearance
from app.connections import Connections
from app.exports import Exports
from app.flight_keeping import FlightKeeping
from app.flight_opening import FlightOpening
from app.log_opening import LogOpening
from app.main_window import MainWindow
from app.panel_dock import PanelServices
from app.preferences import PreferenceStore
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
    keeping: FlightKeeping
    exports: Exports
    preferences: PreferenceStore
    actions: Mapping[str, Action]
    folders: Folders
