"""The Help menu: the manual, every command by name, the keys, the doctor."""

from collections.abc import Callable, Sequence
from functools import partial

from app.help.manual import INDEX, NoManualError, load_manual
from app.help.window import ManualWindow
from app.menus.parts import MenuParts
from app.menus.view import panel_entries
from app.window.commands import Command, MenuEntry
from app.window.overlay import CommandPalette, TextOverlay
from app.workspaces.panel_host import PanelHost
from telemetry.base.finding import Level

Commands = Callable[[], Sequence[Command]]


def help_menu(parts: MenuParts, commands: Commands) -> tuple[Command, ...]:
    """Everything that explains or finds something. `commands` returns all of the station."""
    manual = ManualOpener(parts)
    return (
        Command("manual", "Manual", manual.open, (), "Help"),
        Command("panel-help", "Manual: what is under the pointer", manual.explain, ("F1",), "Help"),
        Command("palette", "Everything by name …", partial(_palette, parts, commands), ("Ctrl+K",)),
        Command("shortcuts", "Shortcuts", partial(_shortcuts, parts, commands), ("?",), "Help"),
        Command("doctor", "Doctor", partial(_doctor, parts), (), "Help"),
        Command("about", "About Lapwing", partial(_about, parts), (), "Help"),
    )


class ManualOpener:
    """Opens the manual's window, which is made when it is first wanted and then kept."""

    def __init__(self, parts: MenuParts) -> None:
        self._parts = parts
        self._window: ManualWindow | None = None

    def open(self) -> None:
        """Show the manual where it was left, at first its index."""
        if window := self._made():
            window.open_at()

    def explain(self) -> None:
        """Show the page of what is under the pointer, with what a panel says of itself; of the
        workspace where no panel is."""
        window = self._made()
        if window is None:
            return
        dock, page = _panel_under_pointer(self._parts), self._parts.window.stack.current_page
        workspace = page.workspace_id if page else ""
        if dock is None:
            window.open_at(window.manual.page_about(workspace) or INDEX)
            return
        shown_in_it = str(dock.place().settings.get("page", ""))
        about = window.manual.page_about(shown_in_it, dock.panel_id, workspace)
        window.open_at(about or INDEX, dock.title, dock.help_text)

    def _made(self) -> ManualWindow | None:
        """The window; None after having told why there is none."""
        if self._window is None:
            try:
                manual = load_manual()
            except NoManualError as error:
                self._parts.services.messages.report(str(error), Level.WARNING)
                return None
            self._window = ManualWindow(self._parts.window, manual, self._parts.services.theme)
        return self._window


def _palette(parts: MenuParts, commands: Commands) -> None:
    run, stack = parts.services.run_action, parts.window.stack
    entries = [
        MenuEntry(command.title, partial(run, command.id), _keys(command), command.menu)
        for command in commands()
        if command.id != "palette" and not _is_numbered(command)
    ]
    entries += panel_entries(parts, "Add panel")
    entries += [
        MenuEntry(title, partial(stack.show_number, number), "", "Workspace")
        for number, title in enumerate(stack.titles())
    ]
    CommandPalette(parts.window, entries)


def _shortcuts(parts: MenuParts, commands: Commands) -> None:
    """The keys of the station and what the panel under the pointer offers."""
    dock = _panel_under_pointer(parts)
    lines = [f"{dock.title}\n  {dock.help_text}\n"] if dock and dock.help_text else []
    shown = [command for command in commands() if not _is_numbered(command)]
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
    TextOverlay(parts.window, "Shortcuts", "\n".join(lines), fixed_width=True)


def _doctor(parts: MenuParts) -> None:
    from app.diagnostics.doctor import examine, report_lines

    text = "\n".join(report_lines(examine(parts.folders)))
    TextOverlay(parts.window, "Doctor", text, fixed_width=True)


def _about(parts: MenuParts) -> None:
    from app.diagnostics.doctor import versions

    lines = [f"{name} {version}" for name, version in versions().items()]
    TextOverlay(
        parts.window,
        "About Lapwing",
        "A ground control station and flight simulator for aircraft that speak UAVTalk.\n"
        "Free software under the GNU General Public License, version 3 or later.\n\n"
        + "\n".join(lines),
    )


def _panel_under_pointer(parts: MenuParts) -> PanelHost | None:
    page = parts.window.stack.current_page
    hosts = page.hosts if page else []
    return next((host for host in hosts if host.underMouse()), None)


def _is_numbered(command: Command) -> bool:
    """Whether it is one of nine alike, which lists of commands leave out."""
    return command.id.startswith("workspace-")


def _keys(command: Command) -> str:
    return "  ".join(command.shortcuts)
