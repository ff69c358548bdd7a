"""Lens calibration job, with progress, and what it found."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from plugins.video.search_job import SearchJob, SearchProgress
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.cameras.camera_recorder import LiveFrame
from telemetry.review.cameras.chessboard import Chessboard, Pixels

if TYPE_CHECKING:
    from telemetry.review.cameras.lens_calibration import LensCalibration

Film = Callable[[], Iterator[tuple[float, Pixels]]]


class LensSearch:
    """One calibration at a time, in the job pool. For the GUI thread."""

    def __init__(self, jobs: Executor) -> None:
        self.job: SearchJob[LensCalibration | str] = SearchJob(jobs)
        self.found: LensCalibration | None = None
        self.reason = ""
        """Why nothing was found."""

    def start_with_file(self, path: Path, board: Chessboard) -> None:
        """Look for the board in a film."""
        self._start(lambda: _film_of_file(path), board)

    def start_with_camera(self, newest: Callable[[], LiveFrame | None], board: Chessboard) -> None:
        """Look for it in what a live camera sends."""
        self._start(lambda: _film_of_camera(newest), board)

    def cancel(self) -> None:
        """Give up, and forget what was found."""
        self.job.cancel()
        self.found, self.reason = None, ""

    def poll(self) -> None:
        """Take over what was found; call it on the tick."""
        outcome = self.job.outcome()
        if isinstance(outcome, str):
            self.reason = outcome
        elif outcome is not None:
            self.found = outcome

    def _start(self, film: Film, board: Chessboard) -> None:
        self.cancel()
        self.job.start(lambda progress: _calibrate(film, board, progress))


def _calibrate(film: Film, board: Chessboard, progress: SearchProgress) -> "LensCalibration | str":
    from telemetry.review.cameras.lens_calibration import LensCalibrationError, calibrate_lens

    try:
        return calibrate_lens(film(), board, progress.tell, progress.is_cancelled.is_set)
    except (LensCalibrationError, VideoError) as error:
        return str(error)


def _film_of_file(path: Path) -> Iterator[tuple[float, Pixels]]:
    from telemetry.recording.video_files.reader import open_video
    from telemetry.review.cameras.lens_calibration import film_of

    with closing(open_video([path])) as source:
        yield from film_of(source)


def _film_of_camera(newest: Callable[[], LiveFrame | None]) -> Iterator[tuple[float, Pixels]]:
    from telemetry.review.cameras.lens_calibration import film_now

    return film_now(newest)
