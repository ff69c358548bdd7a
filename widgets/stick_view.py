"""Stick view: a transmitter stick on screen that shows where it stands, and can be dragged."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEventPoint,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QTouchEvent,
)
from PySide6.QtWidgets import QSizePolicy

from widgets.theme import RADIUS_PX, PaintedWidget, Theme

_KNOB_RADIUS = 9.0
_KEY_STEP = 0.1


class StickView(PaintedWidget):
    """Two axes, each -1 to 1, right and up positive.

    `moved(x, y)` is emitted while the user drags, by mouse or by finger; on a touch screen each
    stick follows a finger of its own. Letting go returns the stick to the middle, but for axes that
    stay where they are left (`keeps_y`, a throttle). With `takes_keys` the arrow keys move it too,
    by a tenth, and it stays there until Home lets go.
    """

    moved = Signal(float, float)

    def __init__(
        self,
        x_name: str,
        y_name: str,
        keeps_y: bool = False,
        *,
        takes_keys: bool = False,
    ) -> None:
        super().__init__()
        self._names = (x_name, y_name)
        self.keeps_y = keeps_y
        self.position = (0.0, 0.0)
        """Where the knob stands (x, y)."""
        self._is_dragged = False
        self._finger: int | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self._takes_keys = takes_keys
        if takes_keys:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._asked = ""
        self._asked_sign = 0
        self.setAccessibleName(f"Stick: {x_name} and {y_name}")
        self.setMinimumSize(64, 64)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        return QSize(130, 130)

    def name_axes(self, x_name: str, y_name: str) -> None:
        """Say what its axes are."""
        self._names = (x_name, y_name)
        self.setAccessibleName(f"Stick: {x_name} and {y_name}")
        self.update()

    def show_position(self, x: float, y: float) -> None:
        """Move the knob, unless the user holds it."""
        if not self._is_dragged and (x, y) != self.position:
            self.position = (x, y)
            self.update()

    def ask(self, axis: str, sign: int = 0) -> None:
        """Draw arrows that ask for a move along "x" or "y": to one side by `sign`, or to and fro
        for 0; "" asks for nothing."""
        if (axis, sign) != (self._asked, self._asked_sign):
            self._asked, self._asked_sign = axis, sign
            self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QTouchEvent) and self.isEnabled():
            self._take_touch(event)
            event.accept()  # else it would come again as a mouse, of which there is only one
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.isEnabled():
            self._is_dragged = True
            self._drag_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._is_dragged:
            self._drag_to(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._is_dragged:
            self._let_go()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, (x, y) = event.key(), self.position
        moved = {
            Qt.Key.Key_Left: (x - _KEY_STEP, y),
            Qt.Key.Key_Right: (x + _KEY_STEP, y),
            Qt.Key.Key_Up: (x, y + _KEY_STEP),
            Qt.Key.Key_Down: (x, y - _KEY_STEP),
            Qt.Key.Key_Home: (0.0, y if self.keeps_y else 0.0),
        }.get(Qt.Key(key))
        if moved is None or not self._takes_keys:
            super().keyPressEvent(event)
            return
        self._move(*(max(-1.0, min(1.0, round(value, 2))) for value in moved))

    def paint(self, painter: QPainter, theme: Theme) -> None:
        field = self._field()
        self._paint_field(painter, field, theme)
        if self._asked:
            self._paint_asked(painter, field, theme)
        self._paint_knob(painter, field, theme)

    def _paint_field(self, painter: QPainter, field: QRectF, theme: Theme) -> None:
        has_keys = self._takes_keys and self.hasFocus()
        painter.setPen(QPen(theme.color("focus"), 2) if has_keys else QPen(theme.color("line"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(field, RADIUS_PX, RADIUS_PX)
        painter.setPen(QPen(theme.color("line"), 1))
        centre = field.center()
        painter.drawLine(QPointF(field.left(), centre.y()), QPointF(field.right(), centre.y()))
        painter.drawLine(QPointF(centre.x(), field.top()), QPointF(centre.x(), field.bottom()))
        painter.setPen(theme.color("muted"))
        below = QRectF(0, field.bottom() + 2, self.width(), self.height() - field.bottom() - 2)
        text_px = painter.fontMetrics().horizontalAdvance
        text = next((t for t in self._titles() if text_px(t) <= self.width()), "")
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, text)

    def _titles(self) -> tuple[str, ...]:
        """What its axes are, from long to short."""
        x_name, y_name = self._names
        return (
            f"{y_name} / {x_name}",
            f"{y_name[:3]}. / {x_name}",
            f"{y_name[:3]} / {x_name[:3]}",
            f"{y_name[:1]} / {x_name[:1]}",
        )

    def _paint_asked(self, painter: QPainter, field: QRectF, theme: Theme) -> None:
        along = QPointF(1.0, 0.0) if self._asked == "x" else QPointF(0.0, -1.0)
        across = QPointF(along.y(), along.x())
        reach = field.width() / 2 - 6
        painter.setPen(QPen(theme.color("commanded"), 3))
        painter.setBrush(theme.color("commanded"))
        for sign in (1, -1):
            if self._asked_sign in (0, sign):
                tip = field.center() + along * (sign * reach)
                neck = field.center() + along * (sign * (reach - 10))
                painter.drawLine(field.center(), neck)
                painter.drawPolygon(QPolygonF([tip, neck + across * 6, neck - across * 6]))

    def _paint_knob(self, painter: QPainter, field: QRectF, theme: Theme) -> None:
        token = "selected" if self._is_dragged else "accent"
        colour: QColor = theme.color(token if self.isEnabled() else "muted")
        reach_x, reach_y = field.width() / 2 - _KNOB_RADIUS, field.height() / 2 - _KNOB_RADIUS
        knob = field.center() + QPointF(self.position[0] * reach_x, -self.position[1] * reach_y)
        painter.setPen(QPen(colour, 2))
        painter.drawLine(field.center(), knob)
        painter.setBrush(colour)
        painter.drawEllipse(knob, _KNOB_RADIUS, _KNOB_RADIUS)

    def _field(self) -> QRectF:
        """The square the knob moves in, above one line of text."""
        text_height = self.fontMetrics().height() + 4
        side = max(40.0, min(self.width() - 2.0, self.height() - text_height - 2.0))
        return QRectF((self.width() - side) / 2, 1, side, side)

    def _take_touch(self, event: QTouchEvent) -> None:
        """Follow the finger that came first, until that one is lifted."""
        points = {point.id(): point for point in event.points()}
        if self._finger is None and event.type() == QEvent.Type.TouchBegin and points:
            self._finger, self._is_dragged = next(iter(points)), True
        point = points.get(self._finger) if self._finger is not None else None
        has_ended = event.type() in (QEvent.Type.TouchEnd, QEvent.Type.TouchCancel)
        is_lifted = point is not None and point.state() == QEventPoint.State.Released
        if self._finger is not None and (has_ended or is_lifted):
            self._let_go()
        elif point is not None:
            self._drag_to(point.position())

    def _let_go(self) -> None:
        self._is_dragged, self._finger = False, None
        self._move(0.0, self.position[1] if self.keeps_y else 0.0)

    def _drag_to(self, place: QPointF) -> None:
        field = self._field()
        reach_x, reach_y = field.width() / 2 - _KNOB_RADIUS, field.height() / 2 - _KNOB_RADIUS
        offset = place - field.center()
        x = max(-1.0, min(1.0, offset.x() / reach_x))
        y = max(-1.0, min(1.0, -offset.y() / reach_y))
        self._move(x, y)

    def _move(self, x: float, y: float) -> None:
        self.position = (x, y)
        self.moved.emit(x, y)
        self.update()
