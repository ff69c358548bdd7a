"""Tune charts: what there is to choose from, predicted steps, what neighbours would give."""

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from plugins.identification.report_words import Json, figure_scale
from widgets.choices import fill_choice, make_choice
from widgets.line_chart import Line, LineChart, Mark
from widgets.parts import clear_layout, make_column, make_grid, make_label, make_row
from widgets.theme import SERIES_COUNT, Theme
from widgets.wheel_filter import wheel_needs_focus
from widgets.xy_chart import ChartSeries, XyChart

Reals = npt.NDArray[np.float64]
RISE, NOISE = "roll_rise_s", "actuator_noise"
AXES = ("roll", "pitch", "yaw", "heading")
_STEP_PX, _FRONT_PX, _SWATCH_PX = 160, 220, 18
_NARROW_PX = 520
"""What is less wide has one chart in a row."""


class TuneCharts(QWidget):
    """Charts of one report, two in a row where there is room, and of one choice in it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._report: Json = {"objectives": (), "neighbours": ()}
        self.front = XyChart("Actuator noise, %", "Rise time of roll, ms")
        self.front.setFixedHeight(_FRONT_PX)
        self.steps = {axis: LineChart(axis.capitalize(), "s", "", _STEP_PX) for axis in AXES}
        self.objective = make_choice("Figure", act=lambda _name: self._show_neighbours())
        wheel_needs_focus(self.objective)
        self.neighbours = LineChart("Neighbours", "times the gain", "", _FRONT_PX)
        self._legend = make_grid(spacing=(8, 0), shares={1: 1})
        grid = QWidget()
        self._grid: QGridLayout = make_grid(grid, spacing=(12, 8))
        self._columns = 0
        self._place(1)
        parts = (
            make_label("What there is to choose from", size="title", wraps=True),
            self.front,
            make_label("Predicted steps", size="title", wraps=True),
            make_label(
                "Dashed: what is asked, and the least and the most of all flights.", wraps=True
            ),
            grid,
            make_label("What neighbours in gains would give", size="title", wraps=True),
            make_row((self.objective, 1)),
            self.neighbours,
            self._legend,
        )
        self.setLayout(make_column(*parts, spacing=4))

    def show_report(self, report: Json) -> None:
        """Show another report; `show_choice` follows."""
        self._report = report
        flown = {name for one in report["neighbours"] for name in one["figures"]}
        titles = [
            (one["title"], one["name"]) for one in report["objectives"] if one["name"] in flown
        ]
        fill_choice(self.objective, titles, self.objective.currentData())
        self._show_neighbours()

    def show_choice(self, choice: Json) -> None:
        """Show one of its choices beside the present gains."""
        self.front.set_series(_front(self._report, choice))
        for axis, chart in self.steps.items():
            steps = [
                (name, token, one["steps"][axis])
                for name, token, one in (
                    ("present", "series_1", self._report["present"]),
                    ("chosen", "series_2", choice),
                )
                if axis in one["steps"]
            ]
            chart.retitle(axis.capitalize(), steps[0][2]["unit"] if steps else "")
            chart.show_lines(_step_lines(steps))

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self._show_neighbours()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(1 if self.width() < _NARROW_PX * self._theme.scale else 2)

    # Inside

    def _place(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, chart in enumerate(self.steps.values()):
            self._grid.addWidget(chart, number // columns, number % columns)

    def _show_neighbours(self) -> None:
        name = self.objective.currentData()
        objectives = {one["name"]: one for one in self._report["objectives"]}
        if name not in objectives:
            return
        objective = objectives[name]
        factor, unit = figure_scale(objective["unit"])
        neighbours = self._report["neighbours"]
        lines = [
            Line(
                "",
                f"series_{number % SERIES_COUNT + 1}",
                _column(one["factors"]),
                factor * _column(one["figures"][name]),
            )
            for number, one in enumerate(neighbours)
        ]
        marks = [Mark(1.0, self._report["choices"][self._report["chosen"]]["title"])]
        if objective["target"] is not None:
            marks.append(Mark(factor * objective["target"], "target", "commanded", is_level=True))
        self.neighbours.retitle(objective["title"], unit)
        self.neighbours.show_lines(lines, marks)
        clear_layout(self._legend)
        for number, one in enumerate(neighbours):
            swatch = QPixmap(round(_SWATCH_PX * self._theme.scale), 3)
            swatch.fill(self._theme.series(number))
            mark = QLabel()
            mark.setPixmap(swatch)
            self._legend.addWidget(mark, number, 0)
            self._legend.addWidget(make_label(one["title"], size="small", wraps=True), number, 1)


def _column(values: object) -> Reals:
    """None becomes NaN, which breaks a line."""
    return np.array(values, np.float64)


def _front(report: Json, chosen: Json) -> list[ChartSeries]:
    """Choices from calm to sharp, the present gains and the one that is looked at."""

    def points(choices: list[Json]) -> tuple[Reals, Reals]:
        rows = np.array(
            [[one["figures"].get(RISE), one["figures"].get(NOISE)] for one in choices], np.float64
        ).reshape(-1, 2)
        known = rows[np.isfinite(rows).all(axis=1)]
        return 1000.0 * known[:, 0], 100.0 * known[:, 1]

    choices = list(report["choices"])
    return [
        ChartSeries("choices", *points(choices), 2, points_px=8.0),
        ChartSeries("present", *points([report["present"]]), 0, points_px=11.0),
        ChartSeries("chosen", *points([chosen]), 1, points_px=11.0),
    ]


def _step_lines(steps: list[tuple[str, str, Json]]) -> list[Line]:
    """What is asked, then each answer with its bounds."""
    lines: list[Line] = []
    for name, token, step in steps:
        time_s = _column(step["time_s"])
        if not lines:
            asked = _column(step["asked"])
            lines.append(Line("asked", "commanded", time_s, asked, is_dashed=True))
        lines.append(Line(name, token, time_s, _column(step["mean"])))
        for bound in ("low", "high"):
            lines.append(Line("", token, time_s, _column(step[bound]), is_dashed=True))
    return lines
