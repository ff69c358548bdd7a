"""Pulse bar: where a pulse is now between two ends, its ends, and its neutral."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy

from widgets.theme import PaintedWidget, Theme

_USUAL_US = (900, 2100)
_NUMBER_PX = 46
_MARK_PX = 5.0


@dataclass(frozen=True, slots=True)
class PulseSpan:
    """The ends of a channel, its neutral, and where it rests: the bar grows from there."""

    minimum: int
    neutral: int
    maximum: int
    rest: int


class PulseBar(PaintedWidget):
    """`show_pulse` says where it is now, None for nowhere; then `note` says why."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.pulse: int | None = None
        self.note = ""
        self._span = PulseSpan(0, 0, 0, 0)
        self.setAccessibleName(name)
        self.setMinimumSize(110, 26)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(200, 26)

    def show_pulse(self, pulse: int | None, span: PulseSpan, note: str = "") -> None:
        """Show a pulse between its ends; repaint only if that is news."""
        if (pulse, span, note) != (self.pulse, self._span, self.note):
            self.pulse, self._span, self.note = pulse, span, note
            self.setToolTip(note)
            self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        if self.pulse is None:
            self._paint_note(painter, theme)
        else:
            self._paint_bar(painter, theme, self.pulse)

    def _paint_note(self, painter: QPainter, theme: Theme) -> None:
        painter.setPen(theme.color("muted"))
        text = painter.fontMetrics().elidedText(
            self.note or "No data", Qt.TextElideMode.ElideRight, self.width()
        )
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_bar(self, painter: QPainter, theme: Theme, pulse: int) -> None:
        track = self._track()
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("surface"))
        painter.drawRoundedRect(track, 4, 4)
        span = self._span
        low, high = sorted((span.minimum, span.maximum))
        inside = QRectF(track)
        inside.setLeft(self._x(low, track))
        inside.setRight(self._x(high, track))
        painter.fillRect(inside.adjusted(0, 1, 0, -1), theme.color("accent_soft"))
        start, now = self._x(span.rest, track), self._x(pulse, track)
        is_outside = not low <= pulse <= high
        token = "caution" if is_outside else "accent"
        filled = QRectF(min(start, now), track.top() + 3, abs(now - start), track.height() - 6)
        painter.fillRect(filled, theme.color(token))
        self._paint_marks(painter, theme, track)
        painter.setPen(QPen(theme.color(token), 3))
        painter.drawLine(QPointF(now, track.top() + 1), QPointF(now, track.bottom() - 1))
        painter.setPen(theme.color("caution" if is_outside else "text"))
        number = QRectF(track.right() + 4, 0, _NUMBER_PX, self.height())
        painter.drawText(
            number, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, f"{pulse}"
        )

    def _paint_marks(self, painter: QPainter, theme: Theme, track: QRectF) -> None:
        painter.setPen(QPen(theme.color("muted"), 1))
        for end in (self._span.minimum, self._span.maximum):
            x = self._x(end, track)
            painter.drawLine(QPointF(x, track.top()), QPointF(x, track.bottom()))
        x = self._x(self._span.neutral, track)
        painter.setPen(QPen(theme.color("text"), 1.5))
        painter.drawLine(QPointF(x, track.top()), QPointF(x, track.top() + _MARK_PX))
        painter.drawLine(QPointF(x, track.bottom() - _MARK_PX), QPointF(x, track.bottom()))

    def _track(self) -> QRectF:
        return QRectF(1, 4, max(20.0, self.width() - _NUMBER_PX - 8.0), self.height() - 8.0)

    def _x(self, value: int, track: QRectF) -> float:
        low, high = self._scale()
        share = (min(max(value, low), high) - low) / (high - low)
        return track.left() + share * track.width()

    def _scale(self) -> tuple[int, int]:
        """From end to end: the usual pulses, and whatever lies beyond them."""
        span = (self._span.minimum, self._span.neutral, self._span.maximum)
        if max(span) <= _USUAL_US[1] and 0 < min(span) < _USUAL_US[0] // 2:
            return 0, _USUAL_US[1]
        return min(_USUAL_US[0], *span), max(_USUAL_US[1], *span)
