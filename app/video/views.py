"""Offscreen views: panels of a workspace, drawn into pixels instead of a window."""

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton

from app.workspaces.workspace import PanelPlace
from plugins.api import Panel, resolve
from telemetry.recording.video_files.yuv_picture import YuvPicture
from telemetry.vehicle.vehicle import Fleet
from widgets.theme import Theme, hand_theme

_INSTRUMENT_HZ = 30
_SLOW_HZ = 10
"""As often as a view is drawn that is no instrument."""


@dataclass(frozen=True, slots=True)
class ViewSpace:
    """What the views of an export share."""

    fleet: Fleet
    theme: Theme
    jobs: Executor
    panels: dict[str, Panel]


class DrawnView:
    """One panel, drawn no more often than it is worth. `space` is its place in the picture."""

    def __init__(self, place: PanelPlace, space: QRect, shared: ViewSpace) -> None:
        from av.video.reformatter import VideoReformatter

        panel = shared.panels[place.panel]
        self._to_yuv = VideoReformatter()
        self.space = space
        self._interval_s = 1.0 / (panel.rate_hz if panel.rate_hz >= _INSTRUMENT_HZ else _SLOW_HZ)
        self._drawn_s: float | None = None
        self.context = panel.context(
            shared.fleet, shared.theme, shared.jobs, settings=dict(place.settings)
        )
        self._widget = resolve(panel.widget)(self.context)
        self._widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._image = QImage(space.size(), QImage.Format.Format_RGB32)
        self._widget.resize(space.size())
        self._widget.show()
        hand_theme(self._widget, shared.theme)
        for button in self._widget.findChildren(QAbstractButton):
            button.hide()  # nobody can press it

    def drawn(self, t: float) -> YuvPicture | None:
        """The view at `t`; None if the one before will do."""
        import av

        if self._drawn_s is not None and 0.0 <= t - self._drawn_s < self._interval_s * 0.99:
            return None
        self._drawn_s = t
        self._widget.refresh(t)
        self._widget.setUpdatesEnabled(True)
        self._widget.render(self._image)
        self._widget.setUpdatesEnabled(False)  # nobody sees what events would have painted
        shape = (self._image.height(), self._image.width(), 4)
        pixels = np.frombuffer(self._image.constBits(), np.uint8).reshape(shape)
        frame = av.VideoFrame.from_numpy_buffer(pixels, format="bgra")
        return YuvPicture.converted(self._to_yuv, frame, (shape[1], shape[0]))

    def close(self) -> None:
        """Free the widget."""
        self.context.close()
        self._widget.close()
        self._widget.deleteLater()
