"""Tracks as a cached picture that grows with the flight."""

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from widgets.map.decimation import visible_segments
from widgets.map.layer import Layer
from widgets.map.projection import Floats, Viewport
from widgets.map.scene import TrackLine
from widgets.theme import Theme

_CHAIN = 32
_WIDTH_PX = 3.0
_CASING_PX = 5.0
_FAINT_SHARE = 0.4


class TrackLayer:
    """Paints track lines; what was flown since the last time is only added to the picture."""

    def __init__(self) -> None:
        self._layer = Layer()
        self._drawn: dict[str, TrackLine] = {}

    def forget(self) -> None:
        """Paint anew next time: the colours have changed."""
        self._layer.forget()

    def paint(
        self, painter: QPainter, view: Viewport, theme: Theme, lines: tuple[TrackLine, ...]
    ) -> None:
        """Paint `lines`, those not active first."""
        ratio = painter.device().devicePixelRatioF()
        if not self._layer.covers(view, ratio) or not self._can_add(lines):
            self._layer.renew(view, ratio)
            self._drawn = {}
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
            if (line.color, line.is_active) != (old.color, old.is_active):
                return False
        return True

    def _is_stale(self, line: TrackLine) -> bool:
        old = self._drawn.get(line.key)
        return old is None or old.stamp != line.stamp

    def _add(self, painter: QPainter, theme: Theme, line: TrackLine) -> None:
        old = self._drawn.get(line.key)
        drawn, past = (len(old.x), old.past) if old else (0, 0)
        color = theme.color(line.color)
        faint = _mixed(color, theme.color("map_background"))
        rest_from = max(drawn, line.past)
        if rest_from < len(line.x):
            self._draw(painter, _pen(faint, _WIDTH_PX), line, rest_from, len(line.x))
        if line.past > past:
            strong = color if line.is_active else faint
            if line.is_active:
                casing = _pen(theme.color("map_background"), _CASING_PX, is_round=False)
                self._draw(painter, casing, line, past, line.past)
            self._draw(painter, _pen(strong, _WIDTH_PX), line, past, line.past)
        self._drawn[line.key] = line

    def _draw(self, painter: QPainter, pen: QPen, line: TrackLine, start: int, stop: int) -> None:
        """Draw points start to stop, joined to the point before."""
        view = self._layer.view
        if view is None:
            return
        chosen = slice(max(0, start - 1), stop)
        painter.setPen(pen)
        for chain in chains_px(view, line.x[chosen], line.y[chosen]):
            painter.drawPolyline(chain)


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
            points = [*part[:, :2].tolist(), part[-1, 2:].tolist()]
            chains.append(QPolygonF([QPointF(px, py) for px, py in points]))
    return chains


def _mixed(color: QColor, ground: QColor) -> QColor:
    """A faint shade, opaque so that crossing segments do not show."""
    share = _FAINT_SHARE
    return QColor.fromRgbF(
        color.redF() * share + ground.redF() * (1 - share),
        color.greenF() * share + ground.greenF() * (1 - share),
        color.blueF() * share + ground.blueF() * (1 - share),
    )


def _pen(color: QColor, width: float, *, is_round: bool = True) -> QPen:
    cap = Qt.PenCapStyle.RoundCap if is_round else Qt.PenCapStyle.FlatCap
    return QPen(color, width, Qt.PenStyle.SolidLine, cap, Qt.PenJoinStyle.RoundJoin)
