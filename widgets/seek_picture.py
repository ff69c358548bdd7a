"""Seek bar picture: what was recorded when, and what happened; it does not move.

Drawn from top to bottom: which part is shown, where it is not all; marks for what happened, with a
number where several lie close together; the rail with how much was recorded when, gaps left empty
and in a log the long ones folded, modes in colours and words, a poor radio link as a band; armed
time underlined; what videos cover; the time scale.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from telemetry.recording.activity import BIN_S
from telemetry.recording.flight_state import armed_spans
from telemetry.recording.mode_spans import mode_spans
from telemetry.recording.mode_words import mode_words
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import format_time
from widgets.compressed_time import Times
from widgets.event_clusters import EventCluster
from widgets.event_marks import draw_cluster
from widgets.segments import paint_segments
from widgets.theme import Theme, mixed
from widgets.time_axis import TimeAxis, Window

GAP_S = 2.0
_NICE_S = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
_LABEL_ROOM_PX = 72
_LINK_OBJECTS = ("OPLinkStatus", "RFM22BStatus")
_BEST_LINK = 128.0  # LinkQuality of the OPLink radios runs from 0 to 128
_POOR_LINK, _BAD_LINK = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class VideoExtent:
    """A video and the spans of the flight (start, end) it covers."""

    name: str
    spans: tuple[Window, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SeekScene:
    """What is drawn. `rail` is where the activity stands; `end_s` is the end of the flight."""

    recording: Recording | None
    axis: TimeAxis
    end_s: float
    rail: QRectF
    height: float
    clusters: tuple[EventCluster, ...] = ()
    selection: Window | None = None
    videos: Sequence[VideoExtent] = ()


def rail_of(width: int, height: int, margin: int, videos: int) -> QRectF:
    """Where the rail stands in a bar of this size, with room for lanes of videos below."""
    top = round(height * 0.30)
    return QRectF(margin, top, width - 2 * margin, round(height * 0.30) - 3 * min(videos, 2))


def draw_scene(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    """Draw all of it."""
    painter.fillRect(scene.rail, theme.color("window"))
    if scene.recording is None or scene.recording.version == 0:
        _draw_nothing(painter, scene.rail, theme)
        return
    clip = scene.rail.adjusted(-6, 0, 6, 0)
    painter.setClipRect(QRectF(clip.left(), 0, clip.width(), scene.height))
    _draw_activity(painter, scene, theme)
    _draw_link(painter, scene, theme)
    _draw_modes(painter, scene, theme)
    _draw_armed(painter, scene, theme)
    _draw_videos(painter, scene, theme)
    _draw_selection(painter, scene, theme)
    painter.setClipping(False)
    _draw_scale(painter, scene, theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_overview(painter, scene, theme)
    painter.setClipRect(QRectF(clip.left(), 0, clip.width() + 8, scene.height))
    _draw_folds(painter, scene, theme)
    for cluster in scene.clusters:
        draw_cluster(painter, scene.rail, cluster, theme)


def _draw_nothing(painter: QPainter, rail: QRectF, theme: Theme) -> None:
    painter.setPen(theme.color("muted"))
    painter.setFont(theme.font("small"))
    below = rail.adjusted(0, rail.height() + 2, 0, rail.height() + 4)
    hint = "Nothing recorded yet. Connect to an aircraft, or drop a log file here."
    painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, hint)


def _draw_activity(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    """Fill the rail where something was recorded, higher where it was more."""
    rail = scene.rail
    shares = np.linspace(0.0, 1.0, max(1, int(rail.width())) + 1)
    heights = column_heights(scene.recording, scene.axis.times_of(shares))
    painter.setPen(QPen(mixed(theme.color("accent"), theme.color("window"), 0.4), 1))
    bottom = rail.bottom()
    columns = np.flatnonzero(heights > 0)
    tops = bottom - rail.height() * (0.35 + 0.65 * heights[columns])
    lefts = rail.left() + columns + 0.5
    paint_segments(painter, np.stack((lefts, tops, lefts, np.full_like(tops, bottom)), axis=1))


def _draw_link(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    """A band along the foot of the rail where the radio itself says that its link is poor."""
    poor = poor_links(scene.recording, scene.end_s)
    for (left, right), (_, _, quality) in zip(_ends_px(scene, poor), poor, strict=True):
        if right < scene.rail.left() or left > scene.rail.right():
            continue
        is_bad = quality < _BAD_LINK
        height = 6 if is_bad else 3
        color = theme.color("danger" if is_bad else "caution")
        area = QRectF(left, scene.rail.bottom() - height, max(1.0, right - left), height)
        painter.fillRect(area, color)


def _draw_modes(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    """A band per mode along the top of the rail, its name below it where there is room."""
    if scene.recording is None:
        return
    rail = scene.rail
    painter.setFont(theme.font("small"))
    metrics = QFontMetricsF(theme.font("small"))
    colors: dict[str, QColor] = {}
    spans = mode_spans(scene.recording, scene.end_s)
    for (start, end), (_, _, name) in zip(_ends_px(scene, spans), spans, strict=True):
        if name not in colors:
            colors[name] = theme.series(len(colors))
        left, right = max(rail.left(), start), min(rail.right(), end)
        if right <= left:
            continue
        band = QRectF(left, rail.top(), right - left, 3)
        painter.fillRect(band, colors[name])
        if right - left < 8 or rail.height() <= 12:
            continue
        words = mode_words(name)
        if metrics.horizontalAdvance(words) + 8 <= right - left:
            painter.setPen(theme.color("text"))
            room = QRectF(left + 4, rail.top() + 2, right - left - 4, rail.height() - 2)
            painter.drawText(
                room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words
            )


def _draw_armed(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    for start, end in _ends_px(scene, armed_spans(scene.recording, scene.end_s)):
        left, right = round(start), round(end)
        area = QRectF(left, scene.rail.bottom() + 1, max(1, right - left), 3)
        painter.fillRect(area, theme.color("text"))


def _draw_videos(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    """A lane per video, the first two, below the armed time, as far as the rail reaches."""
    rail = scene.rail
    for lane, video in enumerate(scene.videos[:2]):
        top = rail.bottom() + 5 + 4 * lane
        for start, end in video.spans:
            left = max(rail.left(), scene.axis.x_of(start))
            right = min(rail.right(), scene.axis.x_of(end))
            if right >= left:
                lane_area = QRectF(left, top, max(1.0, right - left), 3)
                painter.fillRect(lane_area, theme.color("commanded"))


def _draw_selection(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    """The stretch between in and out, with a handle at each point."""
    if scene.selection is None:
        return
    rail = scene.rail
    left, right = (round(scene.axis.x_of(t)) for t in scene.selection)
    color = theme.color("selected")
    area = QRectF(left, rail.top() - 2, right - left, rail.height() + 4)
    wash = QColor(color)
    wash.setAlphaF(0.18)
    painter.fillRect(area, wash)
    painter.setPen(QPen(color, 2))
    for x, inwards in ((left, 4), (right, -4)):
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        for y in (area.top(), area.bottom()):
            painter.drawLine(QPointF(x, y), QPointF(x + inwards, y))


def _draw_overview(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    """Which part of the flight is shown, along the top; nothing where it is all."""
    if scene.axis.window is None:
        return
    rail = scene.rail
    first, last = scene.axis.shares
    painter.fillRect(QRectF(rail.left(), 0, rail.width(), 3), theme.color("line"))
    width = max(6.0, (last - first) * rail.width())
    left = min(rail.left() + first * rail.width(), rail.right() - width)
    painter.fillRect(QRectF(left, 0, width, 3), theme.color("accent"))


def _draw_folds(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    """Two strokes across the rail where a long silence was folded."""
    rail = scene.rail
    painter.setPen(QPen(theme.color("muted"), 1.5))
    for start, end in _ends_px(scene, scene.axis.line.folds):
        middle = (start + end) / 2
        for x in (middle - 3, middle + 2):
            painter.drawLine(QLineF(x - 3, rail.bottom(), x + 3, rail.top()))


def _draw_scale(painter: QPainter, scene: SeekScene, theme: Theme) -> None:
    painter.setFont(theme.font("small"))
    rail, axis = scene.rail, scene.axis
    first, last = axis.time_at(rail.left()), axis.time_at(rail.right())
    room = _LABEL_ROOM_PX * theme.scale
    fitting = max(1.0, rail.width() / room)
    folded_s = sum(max(0.0, min(b, last) - max(a, first)) for a, b in axis.line.folds)
    step = next((s for s in _NICE_S if (last - first - folded_s) / s <= fitting), _NICE_S[-1])
    free_from = -room
    below = rail.bottom() + 5 + 4 * min(2, len(scene.videos))
    for number in range(math.ceil(first / step), math.floor(last / step) + 1):
        x = round(axis.x_of(number * step))
        if axis.line.is_folded(number * step) or x < free_from:
            continue
        free_from = x + 0.8 * room
        painter.setPen(theme.color("line"))
        painter.drawLine(QPointF(x, rail.bottom() + 4), QPointF(x, rail.bottom() + 8))
        text = format_time(number * step)
        text = text if step < 1 else text.rpartition(".")[0]
        box = QRectF(x - room / 2, below, room, scene.height - below)
        box.moveLeft(min(max(box.left(), 0.0), rail.right() + rail.left() - room))
        painter.setPen(theme.color("muted"))
        painter.drawText(box, _side(x, box) | Qt.AlignmentFlag.AlignVCenter, text)


def poor_links(recording: Recording | None, end_s: float) -> list[tuple[float, float, float]]:
    """(start, end, quality 0 to 1) where a radio says that less than it should arrives."""
    for name in _LINK_OBJECTS if recording is not None else ():
        assert recording is not None
        times, values = recording.series(f"{name}.LinkQuality")
        if not len(times):
            continue
        quality = np.asarray(values, np.float64) / _BEST_LINK
        ends = np.append(times[1:], max(end_s, float(times[-1])))
        poor = np.flatnonzero(quality < _POOR_LINK)
        columns = zip(
            times[poor].tolist(), ends[poor].tolist(), quality[poor].tolist(), strict=True
        )
        return list(columns)
    return []


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


def _ends_px(scene: SeekScene, spans: Iterable[Sequence[Any]]) -> list[list[float]]:
    """Where these spans (start, end, …) begin and end, all at once: a long log has thousands."""
    times = np.array([span[:2] for span in spans]).reshape(-1, 2)
    ends: list[list[float]] = scene.axis.xs_of(times).tolist()
    return ends


def _side(x: float, box: QRectF) -> Qt.AlignmentFlag:
    if box.center().x() > x + 1:
        return Qt.AlignmentFlag.AlignLeft
    if box.center().x() < x - 1:
        return Qt.AlignmentFlag.AlignRight
    return Qt.AlignmentFlag.AlignHCenter
