"""Zoom and pan by hand, and taking it back."""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer
from PySide6.QtGui import QKeyEvent, QKeySequence

from widgets.plot.canvas import PlotCanvas
from widgets.plot.model import PlotModel
from widgets.plot.window import Span

_ONE_TURN_MS = 800
_Standard = QKeySequence.StandardKey


class Zooming:
    """Does to `model` what hands do to `canvas`, and keeps what was shown before."""

    def __init__(self, canvas: PlotCanvas, model: PlotModel, touch: Callable[[], None]) -> None:
        self._model = model
        self._touch = touch
        self._turned = ""
        self._since_notch = QElapsedTimer()
        canvas.pan_begun.connect(self.remember)
        canvas.panned.connect(model.pan)
        canvas.zoomed_time.connect(self.zoom_time)
        canvas.zoomed_values.connect(self._zoom_values)
        canvas.zoomed_axis.connect(self._zoom_axis)
        canvas.zoomed_box.connect(self._zoom_box)

    def zoom_time(self, factor: float, at: float) -> None:
        """Show `factor` times as much time, `at` staying in place."""
        self._remember_notch("time")
        self._model.time.zoom(factor, at)

    def fit(self) -> None:
        """Show all of a recorded flight, or follow a live one; fit the values."""
        self.remember()
        self._model.fit()
        self._touch()

    def remember(self) -> None:
        """Keep what is shown: it is about to change."""
        self._turned = ""
        self._model.time.history.remember(self._model)

    def undo(self) -> None:
        """Show what was shown before the last zoom, in all plots that show the same time."""
        self._turned = ""
        self._model.time.history.undo()

    def redo(self) -> None:
        """Show what was shown before `undo`."""
        self._turned = ""
        self._model.time.history.redo()

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key takes something back here, whoever else may want it."""
        history = self._model.time.history
        undoes = event.matches(_Standard.Undo) and history.can_undo
        return undoes or (event.matches(_Standard.Redo) and history.can_redo)

    def press(self, event: QKeyEvent, at: float) -> bool:
        """Do what a key says, zooming at a time; False if it says nothing here."""
        if event.matches(_Standard.Undo):
            self.undo()
        elif event.matches(_Standard.Redo):
            self.redo()
        elif event.text() == "0":
            self.fit()
        elif event.text() in ("+", "="):
            self.zoom_time(0.8, at)
        elif event.text() == "-":
            self.zoom_time(1.25, at)
        else:
            return False
        return True

    def _zoom_values(self, factor: float, at: float) -> None:
        self._remember_notch("values")
        self._model.zoom_values(factor, at)

    def _zoom_axis(self, name: str, factor: float, share: float) -> None:
        self._remember_notch(name)
        self._model.zoom_axis(name, factor, share)
        self._touch()

    def _zoom_box(self, time: Span | None, heights: Span | None) -> None:
        self.remember()
        self._model.zoom_box(time, heights)

    def _remember_notch(self, turned: str) -> None:
        """Many notches of the wheel in a row are taken back together."""
        if turned != self._turned or self._since_notch.elapsed() > _ONE_TURN_MS:
            self.remember()
            self._turned = turned
        self._since_notch.restart()
