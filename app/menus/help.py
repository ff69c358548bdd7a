"""The Help menu: every command by name, the keys, the panel's help, the doctor."""

from collections.abc import Callable, Sequence
from functools import partial

from app.menus.parts import MenuParts
from app.menus.view import panel_entries
from app.window.commands import Command, MenuEntry
from app.window.overlay import CommandPalette, TextOverlay
from app.workspaces.panel_host import PanelHost

Commands = Callable[[], Sequence[Command]]


def help_menu(parts: MenuParts, commands: Commands) -> tuple[Command, ...]:
    """Everything that explains or finds something. `commands` returns all of the station."""
    return (
        Command("palette", "Everything by name …", partial(_palette, parts, commands), ("Ctrl+K",)),
        Command("shortcuts", "Shortcuts", partial(_shortcuts, parts, commands), ("?",), "Help"),
        Command("panel-help", "Help for the panel", partial(_panel_help, parts), ("F1",), "Help"),
        Command("doctor", "Doctor", partial(_doctor, parts), (), "Help"),
        Command("about", "About Lapwing", partial(_about, parts), (), "Help"),
    )


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


def _panel_help(parts: MenuParts) -> None:
    dock = _panel_under_pointer(parts)
    if dock is None or not dock.help_text:
        parts.services.messages.tell("Point at a panel to read about it; ? shows all keys.")
    else:
        TextOverlay(parts.window, dock.title, dock.help_text)


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
