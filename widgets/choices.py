"""Boxes and menu entries to choose one of several by, and to tick."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QCheckBox, QComboBox


def make_choice(
    name: str,
    entries: Iterable[str | tuple[str, object]] = (),
    act: Callable[[Any], object] | None = None,
    *,
    chosen: object = None,
    tip: str = "",
) -> QComboBox:
    """A box to choose by. `name` is for those who do not see it, `entries` are titles, or titles
    with what they stand for; `act` is called with what the user chose."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(tip)
    for entry in entries:
        title, value = entry if isinstance(entry, tuple) else (entry, None)
        box.addItem(title, value)
    if chosen is not None:
        box.setCurrentIndex(max(0, box.findData(chosen)))
    if act is not None:
        box.activated.connect(lambda _row: act(box.currentData()))
    return box


def fill_choice(box: QComboBox, entries: Sequence[tuple[str, object]], chosen: object) -> None:
    """Offer these titles with what they stand for, and show what is chosen of that, the first one
    if it is none of them. Nobody is told of a choice that is not the user's."""
    with QSignalBlocker(box):
        if [*entries] != [(box.itemText(row), box.itemData(row)) for row in range(box.count())]:
            box.clear()
            for title, value in entries:
                box.addItem(title, value)
        box.setCurrentIndex(max(0, box.findData(chosen)))


def make_check(text: str, act: Callable[..., object] | None = None, tip: str = "") -> QCheckBox:
    """A box to tick; `act` is called when it is ticked and when no longer, with that if it takes
    it."""
    box = QCheckBox(text)
    box.setToolTip(tip)
    if act is not None:
        box.toggled.connect(act)
    return box


def mark_chosen(action: QAction, is_chosen: bool, group: QActionGroup | None = None) -> QAction:
    """Have an entry of a menu be one that is chosen or not, by itself or as one of a group."""
    action.setCheckable(True)
    action.setChecked(is_chosen)
    if group is not None:
        group.addAction(action)
    return action
