"""Plot marks below and above the curves: axes, silences, events, states, what is measured."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from widgets.plot.axes import GridLine
from widgets.plot.picture import EventMark, Sheet, Trace
from widgets.plot.window import time_label, time_ticks
from widgets.text_layout_cache import TextLayoutCache

_STATE_TEXT_ABOVE_PX = 4
_LABELLED_FROM_PX = 60
_WORD_GAP_PX = 4
_MOST_WORDS = 40
_BAND_ALPHA = 40
_STATE_ALPHA = 90
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def paint_silences(painter: QPainter, sheet: Sheet) -> None:
    """Shade where nothing is known."""
    for box, _ in _silence_boxes(sheet):
        painter.fillRect(box, sheet.theme.color("plot_gap"))


def paint_silence_words(painter: QPainter, sheet: Sheet) -> None:
    """Say that nothing is known where there is room, over the grid."""
    metrics, area = QFontMetrics(painter.font()), sheet.area
    painter.setPen(sheet.theme.color("muted"))
    for box, length_s in _silence_boxes(sheet):
        length = f"{length_s:.0f}\u2009s" if length_s < 60.0 else time_label(length_s, 1.0)
        text = f"No data for {length}"
        words = QRectF(0, 0, metrics.horizontalAdvance(text) + 12, metrics.height())
        if words.width() <= box.width() and area.height() >= 2 * words.height():
            words.moveCenter(box.center())
            painter.fillRect(words, sheet.theme.color("plot_gap"))
            painter.drawText(words, Qt.AlignmentFlag.AlignCenter, text)


def _silence_boxes(sheet: Sheet) -> list[tuple[QRectF, float]]:
    """The silences in sight, in pixels, each with its whole length in seconds."""
    span, area = sheet.picture.time, sheet.area
    first, last, top, height = area.left(), area.right(), area.top(), area.height()
    start, pixels_per_s = span.start, area.width() / span.length
    boxes = []
    for silence in sheet.picture.silences:  # hundreds, in a flight with a weak link
        left = max(first, first + (silence.start - start) * pixels_per_s)
        right = min(last, first + (silence.stop - start) * pixels_per_s)
        if right > left:
            boxes.append((QRectF(left, top, right - left, height), silence.length))
    return boxes


def paint_time_axis(
    painter: QPainter, sheet: Sheet, width: int, text_cache: TextLayoutCache
) -> None:
    """Paint instants and their grid lines. The step depends on the whole `width`, so that plots
    above each other have the same; on the area only where it is so narrow, beside another's
    legend, that instants would lie on each other."""
    area, baseline = sheet.area, sheet.foot + QFontMetrics(text_cache.font).ascent() + 4
    label_px = text_cache.width("0:00:00")
    wanted = max(2, int(min(width / (1.4 * label_px), area.width() / (1.05 * label_px))))
    instants, step = time_ticks(sheet.picture.time, wanted)
    lines = []
    painter.setPen(sheet.theme.color("muted"))
    for t in instants:
        x = round(sheet.x_of(t))
        lines.append(QLineF(x, area.top(), x, sheet.foot))
        text = time_label(t, step)
        text_px = text_cache.width(text)
        left = min(max(x - text_px / 2, 2), width - text_px - 2)
        text_cache.draw_on(painter, left, baseline, text)
    painter.setPen(QPen(sheet.theme.color("plot_grid"), 1))
    painter.drawLines(lines)


def paint_value_grid(painter: QPainter, sheet: Sheet, levels: tuple[GridLine, ...]) -> None:
    """Paint the grid lines of the first value axis."""
    if sheet.picture.has_value_grid:
        area = sheet.area
        rows = [round(sheet.y_of(level.value)) for level in levels]
        painter.setPen(QPen(sheet.theme.color("plot_grid"), 1))
        painter.drawLines([QLineF(area.left(), y, area.right(), y) for y in rows])


def paint_box(painter: QPainter, sheet: Sheet, box: QRectF | None) -> None:
    """Paint the part that is about to be zoomed to."""
    if box is not None:
        color = sheet.theme.color("accent")
        painter.setPen(QPen(color, 1))
        color.setAlpha(_BAND_ALPHA)
        painter.setBrush(color)
        painter.drawRect(box)
        painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_events(painter: QPainter, sheet: Sheet, traces: list[Trace]) -> None:
    """Paint a line for each event, and the words of those that find room beside the curves."""
    area, theme = sheet.area, sheet.theme
    for mark in sheet.picture.events:
        x = round(sheet.x_of(mark.t))
        color = theme.color("disabled" if mark.color == "muted" else mark.color)
        painter.setPen(QPen(color, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
    if area.height() < _LABELLED_FROM_PX:
        return
    silent = [box for box, _ in _silence_boxes(sheet)]
    for mark, box in place_words(sheet, QFontMetrics(painter.font()), traces):
        painter.fillRect(box, theme.color("plot_background"))
        for other in silent:
            painter.fillRect(box.intersected(other), theme.color("plot_gap"))
        painter.setPen(theme.color(mark.color))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.text)


def place_words(
    sheet: Sheet, metrics: QFontMetrics, traces: list[Trace]
) -> list[tuple[EventMark, QRectF]]:
    """Where the words of events stand: at the top, else at the bottom, beside their line; those
    are left out that would lie over another word, a curve or the edge."""
    area, taken = sheet.area, measured_box(sheet, metrics)
    placed: list[tuple[EventMark, QRectF]] = []
    by_weight = sorted(sheet.picture.events, key=lambda mark: not mark.is_major)
    for mark in by_weight:
        width = metrics.horizontalAdvance(mark.text) + 2
        left = round(sheet.x_of(mark.t)) + 3
        if left + width > area.right() or len(placed) >= _MOST_WORDS:
            continue
        for top in (area.top() + 1, area.bottom() - metrics.height() - 1):
            box = QRectF(left, top, width, metrics.height())
            wide = box.adjusted(-_WORD_GAP_PX, 0, _WORD_GAP_PX, 0)
            if wide.intersects(taken) or any(wide.intersects(other) for _, other in placed):
                continue
            if not any(_meets(sheet, box, trace) for trace in traces):
                placed.append((mark, box))
                break
    return placed


def _meets(sheet: Sheet, box: QRectF, trace: Trace) -> bool:
    """Whether a curve runs through a box."""
    times = (sheet.time_at(box.left()), sheet.time_at(box.right()))
    start, stop = trace.x.searchsorted(times)
    values = trace.y[max(0, start - 1) : stop + 1]
    values = values[np.isfinite(values)]
    if not len(values):
        return False
    return bool(
        values.max() >= sheet.value_at(box.bottom()) and values.min() <= sheet.value_at(box.top())
    )


def paint_states(painter: QPainter, sheet: Sheet) -> None:
    """Paint the options along enum curves."""
    metrics, area = QFontMetrics(painter.font()), sheet.area
    for state in sheet.picture.states:
        left, right = max(sheet.x_of(state.start), area.left()), sheet.x_of(state.stop)
        if min(right, area.right()) - left >= metrics.horizontalAdvance(state.text) + 8:
            y = sheet.y_of(state.height) - _STATE_TEXT_ABOVE_PX
            if y - metrics.ascent() < area.top():
                y += metrics.height() + _STATE_TEXT_ABOVE_PX
            painter.setPen(state.color)
            painter.drawText(QPointF(left + 4, y), state.text)


def paint_bands(painter: QPainter, sheet: Sheet) -> None:
    """Paint bands of options below the curves, with the names of those that have room."""
    metrics, area, height = QFontMetrics(painter.font()), sheet.area, sheet.band_px
    for number, band in enumerate(sheet.picture.bands):
        top = area.bottom() + number * height + 1
        for state in band:
            left = max(sheet.x_of(state.start), area.left())
            box = QRectF(left, top, min(sheet.x_of(state.stop), area.right()) - left, height - 1)
            fill = QColor(state.color)
            fill.setAlpha(_STATE_ALPHA)
            painter.fillRect(box, fill)
            if box.width() >= metrics.horizontalAdvance(state.text) + 8:
                painter.setPen(sheet.theme.color("text"))
                painter.drawText(box.adjusted(4, 0, 0, 0), _LEFT, state.text)


def paint_cursor(painter: QPainter, sheet: Sheet) -> None:
    """Paint the line at the cursor's time."""
    if sheet.picture.cursor is not None:
        x = round(sheet.x_of(sheet.picture.cursor))
        painter.setPen(QPen(sheet.theme.color("selected"), 1))
        painter.drawLine(QLineF(x, sheet.area.top(), x, sheet.area.bottom()))


def paint_measured(painter: QPainter, sheet: Sheet) -> None:
    """Paint the stretch that is measured, and how long it is."""
    measured, area = sheet.picture.measured, sheet.area
    if measured is None:
        return
    color = sheet.theme.color("accent")
    left, right = sheet.x_of(measured.start), sheet.x_of(measured.stop)
    fill = QColor(color)
    fill.setAlpha(_BAND_ALPHA)
    painter.fillRect(QRectF(left, area.top(), right - left, area.height()), fill)
    painter.setPen(QPen(color, 1))
    for x in (round(left), round(right)):
        painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
    box = measured_box(sheet, QFontMetrics(painter.font()))
    painter.fillRect(box, color)
    painter.setPen(sheet.theme.color("text_on_accent"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, length_text(measured.length))


def measured_box(sheet: Sheet, metrics: QFontMetrics) -> QRectF:
    """Where the length of what is measured is written; empty while nothing is."""
    measured, area = sheet.picture.measured, sheet.area
    if measured is None:
        return QRectF()
    width = metrics.horizontalAdvance(length_text(measured.length)) + 10
    left, right = sheet.x_of(measured.start), sheet.x_of(measured.stop)
    middle = (max(left, area.left()) + min(right, area.right())) / 2
    start = min(max(middle - width / 2, area.left()), area.right() - width)
    return QRectF(round(start), area.top(), width, metrics.height() + 2)


def length_text(length_s: float) -> str:
    """A stretch of time, as exact as its length calls for."""
    if length_s >= 60.0:
        return f"Δt {time_label(length_s, 0.1)}"
    return f"Δt {length_s:.{2 if length_s >= 1.0 else 3}f}\u2009s"
