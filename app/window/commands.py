"""Commands of the station by name: one list feeds menus, shortcuts and command palette."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

MENUS = ("File", "View", "Connection", "Simulator", "Replay", "Tools", "Help")


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that can be done. `shortcuts` are portable key sequences ("Ctrl+O")."""

    id: str
    title: str
    run: Callable[[], object]
    shortcuts: tuple[str, ...] = ()
    menu: str = ""
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One choice of a submenu or of the command palette. `checked` is None where nothing is."""

    title: str
    run: Callable[[], object]
    shortcut: str = ""
    group: str = ""
    checked: bool | None = None


@dataclass(frozen=True, slots=True)
class Submenu:
    """Choices within a menu, asked for whenever it opens; `if_empty` says that there are none."""

    title: str
    entries: Callable[[], Sequence[MenuEntry]]
    menu: str
    if_empty: str = ""


MenuItem = Command | Submenu


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
    parent: QWidget, items: Iterable[MenuItem], actions: dict[str, QAction]
) -> list[QMenu]:
    """One menu per name in MENUS that any item stands in, in that order."""
    menus = {name: QMenu(name, parent) for name in MENUS}
    for item in items:
        if isinstance(item, Submenu):
            menus[item.menu].addMenu(_make_submenu(parent, item))
        elif item.menu in menus:
            menus[item.menu].addAction(actions[item.id])
    return [menu for menu in menus.values() if not menu.isEmpty()]


def fill_menu(menu: QMenu, entries: Iterable[MenuEntry]) -> None:
    """Put these entries in the place of all that stands in a menu."""
    menu.clear()
    for entry in entries:
        action = menu.addAction(entry.title)
        action.setCheckable(entry.checked is not None)
        action.setChecked(bool(entry.checked))
        action.triggered.connect(lambda _checked=False, run=entry.run: run())


def _make_submenu(parent: QWidget, item: Submenu) -> QMenu:
    menu = QMenu(item.title, parent)

    def fill() -> None:
        fill_menu(menu, item.entries())
        if menu.isEmpty():
            menu.addAction(item.if_empty).setEnabled(False)

    menu.aboutToShow.connect(fill)
    return menu
