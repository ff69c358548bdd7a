"""Flight dialogs: files by dialogs that block nothing, choices by a list of names."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.opening.flights import FlightOpening
from app.saving.flights import FlightSaving
from app.window.commands import MenuEntry
from app.window.overlay import CommandPalette
from telemetry.recording.logs.definitions import SUFFIX as DEFINITIONS_SUFFIX
from telemetry.review.flights.flight import flight_of
from telemetry.review.flights.lapwing_file import SUFFIX
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle
from widgets import dialogs
from widgets.dialogs import ask_where_to_save


def ask_for_file(parent: QWidget, title: str, path: Path, then: Callable[[Path], None]) -> None:
    """Let the user find a file that is not at `path`."""
    filters = f"{path.name} (*{path.suffix});;All files (*)"
    there = next((folder for folder in path.parents if folder.is_dir()), None)
    dialogs.ask_for_file(parent, title, filters, then, there)


def ask_for_definitions(parent: QWidget, then: Callable[[list[Path]], None]) -> None:
    """Let the user choose definitions of objects: of XML files one is enough, the others in its
    folder count too."""
    title = "Definitions: one XML file of the firmware, or .definitions.json"
    filters = f"Definitions (*.xml *{DEFINITIONS_SUFFIX});;All files (*)"
    dialogs.ask_for_files(parent, title, filters, then)


def ask_where(parent: QWidget, keeping: FlightSaving, vehicle: Vehicle, path: Path) -> None:
    """Let the user choose where a flight is saved, near `path`."""
    save = partial(keeping.save, vehicle)
    ask_where_to_save(parent, "Save the flight as", f"Flight (*{SUFFIX})", SUFFIX, save, path)


def offer_joining(
    parent: QWidget, fleet: Fleet, flights: FlightOpening, vehicle: Vehicle
) -> CommandPalette:
    """Let the user choose what a flight's log is to another flight that is open."""
    others = [
        other
        for other in fleet.vehicles
        if other is not vehicle and other.status.state is LinkState.REPLAY
    ]
    titles = (
        f"Add {vehicle.name} as another log of the flight",
        f"Compare with {vehicle.name}, another flight",
    )
    entries = [
        MenuEntry(
            title,
            partial(flights.add_log, other, vehicle, is_other_flight=is_other_flight),
            group=other.name,
        )
        for other in others
        for title, is_other_flight in zip(titles, (False, True), strict=True)
    ]
    hint = f"What is {vehicle.name}?" if entries else "Open the flight that it belongs to first"
    return CommandPalette(parent, entries, hint)


def offer_comparing(
    parent: QWidget, fleet: Fleet, flights: FlightOpening, vehicle: Vehicle, filters: str
) -> None:
    """Let the user choose what a flight is compared with: a file, or a flight that is open."""
    comparison, flight = flights.comparison, flight_of(vehicle)
    folder = flight.log.parent if flight.log is not None else None
    take = partial(comparison.compare_with_file, vehicle)
    title = f"Compare {vehicle.name} with"
    ask = partial(dialogs.ask_for_file, parent, title, filters, take, folder)
    logs = [(one, flight_of(one).log) for one in fleet.vehicles if one is not vehicle]
    entries = [
        MenuEntry(one.name, partial(comparison.compare, vehicle, log, one.recording), group="Open")
        for one, log in logs
        if log is not None
    ]
    if entries:
        CommandPalette(parent, [*entries, MenuEntry("Another file …", ask)], title)
    else:
        ask()
