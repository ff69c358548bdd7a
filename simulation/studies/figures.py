"""Figures of a study as plain data, for reports and the window: what a metric is like, what it goes
with, and which flights failed."""

import math
from typing import Final

import numpy as np

from simulation.scenarios.figure import Axes, FigureSeries, series
from simulation.studies.distribution import Numbers
from simulation.studies.flight import FAILED, OUTCOMES, PASSED
from simulation.studies.statistics import Interval
from simulation.studies.study_table import Column, StudyTable, Whole
from simulation.studies.summary import MetricSummary

MOST_POINTS: Final = 2000
"""So many flights of an outcome are drawn."""
_MOST_BARS: Final = 40


def column_names(table: StudyTable) -> list[str]:
    """What a flight can be drawn by: its parameters and metrics."""
    return [*table.parameters, *table.metrics]


def failures_first(table: StudyTable) -> Whole:
    """The rows of a table: flights that did not pass, then the others, both by their numbers."""
    rows: Whole = np.lexsort((table.index, table.metrics[PASSED]))
    return rows


def strongest(metric: MetricSummary) -> str:
    """The parameter that a metric goes with most, by its rank; "" if it goes with none."""
    known = {
        name: abs(found.value)
        for name, found in metric.correlations.items()
        if np.isfinite(found.value)
    }
    return max(known, key=known.__getitem__, default="")


def histogram(table: StudyTable, name: str, mean: Interval) -> Axes:
    """How many flights have which values of a column, with the mean and its interval if it is
    known."""
    values = _numbers(table, name)
    known = values[np.isfinite(values)]
    bars = min(_MOST_BARS, math.ceil(math.sqrt(len(known)))) or 1
    if len(known) and np.ptp(known) <= bars * np.spacing(np.abs(known).max()):
        bars = 1  # what differs by rounding alone has no width to divide
    counts, edges = np.histogram(known, bars)
    outline = np.concatenate([[0], np.repeat(counts, 2), [0]])
    top = [0.0, float(counts.max())]
    drawn = [series("flights", np.repeat(edges, 2), outline)]
    if np.isfinite(mean.value):
        drawn.append(series("mean", [mean.value] * 2, top))
    if np.isfinite(mean.half_width):
        ends = [mean.low, mean.low, math.nan, mean.high, mean.high]
        drawn.append(series("95 % interval", ends, [*top, math.nan, *top], "dashed"))
    return Axes(f"{name}, {len(known):,} flights", _label(table, name), "flights", tuple(drawn))


def scatter(table: StudyTable, across: str, up: str) -> Axes:
    """Each flight by two of its columns, the outcomes apart; of an outcome at most MOST_POINTS,
    evenly thinned out, as the title says."""
    x, y = _numbers(table, across), _numbers(table, up)
    known = np.isfinite(x) & np.isfinite(y)
    drawn: list[FigureSeries] = []
    thinned = ""
    for outcome in OUTCOMES:
        rows = np.flatnonzero(known & (table.outcome == outcome))
        stride = max(1, math.ceil(len(rows) / MOST_POINTS))
        if stride > 1:
            thinned += f", {outcome}: one in {stride} is drawn"
        if len(rows) or outcome in (PASSED, FAILED):  # which have the same colours everywhere
            drawn.append(series(outcome, x[rows][::stride], y[rows][::stride], "dots"))
    title = f"{int(known.sum()):,} flights{thinned}"
    return Axes(title, _label(table, across), _label(table, up), tuple(drawn))


def _numbers(table: StudyTable, name: str) -> Numbers:
    """A column as numbers: choices that are none by their places, which the label tells."""
    column = _column(table, name)
    if column.dtype != object:
        return column
    places = {choice: float(place) for place, choice in enumerate(_choices(column))}
    return np.array([places[str(value)] for value in column], np.float64)


def _label(table: StudyTable, name: str) -> str:
    column = _column(table, name)
    if column.dtype != object:
        return name
    told = ", ".join(f"{place}: {choice}" for place, choice in enumerate(_choices(column)))
    return f"{name} ({told})"


def _column(table: StudyTable, name: str) -> Column:
    return table.parameters[name] if name in table.parameters else table.metrics[name]


def _choices(column: Column) -> list[str]:
    return sorted({str(value) for value in column})
