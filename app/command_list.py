"""The list of the shell's own commands: titles, keys and menus in one place."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.commands import Command

if TYPE_CHECKING:
    from app.shell_commands import Shell


def shell_commands(shell: "Shell") -> tuple[Command, ...]:
    """All commands of the shell, in the order of its menus."""
    return (
        *_file(shell),
        *_view(shell),
        *_workspaces(shell),
        *_connection(shell),
        *_replay(shell),
        *_help(shell),
    )


def _file(shell: "Shell") -> tuple[Command, ...]:
    window = shell.station.window
    return (
        Command("open-log", "Open log …", shell.open_log, ("Ctrl+O",), "File"),
        Command("export", "Export as CSV …", shell.export, ("Ctrl+E",), "File"),
        Command("close-flight", "Close this flight", shell.close_flight, ("Ctrl+W",), "File"),
        Command("preferences", "Preferences …", shell.show_preferences, ("Ctrl+,",), "File"),
        Command("quit", "Quit", window.close, ("Ctrl+Q",), "File"),
    )


def _view(shell: "Shell") -> tuple[Command, ...]:
    return (
        Command("add-panel", "Add panel by name …", shell.choose_panel, ("Ctrl+N",), "View"),
        Command("find", "Find in the panel", shell.find, ("Ctrl+F",), "View"),
        Command("next-theme", "Next theme", shell.next_theme, ("T",), "View"),
        Command("larger", "Larger", lambda: shell.change_scale(0.1), ("Ctrl++", "Ctrl+="), "View"),
        Command("smaller", "Smaller", lambda: shell.change_scale(-0.1), ("Ctrl+-",), "View"),
        Command("usual-size", "Usual size", lambda: shell.change_scale(0.0), ("Ctrl+0",), "View"),
        Command("full-screen", "Full screen", shell.toggle_full_screen, ("F11",), "View"),
        Command("menu", "Open the menu", shell.station.window.toolbar.popup_main_menu, ("F10",)),
    )


def _workspaces(shell: "Shell") -> tuple[Command, ...]:
    numbered = tuple(
        Command(
            f"workspace-{number + 1}",
            f"Show workspace {number + 1}",
            partial(shell.show_workspace, number),
            (f"Ctrl+{number + 1}",),
        )
        for number in range(9)
    )
    return (
        *numbered,
        Command("new-workspace", "New workspace …", shell.new_workspace, (), "View"),
        Command("copy-workspace", "Save workspace as …", shell.copy_workspace, (), "View"),
        Command("rename-workspace", "Rename workspace …", shell.rename_workspace, (), "View"),
        Command("reset-workspace", "Reset workspace", shell.reset_workspace, (), "View"),
        Command("delete-workspace", "Delete workspace", shell.delete_workspace, (), "View"),
    )


def _connection(shell: "Shell") -> tuple[Command, ...]:
    connections = shell.station.connections
    return (
        Command("connect", "Connect or disconnect", connections.toggle, ("Ctrl+L",), "Connection"),
        Command(
            "connections",
            "Connections …",
            shell.toggle_connections,
            ("Ctrl+Shift+L",),
            "Connection",
        ),
        Command("next-vehicle", "Next aircraft", shell.next_vehicle, ("Ctrl+Tab",), "Connection"),
    )


def _replay(shell: "Shell") -> tuple[Command, ...]:
    move = shell.station.window.transport

    def replay(
        name: str, title: str, run: Callable[[], object], *keys: str, repeats: bool = False
    ) -> Command:
        return Command(name, title, run, keys, "Replay", repeats)

    return (
        replay("play", "Play or pause", move.toggle, "Space"),
        replay("backward", "Play backwards, again: faster", lambda: move.play(-1), "J"),
        replay("pause", "Pause", move.pause, "K"),
        replay("forward", "Play forwards, again: faster", lambda: move.play(1), "L"),
        replay("back-fine", "Back 0.1 s", lambda: move.step_s(-0.1), "Left", repeats=True),
        replay("on-fine", "On 0.1 s", lambda: move.step_s(0.1), "Right", repeats=True),
        replay("back", "Back 1 s", lambda: move.step_s(-1), "Shift+Left", repeats=True),
        replay("on", "On 1 s", lambda: move.step_s(1), "Shift+Right", repeats=True),
        replay("back-one", "Back one sample", lambda: move.step_sample(-1), ",", repeats=True),
        replay("on-one", "On one sample", lambda: move.step_sample(1), ".", repeats=True),
        replay("start", "Go to the start", move.go_to_start, "Home"),
        replay("end", "Go to the end, or live", move.go_to_end, "End"),
        replay("loop-in", "Begin a loop here", move.set_loop_in, "I"),
        replay("loop-out", "End a loop here", move.set_loop_out, "O"),
        replay("no-loop", "No loop", move.clear_loop, "Shift+O"),
        replay("faster", "Faster", lambda: move.change_speed(1), "]"),
        replay("slower", "Slower", lambda: move.change_speed(-1), "["),
        replay("marker", "Set a marker", move.add_marker, "M"),
        replay("last-marker", "Previous marker", move.go_to_previous_marker, "Shift+M"),
    )


def _help(shell: "Shell") -> tuple[Command, ...]:
    return (
        Command("palette", "Everything by name …", shell.palette, ("Ctrl+K",)),
        Command("shortcuts", "Shortcuts", shell.show_shortcuts, ("?",), "Help"),
        Command("panel-help", "Help for the panel", shell.show_help, ("F1",), "Help"),
        Command("doctor", "Doctor", shell.show_doctor, (), "Help"),
        Command("about", "About Lapwing", shell.show_about, (), "Help"),
    )
