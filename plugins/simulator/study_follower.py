"""Study follower: keeps the table and the figures of a result folder up to date, by jobs."""

from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Final

from plugins.simulator.study_reading import (
    ReadStudy,
    ShownColumns,
    StudyFigures,
    StudyReading,
    make_figures,
)
from telemetry.base.clock import monotonic_s

_EVERY_S: Final = 1.0
_REST: Final = 3.0
"""So many times as long as they took, what is shown stays as it is."""


class StudyFollower:
    """Follows one folder. Call `poll` and `poll_figures` at every refresh. While the window shows
    what is new no job of it runs, for which it would have to wait at every turn."""

    def __init__(self, path: Path, jobs: Executor) -> None:
        self.path = path
        self.read: ReadStudy | None = None
        """What was read last."""
        self._jobs = jobs
        self._reading = StudyReading(path)
        self._reads: Future[ReadStudy | None] | None = None
        self._has_failed = False
        self._begun_s = 0.0
        self._figures: Future[StudyFigures | None] | None = None
        self._drawn: tuple[ReadStudy, ShownColumns] | None = None
        self._drawn_s, self._took_s = 0.0, 0.0

    def poll(self) -> ReadStudy | None:
        """What is new. Raises ValueError and OSError for what cannot be read, once."""
        if self._reads is not None:
            return self._taken()
        is_urgent = self.read is None or self.read.has_more
        is_due = is_urgent or monotonic_s() - self._begun_s > _EVERY_S
        if is_due and self._figures is None and not self._has_failed:
            self._begun_s = monotonic_s()
            self._reads = self._jobs.submit(self._reading.read)
        return None

    def poll_figures(self, shown: ShownColumns) -> StudyFigures | None:
        """The figures of these columns where they are new."""
        found = None
        if self._figures is not None and self._figures.done():
            done, self._figures = self._figures, None
            self._took_s = monotonic_s() - self._drawn_s
            found = done.result()
        read = self.read
        if read is not None and len(read.table) and not read.has_more and found is None:
            self._draw(read, shown)
        return found

    def _taken(self) -> ReadStudy | None:
        assert self._reads is not None
        if not self._reads.done():
            return None
        done, self._reads = self._reads, None
        try:
            found = done.result()
        except (ValueError, OSError):
            self._has_failed = True
            raise
        self.read = found or self.read
        return found

    def _draw(self, read: ReadStudy, shown: ShownColumns) -> None:
        if self._reads is not None or self._figures is not None:
            return
        is_same = self._drawn is not None and self._drawn[1] == shown
        is_early = monotonic_s() - self._drawn_s < max(_EVERY_S, _REST * self._took_s)
        if self._drawn == (read, shown) or (is_same and is_early):
            return
        self._drawn, self._drawn_s = (read, shown), monotonic_s()
        self._figures = self._jobs.submit(make_figures, read, shown)
