"""Calibrating a lens: a job with progress, and what it found."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import TYPE_CHECKING

from plugins.video.search_progress import SearchProgress
from telemetry.video.camera_recorder import LiveFrame
from telemetry.video.chessboard import Chessboard, Pixels
from telemetry.video.source import VideoError

if TYPE_CHECKING:
    from telemetry.video.lens_calibration import LensCalibration

Film = Callable[[], Iterator[tuple[float, Pixels]]]


class LensSearch:
    """One calibration at a time, in the job pool. For the GUI thread."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._progress = SearchProgress()
        self._running: Future[LensCalibration | str] | None = None
        self.found: LensCalibration | None = None
        self.reason = ""
        """Why nothing was found."""

    @property
    def is_running(self) -> bool:
        """Whether it is still looking."""
        return self._running is not None

    @property
    def share(self) -> float:
        """How much of the work is done, 0 to 1."""
        return self._progress.share

    def start_with_file(self, path: Path, board: Chessboard) -> None:
        """Look for the board in a film."""
        self._start(lambda: _film_of_file(path), board)

    def start_with_camera(self, newest: Callable[[], LiveFrame | None], board: Chessboard) -> None:
        """Look for it in what a live camera sends."""
        self._start(lambda: _film_of_camera(newest), board)

    def cancel(self) -> None:
        """Give up, and forget what was found."""
        self._progress.is_cancelled.set()
        self._running, self.found, self.reason = None, None, ""

    def poll(self) -> None:
        """Take over what was found; call it on the tick."""
        if self._running is None or not self._running.done():
            return
        outcome, self._running = self._running.result(), None
        if isinstance(outcome, str):
            self.reason = outcome
        else:
            self.found = outcome

    def _start(self, film: Film, board: Chessboard) -> None:
        self.cancel()
        self._progress = SearchProgress()
        self._running = self._jobs.submit(_calibrate, film, board, self._progress)


def _calibrate(film: Film, board: Chessboard, progress: SearchProgress) -> "LensCalibration | str":
    from telemetry.video.lens_calibration import LensCalibrationError, calibrate_lens

    try:
        return calibrate_lens(film(), board, progress.tell, progress.is_cancelled.is_set)
    except (LensCalibrationError, VideoError) as error:
        return str(error)


def _film_of_file(path: Path) -> Iterator[tuple[float, Pixels]]:
    from telemetry.video.lens_calibration import film_of
    from telemetry.video.reader import open_video

    source = open_video([path])
    try:
        yield from film_of(source)
    finally:
        source.close()


def _film_of_camera(newest: Callable[[], LiveFrame | None]) -> Iterator[tuple[float, Pixels]]:
    from telemetry.video.lens_calibration import film_now

    return film_now(newest)
