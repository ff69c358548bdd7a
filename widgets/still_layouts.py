"""Layouts held still: what stands around a widget is not laid out anew under the pointer."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QLayout, QMainWindow, QScrollArea, QWidget
from shiboken6 import isValid


class StillLayouts(QObject):
    """The layouts that a widget stands in, but that of docks: at rest between `hold` and `release`.

    What shows meanwhile has the place it had last. A scrolled page does not get shorter either,
    which would move it where it is scrolled to its end. A window of another size ends it.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._widget = widget
        self._held: list[QLayout] = []
        self._heights: list[tuple[QWidget, int]] = []
        widget.destroyed.connect(self.release)

    def hold(self) -> None:
        """Have nothing move; again does nothing."""
        if self._held:
            return
        self._widget.window().installEventFilter(self)
        child, parent = self._widget, self._widget.parentWidget()
        while parent is not None and not child.isWindow():
            layout = parent.layout()
            if layout is not None and layout.isEnabled() and not isinstance(parent, QMainWindow):
                layout.activate()  # with what has come before
                layout.setEnabled(False)
                self._held.append(layout)
            viewport = parent.parentWidget()
            area = viewport.parentWidget() if viewport is not None else None
            if isinstance(area, QScrollArea) and area.widget() is parent:
                self._heights.append((parent, parent.minimumHeight()))
                parent.setMinimumHeight(parent.height())
            child, parent = parent, viewport

    def eventFilter(self, _window: QObject, event: QEvent) -> bool:
        """Look on."""
        if event.type() == QEvent.Type.Resize:
            self.release()
        return False

    def release(self) -> None:
        """Lay out what has changed since."""
        held, self._held = self._held, []
        heights, self._heights = self._heights, []
        for widget, height in heights:
            if isValid(widget):
                widget.setMinimumHeight(height)
        for layout in filter(isValid, reversed(held)):
            layout.setEnabled(True)
            layout.invalidate()
            layout.activate()
