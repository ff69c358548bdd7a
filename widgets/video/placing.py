"""Picture placing in a widget: fitted into it, or zoomed and panned."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, QSizeF

MOST_ZOOM = 40.0


@dataclass(frozen=True, slots=True)
class Placing:
    """`zoom` is 1 where the whole picture fits; `centre_x` and `centre_y` are the point of the
    picture, as shares of its width and height, that stands in the middle of the widget."""

    zoom: float = 1.0
    centre_x: float = 0.5
    centre_y: float = 0.5

    def rect(self, picture: QSizeF, room: QSizeF) -> QRectF:
        """The whole picture's place in a widget of size `room`, its aspect kept."""
        fit = min(room.width() / picture.width(), room.height() / picture.height())
        width, height = picture.width() * fit * self.zoom, picture.height() * fit * self.zoom
        left = room.width() / 2 - self.centre_x * width
        top = room.height() / 2 - self.centre_y * height
        return QRectF(left, top, width, height)

    def zoomed(self, factor: float, at: QPointF, picture: QSizeF, room: QSizeF) -> "Placing":
        """`factor` times as large, with the point of the picture under `at` staying there."""
        before = self.rect(picture, room)
        if before.isEmpty():
            return self
        zoom = min(max(self.zoom * factor, 1.0), MOST_ZOOM)
        if zoom == 1.0:
            return Placing()
        share_x = (at.x() - before.left()) / before.width()
        share_y = (at.y() - before.top()) / before.height()
        grown = zoom / self.zoom
        away_x = (at.x() - room.width() / 2) / (before.width() * grown)
        away_y = (at.y() - room.height() / 2) / (before.height() * grown)
        return Placing(zoom, *_inside(share_x - away_x, share_y - away_y))

    def panned(self, by: QPointF, picture: QSizeF, room: QSizeF) -> "Placing":
        """Moved by so many pixels of the widget; a picture that fits stays."""
        rect = self.rect(picture, room)
        if self.zoom == 1.0 or rect.isEmpty():
            return self
        x, y = self.centre_x - by.x() / rect.width(), self.centre_y - by.y() / rect.height()
        x, y = _inside(x, y)
        return replace(self, centre_x=x, centre_y=y)


def _inside(x: float, y: float) -> tuple[float, float]:
    """Some of the picture stays in the middle."""
    return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)
