"""Track layer of a map: tracks as a cached picture that grows with the flight."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from widgets.map.decimation import visible_segments
from widgets.map.layer import Layer, LayerPart
from widgets.map.projection import Bounds, Floats, Viewport
from widgets.map.scene import SHADES, Shades, TrackLine
from widgets.segments import paint_segments, with_closed_joints
from widgets.theme import Theme, mixed

_MANY = 1000
_WIDTH_PX = 3.0
_CASING_PX = 5.0
_FAINT_SHARE = 0.4
_HELD_BACK = 500
"""Points before a cursor that goes back which are not in the picture but drawn over it: nothing
can be taken out of a picture, and painting it anew for every step back takes too long."""

_SETTLED = 12
"""A cursor that stood so many times is not on its way back any more: the map is panned."""


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What is drawn on, the window on the world that it is, and who is told where."""

    painter: QPainter
    view: Viewport
    theme: Theme
    ink: Callable[[Floats], None] | None = None


class TrackLayer:
    """Paints track lines; what was flown since the last time is only added to the picture.

    While the cursor goes back, the last points before it are drawn over the picture each time.
    """

    def __init__(self) -> None:
        self._layer = Layer()
        self._drawn: dict[str, TrackLine] = {}
        self._past: dict[str, int] = {}
        self._unmoved: dict[str, int] = {}
        self._going_back: set[str] = set()
        self._segments = 0
        self.is_provisional = False
        """Whether the picture was last only stretched and wants painting anew."""

    def forget(self) -> None:
        """Paint anew next time: the colours have changed."""
        self._layer.forget()

    def stretch(self, painter: QPainter, view: Viewport) -> bool:
        """While the zoom is being changed, stretch a picture that takes long to paint anew.

        Returns False, having painted nothing, where there is no need to.
        """
        self.is_provisional = self._segments > _MANY and self._layer.view is not None
        if self.is_provisional:
            self._layer.paint(painter, view)
        return self.is_provisional

    def paint(
        self, painter: QPainter, view: Viewport, theme: Theme, lines: tuple[TrackLine, ...]
    ) -> None:
        """Paint `lines`, those not active first."""
        in_picture = self.bring_to(view, theme, lines, painter.device().devicePixelRatioF())
        self._layer.paint(painter, view)
        for line, drawn in zip(lines, in_picture, strict=True):
            if line.past > drawn.past:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                _draw_past(_Drawing(painter, view, theme), line, (drawn.past, line.past))

    def bring_to(
        self, view: Viewport, theme: Theme, lines: tuple[TrackLine, ...], ratio: float
    ) -> list[TrackLine]:
        """Have the picture show `lines` in a window; return them as far as they stand in it."""
        self.is_provisional = False
        in_picture = [self._in_picture(line) for line in lines]
        if not self._can_add(in_picture):
            self._layer.forget()
        self._cover(view, ratio, theme)
        stale = [line for line in in_picture if self._is_stale(line)]
        for line in sorted(stale, key=lambda line: line.is_active):
            self._add(line, theme)
        return in_picture

    def _cover(self, view: Viewport, ratio: float, theme: Theme) -> None:
        """Have the picture cover a window, with the lines as far as they are drawn elsewhere."""
        parts, is_new = self._layer.bring_to(view, ratio)
        if is_new:
            self._drawn = {}
            self._segments = 0
        lines = sorted(self._drawn.values(), key=lambda line: line.is_active)
        for part in parts:
            part.clear()
            for line in lines:
                _draw_on(part, theme, line, (0, 0))

    def _in_picture(self, line: TrackLine) -> TrackLine:
        """The line as far as it stands in the picture."""
        shown = self._past.get(line.key, 0)
        self._past[line.key] = line.past
        self._unmoved[line.key] = self._unmoved.get(line.key, 0) + 1 if line.past == shown else 0
        if self._unmoved[line.key] >= _SETTLED:
            self._going_back.discard(line.key)
        elif line.past != shown:
            turn = self._going_back.add if line.past < shown else self._going_back.discard
            turn(line.key)
        if line.key not in self._going_back:
            return line
        drawn = self._drawn.get(line.key)
        if drawn is not None and drawn.past <= line.past:
            return replace(line, past=drawn.past)
        return replace(line, past=max(0, line.past - _HELD_BACK))

    def _can_add(self, lines: list[TrackLine]) -> bool:
        """Whether `lines` differ from the picture only by additions."""
        new = {line.key: line for line in lines}
        for key, old in self._drawn.items():
            line = new.get(key)
            if line is None or line.past < old.past or len(line.x) < len(old.x):
                return False
            if line.look != old.look:
                return False
        return True

    def _is_stale(self, line: TrackLine) -> bool:
        old = self._drawn.get(line.key)
        return old is None or old.stamp != line.stamp

    def _add(self, line: TrackLine, theme: Theme) -> None:
        """Draw what is new of a line, where it is."""
        old = self._drawn.get(line.key)
        there = (len(old.x), old.past) if old else (0, 0)
        box = _reach(line, there)
        for part in self._layer.parts:
            if box is not None and _meets(part, box):
                self._segments += _draw_on(part, theme, line, there)
        self._drawn[line.key] = line


def _reach(line: TrackLine, there: tuple[int, int]) -> Bounds | None:
    """The rectangle around what `_draw_line` draws."""
    drawn, past = there
    changed = [slice(max(0, past - 1), line.past), slice(max(0, drawn - 1), len(line.x))]
    x, y = (np.concatenate([values[part] for part in changed]) for values in (line.x, line.y))
    return TrackLine(line.key, x, y, 0).bounds


def _meets(part: LayerPart, box: Bounds) -> bool:
    mine, margin = part.bounds, _CASING_PX / part.view.scale
    across = mine.x0 - margin <= box.x1 and box.x0 <= mine.x1 + margin
    return across and mine.y0 - margin <= box.y1 and box.y0 <= mine.y1 + margin


def _draw_on(part: LayerPart, theme: Theme, line: TrackLine, there: tuple[int, int]) -> int:
    """Draw on a part of the picture what of a line is not there; return how many segments."""
    with part.painting() as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return _draw_line(_Drawing(painter, part.view, theme, part.ink), line, there)


def _draw_line(drawing: _Drawing, line: TrackLine, there: tuple[int, int]) -> int:
    """Draw a line of which so many points, and so many before the cursor, are drawn already; return
    how many segments."""
    drawn, past = there
    segments = 0
    rest_from = max(drawn, line.past)
    if rest_from < len(line.x):
        segments += _draw_colored(drawing, line, (rest_from, len(line.x)), is_faint=True)
    if line.past > past:
        segments += _draw_past(drawing, line, (past, line.past))
    return segments


def _draw_past(drawing: _Drawing, line: TrackLine, reach: tuple[int, int]) -> int:
    """Draw points that lie before the cursor over what was there; return how many segments."""
    theme = drawing.theme
    casing = _pen(theme.color("map_background"), _CASING_PX)
    if line.is_active and line.shading is None:
        return _draw(drawing, (casing, _pen(theme.color(line.color), _WIDTH_PX)), line, reach)
    if line.is_active:
        _draw(drawing, (casing,), line, reach)
    return _draw_colored(drawing, line, reach, is_faint=not line.is_active)


def _draw_colored(
    drawing: _Drawing, line: TrackLine, reach: tuple[int, int], *, is_faint: bool
) -> int:
    """Draw points in the line's own colour or shades of it; return how many segments."""
    theme = drawing.theme
    ground = theme.color("map_background")

    def pen(color: QColor) -> QPen:
        return _pen(mixed(color, ground, _FAINT_SHARE) if is_faint else color, _WIDTH_PX)

    if line.shading is None:
        return _draw(drawing, (pen(theme.color(line.color)),), line, reach)
    first, drawn = max(0, reach[0] - 1), 0
    levels = line.shading.levels(first, reach[1])
    for level in np.unique(levels[1:]).tolist():
        color = shade(theme, level) if level >= 0 else theme.color(line.color)
        x, y = of_level(line, first, levels, level)
        drawn += _draw_points(drawing, (pen(color),), x, y)
    return drawn


def _draw(
    drawing: _Drawing, pens: tuple[QPen, ...], line: TrackLine, reach: tuple[int, int]
) -> int:
    """Draw points start to stop, joined to the point before, by one pen after the other; return how
    many segments."""
    chosen = slice(max(0, reach[0] - 1), reach[1])
    return _draw_points(drawing, pens, line.x[chosen], line.y[chosen])


def _draw_points(drawing: _Drawing, pens: tuple[QPen, ...], x: Floats, y: Floats) -> int:
    segments = segments_px(drawing.view, x, y)
    if drawing.ink is not None:
        drawing.ink(_boxes(segments))
    for pen in pens:
        width_px = pen.widthF()
        # A casing would hide the end of the line that it goes on from.
        beyond_px = width_px / 2.0 if width_px < _CASING_PX else 0.0
        drawing.painter.setPen(pen)
        paint_segments(drawing.painter, with_closed_joints(segments, width_px, beyond_px))
    return len(segments)


def _boxes(segments: Floats) -> Floats:
    """The rectangles (left, top, right, bottom) around what is drawn of segments."""
    starts, ends = segments[:, :2], segments[:, 2:]
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    return np.hstack((low - _CASING_PX, high + _CASING_PX))


def shade(theme: Theme, level: int) -> QColor:
    """The colour of one step of a shading, from the theme's low to its high colour."""
    share = level / (SHADES - 1) * 2.0
    low, high = ("track_low", "track_middle") if share < 1.0 else ("track_middle", "track_high")
    return mixed(theme.color(high), theme.color(low), share % 1.0 if share < 2.0 else 1.0)


def of_level(line: TrackLine, first: int, levels: Shades, level: int) -> tuple[Floats, Floats]:
    """The segments of a line that end at points of one level; NaN between those apart.

    `levels` are those of the points from `first` on; the first of them only begins a segment.
    """
    ends = np.flatnonzero(levels[1:] == level) + 1
    begins = np.flatnonzero(np.diff(ends, prepend=-1) != 1)
    starts = np.column_stack((np.full(len(begins), -1), ends[begins] - 1)).ravel()
    chosen = np.insert(ends, np.repeat(begins, 2), starts)
    x, y = line.x[first + np.maximum(chosen, 0)], line.y[first + np.maximum(chosen, 0)]
    x[chosen < 0] = np.nan
    return x, y


def segments_px(view: Viewport, x: Floats, y: Floats) -> Floats:
    """The segments that draw a track in a window."""
    scale = view.scale
    x_px = (x - view.x) * scale + view.width / 2.0
    y_px = (y - view.y) * scale + view.height / 2.0
    origin_px = view.x * scale - view.width / 2.0, view.y * scale - view.height / 2.0
    return visible_segments(x_px, y_px, (view.width, view.height), origin_px=origin_px)


def _pen(color: QColor, width: float) -> QPen:
    """With flat ends, of which Qt draws segments several times as fast as of round ones."""
    return QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
