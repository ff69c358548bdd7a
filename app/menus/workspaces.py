"""The workspaces' part of the View menu, and the keys that show one."""

from functools import partial

from app.menus.parts import MenuParts
from app.window.commands import Command
from app.window.overlay import Prompt
from plugins.api import SHOW_CONFIGURE

TAB_MENU = (
    "copy-workspace",
    "rename-workspace",
    "reset-workspace",
    "delete-workspace",
    "new-workspace",
)
"""The commands in the menu of a workspace's tab, by id."""


def workspaces_menu(parts: MenuParts) -> tuple[Command, ...]:
    """Everything that shows, makes, changes or removes a workspace."""
    stack = parts.window.stack
    numbered = tuple(
        Command(
            f"workspace-{number + 1}",
            f"Show workspace {number + 1}",
            partial(stack.show_number, number),
            (f"Ctrl+{number + 1}",),
        )
        for number in range(9)
    )
    return (
        *numbered,
        Command(SHOW_CONFIGURE, "Show Configure", partial(stack.show_workspace, "configure")),
        Command("new-workspace", "New workspace …", partial(_ask_for_new, parts), (), "View"),
        Command("copy-workspace", "Save workspace as …", partial(_ask_for_copy, parts), (), "View"),
        Command("rename-workspace", "Rename workspace …", partial(_ask_name, parts), (), "View"),
        Command(
            "undo-layout",
            "Undo the last change of layout",
            stack.undo_layout,
            ("Ctrl+Alt+Z",),
            "View",
        ),
        Command("reset-workspace", "Reset workspace", stack.reset, (), "View"),
        Command("delete-workspace", "Delete workspace", stack.delete, (), "View"),
    )


def _ask_for_new(parts: MenuParts) -> None:
    Prompt(parts.window, "Name of the new workspace", "My workspace", parts.window.stack.add)


def _ask_for_copy(parts: MenuParts) -> None:
    stack = parts.window.stack
    title = f"{stack.current_page.title} copy" if stack.current_page else ""
    Prompt(parts.window, "Save this arrangement as", title, stack.copy_current)


def _ask_name(parts: MenuParts) -> None:
    stack = parts.window.stack
    title = stack.current_page.title if stack.current_page else ""
    Prompt(parts.window, "Rename the workspace", title, stack.rename)
