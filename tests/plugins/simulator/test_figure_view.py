"""A scenario's figure leaves the wheel to the page it stands on."""

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.simulator.figure_view import FigureView
from simulation.scenarios.figure import Axes, Figure, series
from widgets.theme import load_theme

FIGURE = Figure(
    "Hold",
    (Axes("Roll", "time, s", "degrees", (series("true", [0.0, 1.0, 2.0], [0.0, 5.0, 1.0]),)),),
)


def turn_wheel(view: FigureView, modifiers: Qt.KeyboardModifier) -> bool:
    """Turn the wheel over the middle; returns whether somebody took it."""
    (graphics,) = view.findChildren(pg.GraphicsLayoutWidget)
    viewport = graphics.viewport()
    middle = QPointF(viewport.rect().center())
    event = QWheelEvent(
        middle,
        viewport.mapToGlobal(middle),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    return bool(QApplication.sendEvent(viewport, event)) and event.isAccepted()


def test_the_wheel_scrolls_past_a_figure_and_zooms_with_ctrl(qtbot: QtBot) -> None:
    view = FigureView(load_theme("light"))
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show()
    view.show_figure(FIGURE)
    (graphics,) = view.findChildren(pg.GraphicsLayoutWidget)
    (plot,) = [item for item in graphics.scene().items() if isinstance(item, pg.PlotItem)]
    qtbot.waitUntil(lambda: plot.viewRange()[0][1] > 1.9)  # it has been laid out
    whole = plot.viewRange()
    assert not turn_wheel(view, Qt.KeyboardModifier.NoModifier)
    assert plot.viewRange() == whole
    assert turn_wheel(view, Qt.KeyboardModifier.ControlModifier)
    assert plot.viewRange() != whole
