"""Video picture as a widget: wheel zooms at the pointer, drag pans, double click fits."""

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy

from widgets.claimed_keys import claims_key
from widgets.focus_ring import RingedWidget
from widgets.theme import RADIUS_PX, Theme
from widgets.video.overlay import VideoOverlay, paint_overlay
from widgets.video.placing import Placing

Pixels = npt.NDArray[np.uint8]

_ZOOM_PER_NOTCH = 1.25
_STEPS = {Qt.Key.Key_Comma: -1, Qt.Key.Key_Period: 1}


class VideoPicture(RingedWidget):
    """Paints one picture, words in its middle while there is none, and a badge above it.

    `step_wanted` asks for the next (1) or previous (-1) frame: keys . and , while it has the
    focus; `nudge_wanted` the same with Alt. `menu_wanted` tells where on the screen.
    """

    step_wanted = Signal(int)
    nudge_wanted = Signal(int)
    menu_wanted = Signal(QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.pixels: Pixels | None = None
        """The picture that shows, BGR, (height, width, 3); None while words stand in its place."""
        self._packed: Pixels | None = None
        self._image = QImage()
        self.words = ""
        """What stands in the place of a picture."""
        self.badge = ""
        """What stands above the picture."""
        self.overlay: VideoOverlay | None = None
        """What lies over the picture."""
        self.placing = Placing()
        """Where the picture stands."""
        self._held: QPointF | None = None
        self._free, self._covered_px = QRect(), 0
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 80)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Video")

    def sizeHint(self) -> QSize:
        return QSize(480, 360)

    def show_picture(
        self, pixels: Pixels, badge: str = "", overlay: VideoOverlay | None = None
    ) -> None:
        """Show a picture, BGR, shape (height, width, 3); it must not change afterwards."""
        if pixels is not self.pixels:
            self.pixels = pixels
            self._packed = np.ascontiguousarray(pixels)  # the image only borrows it
            self._image = _image_of(self._packed)
        self.words, self.badge, self.overlay = "", badge, overlay
        self.update()

    def show_words(self, words: str) -> None:
        """Show a sentence and no picture."""
        if words == self.words and self.pixels is None:
            return
        self._image = QImage()
        self.pixels = self._packed = None
        self.words, self.badge, self.overlay = words, "", None
        self.update()

    def show_free_area(self, area: QRect, covered_px: int = 0) -> None:
        """Have the badge and all words in that part, which no card covers, and fit the picture
        above so many pixels at the lower edge."""
        if (area, covered_px) != (self._free, self._covered_px):
            self._free, self._covered_px = area, covered_px
            self.update()

    def place(self, placing: Placing) -> None:
        """Show another part of the picture."""
        self.placing = placing
        self.update()

    # Painting

    def picture_rect(self) -> QRectF:
        """Where the whole picture stands in the widget; empty without one."""
        if self._image.isNull():
            return QRectF()
        return self.placing.rect(*self._sizes())

    def _sizes(self) -> tuple[QSizeF, QSizeF]:
        """The picture's, and that of the room it is fitted into."""
        room = QSizeF(self.width(), max(1, self.height() - self._covered_px))
        return QSizeF(self._image.size()), room

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        if theme is None:
            return
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("readout"))
            if not self._image.isNull():
                self._paint_picture(painter, theme)
            elif self.words:
                painter.setFont(theme.font())
                painter.setPen(theme.color("text_on_readout"))
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
                painter.drawText(self._free_part.adjusted(16, 8, -16, -8), int(flags), self.words)
            if self.badge:
                self._paint_badge(painter, theme)
            self.paint_ring(painter, theme.color("focus"))

    @property
    def _free_part(self) -> QRect:
        return self.rect() if self._free.isEmpty() else self._free

    def _paint_picture(self, painter: QPainter, theme: Theme) -> None:
        place = self.picture_rect()
        pixel_wide = place.width() / self._image.width()
        smooth = pixel_wide < 4.0  # single pixels are what one looks for beyond
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawImage(place, self._image)
        if self.overlay is not None:
            size = (self._image.width(), self._image.height())
            paint_overlay(painter, theme, self.overlay, size, place)

    def _paint_badge(self, painter: QPainter, theme: Theme) -> None:
        painter.setFont(theme.font("small", bold=True))
        metrics = QFontMetricsF(painter.font())
        area = self._free_part
        room = area.width() - 16.0
        text = metrics.elidedText(self.badge, Qt.TextElideMode.ElideRight, room - 16.0)
        plate = QRectF(0, 0, metrics.horizontalAdvance(text) + 16, metrics.height() + 8)
        plate.moveBottomLeft(QPointF(area.x() + 8, area.y() + area.height() - 8))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("caution"), 1))
        painter.setBrush(theme.color("caution_soft"))
        painter.drawRoundedRect(plate, RADIUS_PX, RADIUS_PX)
        painter.setPen(theme.color("caution"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    # Hands

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        factor = _ZOOM_PER_NOTCH ** (event.angleDelta().y() / 120.0)
        if not self._image.isNull():
            self.place(self.placing.zoomed(factor, event.position(), *self._sizes()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the picture."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._held = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag it."""
        if self._held is not None and not self._image.isNull():
            moved = event.position() - self._held
            self._held = event.position()
            self.place(self.placing.panned(moved, *self._sizes()))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Let go."""
        self._held = None

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """Show all of it."""
        self.place(Placing())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for what can be done to the picture."""
        if self.pixels is not None:
            self.menu_wanted.emit(event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Keep the keys that step from the time line, which steps by samples."""
        return claims_key(event, _step_of) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """, and . step a frame, with Alt they nudge; 0 fits."""
        step = _step_of(event)
        if step:
            is_nudge = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            (self.nudge_wanted if is_nudge else self.step_wanted).emit(step)
        elif event.key() == Qt.Key.Key_0 and not event.modifiers():
            self.place(Placing())
        else:
            super().keyPressEvent(event)


def _image_of(pixels: Pixels) -> QImage:
    """The same memory as an image."""
    height, width = pixels.shape[:2]
    return QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_BGR888)


def _step_of(event: QKeyEvent) -> int:
    """Which way a key steps, alone or with Alt; 0 for all others."""
    if event.modifiers() not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier):
        return 0
    return _STEPS.get(Qt.Key(event.key()), 0)
