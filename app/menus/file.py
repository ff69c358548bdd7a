"""The File menu: logs, export, preferences, the end."""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog

from app.commands import Command, MenuEntry, MenuItem, Submenu
from app.menus.parts import MenuParts
from app.preferences_overlay import PreferencesOverlay
from telemetry.finding import Level


def file_menu(parts: MenuParts) -> tuple[MenuItem, ...]:
    """Everything that opens, writes or closes a flight, and the preferences."""
    return (
        Command("open-log", "Open log …", partial(_open_log, parts), ("Ctrl+O",), "File"),
        Submenu("Open recent", partial(_recent_logs, parts), "File", "No log was opened yet"),
        Command("export", "Export as CSV …", partial(_export, parts), ("Ctrl+E",), "File"),
        Command(
            "close-flight", "Close this flight", partial(_close_flight, parts), ("Ctrl+W",), "File"
        ),
        Command(
            "preferences", "Preferences …", partial(_show_preferences, parts), ("Ctrl+,",), "File"
        ),
        Command("quit", "Quit", parts.window.close, ("Ctrl+Q",), "File"),
    )


def _open_log(parts: MenuParts) -> None:
    dialog = QFileDialog(parts.window, "Open a flight log")
    dialog.setNameFilter(parts.logs.name_filter)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    recent = parts.preferences.current.recent_logs
    if recent:
        dialog.setDirectory(str(Path(recent[0]).parent))
    dialog.fileSelected.connect(lambda name: parts.services.open_log(Path(name)))
    dialog.open()


def _recent_logs(parts: MenuParts) -> list[MenuEntry]:
    names = parts.preferences.current.recent_logs
    return [MenuEntry(name, partial(parts.services.open_log, Path(name))) for name in names]


def _export(parts: MenuParts) -> None:
    vehicle = parts.services.fleet.active
    if vehicle is None:
        parts.services.messages.tell("There is no flight to export. Open a log first.")
        return
    dialog = QFileDialog(parts.window, "Export the flight as CSV files into a folder")
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.fileSelected.connect(lambda name: parts.logs.export(vehicle, Path(name)))
    dialog.open()


def _close_flight(parts: MenuParts) -> None:
    if parts.services.fleet.active is not None:
        parts.connections.ask_to_forget(parts.services.fleet.active)


def _show_preferences(parts: MenuParts) -> None:
    def save(changes: dict[str, Any]) -> None:
        parts.services.messages.report(parts.preferences.change(**changes), Level.WARNING)
        parts.appearance.refresh()

    usual = str(parts.folders.recordings)
    PreferencesOverlay(parts.window, parts.preferences.current, usual, save)
