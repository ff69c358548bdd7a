"""Long press: who holds the left button or a finger on something opens its menu, as a right click.

Where a press means something else it does not: on buttons, sliders, texts, and on whatever takes
the mouse without having a menu. A widget that leaves its menu to its parent says so by Qt's policy
`NoContextMenu`.
"""

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QMenuBar,
    QSplitterHandle,
    QTabBar,
    QWidget,
)

HELD_MS: Final = 600
_MOVED_PX: Final = 8
_FAR: Final = QPointF(-1e4, -1e4)
_PRESSED: Final = (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QMenu,
    QMenuBar,
    QSplitterHandle,
)
_OWN_MENU: Final = (
    Qt.ContextMenuPolicy.CustomContextMenu,
    Qt.ContextMenuPolicy.ActionsContextMenu,
)
_ENDS: Final = frozenset(
    (
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.Wheel,
        QEvent.Type.KeyPress,
        QEvent.Type.FocusOut,
    )
)


class LongPress(QObject):
    """Watches the windows of an application, whose few events of the hand cost nothing; a finger
    that nothing else takes presses the left button, as Qt has it."""

    def __init__(self, application: QGuiApplication) -> None:
        super().__init__(application)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(HELD_MS)
        self.timer.timeout.connect(self._open)
        self._pressed = QPoint()
        application.focusWindowChanged.connect(self.watch_windows)
        self.watch_windows()

    def watch_windows(self) -> None:
        """Watch those that are open now."""
        for window in QGuiApplication.topLevelWindows():
            window.installEventFilter(self)  # which Qt does once, however often it is asked

    def eventFilter(self, _window: QObject, event: QEvent) -> bool:
        """Take no event: only see whether one begins or ends a press."""
        if isinstance(event, QMouseEvent):
            self._see(event)
        elif event.type() in _ENDS:
            self.timer.stop()
        return False

    def _see(self, event: QMouseEvent) -> None:
        place = event.globalPosition().toPoint()
        if event.type() is QEvent.Type.MouseButtonPress:
            self._pressed = place
            is_plain = event.buttons() == Qt.MouseButton.LeftButton and not event.modifiers()
            if is_plain and opens_menu(QApplication.widgetAt(place)):
                self.timer.start()
            else:
                self.timer.stop()
        elif event.type() in _ENDS or (place - self._pressed).manhattanLength() > _MOVED_PX:
            self.timer.stop()

    def _open(self) -> None:
        """Open the menu, and let go of the button, far away so that it is no click: the hand's own
        release goes to the menu."""
        widget, place = QApplication.widgetAt(self._pressed), self._pressed
        if widget is None:
            return
        at = widget.mapFromGlobal(place)
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(widget, QContextMenuEvent(reason, at, place))
        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        kind, no_keys = QEvent.Type.MouseButtonRelease, Qt.KeyboardModifier.NoModifier
        release = QMouseEvent(kind, _FAR, QPointF(place) - at + _FAR, left, none, no_keys)
        QApplication.sendEvent(widget, release)


def opens_menu(widget: QWidget | None) -> bool:
    """Whether a press that is held there has no meaning of its own, and there is a menu."""
    while widget is not None:
        if isinstance(widget, _PRESSED) or _is_text(widget):
            return False
        policy = widget.contextMenuPolicy()
        if policy in _OWN_MENU or _defines(widget, "contextMenuEvent"):
            return True
        is_left_to_parent = policy is Qt.ContextMenuPolicy.NoContextMenu
        is_left_to_parent = is_left_to_parent or isinstance(widget, QTabBar)
        if not is_left_to_parent and _defines(widget, "mousePressEvent"):
            return False
        widget = None if widget.isWindow() else widget.parentWidget()
    return False


def _is_text(widget: QWidget) -> bool:
    """Whether holding it begins to select."""
    selectable = Qt.TextInteractionFlag.TextSelectableByMouse
    is_selectable = isinstance(widget, QLabel) and widget.textInteractionFlags() & selectable
    return bool(is_selectable) or widget.cursor().shape() is Qt.CursorShape.IBeamCursor


def _defines(widget: QWidget, name: str) -> bool:
    """Whether a class of ours has a method: Qt's own ones define all of them."""
    return any(
        name in vars(kind)
        for kind in type(widget).__mro__
        if not kind.__module__.startswith("PySide6")
    )
