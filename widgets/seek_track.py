"""The strip of a timeline that shows a whole flight and is dragged to look anywhere in it.

Drawn from top to bottom: marks for what happened (an alarm is a triangle, a restart a square, a
marker a flag, a changed setting a diamond, a change of mode a tick), the rail with how much was
recorded when, gaps left empty and in a log the long ones folded, armed time underlined, and the
time scale. The unmoving part is cached as a picture.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from telemetry.finding import Level
from telemetry.flight_state import armed_spans
from telemetry.recording.activity import BIN_S
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.timeline import Timeline, format_time
from widgets.folded_time import FoldedTime, Times
from widgets.level_mark import LEVEL_TOKENS
from widgets.theme import Theme

GAP_S = 2.0
_MARGIN_PX = 10
_NICE_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
_LABEL_ROOM_PX = 72
_NEAR_PX = 6


class SeekTrack(QWidget):
    """Call `show_flight` whenever something may have changed; it repaints only what did.

    `on_seek` is called with a time when the user points at one.
    """

    def __init__(self, theme: Theme, on_seek: Callable[[float], None]) -> None:
        super().__init__()
        self._theme = theme
        self._on_seek = on_seek
        self._recording: Recording | None = None
        self._markers: Sequence[Event] = ()
        self._span = (0.0, 1.0)
        self._folded = FoldedTime(*self._span)
        self._t = 0.0
        self._selection: tuple[float, float] | None = None
        self._static: QPixmap | None = None
        self._static_key: tuple[object, ...] = ()
        self._hover_x: float | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Flight timeline")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Wide and as high as the bar."""
        return QSize(400, 56)

    def minimumSizeHint(self) -> QSize:
        """Room for a few labels."""
        return QSize(120, 48)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and sizes."""
        self._theme = theme
        self._static = None
        self.update()

    def show_flight(
        self,
        recording: Recording | None,
        timeline: Timeline | None,
        end_s: float,
        markers: Sequence[Event],
    ) -> None:
        """Show this recording up to `end_s` with the cursor where the timeline has it."""
        self._recording, self._markers = recording, markers
        self._selection = timeline.selection if timeline else None
        t = timeline.t if timeline else 0.0
        span = self._wanted_span(recording, end_s)
        events = recording.events() if recording else ()
        bins = self._quantised_end(span)
        marks = tuple(event.t for event in markers)
        key = (id(recording), span[0], bins, id(events), marks, self._selection, self.size())
        if key != self._static_key:
            self._static_key, self._static = key, None
            self._span = span
            is_log = recording is not None and timeline is not None and not timeline.can_live
            self._folded = FoldedTime(*span, recording.gaps() if recording and is_log else ())
            self.update()
        elif self.x_of(t) != self.x_of(self._t):
            self.update()
        self._t = t

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cached flight, then the cursor."""
        if self._static is None:
            self._static = self._draw_static()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._static)
            if self._recording is None or self._recording.version == 0:
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_cursor(painter)
            if self.hasFocus():
                painter.setPen(QPen(self._theme.color("focus"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 4, 4)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go where the user points."""
        if event.button() is Qt.MouseButton.LeftButton and self._recording is not None:
            self._on_seek(self.time_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub while dragging; otherwise tell what is under the pointer."""
        if event.buttons() & Qt.MouseButton.LeftButton and self._recording is not None:
            self._on_seek(self.time_at(event.position().x()))
        self._hover_x = event.position().x()
        if self._recording is not None and self._recording.version:
            text = self.tip_at(self._hover_x)
            QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Go on or back a hundredth of the flight."""
        if self._recording is not None and event.angleDelta().y():
            turns = event.angleDelta().y() / 120.0
            self._on_seek(self._t - turns * (self._span[1] - self._span[0]) / 100.0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page up and down go a tenth of the flight; the other keys are the station's."""
        step = {Qt.Key.Key_PageUp: -0.1, Qt.Key.Key_PageDown: 0.1}.get(Qt.Key(event.key()))
        if step is None or self._recording is None:
            super().keyPressEvent(event)
            return
        self._on_seek(self._t + step * (self._span[1] - self._span[0]))

    def event(self, event: object) -> bool:
        """Keep Qt's own tooltips away from ours."""
        return True if isinstance(event, QHelpEvent) else super().event(event)  # type: ignore[arg-type]

    def time_at(self, x: float) -> float:
        """The time that a pixel column stands for, kept inside the flight."""
        share = (x - _MARGIN_PX) / max(1, self.width() - 2 * _MARGIN_PX)
        return float(self._folded.times_of(np.array([min(1.0, max(0.0, share))]))[0])

    def tip_at(self, x: float) -> str:
        """The time under a pixel column and what happened there."""
        lines = [format_time(self.time_at(x))]
        near = [e for e in self._all_events() if abs(self.x_of(e.t) - x) <= _NEAR_PX]
        lines += [f"{format_time(event.t)}  {_sentence(event)}" for event in near[:6]]
        if len(near) > 6:
            lines.append(f"and {len(near) - 6} more")
        return "\n".join(lines)

    def _all_events(self) -> list[Event]:
        events = self._recording.events() if self._recording else ()
        return sorted((*events, *self._markers), key=lambda event: event.t)

    def _wanted_span(self, recording: Recording | None, end_s: float) -> tuple[float, float]:
        if recording is None or recording.version == 0:
            return (0.0, 1.0)
        return (recording.first_s, max(end_s, recording.first_s + 1.0))

    def _quantised_end(self, span: tuple[float, float]) -> float:
        """The end in steps of about half a pixel, so that a live flight redraws no oftener."""
        step = max(0.5, (span[1] - span[0]) / max(1, 2 * self.width()))
        return math.ceil(span[1] / step) * step

    def x_of(self, t: float) -> int:
        """The pixel of a time, the opposite of `time_at`."""
        share = self._folded.share_of(t)
        return round(_MARGIN_PX + share * (self.width() - 2 * _MARGIN_PX))

    def _rail(self) -> QRectF:
        height = self.height()
        top = round(height * 0.30)
        return QRectF(_MARGIN_PX, top, self.width() - 2 * _MARGIN_PX, round(height * 0.30))

    def _draw_static(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            rail = self._rail()
            painter.fillRect(rail, self._theme.color("window"))
            if self._recording is None or self._recording.version == 0:
                self._draw_nothing(painter, rail)
                return pixmap
            self._draw_activity(painter, rail)
            self._draw_armed(painter, rail)
            self._draw_selection(painter, rail)
            self._draw_scale(painter, rail)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_folds(painter, rail)
            for event in self._marked_events():
                self._draw_event(painter, rail, event)
        return pixmap

    def _marked_events(self) -> list[Event]:
        """Of all that look the same at one pixel, as settings written together do, the last."""
        backwards = reversed(self._all_events())
        marks: dict[tuple[int, str, Level], Event] = {}
        for event in backwards:
            marks.setdefault((self.x_of(event.t), event.kind, event.level), event)
        return list(reversed(marks.values()))

    def _draw_nothing(self, painter: QPainter, rail: QRectF) -> None:
        painter.setPen(self._theme.color("muted"))
        painter.setFont(self._theme.font("small"))
        below = rail.adjusted(0, rail.height() + 2, 0, rail.height() + 4)
        hint = "Nothing recorded yet. Connect to an aircraft, or drop a log file here."
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, hint)

    def _draw_activity(self, painter: QPainter, rail: QRectF) -> None:
        """Fill the rail where something was recorded, higher where it was more."""
        shares = np.linspace(0.0, 1.0, max(1, int(rail.width())) + 1)
        heights = column_heights(self._recording, self._folded.times_of(shares))
        color = blend(self._theme.color("accent"), self._theme.color("window"), 0.45)
        painter.setPen(QPen(color, 1))
        bottom = rail.bottom()
        columns = np.flatnonzero(heights > 0)
        tops = bottom - rail.height() * (0.35 + 0.65 * heights[columns])
        lefts = rail.left() + columns + 0.5
        painter.drawLines(
            [QLineF(x, y, x, bottom) for x, y in zip(lefts.tolist(), tops.tolist(), strict=True)]
        )

    def _draw_armed(self, painter: QPainter, rail: QRectF) -> None:
        color = self._theme.color("text")
        for start, end in armed_spans(self._recording, self._span[1]):
            left, right = self.x_of(start), self.x_of(end)
            painter.fillRect(QRectF(left, rail.bottom() + 1, max(1, right - left), 3), color)

    def _draw_folds(self, painter: QPainter, rail: QRectF) -> None:
        """Two strokes across the rail where a long silence was folded."""
        painter.setPen(QPen(self._theme.color("muted"), 1.5))
        for start, end in self._folded.folds:
            middle = (self.x_of(start) + self.x_of(end)) / 2
            for x in (middle - 3, middle + 2):
                painter.drawLine(QLineF(x - 3, rail.bottom(), x + 3, rail.top()))

    def _draw_selection(self, painter: QPainter, rail: QRectF) -> None:
        if self._selection is None:
            return
        left, right = self.x_of(self._selection[0]), self.x_of(self._selection[1])
        color = self._theme.color("selected")
        area = QRectF(left, rail.top() - 2, right - left, rail.height() + 4)
        wash = QColor(color)
        wash.setAlphaF(0.18)
        painter.fillRect(area, wash)
        painter.setPen(QPen(color, 2))
        painter.drawLine(area.topLeft(), area.bottomLeft())
        painter.drawLine(area.topRight(), area.bottomRight())

    def _draw_scale(self, painter: QPainter, rail: QRectF) -> None:
        painter.setFont(self._theme.font("small"))
        first, last = self._span
        room = _LABEL_ROOM_PX * self._theme.scale
        fitting = max(1.0, rail.width() / room)
        shown_s = (last - first) - sum(b - a for a, b in self._folded.folds)
        step = next((s for s in _NICE_S if shown_s / s <= fitting), _NICE_S[-1])
        free_from = -room
        for number in range(math.ceil(first / step), math.floor(last / step) + 1):
            x = self.x_of(number * step)
            if self._folded.is_folded(number * step) or x < free_from:
                continue
            free_from = x + 0.8 * room
            painter.setPen(self._theme.color("line"))
            painter.drawLine(QPointF(x, rail.bottom() + 4), QPointF(x, rail.bottom() + 8))
            text = format_time(number * step).rpartition(".")[0]
            box = QRectF(x - room / 2, rail.bottom() + 6, room, self.height() - rail.bottom() - 6)
            box.moveLeft(min(max(box.left(), 0.0), self.width() - room))
            side = _side(x, box)
            painter.setPen(self._theme.color("muted"))
            painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter, text)

    def _draw_event(self, painter: QPainter, rail: QRectF, event: Event) -> None:
        x = self.x_of(event.t) + 0.5
        top = rail.top() - 2
        color = self._theme.color(LEVEL_TOKENS[event.level])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        if event.kind == "marker":
            painter.setBrush(self._theme.color("selected"))
            painter.drawPolygon(_polygon((x, top - 10), (x + 9, top - 6), (x, top - 2)))
            painter.drawRect(QRectF(x - 1, top - 10, 2, rail.height() + 12))
        elif event.kind == "gap":
            return  # the empty rail says it
        elif event.kind in ("reboot", "link", "failsafe", "sticks", "hang", "recording"):
            painter.drawRect(QRectF(x - 4, top - 9, 8, 8))
            painter.drawRect(QRectF(x - 1, top, 2, rail.height() + 2))
        elif event.kind == "alarm" and event.level >= Level.WARNING:
            painter.drawPolygon(_polygon((x - 5, top - 1), (x + 5, top - 1), (x, top - 10)))
        elif event.kind == "setting":
            painter.setBrush(self._theme.color("accent"))
            painter.drawPolygon(
                _polygon((x, top - 9), (x + 4, top - 5), (x, top - 1), (x - 4, top - 5))
            )
        elif event.kind == "mode":
            painter.setBrush(self._theme.color("muted"))
            painter.drawRect(QRectF(x - 0.5, top - 6, 1.5, 6))

    def _draw_cursor(self, painter: QPainter) -> None:
        x = self.x_of(self._t) + 0.5
        rail = self._rail()
        painter.setPen(QPen(self._theme.color("window"), 5))
        painter.drawLine(QPointF(x, rail.top() - 5), QPointF(x, rail.bottom() + 5))
        painter.setPen(QPen(self._theme.color("text"), 2))
        painter.drawLine(QPointF(x, rail.top() - 6), QPointF(x, rail.bottom() + 5))
        painter.setPen(QPen(self._theme.color("window"), 1.5))
        painter.setBrush(self._theme.color("text"))
        painter.drawEllipse(QPointF(x, rail.center().y()), 5.5, 5.5)


def column_heights(recording: Recording | None, edges_s: Times) -> Times:
    """How much was recorded per pixel column, 0 to 1 of the busiest; 0 only inside real gaps.

    Columns lie between times `edges_s` (n + 1), ascending.

    Silences shorter than GAP_S are filled, so that slow links do not look broken.
    """
    heights = np.zeros(len(edges_s) - 1)
    if recording is None:
        return heights
    counts = np.asarray(recording.activity(), np.float64)
    if not len(counts):
        return heights
    edges = edges_s / BIN_S
    total = np.concatenate(([0.0], np.cumsum(counts)))
    reach = round(GAP_S / BIN_S)
    low = np.clip(np.floor(edges[:-1]).astype(int), 0, len(counts))
    high = np.clip(np.maximum(np.ceil(edges[1:]).astype(int), low + 1), 0, len(counts))
    own = (total[high] - total[low]) / np.maximum(1, high - low)
    wide = total[np.clip(high + reach // 2, 0, len(counts))]
    wide = wide - total[np.clip(low - reach // 2, 0, len(counts))]
    busiest = float(np.percentile(own[own > 0], 98)) if np.any(own > 0) else 1.0
    heights = np.clip(own / busiest, 0.0, 1.0)
    return np.where((heights <= 0) & (wide > 0), 0.02, heights)


def blend(over: QColor, under: QColor, share: float) -> QColor:
    """`share` of one colour mixed into another, opaque."""
    return QColor.fromRgbF(
        over.redF() * share + under.redF() * (1 - share),
        over.greenF() * share + under.greenF() * (1 - share),
        over.blueF() * share + under.blueF() * (1 - share),
    )


def _sentence(event: Event) -> str:
    if event.kind == "mode":
        return f"Flight mode: {event.text}"
    return event.text


def _side(x: float, box: QRectF) -> Qt.AlignmentFlag:
    if box.center().x() > x + 1:
        return Qt.AlignmentFlag.AlignLeft
    if box.center().x() < x - 1:
        return Qt.AlignmentFlag.AlignRight
    return Qt.AlignmentFlag.AlignHCenter


def _polygon(*corners: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in corners])
