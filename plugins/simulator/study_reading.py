"""Study reading in jobs: the table of a result folder as it grows, and the figures of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.scenarios.figure import Figure
from simulation.studies.ending import EndJudge
from simulation.studies.figures import column_names, histogram, scatter, strongest
from simulation.studies.flight import OUTCOMES
from simulation.studies.result_folder import JournalReading, ResultFolder, open_result
from simulation.studies.sampling import flight_count
from simulation.studies.statistics import mean_interval, without_ends
from simulation.studies.study import Study
from simulation.studies.study_table import StudyTable, TableBuilder
from simulation.studies.summary import MetricSummary, interval_text, summarise_metric
from telemetry.base.clock import monotonic_s

_SLICE_S: Final = 0.7
"""After so long a job shows what it has read."""
_LINES: Final = 500


@dataclass(frozen=True, slots=True, eq=False)
class ReadStudy:
    """What was read so far. `severity` (n,) is how bad the outcome of each flight is, by OUTCOMES;
    `has_more` says that there is more to be read at once."""

    study: Study
    planned: int
    table: StudyTable
    severity: npt.NDArray[np.int8]
    outcomes: Mapping[str, int]
    has_more: bool

    @property
    def words(self) -> str:
        """How many flights came out how."""
        ends = ", ".join(f"{n:,} {word}" for word, n in self.outcomes.items())
        return f"{len(self.table):,} of {self.planned:,} flights{': ' if ends else ''}{ends}"


class StudyReading:
    """Reads a result folder on. `read` is for one job at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder: ResultFolder | None = None
        self._journal: JournalReading | None = None
        self._builder = TableBuilder()

    def read(self) -> ReadStudy | None:
        """What is in it by now, None if that is what was read before. Raises StudyError and
        ParameterError."""
        is_first = self._folder is None
        if self._folder is None or self._journal is None:
            self._folder = open_result(self.path)
            self._journal = JournalReading(self._folder)
        before = len(self._builder)
        has_more = self._read_on(self._journal)
        if not is_first and len(self._builder) == before:
            return None
        study, end = self._folder.study, None if has_more else EndJudge(self._folder.study)
        early = end.ask(self._builder) if end is not None else None
        table = self._builder.table(early.count if early is not None else None)
        numbers = {outcome: number for number, outcome in enumerate(OUTCOMES)}
        severity = np.array([numbers[one] for one in table.outcome], np.int8)
        counted = Counter(table.outcome.tolist())
        outcomes = {outcome: counted[outcome] for outcome in OUTCOMES if counted[outcome]}
        return ReadStudy(study, flight_count(study), table, severity, outcomes, has_more)

    def _read_on(self, journal: JournalReading) -> bool:
        until_s = monotonic_s() + _SLICE_S
        lines = journal.lines()
        while monotonic_s() < until_s:
            part = list(islice(lines, _LINES))
            for drawn, flown in part:
                self._builder.add(drawn, flown)
            if len(part) < _LINES:
                return False
        return True


@dataclass(frozen=True, slots=True)
class ShownColumns:
    """What the figures are of: a column, and what it is drawn against, "" for the parameter that it
    goes with most."""

    column: str
    against: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class StudyFigures:
    """Figures of one column; `metric` is None for a parameter, which goes with nothing."""

    shown: ShownColumns
    figure: Figure
    words: str
    metric: MetricSummary | None


def make_figures(read: ReadStudy, shown: ShownColumns) -> StudyFigures | None:
    """The figures of a study, None if no flight has the column."""
    table, names = read.table, column_names(read.table)
    if shown.column not in names:
        return None
    if shown.column in table.metrics:
        metric = summarise_metric(read.study, table, shown.column)
        mean = metric.mean
    else:
        metric, column = None, table.parameters[shown.column]
        mean = without_ends(mean_interval(np.zeros(0) if column.dtype == object else column))
    against = shown.against if shown.against in names else ""
    against = against or (strongest(metric) if metric is not None else "") or names[0]
    axes = (histogram(table, shown.column, mean), scatter(table, against, shown.column))
    said = ", 95 % interval" if np.isfinite(mean.half_width) else ""
    words = f"Mean {interval_text(mean)}{said}" if mean.count else ""
    return StudyFigures(
        ShownColumns(shown.column, against), Figure(shown.column, axes), words, metric
    )
