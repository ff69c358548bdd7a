"""Shortcuts or focus: whether a key belongs to the station or to the focused control.

Space plays and the arrows step, but somebody who walks through a tree with the arrows, or has
moved to a button with Tab and presses Space, means the control. A view in which text is typed has
the property `KEEPS_LETTERS`: single letters do nothing but that there, whatever has the focus.
"""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QMainWindow,
    QTabBar,
    QWidget,
)

KEEPS_LETTERS = "keepsLetters"
_Key = Qt.Key
_MOVES = {_Key.Key_Left, _Key.Key_Right, _Key.Key_Up, _Key.Key_Down, _Key.Key_Home, _Key.Key_End}
_PRESSES = {_Key.Key_Space, _Key.Key_Return, _Key.Key_Enter}


def take_over(event: QEvent) -> bool:
    """Let the focused control keep a key that it uses; for a window's `event`.

    True when the event is dealt with.
    """
    if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.ShortcutOverride:
        return False  # asking every event for its type costs more than all the rest
    focused = QApplication.focusWidget()
    if focused is None or not keeps_key(focused, event):
        return False
    event.accept()
    return True


def keeps_key(widget: QWidget, event: QKeyEvent) -> bool:
    """Whether the key belongs to the focused `widget` rather than to the station."""
    plain = event.modifiers() in (
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.ShiftModifier,
        Qt.KeyboardModifier.KeypadModifier,
    )
    if not plain:
        return False
    key = event.key()
    if event.text().isprintable() and event.text().strip() and _expects_text(widget):
        return True
    if isinstance(widget, QAbstractItemView | QComboBox | QAbstractSpinBox):
        return key in _MOVES or key in _PRESSES
    if isinstance(widget, QAbstractSlider | QTabBar):
        return key in _MOVES
    if isinstance(widget, QAbstractButton):
        by_keyboard = widget.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        return key in _PRESSES and by_keyboard
    return False


def _expects_text(focused: QWidget) -> bool:
    """Whether the focus is in a view that keeps letters, or such a view shows where it is."""
    widget: QWidget | None = focused
    while widget is not None:
        if widget.property(KEEPS_LETTERS):
            return True
        widget = widget.parentWidget()
    if not isinstance(focused, QMainWindow):
        return False
    shown = (child for child in focused.findChildren(QWidget) if child.property(KEEPS_LETTERS))
    return any(child.isVisible() for child in shown)
