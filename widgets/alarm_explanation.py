"""Alarm explanation under the alarm strip: what is wrong, what it means and what to do."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QWidget,
)

from telemetry.base.finding import Level
from widgets.alarm_items import AlarmItem
from widgets.level_mark import draw_level_mark
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row, make_scrolled
from widgets.theme import PaintedWidget, Theme

WIDTH_PX = 560
_MARGIN_PX = 8
_FINE = AlarmItem(
    "Nothing is wrong",
    "",
    Level.OK,
    "The aircraft reports no alarm.",
    "System health lists every alarm with its state.",
)
_NOTHING_KNOWN = AlarmItem(
    "Nothing is known",
    "",
    Level.UNKNOWN,
    "The aircraft reports no alarms now, so nobody knows whether all is well.",
    "Do not arm before it has reported.",
)


class LevelMark(PaintedWidget):
    """The mark of one level as a small widget."""

    def __init__(self, theme: Theme, level: Level, size_px: int = 22) -> None:
        super().__init__()
        self._theme = theme
        self._level = level
        self.setFixedSize(QSize(size_px, size_px))

    def show_level(self, level: Level) -> None:
        self._level = level
        self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        draw_level_mark(painter, inside, self._level, theme)


class AlarmExplanation(QFrame):
    """A panel over the window's content that goes away with Esc, Close or another click."""

    closed = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setProperty("card", "plain")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Alarms explained")
        self.setAutoFillBackground(True)
        self._theme = theme
        self._window = window
        self._items: tuple[AlarmItem, ...] = ()
        self._is_known = False
        self._scroll = make_scrolled(QWidget(), keeps_width=True)
        self._scroll.viewport().setAutoFillBackground(False)
        self._close = make_button("Close", self.dismiss, "flat")
        layout = make_column(self._scroll, margins=4)
        self.setLayout(layout)
        layout.addWidget(self._close, alignment=Qt.AlignmentFlag.AlignRight)
        self.hide()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.show_items(self._items, is_known=self._is_known)

    def show_items(self, items: Sequence[AlarmItem], *, is_known: bool = True) -> None:
        """Explain `items`, or say that all is well, or not `is_known`: that nobody knows."""
        self._items, self._is_known = tuple(items), is_known
        content = QWidget()
        told = self._items or (_FINE if is_known else _NOTHING_KNOWN,)
        rows = [self._row(item) for item in told]
        content.setLayout(make_column(*rows, STRETCH, margins=None, spacing=14))
        self._scroll.setWidget(content)
        content.setAutoFillBackground(False)  # setWidget turns it on; the card's ground is wanted

    def open_below(self, strip: QWidget) -> None:
        """Open under the right end of `strip`, as high as the window allows."""
        window = self._window
        width = min(round(WIDTH_PX * self._theme.scale), window.width() - 2 * _MARGIN_PX)
        corner = strip.mapTo(window, QPoint(strip.width(), strip.height()))
        wanted = self._column_height(width - 16) + self._close.sizeHint().height() + 24
        height = max(80, min(wanted, window.height() - corner.y() - 2 * _MARGIN_PX))
        left = max(_MARGIN_PX, corner.x() - width - _MARGIN_PX)
        self.setGeometry(left, corner.y() + 2, width, height)
        self.show()
        self.raise_()
        self._close.setFocus()

    def dismiss(self) -> None:
        """Close and give the focus back."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)

    def _column_height(self, width: int) -> int:
        content = self._scroll.widget()
        layout = content.layout() if content else None
        return layout.heightForWidth(width) if layout else 0

    def _row(self, item: AlarmItem) -> QHBoxLayout:
        mark = LevelMark(self._theme, item.level, round(22 * self._theme.scale))
        title = make_label(item.headline, wraps=True)
        title.setFont(self._theme.font("body", bold=True))
        meaning = make_label(item.meaning, wraps=True)
        remedy = make_label(item.remedy, tone="muted", wraps=True)
        row = make_row((make_column(title, meaning, remedy, spacing=2), 1), spacing=12)
        row.insertWidget(0, mark, alignment=Qt.AlignmentFlag.AlignTop)
        return row
