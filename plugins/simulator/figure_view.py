"""Scenario figure in the window: the diagrams that `--plot` draws, in the theme's colours."""

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from simulation.scenarios.figure import Axes, Figure, FigureSeries
from telemetry.base.escaping import markup_text
from widgets.diagrams import Diagrams
from widgets.parts import make_column
from widgets.theme import Theme

_COLUMN_PX, _MOST_COLUMNS, _ROW_PX = 340, 2, 220
"""How wide a diagram must at least be to stand beside another, and how high each is at least."""
_HEADING_PX = 44
"""Room for a title and, below it, what the lines are: beside the lines rather than over them."""
_MARKS = {"line": "\u2014", "dashed": "- -", "dots": "\u2022"}


class FigureView(QWidget):
    """Diagrams, two in a row where there is room.

    Ctrl and the wheel zoom, drag pans, a right click offers more. The wheel alone scrolls past.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._figure: Figure | None = None
        self._graphics = Diagrams()
        self.setLayout(make_column(self._graphics))
        self._columns = _MOST_COLUMNS

    def show_figure(self, figure: Figure | None) -> None:
        """Draw a figure, None for none."""
        self._figure = figure
        self._graphics.clear()
        self._graphics.setBackground(self._theme.color("plot_background"))
        if figure is None:
            return
        columns = self._columns
        self.setMinimumHeight(-(-len(figure.axes) // columns) * _ROW_PX)
        for number, axes in enumerate(figure.axes):
            self._draw(self._graphics.addPlot(number // columns, number % columns), axes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = max(1, min(self.width() // _COLUMN_PX, _MOST_COLUMNS))
        if columns != self._columns:
            self._columns = columns
            self.show_figure(self._figure)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.show_figure(self._figure)

    def _draw(self, plot: pg.PlotItem, axes: Axes) -> None:
        text = self._theme.color("text")
        size = f"{self._theme.font_px('small')}px"
        plot.setTitle(self._heading(axes), color=text.name(), size=size)
        if len(axes.series) > 1:
            plot.titleLabel.setMaximumHeight(_HEADING_PX)
            plot.layout.setRowFixedHeight(0, _HEADING_PX)
        plot.showGrid(x=True, y=True, alpha=0.25)
        plot.setLogMode(x=False, y=axes.log_y)
        plot.setAspectLocked(axes.equal)
        for side, label in (("bottom", axes.x_label), ("left", axes.y_label)):
            axis = plot.getAxis(side)
            axis.setLabel(markup_text(label), color=text.name())
            axis.setTextPen(text)
            axis.setPen(self._theme.color("muted"))
        plot.disableAutoRange()  # else each series lays all of them out anew
        for number, series in enumerate(axes.series):
            self._draw_series(plot, series, number)
        plot.enableAutoRange()
        for level in axes.bands:
            pen = pg.mkPen(self._theme.color("caution"), width=1, style=Qt.PenStyle.DashLine)
            plot.addItem(pg.InfiniteLine(level, angle=0, pen=pen))

    def _heading(self, axes: Axes) -> str:
        """The title as rich text, and the names of the lines where there are several."""
        names = [
            f'<span style="color:{self._theme.series(number).name()}"><b>{_MARKS[series.style]}</b>'
            f"</span>&nbsp;{markup_text(series.label)}"
            for number, series in enumerate(axes.series)
        ]
        title = markup_text(axes.title)
        return f"{title}<br>{' &nbsp; '.join(names)}" if len(names) > 1 else title

    def _draw_series(self, plot: pg.PlotItem, series: FigureSeries, number: int) -> None:
        color = self._theme.series(number)
        if series.style == "dots":
            plot.plot(
                series.x,
                series.y,
                pen=None,
                symbol="o",
                symbolSize=5,
                symbolBrush=color,
                symbolPen=None,
                name=series.label,
            )
            return
        dashed = series.style == "dashed"
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        pen = pg.mkPen(color, width=1 if dashed else 2, style=style)
        plot.plot(series.x, series.y, pen=pen, name=series.label)
