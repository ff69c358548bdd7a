"""3-D view widget: a picture that a thread draws, words and labels above it.

Drag looks around, the wheel comes closer. In free flight the keys W A S D fly, Q and E (or Page
Down and Page Up) sink and rise, Shift is faster: only while this view has the focus.
"""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy

from telemetry.base.clock import monotonic_s
from widgets.claimed_keys import claims_key
from widgets.focus_ring import RingedWidget
from widgets.scene3d.camera import ViewCamera, inset_place
from widgets.scene3d.camera_modes import (
    CameraMode,
    CameraMove,
    CameraRig,
    SeenAircraft,
    SurfaceBelow,
)
from widgets.scene3d.draw_request import DrawRequest
from widgets.scene3d.drawing_thread import DrawingThread, DrawnPicture, OpenDrawing, open_drawing
from widgets.scene3d.line_of_sight import LineOfSight
from widgets.scene3d.resolution_scale import ResolutionScale
from widgets.scene3d.scene import Place, SpaceScene
from widgets.theme import RADIUS_PX, Theme

_FRAME_MS = 16
_STILL_MS = 300
"""What has not changed for so long is drawn as sharp as the screen is."""
_LONGEST_STEP_S = 0.1
_MOST_PIXELS = 2560 * 1440
_MOVES = {
    Qt.Key.Key_W: CameraMove.AHEAD,
    Qt.Key.Key_S: CameraMove.BACK,
    Qt.Key.Key_A: CameraMove.LEFT,
    Qt.Key.Key_D: CameraMove.RIGHT,
    Qt.Key.Key_E: CameraMove.UP,
    Qt.Key.Key_PageUp: CameraMove.UP,
    Qt.Key.Key_Q: CameraMove.DOWN,
    Qt.Key.Key_PageDown: CameraMove.DOWN,
    Qt.Key.Key_Shift: CameraMove.FASTER,
}
_TALL_PX = 10_000
_READING = "Drawing…"


def _unknown(_place: Place) -> None:
    """Of a view that was told of no surface."""


class SpaceView(RingedWidget):
    """Shows what it is told by `show_space`, from where its `rig` looks."""

    picture_came = Signal()
    """Sent by the thread that draws."""
    looked = Signal()
    """The user has moved a camera."""

    def __init__(
        self,
        theme: Theme,
        open_it: OpenDrawing = open_drawing,
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        super().__init__()
        self._theme: Theme = theme
        self._clock = clock
        self.rig = CameraRig()
        self._drawing = DrawingThread(self.picture_came.emit, open_it, self._clock)
        self.scene: SpaceScene | None = None
        """What it was told to show last, which `picture` need not show yet; None for nothing."""
        self._aircraft: SeenAircraft | None = None
        self._obstacles: LineOfSight | None = None
        self._surface_m: SurfaceBelow = _unknown
        self._empty = ""
        self._words: tuple[str, ...] = ()
        self._free = QRect()
        self._detail = 1.0
        self.inset: CameraMode | None = None
        """The camera of the second picture, if there is one."""
        self._grabbed: QPointF | None = None
        self._held: set[CameraMove] = set()
        self._flown_s = 0.0
        self._flight = QTimer(self)
        self._flight.setInterval(_FRAME_MS)
        self._flight.timeout.connect(self._fly)
        self._share = ResolutionScale()
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_STILL_MS)
        self._still.timeout.connect(self._order_sharp)
        self.picture_came.connect(self._take_picture)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("3-D view")

    def sizeHint(self) -> QSize:
        return QSize(640, 400)

    @property
    def picture(self) -> DrawnPicture | None:
        """The newest picture."""
        return self._drawing.picture

    @property
    def is_behind(self) -> bool:
        """Whether what it was shown last is not being drawn yet: more would be for nothing."""
        return self._drawing.is_behind

    @property
    def is_flying(self) -> bool:
        """Whether keys move the camera now."""
        return self._flight.isActive()

    @property
    def words(self) -> tuple[str, ...]:
        """What stands in its corner, or in its middle while there is nothing to see."""
        return self._words if self.scene is not None else (self._empty,)

    def show_space(
        self,
        scene: SpaceScene,
        aircraft: SeenAircraft,
        words: Sequence[str],
        detail: float = 1.0,
        obstacles: LineOfSight | None = None,
        surface_m: SurfaceBelow = _unknown,
    ) -> None:
        """Show a moment. `detail`: the share of the pixels' rows and columns that there is time
        for. Cameras around the aircraft stay on its side of `obstacles`; in free flight one stays
        above `surface_m`, how far down the surface below a place is, or above the aircraft's ground
        where that says None."""
        self.scene, self._aircraft, self._obstacles = scene, aircraft, obstacles
        self._surface_m = surface_m
        self._words, self._detail = tuple(words), detail
        self._order()

    def show_empty(self, why: str) -> None:
        """Show nothing, and why."""
        if (self.scene, self._empty) != (None, why):
            self.scene, self._aircraft, self._empty = None, None, why
            self.update()

    def show_free_area(self, area: QRect) -> None:
        """Have the aircraft and what is written in that part, which no card covers."""
        if area != self._free:
            self._free = area
            self._order()
            self.update()

    def look_through(self, mode: CameraMode) -> None:
        """Choose a camera."""
        self.rig.choose(mode, self._aircraft, self._obstacles)
        self._let_go()
        self._order()

    def show_inset(self, mode: CameraMode | None) -> None:
        """Show what a second camera sees in the corner, or nothing there."""
        self.inset = mode
        self._order()

    def draw_by(self, open_it: OpenDrawing) -> None:
        """Have pictures drawn by something else from now on."""
        self._drawing.close()
        self._drawing = DrawingThread(self.picture_came.emit, open_it, self._clock)
        self._order()

    def close_drawing(self) -> None:
        """Draw no more."""
        self._drawing.close()

    def _order(self) -> None:
        self._want(self._share.value * self._detail)
        if self._share.value < 1.0:
            self._still.start()

    def _order_sharp(self) -> None:
        self._want(self._detail)

    def _want(self, share: float) -> None:
        scene, aircraft = self.scene, self._aircraft
        if scene is None or aircraft is None:
            return
        width, height = self._pixels(share)
        eye = self.rig.eye(aircraft, None, self._obstacles)
        if self.rig.mode.looks_at_aircraft and not self._free.isEmpty():
            middle = QRectF(self._free).center()
            eye = eye.aimed((middle.x(), middle.y()), self.width(), self.height())
        inset = self.rig.eye(aircraft, self.inset, self._obstacles) if self.inset else None
        shown = self.width(), self.height()
        self._drawing.want(DrawRequest(scene, eye, width, height, inset, shown))

    def _take_picture(self) -> None:
        """Show it, and see whether the next one has to be smaller."""
        drawn = self._drawing.picture
        moving = self._pixels(self._share.value * self._detail)
        if drawn is not None and drawn.is_warm and drawn.order.size == moving:
            self._share.take(drawn.took_s)
        self.update()

    def _pixels(self, share: float) -> tuple[int, int]:
        """The picture's size: the widget's in pixels of the screen, less if there is no time."""
        share *= self.devicePixelRatioF()
        pixels = self.width() * self.height() * share * share
        share *= min(1.0, (_MOST_PIXELS / max(pixels, 1.0)) ** 0.5)
        return max(16, round(self.width() * share)), max(16, round(self.height() * share))

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grabbed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grabbed is None:
            return
        moved = event.position() - self._grabbed
        self._grabbed = event.position()
        self.rig.drag(moved.x(), moved.y())
        self._order()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grabbed = None
        self.looked.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.rig.wheel(float(event.angleDelta().y()))
        self.looked.emit()
        self._order()

    def event(self, event: QEvent) -> bool:
        """A key that flies here is no shortcut of the station's."""
        return claims_key(event, self._flies) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._flies(event):
            super().keyPressEvent(event)
            return
        if not event.isAutoRepeat():
            self._held.add(_MOVES[Qt.Key(event.key())])
        if not self._flight.isActive():
            self._flown_s = self._clock()
            self._flight.start()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        move = _MOVES.get(Qt.Key(event.key()))
        if move is None:
            super().keyReleaseEvent(event)
        elif not event.isAutoRepeat():
            self._held.discard(move)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._let_go()  # nobody tells when they are let go elsewhere
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._let_go()
        self._still.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._order()

    def _flies(self, event: QKeyEvent) -> bool:
        plain = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        is_plain = not event.modifiers() & ~plain
        return self.rig.mode is CameraMode.FREE and is_plain and event.key() in _MOVES

    def _let_go(self) -> None:
        self._held.clear()
        self._flight.stop()

    def _fly(self) -> None:
        now_s = self._clock()
        seconds, self._flown_s = min(now_s - self._flown_s, _LONGEST_STEP_S), now_s
        if not self._held - {CameraMove.FASTER} or self._aircraft is None:
            self._flight.stop()
            return
        level_m = self._aircraft.ground_down_m

        def surface_m(place: Place) -> float:
            known_m = self._surface_m(place)
            return level_m if known_m is None else known_m

        self.rig.fly(self._held, seconds, surface_m)
        self._order()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setFont(self._theme.font("small"))
            drawn = self._drawing.picture
            if self.scene is None or drawn is None:
                self._paint_notice(painter, _READING if self.scene else self._empty)
                return
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.rect(), drawn.image)
            self._paint_labels(painter, drawn.order)
            self._paint_inset_frame(painter, drawn.order.inset)
            self._paint_words(painter)
            self.paint_ring(painter, self._theme.color("focus"))

    @property
    def _free_part(self) -> QRect:
        return self.rect() if self._free.isEmpty() else self._free

    def _paint_notice(self, painter: QPainter, words: str) -> None:
        painter.fillRect(self.rect(), self._theme.color("surface"))
        painter.setPen(self._theme.color("muted"))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self._free_part.adjusted(16, 16, -16, -16), int(flags), words)

    def _paint_labels(self, painter: QPainter, order: DrawRequest) -> None:
        """Words at places, where those were when the picture was drawn."""
        labels = order.scene.labels
        if not labels:
            return
        places = np.array([label.place for label in labels])
        pixels = order.eye.project(places, self.width(), self.height())
        metrics = painter.fontMetrics()
        painter.setPen(Qt.PenStyle.NoPen)
        for label, (x, y, _) in zip(labels, pixels.tolist(), strict=True):
            if not (0.0 <= x <= self.width() and 0.0 <= y <= self.height()):
                continue
            box = QRectF(x + 6, y - 9, metrics.horizontalAdvance(label.text) + 8, 18)
            self._paint_box(painter, box, label.text)

    def _paint_inset_frame(self, painter: QPainter, inset: ViewCamera | None) -> None:
        x, y, width, height = inset_place(self.width(), self.height())
        if inset is None or not width or self.inset is None:
            return
        painter.setPen(self._theme.color("scale"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(x, y, width, height)
        words = self.inset.value
        box = QRectF(x, y, painter.fontMetrics().horizontalAdvance(words) + 8, 18)
        self._paint_box(painter, box, words)

    def _paint_words(self, painter: QPainter) -> None:
        """As many lines as have room, the first first."""
        area = self._free_part
        shown = list(self._words)
        while shown:
            size = _words_size(painter.fontMetrics(), shown, area.width() - 16)
            if size.height() <= area.height() - 16:
                box = QRectF(QPointF(area.x() + 8, area.y() + 8), size)
                self._paint_box(painter, box, "\n".join(shown))
                return
            shown.pop()

    def _paint_box(self, painter: QPainter, box: QRectF, words: str) -> None:
        ground = self._theme.color("readout")
        ground.setAlpha(205)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
        painter.setPen(self._theme.color("text_on_readout"))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(box, int(flags), words)


def _words_size(metrics: QFontMetrics, lines: Sequence[str], most_px: int) -> QSizeF:
    """What a box with these lines takes, no wider than `most_px`."""
    widest = max(metrics.horizontalAdvance(line) for line in lines)
    width = min(widest + 16, most_px)
    room = QRect(0, 0, width - 8, _TALL_PX)
    flags = int(Qt.TextFlag.TextWordWrap)
    height = metrics.boundingRect(room, flags, "\n".join(lines)).height() + 10
    return QSizeF(width, height)
