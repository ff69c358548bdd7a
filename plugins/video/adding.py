"""Taking videos into a flight: looked into by a job, so that a slow card holds nothing up."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path

from telemetry.flights.flight import Flight, FlightVideo
from telemetry.video.reader import open_video
from telemetry.video.source import VideoError

SUFFIXES = (".avi", ".mp4", ".mov", ".mkv", ".m4v", ".mts", ".ts", ".mpg", ".webm", ".lrv")


class VideoAdding:
    """Adds videos to a flight, or files to a video that misses its own. For the GUI thread."""

    def __init__(self, jobs: Executor, say: Callable[[str], None]) -> None:
        self._jobs = jobs
        self._say = say
        self._running: list[tuple[Future[None], Callable[[], None]]] = []

    @property
    def is_busy(self) -> bool:
        """Whether files are being looked into."""
        return bool(self._running)

    def add(self, flight: Flight, files: Sequence[Path], on_added: Callable[[str], None]) -> None:
        """Take these files in as one video; `on_added` is told its name."""

        def take() -> None:
            name = unused_name(flight, files[0].name)
            flight.videos = (*flight.videos, FlightVideo(name, tuple(files)))
            on_added(name)

        self._submit(files, take)

    def replace_files(self, flight: Flight, name: str, files: Sequence[Path]) -> None:
        """Have a video of the flight read from these files."""

        def take() -> None:
            video = flight.video(name)
            if video is not None:
                flight.replace_video(name, replace(video, files=tuple(files), problem=""))

        self._submit(files, take)

    def poll(self) -> None:
        """Take over what has been looked into; call it on the tick."""
        for job in [job for job in self._running if job[0].done()]:
            self._running.remove(job)
            future, take = job
            if future.cancelled():
                continue
            error = future.exception()
            if error is None:
                take()
            elif isinstance(error, VideoError):
                self._say(str(error))
            else:
                raise error

    def _submit(self, files: Sequence[Path], take: Callable[[], None]) -> None:
        self._running.append((self._jobs.submit(_probe, tuple(files)), take))


def _probe(files: tuple[Path, ...]) -> None:
    """Raises VideoError where there is nothing to be seen in these files."""
    open_video(files).close()


def videos_among(files: Iterable[Path]) -> list[Path]:
    """Those that are videos by their names, in order of their names."""
    return sorted(file for file in files if file.suffix.lower() in SUFFIXES)


def unused_name(flight: Flight, name: str) -> str:
    """This name, with a number if a video of the flight has it."""
    taken, number, unused = {video.name for video in flight.videos}, 2, name
    while unused in taken:
        unused, number = f"{name} ({number})", number + 1
    return unused
