"""Running a study: blocks of flights go out to workers, and what comes back is kept at once.

Whatever decides how a study ends is looked at in the order of the flights, so that it does not
depend on who was faster.
"""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from simulation.studies.distribution import StudyError
from simulation.studies.flight import LOST, PASSED, Drawn, Flown
from simulation.studies.flying import FlightBlock
from simulation.studies.result_folder import Journal, ResultFolder
from simulation.studies.sampling import StudySample
from simulation.studies.statistics import mean_interval
from simulation.studies.study import EarlyStop
from simulation.studies.study_table import StudyTable, TableBuilder, check_metric
from simulation.studies.workers import Taken, Workers

Progress = Callable[[int, int], None]
"""How many flights are done, and of how many."""
_BLOCK_S: Final = 0.5
"""So long a block flies: a kill loses little, and handing over costs little."""
_LARGEST_BLOCK: Final = 1000
_BLOCKS_EACH: Final = 2
"""Under way for each worker, so that it never waits."""
_MOST_DEATHS: Final = 3
_PATIENCE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class StudyEnd:
    """How a study ended: its table, and a sentence if it ended before all were flown. `deaths` are
    processes that had to be replaced."""

    table: StudyTable
    planned: int
    why: str
    deaths: int


@dataclass(slots=True)
class StudyRun:
    """One run of a study, from what its folder holds to its end."""

    sample: StudySample
    folder: ResultFolder
    workers: Workers
    progress: Progress
    tell: Callable[[str], None]
    _builder: TableBuilder = field(default_factory=TableBuilder)
    _todo: deque[int] = field(default_factory=deque)
    _alone: deque[int] = field(default_factory=deque)
    """Flights with whom processes have died too often, to be flown with nothing beside them."""
    _deaths: Counter[int] = field(default_factory=Counter)
    _under_way: int = 0
    _flight_s: float = _BLOCK_S
    _asked: int = 0
    """After how many flights it was asked whether to stop."""

    def fly(self, journal: Journal) -> StudyEnd:
        """Fly what is missing. Raises StudyError, and OSError for a disk that takes no more."""
        done = self._take_over()
        self._todo.extend(np.flatnonzero(~done).tolist())
        trouble = ""
        count, why = self._end(done)
        while count is None and (self._todo or self._alone or self._under_way):
            self._send()
            for taken in self.workers.take(_PATIENCE_S):
                self._under_way -= 1
                self._keep(taken, journal, done)
            self.progress(int(done.sum()), len(done))
            if self.workers.trouble != trouble:
                trouble = self.workers.trouble
                self.tell(trouble or "It goes on.")
            count, why = self._end(done)
        table = self._builder.table()
        counted = table if count is None else table.first(count)
        return StudyEnd(counted, len(done), why, self.workers.deaths)

    def table(self) -> StudyTable:
        """What was flown so far."""
        return self._builder.table()

    def _take_over(self) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Which flights the folder has already."""
        done = np.zeros(len(self.sample), np.bool_)
        for drawn, flown in self.folder.lines():
            is_one = drawn.index < len(done)
            if not is_one or drawn != self._drawn(drawn.index):
                raise StudyError(
                    f"Flight {drawn.index} in {self.folder.path} has drawn other values than this "
                    "version of Lapwing and SciPy draws. Give another --out to fly the study anew."
                )
            self._builder.add(drawn, flown)
            done[drawn.index] = True
        return done

    def _drawn(self, index: int) -> Drawn:
        return Drawn(index, self.sample.values(index), self.sample.seeds[index])

    # What goes out ----------------------------------------------------------------------

    def _send(self) -> None:
        while self._todo and self._under_way < _BLOCKS_EACH * self.workers.count:
            share = len(self._todo) / (_BLOCKS_EACH * self.workers.count)
            size = min(_BLOCK_S / max(self._flight_s, 1e-6), _LARGEST_BLOCK, share)
            self._submit([self._todo.popleft() for _ in range(max(1, int(size)))])
        if self._alone and not self._todo and not self._under_way:
            self._submit([self._alone.popleft()])

    def _submit(self, indices: list[int]) -> None:
        study = self.sample.study
        drawn = tuple(map(self._drawn, indices))
        self.workers.submit(FlightBlock(study.text, str(study.folder.absolute()), drawn))
        self._under_way += 1

    # What comes back --------------------------------------------------------------------

    def _keep(
        self, taken: Taken, journal: Journal, done: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    ) -> None:
        drawn = {one.index: one for one in taken.block.drawn}
        flown = taken.flown
        if flown is None:
            flown = self._give_back(sorted(drawn), died=taken.died)
        else:
            self._flight_s = sum(one.seconds for one in flown) / len(flown)
        if not flown:
            return
        journal.add(drawn, flown)
        for one in flown:
            self._builder.add(drawn[one.index], one)
            done[one.index] = True

    def _give_back(self, indices: list[int], *, died: bool) -> list[Flown]:
        """Flights that were not flown: again, alone after three deaths, and then no more."""
        if not died:
            self._todo.extendleft(reversed(indices))
            return []
        if len(indices) == 1 and self._deaths[indices[0]] > _MOST_DEATHS:
            reason = f"The process that flew it has died {_MOST_DEATHS + 2} times."
            return [Flown(indices[0], {}, LOST, reason)]
        for index in indices:
            self._deaths[index] += 1
            if self._deaths[index] >= _MOST_DEATHS:
                self._alone.append(index)
            else:
                self._todo.appendleft(index)
        self._flight_s = _BLOCK_S  # one by one, to find out with which of them it dies
        return []

    # When it ends -----------------------------------------------------------------------

    def _end(self, done: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> tuple[int | None, str]:
        """After how many flights the study ends early, and why; None while it does not."""
        in_order = len(done) if done.all() else int(np.argmin(done))
        study = self.sample.study
        most = study.gives_up_after
        if most and self._asked < most <= in_order and most < len(done):
            table = self._builder.table().first(most)
            if not table.metrics[PASSED].any():
                reason, times = Counter(table.reason.tolist()).most_common(1)[0]
                return most, f"None of the first {most} flights passed; {times} times: {reason}"
        stop = study.stop
        while stop is not None and self._asked + stop.batch <= in_order:
            self._asked += stop.batch
            if self._asked < len(done) and self._is_known(stop, self._asked):
                return self._asked, f"After {self._asked} flights {stop.metric} is known as asked."
        if stop is None:
            self._asked = in_order
        return None, ""

    def _is_known(self, stop: EarlyStop, count: int) -> bool:
        values = check_metric(self._builder.table().first(count), stop.metric)
        return mean_interval(values, stop.confidence).half_width <= stop.half_width
