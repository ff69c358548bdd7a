"""Ground names painting: those near the viewport, none over another and none under a card."""

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from widgets.map.names import MapNames, NameKind, load_names
from widgets.map.projection import Bounds, Viewport
from widgets.theme import Size, Theme

_KEPT_PX = 600.0
"""How far around the window names are placed at once."""
_MOST_NAMES = 300
_MOST_KEPT = 1500
_GAP_PX = 3.0
_HALO_PX = 3.0
_DOT_PX = 2.5
_FURNITURE_PX: Final = (64.0, 26.0, -52.0, -38.0)
"""Left, top, right and bottom: room of the grid's labels, the buttons and the scale."""
_LOOKS: Final[dict[NameKind, tuple[Size, str, bool]]] = {
    NameKind.COUNTRY: ("body", "muted", True),
    NameKind.TOWN: ("body", "text", False),
    NameKind.PLACE: ("small", "text", False),
}
"""Size, colour and whether bold."""
_Room = tuple[QPointF, tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class _PlacedName:
    """A name at world x, y; `offset` is its picture's corner from there."""

    text: str
    kind: NameKind
    x: float
    y: float
    offset: QPointF
    size: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class _NameShape:
    """How a name and its halo cover a picture, whatever their colours: a theme is changed at once,
    while outlines take long to draw."""

    letters: QPixmap
    halo: QPixmap

    def in_colors(self, letters: QColor, halo: QColor) -> QPixmap:
        """The name's picture."""
        picture = _tinted(self.halo, halo)
        with QPainter(picture) as painter:
            painter.drawPixmap(0, 0, _tinted(self.letters, letters))
        return picture


class GroundNames:
    """Keeps the names around the window where they were placed, while only the map moves.

    They are read by `jobs` when the ground is first looked at.
    """

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._reading: Future[MapNames] | None = None
        self._names: MapNames | None = None
        self._look: object = None
        self._region = Bounds(0.0, 0.0, 0.0, 0.0)
        self._placed: list[_PlacedName] = []
        self._pictures: dict[tuple[str, NameKind], QPixmap] = {}
        self._rooms: dict[tuple[str, NameKind, str], _Room] = {}
        self._shapes: dict[tuple[str, NameKind, str, float], _NameShape] = {}
        self._pictures_of: object = None

    def collect(self) -> bool:
        """Take over what was read; return whether there is anything new to paint."""
        if self._reading is None:
            self._reading = self._jobs.submit(load_names)
        if self._names is not None or not self._reading.done():
            return False
        self._names = self._reading.result()
        return True

    def paint(self, painter: QPainter, view: Viewport, theme: Theme) -> None:
        """Paint those that have room in what is free of the window."""
        ratio = painter.device().devicePixelRatioF()
        for name, box in self.shown(view, theme, ratio):
            painter.drawPixmap(box.topLeft(), self._picture_of(name, theme, ratio))

    def paint_ahead(self, view: Viewport, theme: Theme, ratio: float) -> Iterator[None]:
        """Draw those that `paint` will copy, one in each step."""
        for name, _ in self.shown(view, theme, ratio):
            self._picture_of(name, theme, ratio)
            yield

    def shown(self, view: Viewport, theme: Theme, ratio: float) -> list[tuple[_PlacedName, QRectF]]:
        """The names that are painted, and where."""
        if self._names is None:
            return []
        look = theme, view.zoom, view.rotation_deg, ratio
        bounds = view.bounds
        if look != self._look or not self._region.holds(bounds):
            self._look = look
            self._region = bounds.widened(_KEPT_PX / view.scale)
            self._placed = self._place(self._names, view, theme)
        area, found = view.area, []
        free = QRectF(area.left, area.top, area.width, area.height).adjusted(*_FURNITURE_PX)
        for name in self._placed:
            x, y = view.to_px(name.x, name.y)
            corner = QPointF(round(x), round(y)) + name.offset
            box = QRectF(corner.x(), corner.y(), *name.size)
            if free.contains(box):
                found.append((name, box))
        return found

    def _place(self, names: MapNames, view: Viewport, theme: Theme) -> list[_PlacedName]:
        """Those that the more important ones leave room for."""
        placed: list[_PlacedName] = []
        taken = np.empty((_MOST_NAMES, 4))
        if len(self._rooms) > _MOST_KEPT:
            self._rooms, self._shapes, self._pictures = {}, {}, {}
        for number in names.within(self._region, view.zoom)[:_MOST_NAMES]:
            kind = NameKind(int(names.kinds[number]))
            x, y = float(names.x[number]), float(names.y[number])
            px, py = view.to_px(x, y)
            text = names.texts[number]
            offset, size = self._room_of(text, kind, theme)
            left, top = px + offset.x() - _GAP_PX, py + offset.y() - _GAP_PX
            right, bottom = left + size[0] + 2 * _GAP_PX, top + size[1] + 2 * _GAP_PX
            there = taken[: len(placed)]
            meets = (there[:, 0] < right) & (there[:, 2] > left)
            meets &= (there[:, 1] < bottom) & (there[:, 3] > top)
            if not meets.any():
                taken[len(placed)] = left, top, right, bottom
                placed.append(_PlacedName(text, kind, x, y, offset, size))
        return placed

    def _room_of(self, text: str, kind: NameKind, theme: Theme) -> _Room:
        key = text, kind, _font(kind, theme).key()
        room = self._rooms.get(key)
        if room is None:
            room = self._rooms[key] = _room(text, kind, theme)
        return room

    def _picture_of(self, name: _PlacedName, theme: Theme, ratio: float) -> QPixmap:
        """The same one while the zoom changes."""
        if (theme, ratio) != self._pictures_of:
            self._pictures_of, self._pictures = (theme, ratio), {}
        text, kind = name.text, name.kind
        picture = self._pictures.get((text, kind))
        if picture is None:
            shape = self._shape_of(text, kind, theme, ratio)
            colors = theme.color(_LOOKS[kind][1]), theme.color("map_background")
            picture = self._pictures[text, kind] = shape.in_colors(*colors)
        return picture

    def _shape_of(self, text: str, kind: NameKind, theme: Theme, ratio: float) -> _NameShape:
        key = text, kind, _font(kind, theme).key(), ratio
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = _shape(text, kind, theme, ratio)
        return shape


def _room(text: str, kind: NameKind, theme: Theme) -> _Room:
    """Where a name's picture begins, from its place, and how large it is: a country's around it, a
    town's to the right of its dot."""
    metrics = QFontMetricsF(_font(kind, theme))
    width = np.ceil(metrics.horizontalAdvance(text)) + 2 * _HALO_PX
    height = np.ceil(metrics.height()) + 2 * _HALO_PX
    if kind is NameKind.COUNTRY:
        return QPointF(-round(width / 2), -round(height / 2)), (width, height)
    dot = 2 * _DOT_PX + _HALO_PX
    return QPointF(-round(dot / 2 + _HALO_PX), -round(height / 2)), (width + dot, height)


def _font(kind: NameKind, theme: Theme) -> QFont:
    size, _, is_bold = _LOOKS[kind]
    return theme.font(size, bold=is_bold)


def _shape(text: str, kind: NameKind, theme: Theme, ratio: float) -> _NameShape:
    """A name in a halo of the ground's colour, which keeps it legible on water and over lines."""
    offset, (width, height) = _room(text, kind, theme)
    font, ink = _font(kind, theme), theme.color("text")  # of which only where it covers counts
    outline = QPainterPath()
    left = _HALO_PX
    if kind is not NameKind.COUNTRY:
        outline.addEllipse(QPointF(-offset.x(), height / 2), _DOT_PX, _DOT_PX)
        left += 2 * _DOT_PX + _HALO_PX
    outline.addText(QPointF(left, _HALO_PX + QFontMetricsF(font).ascent()), font, text)
    halo = _clear(round(width * ratio), round(height * ratio), ratio)
    with QPainter(halo) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(ink, _HALO_PX)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(outline, pen)
    letters = _clear(halo.width(), halo.height(), ratio)
    with QPainter(letters) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillPath(outline, ink)
    return _NameShape(letters, halo)


def _clear(width: int, height: int, ratio: float) -> QPixmap:
    picture = QPixmap(width, height)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


def _tinted(cover: QPixmap, color: QColor) -> QPixmap:
    """A colour where a picture covers."""
    picture = cover.copy()
    with QPainter(picture) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(picture.rect(), color)
    return picture
