"""Guided popup: what needs numbers, over the row of actions. It stops nothing."""

from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from plugins.api import Json, PanelContext
from plugins.pilot.button_row import HEIGHT_PX
from plugins.pilot.guided_panel import GuidedPanel
from widgets.parts import make_column
from widgets.popup import BACKS_OUT, show_above, show_on_screen
from widgets.theme import hand_theme

_ACTIONS: Final = ("height", "go_to", "orbit", "speed", "heading", "pause", "resume")
_SIZE_PX: Final = (580, 212)
_GAP_PX: Final = 8


class GuidedPopup(QFrame):
    """Open until something was asked for, Esc, or the press that opened it. It is built when it is
    first opened: until then the plugin's place offer serves the map."""

    def __init__(self, context: PanelContext, give_back: QPushButton) -> None:
        super().__init__()
        self._context = context
        self._settings: Json = {}
        self._panel: GuidedPanel | None = None
        self._give_back = give_back
        give_back.setMinimumHeight(HEIGHT_PX)
        give_back.setParent(self)
        give_back.hide()
        self.setProperty("card", "plain")
        self.setProperty(BACKS_OUT, True)
        self.hide()
        context.on_close(self._end)

    def toggle_over(self, row: QWidget) -> None:
        """Open it above the row, or close it. Where the window is too low for it, it is one of its
        own."""
        if self.isVisible():
            self.hide()
            return
        window = row.window()
        top = row.mapTo(window, QPoint(row.width() // 2, -_GAP_PX))
        width_px, height_px = self._size().toTuple()
        if top.y() >= height_px:
            self.setParent(window)
        else:
            self.setParent(window, Qt.WindowType.Popup)
        self._build()
        hand_theme(self, self._context.theme)
        if top.y() >= height_px:
            show_above(self, window, top, width_px, height_px)
        else:
            self.resize(width_px, height_px)
            show_on_screen(self, row.mapToGlobal(QPoint(0, -height_px)))

    def refresh(self, t: float, *, can_give_back: bool) -> None:
        """Follow the aircraft."""
        self._give_back.setVisible(can_give_back)
        if self._panel is not None and self.isVisible():
            self._panel.refresh(t)

    def state(self) -> Json:
        """From where another aircraft is followed."""
        return self._settings if self._panel is None else self._panel.save_state()

    def restore(self, state: Json) -> None:
        """Take over what `state` returned."""
        self._settings = state
        if self._panel is not None:
            self._panel.restore_state(state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc backs out."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        if self._panel is not None:
            return
        self._panel = GuidedPanel(self._context, _ACTIONS)
        self._panel.restore_state(self._settings)
        self._panel.on_asked = self.hide
        self.setLayout(make_column((self._panel, 1), self._give_back, margins=4, spacing=4))

    def _size(self) -> QSize:
        scale = self._context.theme.scale
        return QSize(*(round(px * scale) for px in _SIZE_PX))

    def _end(self) -> None:
        self.hide()
        self.deleteLater()
