"""Tab order along the rows of layouts, whatever order their widgets were made in."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLayout, QLayoutItem, QScrollArea, QSplitter, QWidget


class RowScrollArea(QScrollArea):
    """A scrolled page in which Tab goes along the rows, as they are laid out at that moment."""

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """See QWidget."""
        content = self.widget()
        if content is not None:
            for one, other in pairwise(in_rows(content)):
                QWidget.setTabOrder(one, other)
        return super().focusNextPrevChild(is_next)


def in_rows(widget: QWidget) -> Iterator[QWidget]:
    """What takes the keyboard by Tab in a widget, itself first, row after row."""
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    if takes and widget.focusProxy() is None:
        yield widget
    layout = widget.layout()
    inside: list[QWidget | None] = []
    if isinstance(widget, QScrollArea):
        inside = [widget.widget()]
    elif isinstance(widget, QSplitter):
        inside = [widget.widget(number) for number in range(widget.count())]
    elif layout is not None:
        inside = [*_widgets_of(layout)]
    for child in inside:
        if child is not None:
            yield from in_rows(child)


def _widgets_of(layout: QLayout) -> Iterator[QWidget]:
    """The widgets of a layout and those in it, row after row."""
    for item in _items_of(layout):
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            yield from _widgets_of(inner)
        elif widget is not None:
            yield widget


def _items_of(layout: QLayout) -> list[QLayoutItem]:
    items = [item for n in range(layout.count()) if (item := layout.itemAt(n)) is not None]
    if isinstance(layout, QGridLayout):
        places = [_row_and_column(layout, number) for number in range(len(items))]
        order = sorted(range(len(items)), key=lambda number: places[number])
        return [items[number] for number in order]
    return items


def _row_and_column(grid: QGridLayout, number: int) -> tuple[int, int]:
    place: Any = grid.getItemPosition(number)  # which the stubs call an object
    return int(place[0]), int(place[1])
