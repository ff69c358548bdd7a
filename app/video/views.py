"""Panels of a workspace, drawn into a picture instead of a window."""

from concurrent.futures import Executor
from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractButton

from app.workspaces import PanelPlace
from plugins.api import Panel, resolve
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
    """One panel at its place of the picture; drawn no more often than it is worth."""

    def __init__(self, place: PanelPlace, space: QRect, shared: ViewSpace) -> None:
        panel = shared.panels[place.panel]
        self.space = space
        self._interval_s = 1.0 / (panel.rate_hz if panel.rate_hz >= _INSTRUMENT_HZ else _SLOW_HZ)
        self._drawn_s: float | None = None
        self.context = panel.context(
            shared.fleet, shared.theme, shared.jobs, settings=dict(place.settings)
        )
        self._widget = resolve(panel.widget)(self.context)
        self._widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._widget.resize(space.size())
        self._widget.show()
        hand_theme(self._widget, shared.theme)
        for button in self._widget.findChildren(QAbstractButton):
            button.hide()  # nobody can press it

    def draw(self, painter: QPainter, t: float) -> None:
        """Have it show the flight at `t`, if that is due."""
        if self._drawn_s is not None and 0.0 <= t - self._drawn_s < self._interval_s * 0.99:
            return
        self._drawn_s = t
        self._widget.refresh(t)
        self._widget.render(painter, self.space.topLeft())

    def close(self) -> None:
        """Free the widget."""
        self.context.close()
        self._widget.close()
        self._widget.deleteLater()
