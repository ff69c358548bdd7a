"""Drawing thread: the window hands over what is to be seen and takes finished pictures."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QImage

from telemetry.base.clock import monotonic_s
from widgets.scene3d.draw_request import DrawRequest, SceneDrawing
from widgets.scene3d.gl_context import NoOpenGLError

_PATIENCE_S = 2.0
OpenDrawing = Callable[[], SceneDrawing]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPicture:
    """A picture, what it shows, what drew it and how long that took. One that is not `is_warm` took
    longer, for something was handed to the driver first."""

    image: QImage
    order: DrawRequest
    title: str
    took_s: float
    is_warm: bool = True


def open_drawing() -> SceneDrawing:
    """By OpenGL, or by a painter where there is none."""
    from widgets.scene3d.gl_drawing import GlDrawing

    try:
        return GlDrawing()
    except NoOpenGLError:
        return open_painter()


def open_painter() -> SceneDrawing:
    """Without OpenGL, whether there is one or not."""
    from widgets.scene3d.painter_drawing import PainterDrawing

    return PainterDrawing()


class DrawingThread:
    """Draws the newest order; those that come while it draws and are followed by another are not
    drawn. `tell` is called by the thread when there is a picture."""

    def __init__(
        self,
        tell: Callable[[], None],
        open_it: OpenDrawing = open_drawing,
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        self._tell = tell
        self._clock = clock
        self._open = open_it
        self._changed = threading.Condition()
        self._order: DrawRequest | None = None
        self.picture: DrawnPicture | None = None
        """The newest one."""
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def want(self, order: DrawRequest) -> None:
        """Have this drawn next. The first order starts the thread."""
        with self._changed:
            self._order = order
            self._changed.notify()
        if self._thread is None and not self._closing.is_set():
            self._thread = threading.Thread(target=self._work, name="lapwing-3d", daemon=True)
            self._thread.start()

    @property
    def is_behind(self) -> bool:
        """Whether the newest order has not been begun."""
        return self._order is not None

    def close(self, patience_s: float = _PATIENCE_S) -> None:
        """Draw no more, and tell of nothing any more. Waits so long for the picture that is being
        drawn; one that takes longer ends by itself."""
        with self._changed:
            self._closing.set()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(patience_s)
            self._thread = None

    def _next(self) -> DrawRequest | None:
        with self._changed:
            while self._order is None and not self._closing.is_set():
                self._changed.wait()
            order, self._order = self._order, None
            return None if self._closing.is_set() else order

    def _work(self) -> None:
        drawing = self._open()
        try:
            while (order := self._next()) is not None:
                try:
                    self.picture = self._drawn(drawing, order)
                except NoOpenGLError:  # the driver gave up
                    drawing.close()
                    drawing = open_painter()
                    self.picture = self._drawn(drawing, order)
                with self._changed:
                    if not self._closing.is_set():
                        self._tell()
                self._closing.wait(max(0.0, drawing.least_s - self.picture.took_s))
        finally:
            drawing.close()

    def _drawn(self, drawing: SceneDrawing, order: DrawRequest) -> DrawnPicture:
        began_s, uploads = self._clock(), drawing.uploads
        image = drawing.draw(order)
        is_warm = drawing.uploads == uploads
        return DrawnPicture(image, order, drawing.title, self._clock() - began_s, is_warm)
