"""What the shell itself can do: its commands, its menus and the overlays they open."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from app.command_list import shell_commands
from app.commands import Command, build_menus, make_action
from app.connection_popup import ConnectionPopup
from app.messages import Message
from app.overlay import CommandPalette, PaletteEntry, Prompt, TextOverlay
from app.panel_dock import PanelDock
from app.preferences_overlay import PreferencesOverlay
from plugins.api import PanelContext, resolve
from telemetry.clock import monotonic_s
from telemetry.finding import Level
from telemetry.vehicle.vehicle import Vehicle
from widgets.theme import theme_names

if TYPE_CHECKING:
    from app.station import Station

_LOG_FILTER = "Flight logs (*.opl *.tll *.drlog);;All files (*)"


class Shell:
    """Connects the window's controls with the parts of the station."""

    def __init__(self, station: "Station") -> None:
        self.station = station
        self._window = station.window
        self.commands: tuple[Command, ...] = (*shell_commands(self), *self._plugin_commands())
        self.actions: dict[str, QAction] = {
            command.id: make_action(command, self._window, station.tick.wake)
            for command in self.commands
        }
        self._vehicles_shown: tuple[object, ...] = ()
        self._popup = ConnectionPopup(self._window, station.connections, station.fleet, monotonic_s)
        self._build_main_menu()
        toolbar = self._window.toolbar
        toolbar.on_workspace = self._choose_workspace
        toolbar.on_workspace_menu = self._show_workspace_menu
        toolbar.on_new_workspace = self.new_workspace
        toolbar.on_connections = self.toggle_connections
        self._window.stack.choose_panel = self.choose_panel
        station.services.run_action = self.run

    def poll(self) -> None:
        """Follow what changes by itself; called on the tick."""
        vehicles = tuple((id(v), v.name, v.is_live) for v in self.station.fleet.vehicles)
        shown = (*vehicles, id(self.station.fleet.active))
        if shown != self._vehicles_shown:
            self._vehicles_shown = shown
            self._fill_vehicle_menu()
        if self._popup.isVisible():
            self._popup.refresh()

    def run(self, command_id: str) -> None:
        """Run a command by its id; an unknown one is told."""
        action = self.actions.get(command_id)
        if action is None:
            self.station.messages.tell(f"There is no action {command_id}.")
        else:
            action.trigger()

    # Files

    def open_log(self) -> None:
        """Ask for a log and open it."""
        dialog = QFileDialog(self._window, "Open a flight log")
        dialog.setNameFilter(_LOG_FILTER)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        recent = self.station.preferences.current.recent_logs
        if recent:
            dialog.setDirectory(str(Path(recent[0]).parent))
        dialog.fileSelected.connect(lambda name: self.station.open_log(Path(name)))
        dialog.open()

    def export(self) -> None:
        """Ask for a folder and write the active flight there as CSV."""
        vehicle = self.station.fleet.active
        if vehicle is None:
            self.station.messages.tell("There is no flight to export. Open a log first.")
            return
        dialog = QFileDialog(self._window, "Export the flight as CSV files into a folder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda name: self.station.logs.export(vehicle, Path(name)))
        dialog.open()

    def close_flight(self) -> None:
        """Take the active vehicle out of the station."""
        if self.station.fleet.active is not None:
            self.station.connections.ask_to_forget(self.station.fleet.active)

    # View

    def show_workspaces(self) -> None:
        """Bring the tabs in line with the workspaces there are."""
        stack = self._window.stack
        current = stack.ids.index(stack.current_id) if stack.current_id else 0
        self._window.toolbar.show_workspaces(stack.titles(), current)

    def show_workspace(self, number: int) -> None:
        """Show the workspace of that number, from 0."""
        if number < len(self._window.stack.ids):
            self._choose_workspace(number)
            self.show_workspaces()

    def new_workspace(self) -> None:
        """Ask for a name and make an empty workspace."""
        Prompt(self._window, "Name of the new workspace", "My workspace", self._after(
            self._window.stack.add))  # fmt: skip

    def copy_workspace(self) -> None:
        """Ask for a name and keep what shows as a new workspace."""
        page = self._window.stack.current_page
        title = f"{page.title} copy" if page else ""
        Prompt(self._window, "Save this arrangement as", title, self._after(
            self._window.stack.copy_current))  # fmt: skip

    def rename_workspace(self) -> None:
        """Ask for another name for the workspace that shows."""
        page = self._window.stack.current_page
        Prompt(self._window, "Rename the workspace", page.title if page else "", self._after(
            self._window.stack.rename))  # fmt: skip

    def reset_workspace(self) -> None:
        """Bring the workspace that shows back to how it was delivered."""
        self._window.stack.reset()
        self.show_workspaces()

    def delete_workspace(self) -> None:
        """Remove the workspace that shows, if it is the user's own."""
        self._window.stack.delete()
        self.show_workspaces()

    def choose_panel(self) -> None:
        """Let the user pick a panel to add to the workspace that shows."""
        entries = [
            PaletteEntry(panel.title, self._panel_adder(panel_id))
            for panel_id, panel in self.station.plugins.panels.items()
        ]
        CommandPalette(self._window, entries, "Add a panel")

    def find(self) -> None:
        """Go to the search of a panel that has one: the one in use, else the first to be seen."""
        page = self._window.stack.current_page
        docks = [dock for dock in (page.docks if page else ()) if dock.is_showing()]
        focused = QApplication.focusWidget()
        if focused is not None:
            docks.sort(key=lambda dock: not dock.isAncestorOf(focused))
        if not any(dock.start_search() for dock in docks):
            self.station.messages.tell("No panel here has a search. Ctrl+3 shows the objects.")

    def next_theme(self) -> None:
        """Take the next of the themes."""
        names = theme_names()
        present = names.index(self.station.theme.name)
        self.station.set_theme(names[(present + 1) % len(names)])
        self.station.messages.tell(f"Theme: {self.station.theme.title}")

    def change_scale(self, step: float) -> None:
        """Enlarge or shrink everything; 0 goes back to the usual size."""
        present = self.station.preferences.current.scale
        self.station.set_scale(min(max(present + step, 0.8), 2.0) if step else 1.0)

    def show_preferences(self) -> None:
        """What can be chosen once and for all."""

        def save(changes: dict[str, Any]) -> None:
            self.station.messages.report(self.station.preferences.change(**changes), Level.WARNING)
            self.station.set_scale(changes["scale"])

        station = self.station
        usual = str(station.folders.recordings)
        PreferencesOverlay(self._window, station.preferences.current, usual, save)

    def toggle_full_screen(self) -> None:
        """Use the whole screen, or go back."""
        window = self._window
        if window.isFullScreen():
            window.showNormal()
        else:
            window.showFullScreen()

    # Connection

    def toggle_connections(self) -> None:
        """Open or close the list of places to connect to."""
        if self._popup.isVisible():
            self._popup.hide()
        else:
            self._popup.open_below(self._window.toolbar.link_button)

    def next_vehicle(self) -> None:
        """Make the next vehicle the active one."""
        vehicles = self.station.fleet.vehicles
        active = self.station.fleet.active
        if active is not None and len(vehicles) > 1:
            self._activate(vehicles[(vehicles.index(active) + 1) % len(vehicles)])

    # Help

    def palette(self) -> None:
        """Every action by name."""
        entries = [
            PaletteEntry(
                command.title, self.actions[command.id].trigger, _keys(command), command.menu
            )
            for command in self.commands
            if command.id != "palette" and not _is_numbered(command)
        ]
        for panel_id, panel in self.station.plugins.panels.items():
            entries.append(PaletteEntry(panel.title, self._panel_adder(panel_id), "", "Add panel"))
        for number, title in enumerate(self._window.stack.titles()):
            entries.append(PaletteEntry(title, self._workspace_shower(number), "", "Workspace"))
        CommandPalette(self._window, entries)

    def show_shortcuts(self) -> None:
        """The keys of the station and what the panel under the pointer offers."""
        dock = self._dock_under_pointer()
        lines = [f"{dock.title}\n  {dock.help_text}\n"] if dock and dock.help_text else []
        shown = [command for command in self.commands if not _is_numbered(command)]
        for menu in dict.fromkeys(command.menu for command in shown):
            lines.append(menu or "Everywhere")
            if not menu:
                lines.append(f"  {'Ctrl+1 … Ctrl+9':<28}Show a workspace")
            lines += [
                f"  {_keys(command):<28}{command.title}"
                for command in shown
                if command.menu == menu and command.shortcuts
            ]
            lines.append("")
        TextOverlay(self._window, "Shortcuts", "\n".join(lines), fixed_width=True)

    def show_help(self) -> None:
        """What can be done in the panel under the pointer."""
        dock = self._dock_under_pointer()
        if dock is None or not dock.help_text:
            self.station.messages.tell("Point at a panel to read about it; ? shows all keys.")
        else:
            TextOverlay(self._window, dock.title, dock.help_text)

    def show_doctor(self) -> None:
        """What is installed, what is missing, and the remedy."""
        from app.doctor import examine, report_text

        TextOverlay(
            self._window,
            "Doctor",
            report_text(examine(self.station.folders)),
            fixed_width=True,
        )

    def show_about(self) -> None:
        """Version and licence."""
        from app.doctor import versions

        lines = [f"{name} {version}" for name, version in versions().items()]
        TextOverlay(
            self._window,
            "About Lapwing",
            "A ground control station and flight simulator for aircraft that speak UAVTalk.\n"
            "Free software under the GNU General Public License, version 3 or later.\n\n"
            + "\n".join(lines),
        )

    def _build_main_menu(self) -> None:
        menus = build_menus(self._window, self.commands, self.actions)
        recent = QMenu("Open recent", self._window)
        recent.aboutToShow.connect(lambda: self._fill_recent(recent))
        menus["File"].insertMenu(self.actions["export"], recent)
        panels = QMenu("Add panel", self._window)
        for panel_id, panel in self.station.plugins.panels.items():
            _entry(panels, panel.title, self._panel_adder(panel_id))
        themes = QMenu("Theme", self._window)
        for name in ("system", *theme_names()):
            _entry(themes, name.capitalize(), self._theme_setter(name))
        menus["View"].insertMenu(self.actions["next-theme"], themes)
        menus["View"].insertMenu(self.actions["add-panel"], panels)
        for menu in menus.values():
            self._window.main_menu.addMenu(menu)
        _entry(self._window.main_menu, "Everything by name …\tCtrl+K", self.palette)

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for name in self.station.preferences.current.recent_logs:
            _entry(menu, name, self._log_opener(name))
        if menu.isEmpty():
            menu.addAction("No log was opened yet").setEnabled(False)

    def _fill_vehicle_menu(self) -> None:
        menu = self._window.toolbar.vehicle_menu
        menu.clear()
        for vehicle in self.station.fleet.vehicles:
            action = _entry(menu, vehicle.name, self._activator(vehicle))
            action.setCheckable(True)
            action.setChecked(vehicle is self.station.fleet.active)
        menu.addSeparator()
        menu.addAction(self.actions["close-flight"])

    def _choose_workspace(self, index: int) -> None:
        self._window.stack.show_workspace(self._window.stack.ids[index])

    def _show_workspace_menu(self, index: int, point: QPoint) -> None:
        if index >= 0:
            self.show_workspace(index)
        menu = QMenu(self._window)
        for command_id in ("copy-workspace", "rename-workspace", "reset-workspace",
                           "delete-workspace", "new-workspace"):  # fmt: skip
            menu.addAction(self.actions[command_id])
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)

    def _plugin_commands(self) -> list[Command]:
        return [
            Command(
                action_id,
                action.title,
                self._plugin_runner(action_id),
                (action.shortcut,) if action.shortcut else (),
                action.menu,
            )
            for action_id, action in self.station.plugins.actions.items()
        ]

    def _plugin_runner(self, action_id: str) -> Callable[[], None]:
        station = self.station
        action = station.plugins.actions[action_id]

        def run() -> None:
            context = PanelContext(
                fleet=station.fleet,
                theme=station.theme,
                jobs=station.jobs,
                show_message=station.messages.tell,
                run_action=self.run,
                open_log=station.open_log,
            )
            try:
                resolve(action.run)(context)
            except Exception as error:  # noqa: BLE001  a plugin may fail in any way it likes
                station.messages.put(Message(f"{action.title} failed: {error!r}.", Level.WARNING))

        return run

    def _after(self, act: Callable[[str], object]) -> Callable[[str], None]:
        def done(text: str) -> None:
            act(text)
            self.show_workspaces()

        return done

    def _activate(self, vehicle: Vehicle) -> None:
        self.station.fleet.activate(vehicle)
        self.station.tick.wake()

    def _activator(self, vehicle: Vehicle) -> Callable[[], None]:
        return lambda: self._activate(vehicle)

    def _panel_adder(self, panel_id: str) -> Callable[[], None]:
        def add() -> None:
            page = self._window.stack.current_page
            if page is not None:
                page.add_panel(panel_id)

        return add

    def _workspace_shower(self, number: int) -> Callable[[], None]:
        return lambda: self.show_workspace(number)

    def _theme_setter(self, name: str) -> Callable[[], None]:
        return lambda: self.station.set_theme(name)

    def _log_opener(self, name: str) -> Callable[[], None]:
        return lambda: self.station.open_log(Path(name))

    def _dock_under_pointer(self) -> PanelDock | None:
        page = self._window.stack.current_page
        docks = page.docks if page else []
        return next((dock for dock in docks if dock.underMouse()), None)


def _is_numbered(command: Command) -> bool:
    """Whether it is one of nine alike, which lists of commands leave out."""
    return command.id.startswith("workspace-")


def _keys(command: Command) -> str:
    return "  ".join(command.shortcuts)


def _entry(menu: QMenu, title: str, run: Callable[[], object]) -> QAction:
    action = menu.addAction(title)
    action.triggered.connect(lambda _checked=False: run())
    return action
