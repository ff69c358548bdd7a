"""Overflow row: buttons beside each other; those without room stand in a menu at the end."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from widgets.labels import set_text
from widgets.parts import LayoutPart, make_row

_SPACING_PX = 4


class OverflowRow(QWidget):
    """All buttons where they fit, else as many of the first as do; `after` takes what is left.

    A button in the menu does there what it does in the row. The menu is called like the one of
    its buttons that is checked.
    """

    def __init__(self, buttons: Sequence[QPushButton], after: LayoutPart) -> None:
        super().__init__()
        self._buttons = tuple(buttons)
        self._more = QPushButton("More")
        self._menu = QMenu(self._more)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._more.setMenu(self._menu)
        self._more.setProperty("tight", True)
        self._row: QHBoxLayout = make_row(*self._buttons, self._more, after, spacing=_SPACING_PX)
        self.setLayout(self._row)
        self._more.hide()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for button in self._buttons:
            button.toggled.connect(lambda _is_checked: self._name_menu())

    def hasHeightForWidth(self) -> bool:
        """It has one line, whatever stands after the buttons."""
        return False

    def sizeHint(self) -> QSize:
        """Room for all buttons."""
        width = sum(button.sizeHint().width() + _SPACING_PX for button in self._buttons)
        return QSize(width, self._buttons[0].sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Room for the first button and the menu."""
        first = self._buttons[0].sizeHint()
        width = first.width() + self._more.sizeHint().width() + _SPACING_PX
        return QSize(width, first.height())

    @property
    def in_menu(self) -> list[QPushButton]:
        """Those that have no room."""
        return [button for button in self._buttons if button.isHidden()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many as fit."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Fit again when the buttons ask for another size."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        widths = [button.sizeHint().width() + _SPACING_PX for button in self._buttons]
        after = self._row.itemAt(self._row.count() - 1)
        after_px = after.minimumSize().width() if after is not None else 0
        room, shown = self.width() - after_px, len(widths)
        if sum(widths) > room:
            room -= self._more.sizeHint().width() + _SPACING_PX
            while shown > 1 and sum(widths[:shown]) > room:
                shown -= 1
        for number, button in enumerate(self._buttons):
            if button.isHidden() == (number < shown):
                button.setVisible(number < shown)
        self._more.setVisible(shown < len(widths))
        self._name_menu()

    def _name_menu(self) -> None:
        checked = [button.text() for button in self.in_menu if button.isChecked()]
        text = checked[0] if checked else "More"
        set_text(self._more, text)

    def _fill_menu(self) -> None:
        fill_with_buttons(self._menu, self.in_menu)


def fill_with_buttons(menu: QMenu, buttons: Iterable[QPushButton]) -> None:
    """Have a menu stand for buttons: what is chosen there is pressed."""
    menu.clear()
    for button in buttons:
        action = menu.addAction(button.text(), button.click)
        action.setEnabled(button.isEnabled())
        action.setCheckable(button.isCheckable())
        action.setChecked(button.isChecked())
        action.setToolTip(button.toolTip())
