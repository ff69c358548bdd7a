"""Seek bar of a timeline, which shows a flight and is dragged to look anywhere in it.

The wheel zooms at the pointer, the middle button pans, a double click shows all, and again what is
worth looking at. Marks that lie close together open as a list. In and out points are dragged at
their handles, or drawn anew with Shift. The unmoving part is cached as a picture: see
seek_picture.py.
"""

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from telemetry.recording.event_list import EventList
from telemetry.recording.events import Event
from telemetry.recording.mode_spans import mode_spans
from telemetry.recording.mode_words import mode_words
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import LEAST_SELECTION_S, Timeline, format_time
from widgets.compressed_time import CompressedTime
from widgets.event_clusters import EventCluster, EventMarks
from widgets.event_popup import EventPopup, event_words
from widgets.seek_picture import SeekScene, VideoExtent, draw_scene, rail_of
from widgets.theme import Theme
from widgets.time_axis import TimeAxis, Window

Select = Callable[[float | None, float | None], None]

_MARGIN_PX = 10
_NEAR_PX = 6
_CLUSTER_PX = 30
_HANDLE_PX = 5
_ZOOM = 0.8
_FOCUS_MARGIN = 0.04
_KEY_ZOOMS = {Qt.Key.Key_Plus: _ZOOM**2, Qt.Key.Key_Minus: _ZOOM**-2}
_KEY_STEPS = {Qt.Key.Key_PageUp: -0.1, Qt.Key.Key_PageDown: 0.1}


class SeekTrack(QWidget):
    """Call `show_flight` whenever something may have changed; it repaints only what did.

    `on_seek` is called with a time when the user points at one, `on_select` with new in and out
    points, each None where it is not set.
    """

    def __init__(
        self,
        theme: Theme,
        on_seek: Callable[[float], None],
        on_select: Select = lambda _in_s, _out_s: None,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._on_seek = on_seek
        self._on_select = on_select
        self._recording: Recording | None = None
        self._timeline: Timeline | None = None
        self._end_s = 0.0
        self._markers: Sequence[Event] = ()
        self._videos: Sequence[VideoExtent] = ()
        self._axis = TimeAxis()
        self._focus: Window | None = None
        self._t = 0.0
        self._static: QPixmap | None = None
        self._static_key: tuple[object, ...] = ()
        self._marks = EventMarks()
        self._clusters: tuple[EventCluster, ...] = ()
        self._before_press: tuple[bool, float] = (False, 0.0)
        self._drag: Callable[[float], None] | None = None
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
        self._redraw()

    def show_flight(
        self,
        recording: Recording | None,
        timeline: Timeline | None,
        end_s: float,
        markers: Sequence[Event],
        videos: Sequence[VideoExtent] = (),
    ) -> None:
        """Show this recording up to `end_s` with the cursor where the timeline has it.

        `markers` are the events that are not the recording's own.
        """
        if recording is not self._recording:
            self._axis = self._axis.showing(None)
            self._focus = None
        self._recording, self._timeline = recording, timeline
        self._markers, self._videos, self._end_s = markers, videos, end_s
        t = timeline.t if timeline else 0.0
        self._follow(t)
        key = self._looks()
        if key != self._static_key:
            self._static_key = key
            self._lay_out()
            self._redraw()
        elif self.x_of(t) != self.x_of(self._t):
            self.update()
        self._t = t

    @property
    def window_s(self) -> Window | None:
        """The part of the flight that is shown (start, end); None for all of it."""
        return self._axis.window

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
        """Go where the user points, take hold of a handle, or begin to pan."""
        if self._recording is None or self._timeline is None:
            return
        x = event.position().x()
        if event.button() is Qt.MouseButton.MiddleButton:
            self._begin_pan(x)
        elif event.button() is Qt.MouseButton.LeftButton:
            self._before_press = (self._timeline.mode == "live", self._timeline.t)
            cluster = self._cluster_at(event.position())
            if cluster is not None:
                self._open(cluster)
                return
            self._drag = self._left_drag(x, event.modifiers())
            self._drag(x)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with what was begun; otherwise tell what is under the pointer."""
        x = event.position().x()
        if self._drag is not None:
            self._drag(x)
        if self._recording is not None and self._recording.version:
            QToolTip.showText(event.globalPosition().toPoint(), self.tip_at(x), self)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """End what was begun."""
        self._drag = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all of the flight, or what is worth looking at; the cursor goes back to where it
        was before the first click."""
        timeline = self._timeline
        if event.button() is not Qt.MouseButton.LeftButton or timeline is None:
            return
        was_live, t = self._before_press
        if was_live:
            timeline.go_live()
        else:
            self._on_seek(t)
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; to the side, pan."""
        turns = event.angleDelta()
        if self._recording is None:
            return
        if turns.x() and not turns.y():
            self._show(self._axis.panned(-turns.x() / 120.0 * self.width() / 10.0))
        elif turns.y():
            self._show(self._axis.zoomed(_ZOOM ** (turns.y() / 120.0), event.position().x()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page up and down go a tenth of what is shown, plus and minus zoom at the cursor, Return
        lists what happened there; the other keys are the station's."""
        key = Qt.Key(event.key())
        if self._recording is None:
            super().keyPressEvent(event)
        elif key in _KEY_STEPS:
            first, last = self._shown()
            self._on_seek(self._t + _KEY_STEPS[key] * (last - first))
        elif key in _KEY_ZOOMS:
            self._show(self._axis.zoomed(_KEY_ZOOMS[key], self._axis.x_of(self._t)))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._clusters:
            x = self._axis.x_of(self._t)
            self._open(min(self._clusters, key=lambda cluster: abs(cluster.x - x)))
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep Qt's own tooltips away from ours."""
        return True if isinstance(event, QHelpEvent) else super().event(event)

    def fit(self) -> None:
        """Show all; where all is shown, what is worth looking at first, if that is known."""
        timeline = self._timeline
        has_focus = timeline is not None and timeline.focus is not None
        if self._axis.window is None and timeline is not None and has_focus:
            self._show(self._axis.showing(_with_margin(timeline.focus)))
        else:
            self._show(self._axis.showing(None))

    def time_at(self, x: float) -> float:
        """The time that a pixel column stands for, kept inside what is shown."""
        return self._axis.time_at(x)

    def x_of(self, t: float) -> int:
        """The pixel of a time, the opposite of `time_at`."""
        return round(self._axis.x_of(t))

    def tip_at(self, x: float) -> str:
        """The time under a pixel column, what is flown and filmed, and what happened there."""
        t = self.time_at(x)
        modes = mode_spans(self._recording, self._end_s) if self._recording else []
        mode = next((f"  {mode_words(name)}" for a, b, name in modes if a <= t < b), "")
        lines = [f"{format_time(t)}{mode}"]
        lines += [video.name for video in self._videos if any(a <= t < b for a, b in video.spans)]
        near = [e for e in self._all_events() if abs(self.x_of(e.t) - x) <= _NEAR_PX]
        lines += [f"{format_time(event.t)}  {event_words(event)}" for event in near[:6]]
        if len(near) > 6:
            lines.append(f"and {len(near) - 6} more")
        return "\n".join(lines)

    def _all_events(self) -> list[Event]:
        events = self._recording.events() if self._recording else ()
        return sorted((*events, *self._markers), key=lambda event: event.t)

    def _shown(self) -> Window:
        return self._axis.time_at(-1.0), self._axis.time_at(self.width() + 1.0)

    def _wanted_span(self) -> Window:
        recording = self._recording
        if recording is None or recording.version == 0:
            return (0.0, 1.0)
        return (recording.first_s, max(self._end_s, recording.first_s + 1.0))

    def _looks(self) -> tuple[object, ...]:
        """What makes the unmoving picture another one. The end counts in steps of about half a
        pixel, so that a live flight is drawn no oftener."""
        recording, timeline = self._recording, self._timeline
        first, last = self._wanted_span()
        window = self._axis.window
        shown_s = window[1] - window[0] if window else last - first
        step = max(0.02 if window else 0.5, shown_s / max(1, 2 * self.width()))
        ends = math.ceil(last / step) * step
        start = math.ceil(window[0] / step) if window else 0
        return (
            id(recording),
            first,
            ends,
            (start, shown_s if window else 0.0),
            id(recording.events()) if recording else 0,
            tuple((event.t, event.text) for event in self._markers),
            self._videos,
            timeline.selection if timeline else None,
            self.size(),
        )

    def _lay_out(self) -> None:
        """Fit the axis to the flight as it is now."""
        recording, timeline = self._recording, self._timeline
        is_log = recording is not None and timeline is not None and not timeline.can_live
        silences = recording.gaps() if recording is not None and is_log else ()
        line = CompressedTime(*self._wanted_span(), silences)
        width = max(1, self.width() - 2 * _MARGIN_PX)
        self._axis = TimeAxis(line, _MARGIN_PX, width, self._axis.window)
        self._marks.take(recording.events() if recording else EventList(), self._markers)
        self._clusters = self._marks.clusters(self._axis.xs_of, _CLUSTER_PX)

    def _follow(self, t: float) -> None:
        """Open on what is worth looking at; keep the end of a live flight, and a cursor that has
        moved, in sight."""
        timeline, window = self._timeline, self._axis.window
        if timeline is None:
            return
        if timeline.focus != self._focus and not timeline.can_live:
            self._focus = timeline.focus
            self._axis = self._axis.showing(_with_margin(timeline.focus))
        elif window is not None and timeline.mode == "live":
            self._axis = self._axis.showing((self._end_s - window[1] + window[0], self._end_s))
        elif window is not None and t != self._t and not window[0] <= t <= window[1]:
            start = t - 0.1 * (window[1] - window[0])
            self._axis = self._axis.showing((start, start + window[1] - window[0]))

    def _show(self, axis: TimeAxis) -> None:
        """Show another part of the flight."""
        if axis.window != self._axis.window:
            self._axis = axis
            self._static_key = ()
            self._lay_out()
            self._redraw()

    def _redraw(self) -> None:
        self._static = None
        self.update()

    def _begin_pan(self, x: float) -> None:
        before = self._axis

        def pan(to: float) -> None:
            self._show(before.panned(x - to))

        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._drag = pan

    def _left_drag(self, x: float, modifiers: Qt.KeyboardModifier) -> Callable[[float], None]:
        """What dragging from `x` does: draw a stretch, move one of its ends, or scrub."""
        timeline = self._timeline
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            return self._drawn_from(self.time_at(x))
        if timeline is not None and timeline.selection is not None:
            start, end = timeline.selection
            if abs(self.x_of(start) - x) <= _HANDLE_PX:
                return self._drawn_from(end)
            if abs(self.x_of(end) - x) <= _HANDLE_PX:
                return self._drawn_from(start)
        return lambda to: self._on_seek(self.time_at(to))

    def _drawn_from(self, fixed: float) -> Callable[[float], None]:
        """Move one end of the stretch whose other end stays at `fixed`."""

        def draw(to: float) -> None:
            t = self.time_at(to)
            if abs(t - fixed) >= LEAST_SELECTION_S:
                self._on_select(min(t, fixed), max(t, fixed))

        return draw

    def _cluster_at(self, position: QPointF) -> EventCluster | None:
        """The marks under the pointer, above the rail."""
        if position.y() >= self._rail().top():
            return None
        hit = [c for c in self._clusters if -_NEAR_PX <= position.x() - c.x <= _CLUSTER_PX - 8]
        near = [c for c in hit if len(c.events) > 1 or position.x() - c.x <= _NEAR_PX + 4]
        return near[-1] if near else None

    def _open(self, cluster: EventCluster) -> None:
        """Go to the only event, or list them."""
        if len(cluster.events) == 1:
            self._on_seek(cluster.events[0].t)
            return
        popup = EventPopup(self.window(), cluster.events, lambda event: self._on_seek(event.t))
        popup.open_above(self.mapTo(self.window(), QPoint(round(cluster.x), 0)))

    def _rail(self) -> QRectF:
        return rail_of(self.width(), self.height(), _MARGIN_PX, len(self._videos))

    def _draw_static(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        scene = SeekScene(
            self._recording,
            self._axis,
            self._end_s,
            self._rail(),
            self.height(),
            self._clusters,
            self._timeline.selection if self._timeline else None,
            self._videos,
        )
        with QPainter(pixmap) as painter:
            draw_scene(painter, scene, self._theme)
        return pixmap

    def _draw_cursor(self, painter: QPainter) -> None:
        x = self.x_of(self._t) + 0.5
        rail = self._rail()
        if not rail.left() - 2 <= x <= rail.right() + 2:
            return
        painter.setPen(QPen(self._theme.color("window"), 5))
        painter.drawLine(QPointF(x, rail.top() - 5), QPointF(x, rail.bottom() + 5))
        painter.setPen(QPen(self._theme.color("text"), 2))
        painter.drawLine(QPointF(x, rail.top() - 6), QPointF(x, rail.bottom() + 5))
        painter.setPen(QPen(self._theme.color("window"), 1.5))
        painter.setBrush(self._theme.color("text"))
        painter.drawEllipse(QPointF(x, rail.center().y()), 5.5, 5.5)


def _with_margin(focus: Window | None) -> Window | None:
    """A stretch with a little of what stands around it."""
    if focus is None:
        return None
    margin = _FOCUS_MARGIN * (focus[1] - focus[0])
    return focus[0] - margin, focus[1] + margin
