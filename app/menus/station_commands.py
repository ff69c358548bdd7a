"""Station commands, and where the window offers them: menus, keys, toolbar."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.menus.connection import connection_menu, vehicle_entries
from app.menus.file import file_menu
from app.menus.help import help_menu
from app.menus.parts import MenuParts
from app.menus.plugin_actions import plugin_commands
from app.menus.replay import replay_menu
from app.menus.view import view_menu
from app.menus.workspaces import TAB_MENU, workspaces_menu
from app.window.commands import Command, build_menus, fill_menu, make_action


class StationCommands:
    """Owns the commands and their actions, both by id."""

    def __init__(self, parts: MenuParts) -> None:
        self._parts = parts
        window = parts.window
        items = (
            *file_menu(parts),
            *view_menu(parts),
            *workspaces_menu(parts),
            *connection_menu(parts),
            *replay_menu(window.transport, window.timeline_bar.ask_note),
            *help_menu(parts, lambda: self.commands),
            *plugin_commands(parts),
        )
        self.commands = tuple(item for item in items if isinstance(item, Command))
        self.actions: dict[str, QAction] = {
            command.id: make_action(command, window, parts.services.tick.wake)
            for command in self.commands
        }
        parts.services.run_action = self.run
        for menu in build_menus(window, items, self.actions):
            window.main_menu.addMenu(menu)
        window.main_menu.addAction(self.actions["palette"])
        toolbar = window.toolbar
        toolbar.vehicle_menu.aboutToShow.connect(self._fill_vehicle_menu)
        toolbar.on_workspace_menu = self._show_tab_menu
        toolbar.on_new_workspace = self.actions["new-workspace"].trigger
        toolbar.on_connections = self.actions["connections"].trigger
        window.stack.choose_panel = self.actions["add-panel"].trigger

    def run(self, command_id: str) -> None:
        """Run a command by its id; an unknown one is told."""
        action = self.actions.get(command_id)
        if action is None:
            self._parts.services.messages.tell(f"There is no action {command_id}.")
        else:
            action.trigger()

    def _fill_vehicle_menu(self) -> None:
        menu = self._parts.window.toolbar.vehicle_menu
        fill_menu(menu, vehicle_entries(self._parts))
        menu.addSeparator()
        menu.addAction(self.actions["close-flight"])

    def _show_tab_menu(self, index: int, point: QPoint) -> None:
        window = self._parts.window
        if index >= 0:
            window.stack.show_number(index)
        menu = QMenu(window)
        for command_id in TAB_MENU:
            menu.addAction(self.actions[command_id])
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(point)
