"""Map buttons in its corner, drawn as lines so that they fit every theme."""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QWidget

from widgets.map.projection import PixelArea
from widgets.map.steered_map import SteeredMap
from widgets.theme import Theme

Glyph = Literal["plus", "minus", "fit", "follow", "north", "fetch"]

_EDGE_PX, _GAP_PX = 8, 4


class MapButton(QAbstractButton):
    """One button with a drawn glyph."""

    def __init__(
        self, parent: QWidget, glyph: Glyph, tip: str, on_click: Callable[[], None]
    ) -> None:
        super().__init__(parent)
        self._glyph = glyph
        self._theme: Theme | None = None
        self._turned_deg = 0.0
        self._look: object = None
        self._picture = QPixmap()
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(on_click)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and size."""
        self._theme = theme
        self.setFixedSize(self.sizeHint())
        self.update()

    def turn_glyph(self, degrees: float) -> None:
        """Turn what is drawn on it, clockwise."""
        if degrees != self._turned_deg:
            self._turned_deg = degrees
            self.update()

    def sizeHint(self) -> QSize:
        """A square target, large enough for a thumb."""
        side = self._theme.target_px() if self._theme else 32
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Show card and glyph. A map that moves paints its buttons each time, so they are kept as
        a picture while they look the same.
        """
        theme = self._theme
        if theme is None:
            return
        ratio = self.devicePixelRatioF()
        state = (self.isChecked(), self._is_touched(), self.hasFocus())
        look = (theme, self.size(), ratio, self._turned_deg, *state)
        if look != self._look:
            self._look = look
            self._picture = self._paint(theme, ratio)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)

    def _paint(self, theme: Theme, ratio: float) -> QPixmap:
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = self._paint_card(painter, theme)
            painter.translate(QPointF(self.width() / 2, self.height() / 2))
            painter.scale(self.width() / 32, self.height() / 32)
            painter.rotate(self._turned_deg)
            painter.setPen(QPen(ink, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            _paint_glyph(painter, self._glyph)
        return picture

    def _is_touched(self) -> bool:
        return self.isDown() or self.underMouse()

    def _paint_card(self, painter: QPainter, theme: Theme) -> QColor:
        """Paint the button's face and return the colour of what stands on it."""
        fill = "raised"
        if self.isChecked():
            fill = "accent"
        elif self._is_touched():
            fill = "hover"
        edge = "focus" if self.hasFocus() else "line"
        painter.setPen(QPen(theme.color(edge), 2 if self.hasFocus() else 1))
        painter.setBrush(theme.color(fill))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        return theme.color("text_on_accent" if self.isChecked() else "text")


class MapButtons:
    """The column of them at the right edge of what is free of a map; two where that is low."""

    def __init__(self, parent: QWidget, shown: SteeredMap) -> None:
        self.follow = MapButton(
            parent,
            "follow",
            "Follow the aircraft (F)",
            lambda: shown.set_following(not shown.is_following),
        )
        self.follow.setCheckable(True)
        self.follow.setChecked(True)
        self.north = MapButton(
            parent, "north", "North up or track up; Ctrl and drag turns", shown.next_orientation
        )
        self._all = (
            MapButton(parent, "plus", "Zoom in (+)", lambda: shown.zoom_by(1.0)),
            MapButton(parent, "minus", "Zoom out (-)", lambda: shown.zoom_by(-1.0)),
            MapButton(parent, "fit", "Show the whole track (0)", shown.fit),
            self.follow,
            self.north,
            MapButton(
                parent, "fetch", "Fetch this area, for use without internet", shown.fetch_area
            ),
        )

    def place(self, theme: Theme, area: PixelArea) -> None:
        """Put them where they belong in the free part of the map."""
        side = theme.target_px()
        step = side + _GAP_PX
        per_column = max(1, round(area.height - _EDGE_PX) // step)
        for number, button in enumerate(self._all):
            column, row = divmod(number, per_column)
            x = round(area.right) - side - _EDGE_PX - column * step
            button.move(x, round(area.top) + _EDGE_PX + row * step)


def _paint_glyph(painter: QPainter, glyph: Glyph) -> None:
    if glyph in ("plus", "minus"):
        painter.drawLine(QLineF(-6, 0, 6, 0))
        if glyph == "plus":
            painter.drawLine(QLineF(0, -6, 0, 6))
    elif glyph == "north":
        painter.drawPolyline(
            [QPointF(-5, 8), QPointF(0, -9), QPointF(5, 8), QPointF(0, 5), QPointF(-5, 8)]
        )
        painter.drawLine(QLineF(0, -9, 0, 5))
    elif glyph == "fetch":
        painter.drawLine(QLineF(0, -8, 0, 4))
        painter.drawPolyline([QPointF(-5, -1), QPointF(0, 4), QPointF(5, -1)])
        painter.drawLine(QLineF(-7, 8, 7, 8))
    elif glyph == "follow":
        painter.drawEllipse(QPointF(0, 0), 5.5, 5.5)
        for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            painter.drawLine(QLineF(x * 5.5, y * 5.5, x * 9, y * 9))
    else:
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            painter.drawLine(QLineF(x * 7, y * 7, x * 3, y * 7))
            painter.drawLine(QLineF(x * 7, y * 7, x * 7, y * 3))
