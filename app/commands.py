"""Everything the shell can do, by name: one list feeds menus, shortcuts and command palette."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

MENUS = ("File", "View", "Connection", "Replay", "Tools", "Help")


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that can be done. `shortcuts` are portable key sequences ("Ctrl+O")."""

    id: str
    title: str
    run: Callable[[], object]
    shortcuts: tuple[str, ...] = ()
    menu: str = ""
    repeats: bool = False


def clashes(commands: Iterable[Command]) -> list[str]:
    """Shortcuts that two commands claim, each as a sentence."""
    owners: dict[str, str] = {}
    found: list[str] = []
    for command in commands:
        for shortcut in command.shortcuts:
            key = QKeySequence(shortcut).toString()
            if not key:
                found.append(f"{shortcut!r} of {command.id} is no key")
            elif key in owners:
                found.append(f"{key} is claimed by {owners[key]} and {command.id}")
            else:
                owners[key] = command.id
    return found


def make_action(command: Command, owner: QWidget, done: Callable[[], None]) -> QAction:
    """A QAction that runs the command, its shortcuts valid in the whole window of `owner`.

    `done` is called after each run.
    """
    action = QAction(command.title, owner)
    action.setObjectName(command.id)
    action.setShortcuts([QKeySequence(text) for text in command.shortcuts])
    action.setAutoRepeat(command.repeats)

    def run() -> None:
        command.run()
        done()

    action.triggered.connect(lambda _checked=False: run())
    owner.addAction(action)
    return action


def build_menus(
    parent: QWidget, commands: Iterable[Command], actions: dict[str, QAction]
) -> dict[str, QMenu]:
    """One menu per name in MENUS that any command stands in, in that order."""
    menus = {name: QMenu(name, parent) for name in MENUS}
    for command in commands:
        if command.menu in menus:
            menus[command.menu].addAction(actions[command.id])
    return {name: menu for name, menu in menus.items() if not menu.isEmpty()}
