"""The File menu: flights, logs and videos, export, preferences, the end."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.exporting.choice import ExportChoice
from app.exporting.overlay import ExportOverlay
from app.menus.connection import show_live
from app.menus.parts import MenuParts
from app.opening.comparison import END_TITLE
from app.opening.flight_dialogs import offer_comparing
from app.opening.logs import LogOpening
from app.window.commands import Command, MenuEntry, MenuItem, Submenu
from app.window.preferences_overlay import PreferencesOverlay
from telemetry.base.finding import Level
from telemetry.review.flights.file_kind import PACKED_SUFFIX, VIDEO_PATTERNS
from telemetry.review.flights.lapwing_file import SUFFIX
from telemetry.vehicle.vehicle import Vehicle
from widgets.dialogs import ask_for_files, ask_for_folder, ask_where_to_save

_FLIGHTS: Final = f"*{SUFFIX} *{PACKED_SUFFIX}"


def file_menu(parts: MenuParts) -> tuple[MenuItem, ...]:
    """Everything that opens, writes or closes a flight, and the preferences."""
    return (
        Command("open-log", "Open …", partial(_open, parts), ("Ctrl+O",), "File"),
        Command(
            "open-folder", "Open folder …", partial(_open_folder, parts), ("Ctrl+Shift+O",), "File"
        ),
        Submenu("Open recent", partial(_recent, parts), "File", "Nothing was opened yet"),
        Command("save-flight", "Save flight", partial(_save, parts), ("Ctrl+S",), "File"),
        Command(
            "save-flight-as",
            "Save flight as …",
            partial(_save_as, parts),
            ("Ctrl+Shift+S",),
            "File",
        ),
        Command("pack-flight", "Pack flight …", partial(_pack, parts), (), "File"),
        Command("join-flight", "Add to another flight …", partial(_join, parts), (), "File"),
        Command(
            "compare-flight", "Compare with another flight …", partial(_compare, parts), (), "File"
        ),
        Command("end-comparison", END_TITLE, partial(_end_comparison, parts), (), "File"),
        Command("export", "Export …", partial(_export, parts), ("Ctrl+E",), "File"),
        Command(
            "close-flight", "Close this flight", partial(_close_flight, parts), ("Ctrl+W",), "File"
        ),
        Command(
            "preferences", "Preferences …", partial(_show_preferences, parts), ("Ctrl+,",), "File"
        ),
        Command("quit", "Quit", parts.window.close, ("Ctrl+Q",), "File"),
    )


def _open(parts: MenuParts) -> None:
    recent = parts.preferences.current.recent_logs
    folder = Path(recent[0]).parent if recent else None
    filters = _name_filters(parts.logs)
    title = "Open logs, flights and videos"
    ask_for_files(parts.window, title, filters, parts.flights.open, folder)


def _open_folder(parts: MenuParts) -> None:
    title = "Open a memory card or a folder of logs and videos"
    ask_for_folder(parts.window, title, parts.flights.open_folder)


def _name_filters(logs: LogOpening) -> str:
    kinds = [
        ("Flights, logs and videos", f"{_FLIGHTS} {logs.patterns} {VIDEO_PATTERNS}"),
        ("Flights", _FLIGHTS),
        ("Flight logs", logs.patterns),
        ("Videos", VIDEO_PATTERNS),
        *logs.titles,
        ("All files", "*"),
    ]
    return _joined(kinds)


def _joined(kinds: Iterable[tuple[str, str]]) -> str:
    """File dialogs take them so."""
    return ";;".join(f"{title} ({patterns})" for title, patterns in kinds)


def _recent(parts: MenuParts) -> list[MenuEntry]:
    names = parts.preferences.current.recent_logs
    return [MenuEntry(name, partial(parts.services.open_log, Path(name))) for name in names]


def _save(parts: MenuParts) -> None:
    if vehicle := _flight_shown(parts):
        parts.keeping.save(vehicle)


def _save_as(parts: MenuParts) -> None:
    if vehicle := _flight_shown(parts):
        parts.keeping.save_as(vehicle)


def _pack(parts: MenuParts) -> None:
    if vehicle := _flight_shown(parts):
        parts.packing.pack(vehicle)


def _join(parts: MenuParts) -> None:
    if vehicle := _flight_shown(parts):
        parts.flights.offer_joining(vehicle)


def _compare(parts: MenuParts) -> None:
    if vehicle := _flight_shown(parts):
        kinds = (
            ("Flights and logs", f"*{SUFFIX} {parts.logs.patterns}"),
            *parts.logs.titles,
            ("All files", "*"),
        )
        fleet, filters = parts.services.fleet, _joined(kinds)
        offer_comparing(parts.window, fleet, parts.flights, vehicle, filters)


def _end_comparison(parts: MenuParts) -> None:
    if vehicle := _flight_shown(parts):
        parts.flights.comparison.end(vehicle)


def _flight_shown(parts: MenuParts) -> Vehicle | None:
    vehicle = parts.services.fleet.active
    if vehicle is None:
        parts.services.messages.tell("There is no flight. Open a log or connect first.")
    return vehicle


def _export(parts: MenuParts) -> None:
    vehicle = parts.services.fleet.active
    if vehicle is None:
        parts.services.messages.tell("There is no flight to export. Open a log first.")
        return
    page = parts.window.stack.current_page
    hosts = page.hosts if page is not None else ()
    views = [(host.place(), host.title) for host in hosts]
    ask = partial(_ask_where_to, parts, vehicle)
    ExportOverlay(parts.window, vehicle, views, ask, parts.services.theme)


def _ask_where_to(parts: MenuParts, vehicle: Vehicle, choice: ExportChoice) -> None:
    """A file for a video, a folder for all else."""
    title, start = f"{choice.shape.title}: where to", partial(parts.exports.start, vehicle, choice)
    if choice.shape.kind == "video":
        filters = "Videos (*.mp4 *.mkv *.mov *.avi)"
        ask_where_to_save(parts.window, title, filters, choice.shape.name, start)
    else:
        ask_for_folder(parts.window, title, start)


def _close_flight(parts: MenuParts) -> None:
    """Close what shows. After the last flight from a file, and where nothing shows that could be
    closed, it leads back to the aircraft that is live."""
    fleet, page = parts.services.fleet, parts.window.stack.current_page
    vehicle = fleet.active
    if vehicle is None or (page is not None and not page.hosts):
        show_live(parts)
        return
    parts.connections.ask_to_forget(vehicle)
    if not vehicle.is_live and fleet.vehicles and all(one.is_live for one in fleet.vehicles):
        show_live(parts)


def _show_preferences(parts: MenuParts) -> None:
    def save(changes: dict[str, Any]) -> None:
        parts.services.messages.report(parts.preferences.change(**changes), Level.WARNING)
        parts.appearance.refresh()

    usual = str(parts.folders.recordings)
    PreferencesOverlay(parts.window, parts.preferences.current, usual, save)
