"""Study figures in the window: one column of a study's table, and what it goes with."""

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtWidgets import QComboBox, QWidget

from plugins.simulator.figure_view import FigureView
from plugins.simulator.study_reading import ReadStudy, ShownColumns, StudyFigures
from simulation.studies.figures import column_names
from simulation.studies.flight import PASSED
from simulation.studies.statistics import Interval
from simulation.studies.summary import interval_text
from widgets.choices import fill_choice
from widgets.elided_choice import ElidedChoice
from widgets.interval_chart import IntervalChart, IntervalRow
from widgets.labels import show_text
from widgets.parts import make_column, make_grid, make_label
from widgets.theme import Theme

_DIGITS = 3
_LEAST_LETTERS = 8
_BY_MINIMUM = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
_USUAL = "what it goes with most"


class StudyFiguresView(QWidget):
    """Histogram, scatter, rank correlations and Sobol indices of a column that the user chooses."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._column, self._against = ElidedChoice(), ElidedChoice()
        self._column.setAccessibleName("Metric or parameter that the figures are of")
        self._against.setAccessibleName("What it is drawn against")
        for box in (self._column, self._against):  # names are long
            box.setSizeAdjustPolicy(_BY_MINIMUM)
            box.setMinimumContentsLength(_LEAST_LETTERS)
        self._words = make_label(wraps=True)
        self._figure = FigureView(theme)
        self._charts = {
            "Rank correlation, from -1 to 1": IntervalChart("Rank correlations", -1.0, 1.0),
            "First Sobol index, from 0 to 1: alone": IntervalChart("First Sobol indices", 0.0, 1.0),
            "Total Sobol index, from 0 to 1: with all that it does together with others": (
                IntervalChart("Total Sobol indices", 0.0, 1.0)
            ),
        }
        self._heads = {title: make_label(tone="muted", wraps=True) for title in self._charts}
        self._choices = QWidget()
        choices = make_grid(self._choices, shares={1: 1, 3: 1})
        for place, (word, box) in enumerate((("Of", self._column), ("against", self._against))):
            choices.addWidget(make_label(word), 0, 2 * place)
            choices.addWidget(box, 0, 2 * place + 1)
        below = [
            part for title in self._charts for part in (self._heads[title], self._charts[title])
        ]
        self.setLayout(
            make_column(
                self._choices, self._words, (self._figure, 1), *below, 0, margins=(8, 4, 8, 8)
            )
        )
        self.show_figures(None)

    @property
    def chosen(self) -> ShownColumns:
        """What the user wants to see."""
        return ShownColumns(self._column.currentData() or PASSED, self._against.currentData() or "")

    def offer(self, read: ReadStudy, wanted: ShownColumns | None = None) -> None:
        """Offer the columns of a study, metrics first, and keep what is chosen or `wanted`."""
        chosen = wanted or self.chosen
        names = column_names(read.table)
        ordered = sorted(names, key=lambda name: (name in read.table.parameters, name != PASSED))
        first = chosen.column if chosen.column in ordered else PASSED
        fill_choice(self._column, [(name, name) for name in ordered], first)
        usual = [(_USUAL, "")]
        fill_choice(self._against, usual + [(name, name) for name in names], chosen.against)

    def show_figures(self, figures: StudyFigures | None) -> None:
        """Show these from now on, None for none."""
        show_text(self._words, figures.words if figures is not None else "")
        self._choices.setVisible(figures is not None)
        self._figure.setVisible(figures is not None)
        self._figure.show_figure(figures.figure if figures is not None else None)
        metric = figures.metric if figures is not None else None
        indices = metric.indices if metric is not None else {}
        shown = (
            _rows(metric.correlations.items() if metric is not None else ()),
            _rows((name, one.first) for name, one in indices.items()),
            _rows((name, one.total) for name, one in indices.items()),
        )
        for title, rows in zip(self._charts, shown, strict=True):
            show_text(self._heads[title], f"{title}; 95 % intervals" if rows else "")
            self._charts[title].setVisible(bool(rows))
            self._charts[title].show_rows(rows)


def _rows(named: Iterable[tuple[str, Interval]]) -> Sequence[IntervalRow]:
    return [
        IntervalRow(name, one.value, one.low, one.high, interval_text(one, _DIGITS))
        for name, one in named
        if np.isfinite(one.value)
    ]
