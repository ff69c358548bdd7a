"""Map view from above: north up, as large as there is room, with the aircraft on it."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy

from telemetry.base.number_text import significant
from telemetry.review.mapping.grown_map import Pixels
from telemetry.review.mapping.picture import MapPicture, Shades
from telemetry.review.mapping.space_pose import SpacePose
from widgets.map.decorations import paint_card
from widgets.map.graticule import scale_bar
from widgets.map.scene import SHADES
from widgets.map.symbols import arrow
from widgets.map.track_layer import shade
from widgets.theme import Theme, ThemedWidget

_EDGE_PX: Final = 8
_PAD_PX: Final = 6
_LEAST_M: Final = 4.0
_ARROW_SIZE: Final = 1.0


@dataclass(frozen=True, slots=True)
class _Sight:
    """Which part of the ground is where in the widget: its north-west corner stands at `corner`."""

    north_m: float
    west_m: float
    px_per_m: float
    corner: QPointF

    def point(self, north_m: float, east_m: float) -> QPointF:
        across, down = east_m - self.west_m, self.north_m - north_m
        return self.corner + QPointF(across, down) * self.px_per_m

    def place(self, point: QPointF) -> tuple[float, float]:
        """North and east of a point."""
        away = (point - self.corner) / self.px_per_m
        return self.north_m - away.y(), self.west_m + away.x()


class GrownMapView(ThemedWidget):
    """Paints what it is told; `notice` while there is nothing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme: Theme = theme
        self._picture: MapPicture | None = None
        self._image: QImage | None = None
        self._aircraft: SpacePose | None = None
        self._pointed: QPointF | None = None
        self._has_colours = True
        self.notice = ""
        self.setMinimumSize(120, 80)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setAccessibleName("Map of what is seen")

    def sizeHint(self) -> QSize:
        return QSize(480, 360)

    def show_map(
        self, picture: MapPicture | None, aircraft: SpacePose | None, *, has_colours: bool
    ) -> None:
        """Show this from now on."""
        is_other = picture is not self._picture or has_colours != self._has_colours
        if is_other:
            self._picture, self._has_colours = picture, has_colours
            self._image = _image(picture, has_colours=has_colours) if picture else None
        if is_other or _has_moved(aircraft, self._aircraft):
            self._aircraft = aircraft
            self.update()

    def show_notice(self, words: str) -> None:
        """What to say in the place of a map."""
        if words != self.notice:
            self.notice = words
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointed = event.position()
        self.update()

    def leaveEvent(self, event: object) -> None:
        self._pointed = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("map_background"))
        if self._picture is None or self._image is None:
            painter.setPen(self._theme.color("muted"))
            painter.setFont(self._theme.font())
            box = self.rect().adjusted(16, 8, -16, -8)
            painter.drawText(
                box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.notice
            )
            return
        sight = self._sight(self._picture)
        self._paint_map(painter, self._picture, self._image, sight)
        self._paint_aircraft(painter, sight)
        self._paint_words(painter, self._picture, sight)

    def _sight(self, picture: MapPicture) -> _Sight:
        """All of the map and the aircraft, and some metres at least."""
        window, cell_m = picture.window, picture.cell_m
        south, north = window.south * cell_m, window.north * cell_m
        west, east = window.west * cell_m, window.east * cell_m
        if self._aircraft is not None:
            there_north, there_east = self._aircraft.position_m[:2].tolist()
            south, north = min(south, there_north), max(north, there_north)
            west, east = min(west, there_east), max(east, there_east)
        high, wide = max(north - south, _LEAST_M), max(east - west, _LEAST_M)
        words = QFontMetrics(self._theme.font("small")).height() + 12 + _EDGE_PX
        room = QRectF(self.rect()).adjusted(_EDGE_PX, _EDGE_PX, -_EDGE_PX, -_EDGE_PX - words)
        scale = min(max(room.width(), 1.0) / wide, max(room.height(), 1.0) / high)
        middle = QPointF(0.5 * (east - west), 0.5 * (north - south)) * scale
        return _Sight(north, west, scale, room.center() - middle)

    def _paint_map(
        self, painter: QPainter, picture: MapPicture, image: QImage, sight: _Sight
    ) -> None:
        window, cell_m = picture.window, picture.cell_m
        corner = sight.point(window.north * cell_m, window.west * cell_m)
        far = sight.point(window.south * cell_m, window.east * cell_m)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(corner, far), image)

    def _paint_aircraft(self, painter: QPainter, sight: _Sight) -> None:
        if self._aircraft is None:
            return
        north, east, _ = self._aircraft.position_m.tolist()
        ahead = self._aircraft.rotation[:, 0]
        heading = float(np.degrees(np.arctan2(ahead[1], ahead[0])))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("symbol_outline"), 1.5))
        painter.setBrush(self._theme.color("symbol"))
        painter.drawPolygon(arrow(sight.point(north, east), heading, _ARROW_SIZE))

    def _paint_words(self, painter: QPainter, picture: MapPicture, sight: _Sight) -> None:
        """Scale, from which height to which the colours go, and what is under the pointer."""
        painter.setFont(self._theme.font("small"))
        metrics = QFontMetrics(painter.font(), painter.device())
        length, text = scale_bar(1.0 / sight.px_per_m, units=self._theme.units)
        height = metrics.height() + 12
        width = max(length, metrics.horizontalAdvance(text)) + 2 * _PAD_PX
        box = QRectF(_EDGE_PX, self.height() - _EDGE_PX - height, width, height)
        paint_card(painter, self._theme, box)
        painter.setPen(QPen(self._theme.color("text"), 2))
        left, bottom = box.left() + _PAD_PX, box.bottom() - 5
        painter.drawLine(QLineF(left, bottom, left + length, bottom))
        painter.drawText(QPointF(left, box.top() + metrics.ascent() + 2), text)
        self._paint_card_with(painter, self._told(picture, sight), box.right() + _PAD_PX)

    def _paint_card_with(self, painter: QPainter, words: str, left: float) -> None:
        metrics = QFontMetrics(painter.font(), painter.device())
        room = self.width() - left - _EDGE_PX - 2 * _PAD_PX
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(room))
        height = metrics.height() + 12
        width = metrics.horizontalAdvance(shown) + 2 * _PAD_PX
        box = QRectF(left, self.height() - _EDGE_PX - height, width, height)
        if room < width / 2:
            return
        paint_card(painter, self._theme, box)
        painter.setPen(self._theme.color("text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), shown)

    def _told(self, picture: MapPicture, sight: _Sight) -> str:
        gain, offset, unit = self._theme.units.shown("m")

        def told(metres: float) -> str:
            return f"{significant(round(metres, 2) * gain + offset, 4)}\u2009{unit}"

        if self._pointed is None:
            return f"Heights {told(picture.lowest_m)} to {told(picture.highest_m)}"
        north, east = sight.place(self._pointed)
        height = picture.height_at(north, east)
        known = f"height {told(height)}" if height is not None else "not measured"
        return f"North {told(north)}, east {told(east)}, {known}"


def map_shades(theme: Theme) -> Shades:
    """Colours of heights, as tracks have them."""
    found = [shade(theme, level) for level in range(SHADES)]
    return tuple((color.red(), color.green(), color.blue()) for color in found)


def _image(picture: MapPicture, *, has_colours: bool) -> QImage:
    pixels: Pixels = picture.in_colour if has_colours else picture.by_height
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return image.copy()  # the picture may go before Qt is done with it


def _has_moved(one: SpacePose | None, other: SpacePose | None) -> bool:
    if one is None or other is None:
        return one is not other
    is_there = np.allclose(one.position_m, other.position_m, atol=0.01)
    return not (is_there and np.allclose(one.rotation, other.rotation, atol=0.01))
