"""Outline tool: points clicked on the map for an area, a line, a place, or to measure."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QPolygonF

from widgets.map.overlay import MapOverlay, MapPointer
from widgets.map.projection import GeoPoint, Viewport, bearing_deg, distance_m
from widgets.theme import Theme

_CLICK_PX = 5.0
_HIT_PX = 12.0
_DOT_PX = 4.0
_ENDS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_BACK = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)


class OutlineTool(MapOverlay):
    """Points one after the other; each can be dragged. `on_change` gets them after every change.

    Return or a double click ends, Backspace takes the last one back, Esc all of them. With
    `measures` distances and bearings are written beside the way. `is_closed` draws an area.
    """

    def __init__(
        self,
        hint: str,
        on_change: Callable[[Sequence[GeoPoint]], None] = lambda _points: None,
        on_end: Callable[[], None] = lambda: None,
        *,
        is_closed: bool = False,
        measures: bool = False,
        most: int = 500,
    ) -> None:
        self.hint = hint
        self.points: list[GeoPoint] = []
        self._on_change, self._on_end = on_change, on_end
        self._is_closed, self._measures, self._most = is_closed, measures, most
        self._held: int | None = None
        self._pressed: QPointF | None = None
        self._pointer: GeoPoint | None = None

    @property
    def length_m(self) -> float:
        """Of the way through the points."""
        return sum(distance_m(a, b) for a, b in pairwise(self.points))

    def clear(self) -> None:
        """Begin anew."""
        self.points.clear()
        self._on_change(self.points)

    def press(self, pointer: MapPointer) -> bool:
        if pointer.button != Qt.MouseButton.LeftButton:
            return False
        self._pressed = pointer.position
        self._held = next(
            (i for i, p in enumerate(self.points) if pointer.distance_px(p) <= _HIT_PX), None
        )
        return True

    def move(self, pointer: MapPointer) -> None:
        self._pointer = pointer.place
        if self._held is not None:
            self.points[self._held] = pointer.place
            self._on_change(self.points)

    def release(self, pointer: MapPointer) -> None:
        start, self._pressed = self._pressed, None
        is_click = start is not None and (pointer.position - start).manhattanLength() < _CLICK_PX
        if is_click and self._held is None and len(self.points) < self._most:
            self.points.append(pointer.place)
            self._on_change(self.points)
        self._held = None

    def cancel(self) -> None:
        self._held = self._pressed = None

    def double_click(self, pointer: MapPointer) -> bool:
        self._on_end()
        return True

    def hover(self, pointer: MapPointer) -> Qt.CursorShape | None:
        self._pointer = pointer.place
        return Qt.CursorShape.CrossCursor

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key is for this."""
        key = Qt.Key(event.key())
        return bool(self.points) and (key in (*_ENDS, *_BACK) or key == Qt.Key.Key_Escape)

    def key(self, event: QKeyEvent) -> bool:
        if not self.wants(event):
            return False
        if event.key() in _ENDS:
            self._on_end()
        elif event.key() in _BACK:
            self.points.pop()
            self._on_change(self.points)
        else:
            self.clear()
        return True

    def paint(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        loose = [self._pointer] if self._pointer and len(self.points) < self._most else []
        places = [*self.points, *(loose if self.points else [])]
        pixels = [QPointF(*view.place_px(place)) for place in places]
        painter.setPen(QPen(theme.color("selected"), 2.0 * theme.line_px))
        draw = painter.drawPolygon if self._is_closed else painter.drawPolyline
        draw(QPolygonF(pixels))
        painter.setBrush(theme.color("selected"))
        for pixel in pixels[: len(self.points)]:
            painter.drawEllipse(pixel, _DOT_PX, _DOT_PX)
        if self._measures:
            _paint_lengths(painter, theme, places, pixels)


def _paint_lengths(
    painter: QPainter, theme: Theme, places: Sequence[GeoPoint], pixels: Sequence[QPointF]
) -> None:
    total = 0.0
    for i in range(1, len(places)):
        length = distance_m(places[i - 1], places[i])
        total += length
        text = f"{length_words(length)}, {bearing_deg(places[i - 1], places[i]):.0f}°"
        if i > 1:
            text += f" (in all {length_words(total)})"
        box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-4, -2, 4, 2)
        box.moveTopLeft(pixels[i] + QPointF(10.0, 6.0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(theme.color("text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def length_words(length_m: float) -> str:
    """A distance as people say it."""
    if length_m >= 1000.0:
        return f"{length_m / 1000.0:.2f}\u202fkm"
    return f"{length_m:.0f}\u202fm" if length_m >= 100.0 else f"{length_m:.1f}\u202fm"
