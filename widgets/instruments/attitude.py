"""Attitude indicator: sky and ground, pitch ladder, roll scale, slip ball, aircraft symbol."""

import math

from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)

from telemetry.recording.flight_state import FlightState
from widgets.instruments.pens import PenSet, half_px, shape
from widgets.text_layout_cache import LEFT, RIGHT
from widgets.theme import mixed

VISIBLE_PITCH_DEG = 50.0
SHADED_PITCH_DEG = 30.0
BANDS = 14
ROLL_MARKS_DEG = (10, 20, 30, 45, 60)
FULL_SLIP_MPS2 = 5.0
"""Sideways specific force at which the ball reaches the end of its tube."""


class AttitudeField:
    """Paints one attitude into `rect` (logical pixels), with a slip ball below it if it `has_slip`.
    Made anew for every size and theme."""

    def __init__(
        self, rect: QRect, ink: PenSet, pixel_ratio: float, *, has_slip: bool = True
    ) -> None:
        self.rect = rect
        self._has_slip = has_slip
        self.centre = QPointF(rect.x() + rect.width() / 2, rect.y() + rect.height() / 2)
        self.px_per_deg = min(rect.height(), 1.6 * rect.width()) / VISIBLE_PITCH_DEG
        self._ink = ink
        self._reach = math.hypot(rect.width(), rect.height())
        self._half_view = self._reach / 2.0
        self._roll_radius = min(rect.width() * 0.47, rect.height() * 0.44)
        self._world = self._bands("sky_bottom", "sky_top", -1.0)
        self._world += self._bands("ground_top", "ground_bottom", 1.0)
        self._rungs = self._ladder()
        self._pointer = self._roll_pointer()
        self._overlay = self._fixed_marks(pixel_ratio)

    def paint(self, painter: QPainter, state: FlightState) -> None:
        """Draw the attitude of `state`, whose roll and pitch must be known."""
        roll_deg, pitch_deg = state.roll_deg or 0.0, state.pitch_deg or 0.0
        painter.save()
        painter.setClipRect(self.rect)
        painter.translate(self.centre)
        painter.rotate(-roll_deg)
        self._paint_world(painter, roll_deg, pitch_deg)
        if state.desired_roll_deg is not None or state.desired_pitch_deg is not None:
            self._paint_desired(painter, state)
        self._paint_roll_pointer(painter)
        painter.restore()
        painter.drawPixmap(self.rect.topLeft(), self._overlay)
        self._paint_slip(painter, state.lateral_mps2)
        if state.desired_roll_deg is not None:
            self._paint_roll_bug(painter, state.desired_roll_deg)

    def look(self, state: FlightState) -> tuple[object, ...]:
        """States of equal looks are painted the same, give or take half a pixel."""
        turns = (state.roll_deg, state.desired_roll_deg)
        pitches = (state.pitch_deg, state.desired_pitch_deg)
        return (
            *(turn and half_px(math.radians(turn) * self._half_view) for turn in turns),
            *(pitch and half_px(pitch * self.px_per_deg) for pitch in pitches),
            self._has_slip and state.lateral_mps2 and half_px(self._slip_px(state.lateral_mps2)),
        )

    def _bands(
        self, horizon_token: str, far_token: str, away: float
    ) -> list[tuple[QRectF, QColor]]:
        """Bands of one colour each, darker with distance, in the horizon's own frame.

        Sky and ground are so close in colour at both ends that the steps cannot be seen, and a
        turned band paints three times as fast as a turned gradient. `away` is -1 upwards.
        """
        near, far = self._ink.color(horizon_token), self._ink.color(far_token)
        step = SHADED_PITCH_DEG * self.px_per_deg / BANDS
        bands = []
        for index in range(BANDS):
            color = mixed(far, near, index / (BANDS - 1))
            # A band reaches under the next one, or pixels between the two would stay unpainted.
            depth = step + 2.0 if index < BANDS - 1 else 2.0 * self._reach
            top = index * step if away > 0 else -index * step - depth
            bands.append((QRectF(-self._reach, top, 2.0 * self._reach, depth), color))
        return bands

    def _ladder(self) -> dict[int, tuple[list[QLineF], float]]:
        """Lines of the rung at each multiple of 5 degrees, and how far out its numbers stand."""
        ink, rungs = self._ink, {}
        longest = min(self.rect.width() * 0.19, ink.px(74))
        for pitch_deg in range(-90, 91, 5):
            if pitch_deg == 0:
                continue
            y = -pitch_deg * self.px_per_deg
            half = longest if pitch_deg % 10 == 0 else longest * 0.55
            inner = half * 0.26
            tick = math.copysign(ink.px(6), pitch_deg) if pitch_deg % 10 == 0 else 0.0
            lines = [QLineF(-half, y, -inner, y), QLineF(inner, y, half, y)]
            if tick:  # the ends of the rungs point to the horizon
                lines += [QLineF(-half, y, -half, y + tick), QLineF(half, y, half, y + tick)]
            rungs[pitch_deg] = (lines, half + ink.px(7))
        return rungs

    def _farthest_horizon(self, roll_deg: float) -> float:
        """How far the horizon may leave the centre: a strip of sky or ground always shows.

        In a steep dive or climb the pilot must still see which way is up.
        """
        roll = math.radians(roll_deg)
        across, along = abs(math.sin(roll)) * self.rect.width(), abs(math.cos(roll))
        return (across + along * self.rect.height()) / 2.0 - self._ink.px(24)

    def _paint_world(self, painter: QPainter, roll_deg: float, pitch_deg: float) -> None:
        ink, reach = self._ink, self._reach
        horizon_y = pitch_deg * self.px_per_deg
        limit = self._farthest_horizon(roll_deg)
        held_y = min(max(horizon_y, -limit), limit)
        painter.translate(0.0, held_y)
        nearest, farthest = -held_y - self._half_view, -held_y + self._half_view
        for band, color in self._world:
            if band.bottom() > nearest and band.top() < farthest:
                painter.fillRect(band, color)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(ink.pen("horizon", 2.0))
        painter.drawLine(QLineF(-reach, 0.0, reach, 0.0))
        painter.translate(0.0, horizon_y - held_y)
        painter.setPen(ink.pen("scale", 1.6))
        visible_deg = 0.72 * self._roll_radius / self.px_per_deg
        shown = [
            (deg, lines, out)
            for deg, (lines, out) in self._rungs.items()
            if abs(deg - pitch_deg) <= visible_deg
        ]
        painter.drawLines([line for _, lines, _ in shown for line in lines])
        painter.setFont(ink.small.font)
        painter.setPen(ink.pen("scale"))
        for deg, _, out in shown:
            if deg % 10 == 0:
                y, text = -deg * self.px_per_deg, str(abs(deg))
                ink.small.draw(painter, -out, y, text, RIGHT)
                ink.small.draw(painter, out, y, text, LEFT)
        painter.translate(0.0, -horizon_y)

    def _paint_desired(self, painter: QPainter, state: FlightState) -> None:
        """A magenta bar that lies on the aircraft symbol when the commanded attitude is flown."""
        pitch_deg = state.pitch_deg or 0.0
        desired_pitch = pitch_deg if state.desired_pitch_deg is None else state.desired_pitch_deg
        offset_y = (pitch_deg - desired_pitch) * self.px_per_deg
        limit = 0.6 * self._roll_radius
        length, inner = self._ink.px(58), self._ink.px(20)
        painter.save()
        painter.translate(0.0, min(max(offset_y, -limit), limit))
        if state.desired_roll_deg is not None:
            painter.rotate(state.desired_roll_deg)
        painter.setPen(self._ink.pen("command_bar", 4.0))
        painter.drawLines([QLineF(-length, 0, -inner, 0), QLineF(inner, 0, length, 0)])
        painter.restore()

    def _roll_pointer(self) -> QPolygonF:
        top, half = -self._roll_radius + self._ink.px(1), self._ink.px(8)
        return shape(0, top, (0, 0), (-half, 1.7 * half), (half, 1.7 * half))

    def _paint_roll_pointer(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ink.brush("scale"))
        painter.drawPolygon(self._pointer)

    def _paint_roll_bug(self, painter: QPainter, roll_deg: float) -> None:
        radius, half = self._roll_radius + self._ink.px(1), self._ink.px(7)
        painter.save()
        painter.translate(self.centre)
        painter.rotate(-min(max(roll_deg, -70.0), 70.0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ink.brush("command_bar"))
        painter.drawPolygon(shape(0, -radius, (0, 0), (-half, -1.6 * half), (half, -1.6 * half)))
        painter.restore()

    def _fixed_marks(self, pixel_ratio: float) -> QPixmap:
        """Everything that never moves: roll scale, slip tube, symbol, and the rounded frame."""
        pixmap = QPixmap(self.rect.size() * pixel_ratio)
        pixmap.setDevicePixelRatio(pixel_ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(self.centre - QPointF(self.rect.topLeft()))
            self._draw_roll_scale(painter)
            if self._has_slip:
                self._draw_slip_tube(painter)
            self._draw_symbol(painter)
            painter.resetTransform()
            self._draw_frame(painter)
        return pixmap

    def _draw_roll_scale(self, painter: QPainter) -> None:
        ink, radius = self._ink, self._roll_radius
        painter.setPen(ink.pen("scale", 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        circle = QRectF(-radius, -radius, 2 * radius, 2 * radius)
        painter.drawArc(circle, 30 * 16, 120 * 16)
        for mark in ROLL_MARKS_DEG:
            length = ink.px(13 if mark % 30 == 0 else 8)
            for sign in (-1, 1):
                turn = QTransform().rotate(sign * mark)
                painter.drawLine(turn.map(QLineF(0, -radius, 0, -radius - length)))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.brush("scale"))
        half = ink.px(7)
        painter.drawPolygon(shape(0, -radius, (0, 0), (-half, -1.5 * half), (half, -1.5 * half)))

    def slip_tube(self) -> QRectF:
        """The tube of the slip ball, relative to the centre of the field."""
        ink = self._ink
        width, height = ink.px(96), ink.px(15)
        bottom = self.rect.height() / 2 - ink.px(10)
        return QRectF(-width / 2, bottom - height, width, height)

    def _draw_slip_tube(self, painter: QPainter) -> None:
        tube, ink = self.slip_tube(), self._ink
        painter.setPen(ink.pen("scale", 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(tube, tube.height() / 2, tube.height() / 2)
        gap = tube.height() / 2 + ink.px(2)
        painter.drawLine(QLineF(-gap, tube.top(), -gap, tube.bottom()))
        painter.drawLine(QLineF(gap, tube.top(), gap, tube.bottom()))

    def _paint_slip(self, painter: QPainter, lateral_mps2: float | None) -> None:
        """The ball runs to the side the pilot would be pressed to: against specific force."""
        if lateral_mps2 is None or not self._has_slip:
            return
        tube = self.slip_tube()
        radius = tube.height() / 2 - 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ink.brush("scale"))
        centre = self.centre + QPointF(self._slip_px(lateral_mps2), tube.center().y())
        painter.drawEllipse(centre, radius, radius)

    def _slip_px(self, lateral_mps2: float) -> float:
        """How far to the right of the middle the ball is."""
        tube = self.slip_tube()
        share = min(max(-lateral_mps2 / FULL_SLIP_MPS2, -1.0), 1.0)
        return share * (tube.width() - tube.height()) / 2

    def _draw_symbol(self, painter: QPainter) -> None:
        """The aircraft from behind: two wings bent down at the root, and a dot at the nose."""
        ink = self._ink
        outer, inner, drop = ink.px(84), ink.px(30), ink.px(12)
        outer = min(outer, round(self.rect.width() * 0.30))
        inner = min(inner, outer // 2)
        path = QPainterPath()
        for side in (-1, 1):
            path.moveTo(side * outer, 0)
            path.lineTo(side * inner, 0)
            path.lineTo(side * inner, drop)
        for token, extra in (("symbol_outline", 2.6), ("symbol", 0.0)):
            width = ink.px(5) + extra
            pen = QPen(ink.color(token), width)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink.brush(token))
            painter.drawEllipse(QPointF(0, 0), width / 2 + 1.5, width / 2 + 1.5)

    def _draw_frame(self, painter: QPainter) -> None:
        """Round the corners by painting the window's colour over them."""
        size, radius = self.rect.size(), self._ink.px(12)
        whole = QRectF(QPointF(0, 0), QPoint(size.width(), size.height()).toPointF())
        path = QPainterPath()
        path.addRect(whole.adjusted(-1, -1, 1, 1))
        path.addRoundedRect(whole, radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.fillPath(path, self._ink.brush("surface"))
