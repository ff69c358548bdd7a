"""Motor map: motors from above, nose up, each a round button that says what it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from widgets.theme import PaintedWidget, Theme

_RADIUS_PX = 24.0
_LAYER_PX = 26.0
_NOSE_PX = 9.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A motor: its name, where it is (forward, right; any length), which way it turns ("cw",
    "ccw" or ""), and whether it is below another one."""

    name: str
    forward: float
    right: float
    spin: str = ""
    is_below: bool = False


class MotorButton(QAbstractButton):
    """One motor. `tone` is the token of its colour."""

    def __init__(self, spot: Spot, parent: QWidget) -> None:
        super().__init__(parent)
        self.spot = spot
        self.theme: Theme | None = None
        self.label = ""
        """What it says."""
        self._tone = "muted"
        self.setAccessibleName(f"Motor {spot.name}")
        turns = {"cw": "turns clockwise", "ccw": "turns anticlockwise"}.get(spot.spin, "")
        self.setToolTip(", ".join(part for part in (f"Motor {spot.name}", turns) if part))
        self.resize(int(2 * _RADIUS_PX) + 4, int(2 * _RADIUS_PX) + 4)

    def show_label(self, label: str, tone: str) -> None:
        """Say something in the middle."""
        if (label, tone) != (self.label, self._tone):
            self.label, self._tone = label, tone
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.theme is None:
            return
        circle = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            is_marked = self.hasFocus() or self.isDown() or self.underMouse()
            colour = self.theme.color(self._tone if self.isEnabled() else "disabled")
            painter.setBrush(self.theme.color("accent_soft" if is_marked else "raised"))
            painter.setPen(QPen(colour, 3 if self.hasFocus() else 2))
            painter.drawEllipse(circle)
            painter.setPen(self.theme.color("text" if self.isEnabled() else "disabled"))
            upper = QRectF(circle.left(), circle.top() + 5, circle.width(), circle.height() / 2 - 4)
            lower = QRectF(circle.left(), circle.center().y(), circle.width(), circle.height() / 3)
            painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, self.spot.name)
            painter.drawText(lower, Qt.AlignmentFlag.AlignCenter, self.label)
            if self.spot.spin:
                self._paint_spin(painter, circle)

    def _paint_spin(self, painter: QPainter, circle: QRectF) -> None:
        """An arrow head on the ring at the right: down is clockwise."""
        down = 1.0 if self.spot.spin == "cw" else -1.0
        tip = QPointF(circle.right(), circle.center().y() + 5 * down)
        wings = [QPointF(tip.x() + x, tip.y() - 8 * down) for x in (-4.0, 3.0)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(painter.pen().color() if self.theme is None else self.theme.color("text"))
        painter.drawPolygon(QPolygonF([tip, *wings]))


class MotorMap(PaintedWidget):
    """Draws the arms; `chosen` says which motor was clicked, or chosen with Tab and Space."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[str, MotorButton] = {}
        self.setMinimumSize(220, 220)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        return QSize(260, 260)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        super().apply_theme(theme)
        for button in self.buttons.values():
            button.theme = theme
            button.update()

    def show_motors(self, spots: Sequence[Spot]) -> None:
        """Draw these motors."""
        if tuple(spots) == tuple(button.spot for button in self.buttons.values()):
            return
        for button in self.buttons.values():
            button.deleteLater()
        self.buttons = {spot.name: MotorButton(spot, self) for spot in spots}
        for name, button in self.buttons.items():
            button.theme = self._theme
            button.clicked.connect(lambda _checked=False, name=name: self.chosen.emit(name))
            button.show()
        self._place()
        self.update()

    def show_labels(self, labels: Mapping[str, tuple[str, str]]) -> None:
        """What each motor says, and its token; those not named say nothing."""
        for name, button in self.buttons.items():
            button.show_label(*labels.get(name, ("", "muted")))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        centre = QPointF(self.width() / 2, self.height() / 2)
        painter.setPen(QPen(theme.color("line"), 6))
        for button in self.buttons.values():
            painter.drawLine(centre, QPointF(button.geometry().center()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        top = QPointF(centre.x(), centre.y() - 2.2 * _NOSE_PX)
        wings = [QPointF(centre.x() + x, centre.y() + _NOSE_PX) for x in (_NOSE_PX, -_NOSE_PX)]
        painter.drawPolygon(QPolygonF([top, *wings]))

    def _place(self) -> None:
        spots = [button.spot for button in self.buttons.values()]
        reach = max((max(abs(s.forward), abs(s.right)) for s in spots), default=1.0) or 1.0
        room = min(self.width(), self.height()) / 2 - _RADIUS_PX - _LAYER_PX
        for button in self.buttons.values():
            spot = button.spot
            down = _LAYER_PX if spot.is_below else 0.0
            x = self.width() / 2 + room * spot.right / reach + down
            y = self.height() / 2 - room * spot.forward / reach + down
            button.move(int(x - button.width() / 2), int(y - button.height() / 2))
            if not spot.is_below:
                button.raise_()
