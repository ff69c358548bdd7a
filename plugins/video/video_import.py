"""Video import: videos taken into a flight, read by a job, so that a slow card holds nothing up."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from telemetry.base.unused_names import unused_name
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.reader import open_video
from telemetry.review.flights.file_kind import VIDEO_PATTERNS
from telemetry.review.flights.file_reference import whole_path
from telemetry.review.flights.flight import Flight, FlightVideo

Files = tuple[Path, ...]


class VideoImport:
    """Adds videos to a flight, or files to a video that misses its own. For the GUI thread."""

    def __init__(self, jobs: Executor, say: Callable[[str], None]) -> None:
        self._jobs = jobs
        self._say = say
        self._running: list[tuple[Future[list[Files]], Callable[[list[Files]], None]]] = []

    def add(self, flight: Flight, files: Iterable[Path], on_added: Callable[[str], None]) -> None:
        """Take these in; the files of a loop recording become one video. `on_added` is told the
        name of the first one."""
        paths = sorted(whole_path(path) for path in files)
        job = self._jobs.submit(_look_into, paths)
        self._running.append((job, partial(_take, flight, on_added)))

    def replace_files(self, flight: Flight, name: str, files: Iterable[Path]) -> None:
        """Have a video of the flight read from these files."""
        paths = sorted(whole_path(path) for path in files)

        def take(_media: list[Files]) -> None:
            video = flight.video(name)
            if video is not None:
                flight.replace_video(name, replace(video, files=tuple(paths), problem=""))

        self._running.append((self._jobs.submit(_open, paths), take))

    def poll(self) -> None:
        """Take over what has been looked into; call it on the tick."""
        for job in [job for job in self._running if job[0].done()]:
            self._running.remove(job)
            future, take = job
            error = None if future.cancelled() else future.exception()
            if isinstance(error, VideoError):
                self._say(str(error))
            elif not future.cancelled():
                take(future.result())


def _open(files: Sequence[Path]) -> list[Files]:
    """See that there is something in them. Raises VideoError."""
    open_video(files).close()
    return [tuple(files)]


def _look_into(files: Sequence[Path]) -> list[Files]:
    """The media that these files are. Raises VideoError where one of them shows nothing."""
    from telemetry.review.flights.matching.facts import read_video_facts
    from telemetry.review.flights.matching.loop_recordings import group_loops

    return [medium.files for medium in group_loops([read_video_facts(file) for file in files])]


def _take(flight: Flight, on_added: Callable[[str], None], media: list[Files]) -> None:
    names = []
    for files in media:
        present = next((video for video in flight.videos if video.files == files), None)
        if present is None:
            present = FlightVideo(
                unused_name(files[0].name, [video.name for video in flight.videos]), files
            )
            flight.videos = (*flight.videos, present)
        names.append(present.name)
    on_added(names[0])


def videos_among(files: Iterable[Path]) -> list[Path]:
    """Those that are videos by their names; the disk is not looked at."""
    patterns = VIDEO_PATTERNS.split()
    return [file for file in files if any(fnmatch(file.name.lower(), one) for one in patterns)]
