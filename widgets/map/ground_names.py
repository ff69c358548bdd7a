"""Ground names painting: those near the viewport, none over another and none under a card."""

from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

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
    """A name's picture, at world x, y; `offset` is its corner from there."""

    x: float
    y: float
    offset: QPointF
    size: tuple[float, float]
    picture: QPixmap


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
        self._rooms: dict[tuple[str, NameKind], _Room] = {}
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
        for name, box in self.shown(view, theme, painter.device().devicePixelRatioF()):
            painter.drawPixmap(box.topLeft(), name.picture)

    def shown(self, view: Viewport, theme: Theme, ratio: float) -> list[tuple[_PlacedName, QRectF]]:
        """The names that are painted, and where."""
        if self._names is None:
            return []
        look = theme, view.zoom, view.rotation_deg, ratio
        bounds = view.bounds
        if look != self._look or not self._region.holds(bounds):
            self._look = look
            self._region = bounds.widened(_KEPT_PX / view.scale)
            self._placed = self._place(self._names, view, theme, ratio)
        area, found = view.area, []
        free = QRectF(area.left, area.top, area.width, area.height).adjusted(*_FURNITURE_PX)
        for name in self._placed:
            x, y = view.to_px(name.x, name.y)
            corner = QPointF(round(x), round(y)) + name.offset
            box = QRectF(corner.x(), corner.y(), *name.size)
            if free.contains(box):
                found.append((name, box))
        return found

    def _place(
        self, names: MapNames, view: Viewport, theme: Theme, ratio: float
    ) -> list[_PlacedName]:
        """Those that the more important ones leave room for."""
        placed: list[_PlacedName] = []
        taken = np.empty((_MOST_NAMES, 4))
        if (theme, ratio) != self._pictures_of or len(self._rooms) > _MOST_KEPT:
            self._pictures_of, self._pictures, self._rooms = (theme, ratio), {}, {}
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
                picture = self._picture_of(text, kind, theme, ratio)
                placed.append(_PlacedName(x, y, offset, size, picture))
        return placed

    def _room_of(self, text: str, kind: NameKind, theme: Theme) -> _Room:
        room = self._rooms.get((text, kind))
        if room is None:
            room = self._rooms[text, kind] = _room(text, kind, theme)
        return room

    def _picture_of(self, text: str, kind: NameKind, theme: Theme, ratio: float) -> QPixmap:
        """The same one while the zoom changes."""
        picture = self._pictures.get((text, kind))
        if picture is None:
            picture = self._pictures[text, kind] = _picture(text, kind, theme, ratio)
        return picture


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


def _picture(text: str, kind: NameKind, theme: Theme, ratio: float) -> QPixmap:
    """A name in a halo of the ground's colour, which keeps it legible on water and over lines."""
    offset, (width, height) = _room(text, kind, theme)
    picture = QPixmap(round(width * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    font = _font(kind, theme)
    metrics = QFontMetricsF(font)
    shape = QPainterPath()
    left = _HALO_PX
    if kind is not NameKind.COUNTRY:
        shape.addEllipse(QPointF(-offset.x(), height / 2), _DOT_PX, _DOT_PX)
        left += 2 * _DOT_PX + _HALO_PX
    shape.addText(QPointF(left, _HALO_PX + metrics.ascent()), font, text)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        halo = QPen(theme.color("map_background"), _HALO_PX)
        halo.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(shape, halo)
        painter.fillPath(shape, theme.color(_LOOKS[kind][1]))
    return picture
