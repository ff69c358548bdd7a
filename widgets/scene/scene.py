"""The scene: ground, the way flown, the aircraft, its estimate of itself, and the wind."""

import math
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)

from widgets.scene.camera import Camera, Floats, body_to_ned
from widgets.theme import Theme, ThemedWidget

_GRID_LINES = 24
_NEAREST_M, _FARTHEST_M = 1.0, 2000.0
_DEGREES_PER_PX = 0.4
_LEAST_SIZE_PX = 26.0
_CIRCLE = np.linspace(0.0, 2.0 * math.pi, 17)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where something is: NED in metres, and how it is turned (body to NED)."""

    position: tuple[float, float, float]
    q_wxyz: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """What the aircraft looks like: rotor hubs in body axes (metres) and their radius, and lines
    of the body as pairs of points."""

    rotors: tuple[tuple[float, float, float], ...] = ()
    rotor_radius_m: float = 0.0
    lines: tuple[tuple[tuple[float, float, float], tuple[float, float, float]], ...] = ()

    @property
    def size_m(self) -> float:
        """Half its greatest extent."""
        points = [*self.rotors, *(point for line in self.lines for point in line)]
        return max((math.dist((0.0, 0.0, 0.0), p) for p in points), default=0.5)


@dataclass(frozen=True, slots=True)
class View:
    """All that the scene shows at one moment. `trail` is NED of shape (n, 3), oldest first;
    `wind` the velocity of the air in m/s (NED); `ground_down_m` where the ground is; `silent_s`
    for how long the aircraft has not been heard, 0 while it is."""

    shape: Shape
    truth: Pose | None = None
    estimate: Pose | None = None
    trail: Floats | None = None
    wind: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ground_down_m: float = 0.0
    silent_s: float = 0.0


class Scene(ThemedWidget):
    """Drag to look around, wheel to come closer, double click to look as at first."""

    def __init__(self, theme: Theme, empty: str) -> None:
        super().__init__()
        self._theme: Theme = theme
        self._empty = empty
        self._view: View | None = None
        self._camera = Camera()
        self._grabbed: QPointF | None = None
        self.setMinimumSize(160, 120)

    def show_view(self, view: View | None) -> None:
        """Show a moment, None for nothing."""
        self._view = view
        self.update()

    @property
    def camera(self) -> Camera:
        """How one looks at it now."""
        return self._camera

    def look(self, azimuth_deg: float, elevation_deg: float, distance_m: float) -> None:
        """Turn the eye; what is out of range is brought into it."""
        self._camera = replace(
            self._camera,
            azimuth_deg=azimuth_deg % 360.0,
            elevation_deg=min(max(elevation_deg, -5.0), 89.0),
            distance_m=min(max(distance_m, _NEAREST_M), _FARTHEST_M),
        )
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grabbed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is None:
            return
        moved = event.position() - self._grabbed
        self._grabbed = event.position()
        eye = self._camera
        self.look(
            eye.azimuth_deg - moved.x() * _DEGREES_PER_PX,
            eye.elevation_deg + moved.y() * _DEGREES_PER_PX,
            eye.distance_m,
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        first = Camera()
        self.look(first.azimuth_deg, first.elevation_deg, first.distance_m)

    def wheelEvent(self, event: QWheelEvent) -> None:
        eye = self._camera
        closer = math.pow(0.999, event.angleDelta().y())
        self.look(eye.azimuth_deg, eye.elevation_deg, eye.distance_m * closer)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._theme.font("small"))
            shown = self._view.truth or self._view.estimate if self._view else None
            if self._view is None or shown is None:
                self._paint_empty(painter)
                return
            camera = replace(
                self._camera, target=shown.position, width=self.width(), height=self.height()
            )
            self._paint_world(painter, camera, self._view)
            self._paint_trail(painter, camera, self._view)
            self._paint_aircraft(painter, camera, self._view)
            self._paint_words(painter, camera, self._view, shown)

    def _paint_empty(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), self._theme.color("surface"))
        painter.setPen(self._theme.color("muted"))
        words = QRectF(self.rect()).adjusted(16, 16, -16, -16)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(words, int(flags), self._empty)

    # The parts --------------------------------------------------------------------------

    def _paint_world(self, painter: QPainter, camera: Camera, view: View) -> None:
        """Sky, ground and the lines on it."""
        horizon = min(max(camera.horizon_px(), 0.0), float(self.height()))
        sky = QLinearGradient(0.0, 0.0, 0.0, max(horizon, 1.0))
        sky.setColorAt(0.0, self._theme.color("sky_top"))
        sky.setColorAt(1.0, self._theme.color("sky_bottom"))
        painter.fillRect(QRectF(0, 0, self.width(), horizon), sky)
        ground = QLinearGradient(0.0, horizon, 0.0, float(self.height()))
        ground.setColorAt(0.0, self._theme.color("ground_top"))
        ground.setColorAt(1.0, self._theme.color("ground_bottom"))
        painter.fillRect(QRectF(0, horizon, self.width(), self.height() - horizon), ground)
        step = camera.grid_step_m(view.ground_down_m)
        reach = step * _GRID_LINES
        north, east = (round(v / step) * step for v in camera.target[:2])
        offsets = np.arange(-_GRID_LINES, _GRID_LINES + 1) * step
        down = np.full(offsets.size, view.ground_down_m)
        ends = np.full(offsets.size, reach)
        along = np.column_stack((north - ends, east + offsets, down))
        across = np.column_stack((north + offsets, east - ends, down))
        starts = np.vstack((along, across))
        lines = starts.copy()
        lines[: offsets.size, 0] = north + reach
        lines[offsets.size :, 1] = east + reach
        self._paint_lines(painter, camera, (starts, lines), _faint(self._theme.color("scale"), 70))

    def _paint_lines(
        self, painter: QPainter, camera: Camera, lines: tuple[Floats, Floats], color: QColor
    ) -> None:
        starts, ends = camera.clip(*lines)
        a, b = camera.project(starts), camera.project(ends)
        painter.setPen(QPen(color, 1.0))
        for (x0, y0, _), (x1, y1, _) in zip(a.tolist(), b.tolist(), strict=True):
            painter.drawLine(QPointF(x0, y0), QPointF(x1, y1))

    def _paint_trail(self, painter: QPainter, camera: Camera, view: View) -> None:
        """The way flown, and its shadow on the ground."""
        if view.trail is None or len(view.trail) < 2:
            return
        shadow = view.trail.copy()
        shadow[:, 2] = view.ground_down_m
        for points, color, width in (
            (shadow, _faint(self._theme.color("symbol_outline"), 90), 1.0),
            (view.trail, self._theme.color("scale"), 2.0),
        ):
            painter.setPen(QPen(color, width))
            for line in _pieces(camera.project(points)):
                painter.drawPolyline(line)

    def _paint_aircraft(self, painter: QPainter, camera: Camera, view: View) -> None:
        """Drop line, estimate (thin), aircraft."""
        if view.truth is not None:
            north, east, down = view.truth.position
            ends = np.array([[north, east, down], [north, east, view.ground_down_m]])
            dropped = _faint(self._theme.color("symbol_outline"), 120)
            self._paint_lines(painter, camera, (ends[:1], ends[1:]), dropped)
        if view.estimate is not None:
            self._paint_pose(painter, camera, view, view.estimate, is_ghost=view.truth is not None)
        if view.truth is not None:
            self._paint_pose(painter, camera, view, view.truth, is_ghost=False)

    def _paint_pose(
        self, painter: QPainter, camera: Camera, view: View, pose: Pose, is_ghost: bool
    ) -> None:
        turn, place = body_to_ned(pose.q_wxyz), np.array(pose.position)
        shape = view.shape
        depth = float(camera.project(place[None, :])[0, 2])
        pixels = shape.size_m * camera.focal_px / max(depth, 1e-3)
        grow = max(1.0, _LEAST_SIZE_PX / max(pixels, 1e-3))  # never too small to be seen
        token = "scale" if is_ghost else "symbol"
        pen = QPen(self._theme.color(token), 1.0 if is_ghost else 2.5)
        lines = [*shape.lines, *(((0.0, 0.0, 0.0), hub) for hub in shape.rotors)]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for line in lines:
            self._paint_body(painter, camera, (turn, place), np.array(line) * grow, pen)
        radius = shape.rotor_radius_m
        for hub in shape.rotors:
            ring = np.array(hub) + radius * np.column_stack(
                (np.cos(_CIRCLE), np.sin(_CIRCLE), np.zeros(_CIRCLE.size))
            )
            front = not is_ghost and hub[0] > 1e-6
            ring_token = "commanded" if front else token
            self._paint_body(
                painter,
                camera,
                (turn, place),
                ring * grow,
                QPen(self._theme.color(ring_token), 1.0 if is_ghost else 1.6),
            )

    def _paint_body(
        self,
        painter: QPainter,
        camera: Camera,
        frame: tuple[Floats, Floats],
        points: Floats,
        pen: QPen,
    ) -> None:
        turn, place = frame
        painter.setPen(pen)
        for line in _pieces(camera.project(place + points @ turn.T)):
            painter.drawPolyline(line)

    def _paint_words(self, painter: QPainter, camera: Camera, view: View, shown: Pose) -> None:
        """Height, grid and wind in the corners."""
        height = view.ground_down_m - shown.position[2]
        speed = math.hypot(view.wind[0], view.wind[1])
        source = math.degrees(math.atan2(-view.wind[1], -view.wind[0])) % 360.0
        words = [
            f"{height:.1f}\u202fm high",
            f"Grid {camera.grid_step_m(view.ground_down_m):g}\u202fm",
        ]
        if speed > 0.05:
            words.append(f"Wind {speed:.1f}\u202fm/s from {source:.0f}°")
            self._paint_wind(painter, camera, view)
        if view.truth is not None and view.estimate is not None:
            error = math.dist(view.truth.position, view.estimate.position)
            words.append(f"Estimate {error:.1f}\u202fm off")
        if view.silent_s > 0.0:
            words.append(f"As it was {view.silent_s:.0f}\u202fs ago")
        metrics = painter.fontMetrics()
        width = max(metrics.horizontalAdvance(line) for line in words) + 16
        box = QRectF(8, 8, width, metrics.height() * len(words) + 10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_faint(self._theme.color("readout"), 215))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(self._theme.color("text_on_readout"))
        painter.drawText(box.adjusted(8, 5, 0, 0), "\n".join(words))

    def _paint_wind(self, painter: QPainter, camera: Camera, view: View) -> None:
        """An arrow at the lower left that points where the air goes, as seen from the eye."""
        right, _, forward = camera.axes()
        wind = np.array([view.wind[0], view.wind[1], 0.0])
        x, y = float(wind @ right), -float(wind @ (forward * (1.0, 1.0, 0.0)))
        size = math.hypot(x, y)
        if size == 0.0:
            return
        x, y = x / size, y / size
        length = 34.0
        foot = QPointF(56.0, self.height() - 56.0)
        tip = foot + QPointF(x, y) * length / 2
        tail = foot - QPointF(x, y) * length / 2
        painter.setPen(QPen(self._theme.color("scale"), 3.0))
        painter.setBrush(self._theme.color("scale"))
        painter.drawLine(tail, tip)
        barb = QPointF(-x, -y) * 10.0
        side = QPointF(-y, x) * 6.0
        painter.drawPolygon(QPolygonF([tip, tip + barb + side, tip + barb - side]))


def _pieces(pixels: Floats) -> list[QPolygonF]:
    """Polylines of what lies in front of the eye."""
    seen = ~np.isnan(pixels[:, 0])
    edges = np.flatnonzero(np.diff(np.concatenate(([0], seen.view(np.int8), [0]))))
    return [
        QPolygonF([QPointF(x, y) for x, y, _ in pixels[begin:end].tolist()])
        for begin, end in zip(edges[::2], edges[1::2], strict=True)
        if end - begin > 1
    ]


def _faint(color: QColor, alpha: int) -> QColor:
    faint = QColor(color)
    faint.setAlpha(alpha)
    return faint
