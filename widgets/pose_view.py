"""Pose view: an aircraft drawn as it is to be held, over a table, with an arrow down."""

import math
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from telemetry.base.finding import Level
from telemetry.base.rotations import matrix_by_angles
from widgets.level_mark import draw_level_mark
from widgets.solid import Array, Face, Shape, seen_from, solid_of
from widgets.theme import RADIUS_PX, PaintedWidget, Theme

Mark = Literal["", "done", "now"]

_LOOK = seen_from(-38.0, 24.0)
_REACH = 1.25
"""What of the aircraft's axes fits from the middle to the border."""
_TABLE_RADIUS, _GAP = 1.0, 0.12
_TOKENS = {"body": "muted", "nose": "accent", "rotor": "selected", "leg": "text"}


class PoseView(PaintedWidget):
    """Shows an attitude. `caption` stands below; `is_small` is for a row of several.

    `set_mark` frames it: done with a tick, now with the colour of what is chosen.
    """

    def __init__(self, caption: str = "", *, is_small: bool = False) -> None:
        super().__init__()
        self._caption = caption
        self._is_small = is_small
        self._attitude: Array = np.eye(3)
        self.angles = (0.0, 0.0, 0.0)
        """Roll, pitch and yaw shown, in degrees."""
        self._shape: Shape = "multirotor"
        self.mark: Mark = ""
        """What it is marked as."""
        self._is_turning = False
        self.setMinimumSize(QSize(84, 84) if is_small else QSize(220, 200))
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, QSizePolicy.Policy.Fixed if is_small else policy)
        self.setAccessibleName(caption or "How to hold the aircraft")

    def sizeHint(self) -> QSize:
        return QSize(104, 92) if self._is_small else QSize(320, 260)

    def set_pose(self, roll_deg: float, pitch_deg: float, yaw_deg: float = 0.0) -> None:
        """Show this attitude."""
        if (roll_deg, pitch_deg, yaw_deg) != self.angles:
            self.angles = (roll_deg, pitch_deg, yaw_deg)
            self._attitude = matrix_by_angles(*self.angles)
            self.update()

    def set_shape(self, shape: Shape) -> None:
        """Draw another kind of aircraft."""
        if shape != self._shape:
            self._shape = shape
            self.update()

    def set_mark(self, mark: Mark) -> None:
        """Frame it."""
        if mark != self.mark:
            self.mark = mark
            state = {"": "open", "done": "done", "now": "wanted now"}[mark]
            self.setAccessibleName(f"{self._caption}: {state}")
            self.update()

    def set_turning(self, is_turning: bool) -> None:
        """Draw an arrow round it: turn it on the spot."""
        if is_turning != self._is_turning:
            self._is_turning = is_turning
            self.update()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        self._paint_frame(painter, theme)
        self._paint_scene(painter, theme)

    # Inside

    def _text_height(self) -> float:
        return self.fontMetrics().height() + 2.0 if self._caption else 0.0

    def _paint_frame(self, painter: QPainter, theme: Theme) -> None:
        if not self._is_small:
            return
        inside = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        width = {"": 1.0, "done": 1.0, "now": 3.0}[self.mark] * theme.line_px
        token = {"": "line", "done": "ok", "now": "accent"}[self.mark]
        painter.setPen(QPen(theme.color(token), width))
        painter.setBrush(theme.color("ok_soft" if self.mark == "done" else "raised"))
        painter.drawRoundedRect(inside, RADIUS_PX, RADIUS_PX)
        if self.mark == "done":
            draw_level_mark(painter, QRectF(6, 6, 16, 16), Level.OK, theme)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("small"))
        low = QRectF(2, self.height() - self._text_height() - 1, self.width() - 4, 18)
        painter.drawText(low, Qt.AlignmentFlag.AlignCenter, self._caption)

    def _paint_scene(self, painter: QPainter, theme: Theme) -> None:
        room = QRectF(0, 0, self.width(), self.height() - self._text_height())
        unit = min(room.width(), room.height()) / (2.0 * _REACH)
        middle = room.center() - QPointF(0.0, 0.14 * unit)
        faces = [
            Face((_LOOK @ self._attitude @ face.corners.T).T, face.paint)
            for face in solid_of(self._shape)
        ]
        lowest = max(
            float((self._attitude @ face.corners.T)[2].max()) for face in solid_of(self._shape)
        )
        self._paint_table(painter, theme, middle, unit, lowest)
        for face in sorted(faces, key=_depth):
            self._paint_face(painter, theme, face, middle, unit)
        if self._is_turning:
            self._paint_turn(painter, theme, middle, unit, lowest)
        if not self._is_small:
            self._paint_nose(painter, theme, middle, unit)
            self._paint_down(painter, theme, QPointF(room.right() - 34.0, room.center().y()))

    def _paint_table(
        self, painter: QPainter, theme: Theme, middle: QPointF, unit: float, lowest: float
    ) -> None:
        painter.setPen(QPen(theme.color("line"), theme.line_px))
        painter.setBrush(theme.color("hover"))
        painter.drawPolygon(_ring(middle, unit, _TABLE_RADIUS, lowest + _GAP))

    def _paint_face(
        self, painter: QPainter, theme: Theme, face: Face, middle: QPointF, unit: float
    ) -> None:
        color = theme.color(_TOKENS[face.paint])
        light = _light(face.corners)
        shade = QColor(color).lighter(round(100 + 45 * light))
        if theme.is_dark:
            shade = QColor(color).darker(round(220 - 100 * light))
        shade.setAlphaF(0.45 if face.paint == "rotor" else 1.0)
        painter.setPen(QPen(color if face.paint == "rotor" else theme.color("text"), 1.0))
        painter.setBrush(shade)
        points = [middle + QPointF(float(x), float(y)) * unit for x, y, _ in face.corners]
        painter.drawPolygon(QPolygonF(points))

    def _paint_turn(
        self, painter: QPainter, theme: Theme, middle: QPointF, unit: float, lowest: float
    ) -> None:
        turns = np.radians(np.linspace(-150.0, 30.0, 30))
        ring = np.stack(
            [1.15 * np.cos(turns), 1.15 * np.sin(turns), np.full_like(turns, lowest)], axis=1
        )
        points = [middle + QPointF(float(x), float(y)) * unit for x, y, _ in (_LOOK @ ring.T).T]
        painter.setPen(QPen(theme.color("accent"), 4.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        _paint_head(painter, theme.color("accent"), points[-3], points[-1])

    def _paint_nose(self, painter: QPainter, theme: Theme, middle: QPointF, unit: float) -> None:
        """The word beside the nose's tip."""
        tip = min(
            (
                corner
                for face in solid_of(self._shape)
                if face.paint == "nose"
                for corner in face.corners
            ),
            key=_minus_forward,
        )
        x, y, _ = _LOOK @ self._attitude @ tip
        painter.setFont(theme.font("body", bold=True))
        painter.setPen(theme.color("accent"))
        width = painter.fontMetrics().horizontalAdvance("nose")
        at = middle + QPointF(float(x), float(y)) * unit
        painter.drawText(at + QPointF(-width - 6.0 if x < 0.0 else 6.0, -4.0), "nose")

    def _paint_down(self, painter: QPainter, theme: Theme, place: QPointF) -> None:
        top, tip = place - QPointF(0.0, 56.0), place + QPointF(0.0, 40.0)
        painter.setPen(QPen(theme.color("commanded"), 5.0))
        painter.drawLine(top, tip)
        _paint_head(painter, theme.color("commanded"), top, tip + QPointF(0.0, 12.0))
        painter.setPen(theme.color("commanded"))
        painter.setFont(theme.font("body", bold=True))
        below = QRectF(place.x() - 34.0, tip.y() + 14.0, 68.0, 22.0)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, "down")


def _depth(face: Face) -> float:
    """Faces far away are painted first."""
    return -float(face.corners[:, 2].mean())


def _light(corners: Array) -> float:
    """How much light from above falls on a face, 0 to 1: how far its normal points up or down."""
    first, second, third = corners[:3].tolist()
    a, b, c = (to - at for at, to in zip(first, second, strict=True))
    x, y, z = (to - at for at, to in zip(second, third, strict=True))
    normal = b * z - c * y, c * x - a * z, a * y - b * x
    return float(abs(normal[1])) / max(math.hypot(*normal), 1e-9)


def _minus_forward(corner: Array) -> float:
    return -float(corner[0])


def _ring(middle: QPointF, unit: float, radius: float, down: float) -> QPolygonF:
    turns = np.linspace(0.0, 2.0 * np.pi, 49)
    ring = np.stack([radius * np.cos(turns), radius * np.sin(turns), np.full_like(turns, down)])
    return QPolygonF([middle + QPointF(float(x), float(y)) * unit for x, y, _ in (_LOOK @ ring).T])


def _paint_head(painter: QPainter, color: QColor, tail: QPointF, tip: QPointF) -> None:
    along = tip - tail
    length = max((along.x() ** 2 + along.y() ** 2) ** 0.5, 1e-6)
    step = along * (18.0 / length)
    across = QPointF(-step.y(), step.x()) * 0.6
    path = QPainterPath(tip + step * 0.4)
    path.lineTo(tip - step * 0.6 + across)
    path.lineTo(tip - step * 0.6 - across)
    path.closeSubpath()
    painter.fillPath(path, color)
