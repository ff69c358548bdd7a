"""Ending of a study before all of its flights are flown: whether, and after which of them.

It is asked in the order of the flights, from the first on, so that the answer depends neither on
who was faster nor on when a study was interrupted. Whoever reads a result asks the same.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simulation.studies.flight import PASSED
from simulation.studies.result_folder import ResultFolder
from simulation.studies.sampling import flight_count
from simulation.studies.statistics import mean_interval
from simulation.studies.study import EarlyStop, Study
from simulation.studies.study_table import StudyTable, TableBuilder


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """So many flights count, and why no more; a study that `gave_up` has failed."""

    count: int
    why: str
    gave_up: bool = False


class EndJudge:
    """Asks one study, again and again while it grows."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._planned = flight_count(study)
        self._asked = 0

    def ask(self, builder: TableBuilder) -> EarlyEnd | None:
        """Where it ends early by the flights that are there without a gap, None if it goes on."""
        in_order = builder.count_in_order
        asked, self._asked = self._asked, in_order
        counts = list(self._counts(asked, min(in_order, self._planned - 1)))
        if not counts:
            return None
        table = builder.table(in_order)
        found = (self._at(table, count) for count in counts)
        return next((end for end in found if end is not None), None)

    def _counts(self, after: int, until: int) -> Iterator[int]:
        """After how many flights something is asked, in their order."""
        stop, most = self._study.stop, self._study.gives_up_after
        asked = set(range(stop.batch, until + 1, stop.batch)) if stop is not None else set()
        yield from sorted(count for count in asked | {most} if after < count <= until)

    def _at(self, table: StudyTable, count: int) -> EarlyEnd | None:
        stop = self._study.stop
        if count == self._study.gives_up_after and not table.metrics[PASSED][:count].any():
            reason, times = Counter(table.reason[:count].tolist()).most_common(1)[0]
            why = f"None of the first {count} flights passed; {times} times: {reason}"
            return EarlyEnd(count, why, gave_up=True)
        if stop is not None and count % stop.batch == 0 and _is_known(table, stop, count):
            return EarlyEnd(count, f"After {count} flights {stop.metric} is known as asked.")
        return None


def _is_known(table: StudyTable, stop: EarlyStop, count: int) -> bool:
    """Numbers without any spread say nothing of how sure they are."""
    values = table.metrics.get(stop.metric, np.zeros(0))[:count]
    is_share = stop.metric == PASSED
    if not is_share and len(np.unique(values[np.isfinite(values)])) < 2:
        return False
    found = mean_interval(values, stop.confidence, is_share=is_share)
    return found.half_width <= stop.half_width


def read_table(folder: ResultFolder) -> StudyTable:
    """What counts of what was flown so far, by the journal. Raises StudyError."""
    builder = TableBuilder()
    for drawn, flown in folder.lines():
        builder.add(drawn, flown)
    end = EndJudge(folder.study).ask(builder)
    return builder.table(end.count if end is not None else None)
