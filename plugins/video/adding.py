"""Taking videos into a flight: looked into by a job, so that a slow card holds nothing up."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from telemetry.flights.file_kind import VIDEO_PATTERNS
from telemetry.flights.file_reference import whole_path
from telemetry.flights.flight import Flight, FlightVideo
from telemetry.video.reader import open_video
from telemetry.video.report import VideoReport
from telemetry.video.source import VideoError

Files = tuple[Path, ...]

_LONGEST_BORDER_S = 5.0
"""The files of a loop recording follow each other within so much."""


class VideoAdding:
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

        self._running.append((self._jobs.submit(_look_into, paths), take))

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


def _look_into(files: Sequence[Path]) -> list[Files]:
    """The media that these files are. Raises VideoError where one of them shows nothing."""
    reports = []
    for file in files:
        with closing(open_video([file])) as reader:
            reports.append(reader.report)
    return media_of(reports)


def media_of(reports: Iterable[VideoReport]) -> list[Files]:
    """Files each of which begins where the one before it ends are one medium: a camera's loop
    recording. Where no beginning is known, each file is one by itself."""
    media: list[list[VideoReport]] = []
    for report in reports:
        if media and _goes_on(media[-1][-1], report):
            media[-1].append(report)
        else:
            media.append([report])
    return [tuple(file for report in medium for file in report.files) for medium in media]


def _goes_on(before: VideoReport, after: VideoReport) -> bool:
    if before.started is None or after.started is None:
        return False
    if (before.started.tzinfo is None) != (after.started.tzinfo is None):
        return False
    gap = after.started - before.started - timedelta(seconds=before.duration_s)
    return abs(gap.total_seconds()) <= _LONGEST_BORDER_S and before.size == after.size


def _take(flight: Flight, on_added: Callable[[str], None], media: list[Files]) -> None:
    names = []
    for files in media:
        present = next((video for video in flight.videos if video.files == files), None)
        if present is None:
            present = FlightVideo(unused_name(flight, files[0].name), files)
            flight.videos = (*flight.videos, present)
        names.append(present.name)
    on_added(names[0])


def videos_among(files: Iterable[Path]) -> list[Path]:
    """Those that are videos by their names; the disk is not looked at."""
    patterns = VIDEO_PATTERNS.split()
    return [file for file in files if any(fnmatch(file.name.lower(), one) for one in patterns)]


def unused_name(flight: Flight, name: str) -> str:
    """This name, with a number if a video of the flight has it."""
    taken, number, unused = {video.name for video in flight.videos}, 2, name
    while unused in taken:
        unused, number = f"{name} ({number})", number + 1
    return unused
