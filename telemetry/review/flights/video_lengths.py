"""Video lengths of a flight, read from the files where nobody has opened them yet."""

from concurrent.futures import Executor, Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.reader import open_video
from telemetry.review.flights.flight import Flight
from telemetry.vehicle.vehicle import Vehicle

_Files = tuple[Path, ...]


class VideoLengths:
    """Has the lengths of one flight's videos read, one at a time. For the GUI thread."""

    def __init__(self) -> None:
        self._asked: set[_Files] = set()
        self._job: tuple[_Files, Future[float | None]] | None = None

    def poll(self, flight: Flight, jobs: Executor) -> None:
        """Take what a job has read into the flight; begin with the next video that is synchronised
        and of unknown length."""
        if self._job is not None:
            files, future = self._job
            if not future.done():
                return
            self._job = None
            _take(flight, files, future.result())
        for video in flight.videos:
            is_known = video.sync is None or video.duration_s is not None or video.problem
            if not is_known and video.files not in self._asked:
                self._asked.add(video.files)
                self._job = video.files, jobs.submit(_length_s, video.files)
                return


def _take(flight: Flight, files: _Files, length_s: float | None) -> None:
    for video in flight.videos:
        if video.files == files and video.duration_s is None and length_s is not None:
            flight.replace_video(video.name, replace(video, duration_s=length_s))


def _length_s(files: _Files) -> float | None:
    """None where a file cannot be read, which is told by who wants to show it."""
    try:
        with closing(open_video(files)) as source:
            return source.duration_s
    except VideoError:
        return None


def video_lengths_of(vehicle: Vehicle) -> VideoLengths:
    """Those of this vehicle's flight, the same for everybody who asks."""
    return vehicle.attachment("flight.video_lengths", VideoLengths)
