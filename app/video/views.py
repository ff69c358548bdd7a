"""Offscreen views: panels and instruments, drawn into pixels instead of a window."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QAbstractButton

from app.exporting.video_template import Instrument
from app.video.instruments import keep_rounded, make_instrument
from app.workspaces.workspace import PanelPlace
from plugins.api import Panel, resolve
from telemetry.recording.interpolated_state import InterpolatedFlight
from telemetry.recording.video_files.yuv_layer import YuvLayer
from telemetry.recording.video_files.yuv_picture import YuvPicture
from telemetry.vehicle.vehicle import Fleet
from widgets.change_detector import ChangeDetector
from widgets.map.canvas import MapCanvas
from widgets.plot.view import PlotView
from widgets.plot.window import Span
from widgets.theme import Theme, hand_theme

_INSTRUMENT_HZ = 30
_SLOW_HZ = 10
"""As often as a view is drawn that is no instrument."""
_OPAQUE, _CLEAR = QImage.Format.Format_RGB32, QImage.Format.Format_ARGB32_Premultiplied
_RADIUS = 0.03

Drawing = YuvPicture | YuvLayer
"""What stands beside a picture, and what lies over it."""


@dataclass(frozen=True, slots=True)
class ViewSpace:
    """What the views of an export share."""

    fleet: Fleet
    theme: Theme
    jobs: Executor
    panels: dict[str, Panel]


class FilmPart(Protocol):
    """What is drawn for each picture of a film."""

    @property
    def space(self) -> QRect:
        """Its place in the picture."""

    def drawn(self, t: float) -> Drawing | None:
        """How it looks at `t`; None if that of the picture before will do."""

    def close(self) -> None:
        """Free what it holds."""


class DrawnView:
    """One panel, drawn no more often than it is worth. `space` is its place in the picture; plots
    show the `film`, a stretch of the flight, unless they were told what to show.

    With an `opacity` it lies over the picture instead of beside it.
    """

    def __init__(
        self,
        place: PanelPlace,
        space: QRect,
        shared: ViewSpace,
        film: Span,
        opacity: float | None = None,
    ) -> None:
        from av.video.reformatter import VideoReformatter

        panel = shared.panels[place.panel]
        self._to_yuv = VideoReformatter()
        self.space = space
        self._opacity = opacity
        self._interval_s = 1.0 / (panel.rate_hz if panel.rate_hz >= _INSTRUMENT_HZ else _SLOW_HZ)
        self._drawn_s: float | None = None
        self.context = panel.context(
            shared.fleet, shared.theme, shared.jobs, settings=dict(place.settings)
        )
        self._widget = resolve(panel.widget)(self.context)
        self._widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._image = QImage(space.size(), _OPAQUE if opacity is None else _CLEAR)
        self._widget.resize(space.size())
        self._widget.show()
        hand_theme(self._widget, shared.theme)
        for button in self._widget.findChildren(QAbstractButton):
            button.hide()  # nobody can press it
        for canvas in self._widget.findChildren(MapCanvas):
            canvas.tells_of_tiles = False  # nobody can choose any
        self._widget.refresh(film.start)
        for plot in self._widget.findChildren(PlotView):
            if not plot.model.time.is_window_chosen:
                plot.model.time.show(film)

    def drawn(self, t: float) -> Drawing | None:
        """See FilmPart."""
        if self._drawn_s is not None and 0.0 <= t - self._drawn_s < self._interval_s * 0.99:
            return None
        self._drawn_s = t
        self._widget.refresh(t)
        self._widget.setUpdatesEnabled(True)
        self._widget.render(self._image)
        self._widget.setUpdatesEnabled(False)  # nobody sees what events would have painted
        if self._opacity is None:
            import av

            frame = av.VideoFrame.from_numpy_buffer(_pixels(self._image), format="bgra")
            return YuvPicture.converted(self._to_yuv, frame, self.space.size().toTuple())
        with QPainter(self._image) as painter:
            rect = self._image.rect().toRectF()
            keep_rounded(painter, rect, _RADIUS * max(rect.width(), rect.height()))
        return YuvLayer(self._to_yuv, _pixels(self._image), self._opacity)

    def close(self) -> None:
        """Free the widget."""
        self.context.close()
        self._widget.close()
        self._widget.deleteLater()


class DrawnInstrument:
    """One instrument that is painted over the picture, whenever it looks different."""

    def __init__(
        self, instrument: Instrument, space: QRect, theme: Theme, flight: InterpolatedFlight
    ) -> None:
        from av.video.reformatter import VideoReformatter

        self.space = space
        self._to_yuv = VideoReformatter()
        self._opacity, self._flight = instrument.opacity, flight
        self._painted = make_instrument(instrument.shows, space.size(), theme)
        self._image = QImage(space.size(), _CLEAR)
        self._seen = ChangeDetector()

    def drawn(self, t: float) -> Drawing | None:
        """See FilmPart."""
        look = self._painted.look(self._flight, t)
        if not self._seen.has_changed(look):
            return None
        self._image.fill(Qt.GlobalColor.transparent)
        with QPainter(self._image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._painted.paint(painter, look)
        return YuvLayer(self._to_yuv, _pixels(self._image), self._opacity)

    def close(self) -> None:
        """See FilmPart."""


def _pixels(image: QImage) -> npt.NDArray[np.uint8]:
    """BGRA, shape (height, width, 4): a view, until the image is painted anew."""
    shape = (image.height(), image.width(), 4)
    return np.frombuffer(image.constBits(), np.uint8).reshape(shape)
