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
from simulation.studies.ending import EarlyEnd, EndJudge
from simulation.studies.flight import LOST, Drawn, Flown
from simulation.studies.flying import FlightBlock
from simulation.studies.result_folder import Journal, ResultFolder
from simulation.studies.sampling import StudySample
from simulation.studies.study_table import StudyTable, TableBuilder
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
    """How a study ended: the table of what counts, and whether it ended `early`. `deaths` are
    processes that had to be replaced."""

    table: StudyTable
    planned: int
    early: EarlyEnd | None
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

    def fly(self, journal: Journal) -> StudyEnd:
        """Fly what is missing. Raises StudyError, and OSError for a disk that takes no more."""
        done = self._take_over()
        self._todo.extend(np.flatnonzero(~done).tolist())
        trouble, judge = "", EndJudge(self.sample.study)
        end = judge.ask(self._builder)
        while end is None and (self._todo or self._alone or self._under_way):
            self._send()
            for taken in self.workers.take(_PATIENCE_S):
                self._under_way -= 1
                self._keep(taken, journal, done)
            self.progress(int(done.sum()), len(done))
            if self.workers.trouble != trouble:
                trouble = self.workers.trouble
                self.tell(trouble or "It goes on.")
            end = judge.ask(self._builder)
        table = self._builder.table(end.count if end is not None else None)
        return StudyEnd(table, len(done), end, self.workers.deaths)

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
        if self._alone:
            if not self._under_way:
                self._submit([self._alone.popleft()])
            return
        while self._todo and self._under_way < _BLOCKS_EACH * self.workers.count:
            share = len(self._todo) / (_BLOCKS_EACH * self.workers.count)
            size = min(_BLOCK_S / max(self._flight_s, 1e-6), _LARGEST_BLOCK, share)
            self._submit([self._todo.popleft() for _ in range(max(1, int(size)))])

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
