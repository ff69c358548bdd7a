"""Tracks as a cached picture that grows with the flight."""

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from shiboken6 import VoidPtr

from widgets.map.decimation import visible_segments
from widgets.map.layer import Layer
from widgets.map.projection import Floats, Viewport
from widgets.map.scene import SHADES, Shades, TrackLine
from widgets.theme import Theme

_CHAIN = 24
_MANY = 1500
_WIDTH_PX = 3.0
_CASING_PX = 5.0
_FAINT_SHARE = 0.4


class TrackLayer:
    """Paints track lines; what was flown since the last time is only added to the picture."""

    def __init__(self) -> None:
        self._layer = Layer()
        self._drawn: dict[str, TrackLine] = {}
        self._segments = 0
        self._is_provisional = False

    @property
    def is_provisional(self) -> bool:
        """Whether the picture was last only stretched and wants painting anew."""
        return self._is_provisional

    def forget(self) -> None:
        """Paint anew next time: the colours have changed."""
        self._layer.forget()

    def stretch(self, painter: QPainter, view: Viewport) -> bool:
        """While the zoom is being changed, stretch a picture that takes long to paint anew.

        Returns False, having painted nothing, where there is no need to.
        """
        self._is_provisional = self._segments > _MANY and self._layer.view is not None
        if self._is_provisional:
            self._layer.paint(painter, view)
        return self._is_provisional

    def paint(
        self, painter: QPainter, view: Viewport, theme: Theme, lines: tuple[TrackLine, ...]
    ) -> None:
        """Paint `lines`, those not active first."""
        self._is_provisional = False
        ratio = painter.device().devicePixelRatioF()
        if not self._layer.covers(view, ratio) or not self._can_add(lines):
            self._layer.renew(view, ratio)
            self._drawn = {}
            self._segments = 0
        stale = [line for line in lines if self._is_stale(line)]
        if stale:
            with QPainter(self._layer.pixmap) as layer_painter:
                layer_painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                for line in sorted(stale, key=lambda line: line.is_active):
                    self._add(layer_painter, theme, line)
        self._layer.paint(painter, view)

    def _can_add(self, lines: tuple[TrackLine, ...]) -> bool:
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

    def _add(self, painter: QPainter, theme: Theme, line: TrackLine) -> None:
        old = self._drawn.get(line.key)
        drawn, past = (len(old.x), old.past) if old else (0, 0)
        ground = theme.color("map_background")
        rest_from = max(drawn, line.past)
        if rest_from < len(line.x):
            self._draw_colored(painter, theme, line, (rest_from, len(line.x)), ground)
        if line.past > past:
            reach = (past, line.past)
            if line.is_active:
                self._draw(painter, _pen(ground, _CASING_PX, is_round=False), line, reach)
            self._draw_colored(painter, theme, line, reach, None if line.is_active else ground)
        self._drawn[line.key] = line

    def _draw_colored(
        self,
        painter: QPainter,
        theme: Theme,
        line: TrackLine,
        reach: tuple[int, int],
        ground: QColor | None,
    ) -> None:
        """Draw points in the line's own colour or shades of it; faint with a `ground`."""

        def pen(color: QColor) -> QPen:
            return _pen(color if ground is None else _mixed(color, ground), _WIDTH_PX)

        if line.shading is None:
            self._draw(painter, pen(theme.color(line.color)), line, reach)
            return
        first = max(0, reach[0] - 1)
        levels = line.shading.levels(first, reach[1])
        for level in np.unique(levels[1:]).tolist():
            color = shade(theme, level) if level >= 0 else theme.color(line.color)
            x, y = of_level(line, first, levels, level)
            self._draw_points(painter, pen(color), x, y)

    def _draw(self, painter: QPainter, pen: QPen, line: TrackLine, reach: tuple[int, int]) -> None:
        """Draw points start to stop, joined to the point before."""
        chosen = slice(max(0, reach[0] - 1), reach[1])
        self._draw_points(painter, pen, line.x[chosen], line.y[chosen])

    def _draw_points(self, painter: QPainter, pen: QPen, x: Floats, y: Floats) -> None:
        view = self._layer.view
        if view is None:
            return
        chains = chains_px(view, x, y)
        self._segments += sum(chain.size() for chain in chains)
        painter.setPen(pen)
        for chain in chains:
            painter.drawPolyline(chain)


def shade(theme: Theme, level: int) -> QColor:
    """The colour of one step of a shading, from the theme's low to its high colour."""
    share = level / (SHADES - 1) * 2.0
    low, high = ("track_low", "track_middle") if share < 1.0 else ("track_middle", "track_high")
    return _mixed(theme.color(high), theme.color(low), share % 1.0 if share < 2.0 else 1.0)


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


def chains_px(view: Viewport, x: Floats, y: Floats) -> list[QPolygonF]:
    """The polylines that draw a track in a window.

    They are kept short: the time Qt needs for a wide smooth polyline grows with the square of
    its length.
    """
    scale = view.scale
    x_px = (x - view.x) * scale + view.width / 2.0
    y_px = (y - view.y) * scale + view.height / 2.0
    segments = visible_segments(x_px, y_px, (view.width, view.height))
    if not len(segments):
        return []
    is_joined = np.all(segments[1:, :2] == segments[:-1, 2:], axis=1)
    chains = []
    for run in np.split(segments, np.flatnonzero(~is_joined) + 1):
        for start in range(0, len(run), _CHAIN):
            part = run[start : start + _CHAIN]
            chains.append(_polygon(np.concatenate((part[:, :2], part[-1:, 2:]))))
    return chains


def _polygon(points: Floats) -> QPolygonF:
    """A polygon of points (n, 2), written into its memory: one by one is ten times as slow."""
    polygon = QPolygonF()
    polygon.resize(len(points))
    void_ptr: Any = VoidPtr  # its stub lacks size and the kinds of pointer it takes
    memory = void_ptr(polygon.data(), points.size * 8, True)
    np.frombuffer(memory, np.float64).reshape(-1, 2)[:] = points
    return polygon


def _mixed(color: QColor, ground: QColor, share: float = _FAINT_SHARE) -> QColor:
    """So much of a colour on a ground, opaque so that crossing segments do not show."""
    return QColor.fromRgbF(
        color.redF() * share + ground.redF() * (1 - share),
        color.greenF() * share + ground.greenF() * (1 - share),
        color.blueF() * share + ground.blueF() * (1 - share),
    )


def _pen(color: QColor, width: float, *, is_round: bool = True) -> QPen:
    cap = Qt.PenCapStyle.RoundCap if is_round else Qt.PenCapStyle.FlatCap
    return QPen(color, width, Qt.PenStyle.SolidLine, cap, Qt.PenJoinStyle.RoundJoin)
