"""Series view: a sensor as logged and as synthesised, and below it what is left of the two."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from telemetry.base.escaping import markup_text
from widgets.diagrams import Diagrams
from widgets.parts import make_column
from widgets.theme import Theme

_LEAST_PX = 260
_GAP_STEPS = 3.0
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SensorSeries:
    """What a sensor has measured and would have measured, (n,) each, in `unit`; `time_s` is that of
    the flight."""

    title: str
    unit: str
    time_s: Reals
    logged: Reals
    synthesised: Reals


class SeriesView(QWidget):
    """Two diagrams over the same time. Ctrl and the wheel zoom, drag pans, a click asks for a
    time."""

    seek_wanted = Signal(float)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.series: SensorSeries | None = None
        """What is shown."""
        self._cursors: list[pg.InfiniteLine] = []
        self._t: float | None = None
        self._graphics = Diagrams()
        self._graphics.scene().sigMouseClicked.connect(self._seek)
        self.setLayout(make_column(self._graphics))
        self.setMinimumHeight(_LEAST_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(400, 340)

    def show_series(self, series: SensorSeries | None) -> None:
        """Draw these, None for none."""
        self.series = series
        self._graphics.clear()
        self._cursors.clear()
        self._graphics.setBackground(self._theme.color("plot_background"))
        if series is None:
            return
        both, rest = (self._plot(row) for row in range(2))
        rest.setXLink(both)
        joins = _joins(series.time_s)
        names = (("logged", series.logged), ("synthesised", series.synthesised))
        self._title(both, f"{series.title}, {series.unit}", [name for name, _ in names])
        for number, (name, values) in enumerate(names):
            both.plot(series.time_s, values, pen=self._pen(number), name=name, connect=joins)
        self._title(rest, "Residual: logged less synthesised, over seconds", [])
        left = series.logged - series.synthesised
        rest.plot(series.time_s, left, pen=self._pen(2), name="residual", connect=joins)
        both.getAxis("bottom").setStyle(showValues=False)
        for row, share in enumerate((3, 2)):
            self._graphics.ci.layout.setRowStretchFactor(row, share)
        self._add_cursors(both, rest)

    def show_time(self, t: float | None) -> None:
        """Draw the flight's cursor there; None where it is of another flight."""
        if t == self._t:
            return
        self._t = t
        for cursor in self._cursors:
            cursor.setVisible(t is not None)
            cursor.setPos(t or 0.0)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.show_series(self.series)

    # Inside

    def _plot(self, row: int) -> pg.PlotItem:
        plot = self._graphics.addPlot(row, 0)
        plot.showGrid(x=True, y=True, alpha=0.25)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        text = self._theme.color("text")
        for side in ("bottom", "left"):
            axis = plot.getAxis(side)
            axis.setTextPen(text)
            axis.setPen(self._theme.color("muted"))
            axis.setStyle(tickFont=self._theme.font("small"))
        left = plot.getAxis("left")
        left.enableAutoSIPrefix(False)
        left.setWidth(round(48 * self._theme.scale))
        return plot

    def _title(self, plot: pg.PlotItem, title: str, names: list[str]) -> None:
        """The title as rich text, and the names of the lines in their colours."""
        marks = [
            f'<span style="color:{self._theme.series(number).name()}"><b>\u2014</b></span>&nbsp;'
            f"{markup_text(name)}"
            for number, name in enumerate(names)
        ]
        text = " &nbsp; ".join([markup_text(title), *marks])
        size = f"{self._theme.font_px('small')}px"
        plot.setTitle(text, color=self._theme.color("text").name(), size=size)

    def _pen(self, number: int) -> object:
        return pg.mkPen(self._theme.series(number), width=1)

    def _add_cursors(self, *plots: pg.PlotItem) -> None:
        pen = pg.mkPen(self._theme.color("text"), width=1, style=Qt.PenStyle.DashLine)
        for plot in plots:
            cursor = pg.InfiniteLine(self._t or 0.0, angle=90, pen=pen)
            cursor.setVisible(self._t is not None)
            plot.addItem(cursor, ignoreBounds=True)
            self._cursors.append(cursor)

    def _seek(self, event: object) -> None:
        if self.series is None or event.button() != Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            return
        place = event.scenePos()  # type: ignore[attr-defined]
        for cursor in self._cursors:
            box = cursor.getViewBox()
            if box.sceneBoundingRect().contains(place):
                self.seek_wanted.emit(float(box.mapSceneToView(place).x()))


def _joins(time_s: Reals) -> npt.NDArray[np.int32]:
    """Whether a line goes on from each sample (n,): not over what was left out of the flight."""
    steps = np.diff(time_s)
    usual = np.median(steps) if len(steps) else 0.0
    return np.append(steps < _GAP_STEPS * usual, False).astype(np.int32)
