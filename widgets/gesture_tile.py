"""Arming gesture tile: a way to arm to choose, drawn as the sticks of a transmitter."""

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from telemetry.configuration.flight_modes.arming_gestures import (
    Gesture,
    Place,
    StickMode,
    stick_places,
)
from widgets.theme import RADIUS_PX, Theme

_SIZE = QSize(110, 84)
_STICK_PX = 42.0
_GAP_PX = 8.0
_KNOB_PX = 5.0
_HEAD_PX = 9.0


class GestureTile(QAbstractButton):
    """One option of Arming. Checked is the one that is chosen; press to choose it."""

    def __init__(self, option: str, gesture: Gesture) -> None:
        super().__init__()
        self.option, self.gesture = option, gesture
        self._mode: StickMode = 2
        self._theme: Theme | None = None
        self.setText(option)
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(f"Arm by {option}")
        self.setToolTip(f"{gesture.arm}\nTo disarm: {gesture.disarm}" if gesture.disarm else option)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return _SIZE

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.update()

    def set_stick_mode(self, mode: StickMode) -> None:
        """Draw it for another transmitter mode."""
        if mode != self._mode:
            self._mode = mode
            self.update()

    def nextCheckState(self) -> None:
        """Whoever chose it marks it: what is staged decides, not the press."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        if theme is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_card(painter, theme)
            field = QRectF(0, 8, self.width(), _STICK_PX)
            if self.gesture.kind == "stick":
                self._paint_sticks(painter, theme, field)
            elif self.gesture.kind == "switch":
                self._paint_switch(painter, theme, field)
            else:
                self._paint_word(painter, theme, field)

    def _paint_card(self, painter: QPainter, theme: Theme) -> None:
        is_hot = self.underMouse() and self.isEnabled()
        fill = "accent_soft" if self.isChecked() else "hover" if is_hot else "raised"
        edge = "focus" if self.hasFocus() else "accent" if self.isChecked() else "line"
        wide = 2.0 if self.hasFocus() or self.isChecked() else theme.line_px
        painter.setPen(QPen(theme.color(edge), wide))
        painter.setBrush(theme.color(fill))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS_PX, RADIUS_PX)
        painter.setPen(theme.color("text" if self.isEnabled() else "disabled"))
        font = self.font()
        font.setBold(self.isChecked())
        painter.setFont(font)
        below = QRectF(4, 8 + _STICK_PX, self.width() - 8, self.height() - _STICK_PX - 10)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(below, flags, self.text())

    def _paint_sticks(self, painter: QPainter, theme: Theme, field: QRectF) -> None:
        left = (field.width() - 2 * _STICK_PX - _GAP_PX) / 2
        places = stick_places(self.gesture, self._mode)
        for number, place in enumerate(places):
            x = left + number * (_STICK_PX + _GAP_PX)
            self._paint_stick(painter, theme, QRectF(x, field.top(), _STICK_PX, _STICK_PX), place)

    def _paint_stick(self, painter: QPainter, theme: Theme, box: QRectF, place: Place) -> None:
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("surface"))
        painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
        middle = box.center()
        painter.drawLine(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()))
        painter.drawLine(QPointF(middle.x(), box.top()), QPointF(middle.x(), box.bottom()))
        is_moved = place != (0.0, 0.0)
        colour = self._ink(theme, "accent" if is_moved else "muted")
        reach = box.width() / 2 - _KNOB_PX - 2
        knob = middle + QPointF(place[0] * reach, -place[1] * reach)
        if is_moved:
            _paint_arrow(painter, colour, middle, knob)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(knob, _KNOB_PX - 1, _KNOB_PX - 1)

    def _paint_switch(self, painter: QPainter, theme: Theme, field: QRectF) -> None:
        colour = self._ink(theme, "accent")
        middle = field.center()
        painter.setPen(QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("surface"))
        painter.drawRoundedRect(QRectF(middle.x() - 11, middle.y() - 21, 22, 42), 11, 11)
        foot, head = middle + QPointF(0, 11), middle - QPointF(0, 11)
        _paint_arrow(painter, colour, foot, head)

    def _paint_word(self, painter: QPainter, theme: Theme, field: QRectF) -> None:
        """A circle: struck through where it never arms, full where it always is."""
        is_always = self.gesture.kind == "always"
        colour = self._ink(theme, "danger" if is_always else "muted")
        painter.setPen(QPen(colour, 3))
        painter.setBrush(colour if is_always else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(field.center(), 15, 15)
        if self.gesture.kind == "never":
            slant = QPointF(10.5, 10.5)
            painter.drawLine(field.center() - slant, field.center() + slant)

    def _ink(self, theme: Theme, token: str) -> QColor:
        return theme.color(token if self.isEnabled() else "disabled")


def _paint_arrow(painter: QPainter, colour: QColor, start: QPointF, end: QPointF) -> None:
    """A line with a head at its end."""
    angle = math.atan2(end.y() - start.y(), end.x() - start.x())
    sides = [
        QPointF(end.x() - _HEAD_PX * math.cos(turned), end.y() - _HEAD_PX * math.sin(turned))
        for turned in (angle - 0.5, angle + 0.5)
    ]
    painter.setPen(QPen(colour, 2.5))
    painter.drawLine(start, end)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([end, *sides]))
