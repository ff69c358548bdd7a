"""Video export of a flight: the picture of one of its videos, and views of the station beside it.

Each frame of the video becomes one frame, at its own time, and its sound stays; the views show the
flight as it was then. Without a video the views are shown alone. Views are drawn here, in the
thread of the widgets; another one, which never lags far behind, decodes the video, puts each frame
together and has it encoded, in the colours that videos are coded in from end to end.
"""

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from app.video.arrangement import Arrangement, arrange
from app.video.views import DrawnView, ViewSpace
from app.workspaces.workspace import PanelPlace
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.recording.video_files.yuv_picture import YuvPicture
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.playback.sound import SoundTrack, open_sound
from telemetry.vehicle.vehicle import Vehicle

_RATE_HZ = 30.0
_FRAMES_AHEAD = 8
_FRAMES_BETWEEN_EVENTS = 8

Progress = Callable[[float, float], None]
"""Told how many seconds of how many are done; whatever it raises ends the export, and the file that
was begun is removed."""


@dataclass(frozen=True, slots=True)
class VideoExportRequest:
    """What is wanted. `views` are panels with their settings; times are those of the flight, None
    leaving an end open. `encoder` is FFmpeg's name, "" for the usual one of the file's suffix.
    """

    path: Path
    video: FlightVideo | None
    views: Sequence[PanelPlace]
    size: tuple[int, int] = (1280, 720)
    start_s: float | None = None
    end_s: float | None = None
    encoder: str = ""
    progress: Progress = lambda _done, _total: None


@dataclass(frozen=True, slots=True)
class _Frame:
    """When a frame is shown in the new video, how long, and when it was in the flight and in the
    old video."""

    written_s: float
    lasts_s: float
    flight_s: float
    video_s: float


def export_video(request: VideoExportRequest, vehicle: Vehicle, shared: ViewSpace) -> int:
    """Write the video and return its frames. Raises VideoError and what `progress` raises; the
    file is then removed. For the GUI thread."""
    with ExitStack() as resources:
        film = resources.enter_context(closing(_Film(request.video))) if request.video else None
        frames = _frames(request, vehicle, film)
        if not frames:
            raise VideoError("Nothing was filmed or recorded in that span. Give another one.")
        sound_hz = film.sound_hz if film else 0
        encoding = VideoEncoding(request.size, _rate(frames), request.encoder, sound_hz=sound_hz)
        writer = resources.enter_context(VideoWriter(request.path, encoding))
        arrangement = arrange(request.size, film.size if film else None, len(request.views))
        views = _open_views(request.views, arrangement.views, shared, resources)
        composer = _Composer(film, arrangement, writer)
        worker = resources.enter_context(_Worker())
        for number, frame in enumerate(frames):
            request.progress(frame.written_s, frames[-1].written_s)
            vehicle.timeline.seek(frame.flight_s)
            worker.put(composer.write, frame, [view.drawn(frame.flight_s) for view in views])
            if number % _FRAMES_BETWEEN_EVENTS == 0:
                QApplication.processEvents()
        request.progress(frames[-1].written_s, frames[-1].written_s)
    return len(frames)


def _open_views(
    places: Sequence[PanelPlace],
    spaces: Sequence[QRect],
    shared: ViewSpace,
    resources: ExitStack,
) -> list[DrawnView]:
    return [
        resources.enter_context(closing(DrawnView(place, space, shared)))
        for place, space in zip(places, spaces, strict=True)
    ]


def _frames(request: VideoExportRequest, vehicle: Vehicle, film: "_Film | None") -> list[_Frame]:
    """Every frame of the video within the span, or, without a video, 30 a second."""
    recording = vehicle.recording
    start_s = recording.first_s if request.start_s is None else request.start_s
    end_s = recording.last_s if request.end_s is None else request.end_s
    if film is not None:
        return film.frames(start_s, end_s)
    times = (n / _RATE_HZ for n in range(int((end_s - start_s) * _RATE_HZ + 1e-6) + 1))
    return [_Frame(t, 1.0 / _RATE_HZ, start_s + t, t) for t in times]


def _rate(frames: Sequence[_Frame]) -> float:
    """Frames a second, of which containers with a fixed rate make use."""
    return round(1.0 / float(np.median([frame.lasts_s for frame in frames])), 3)


class _Film:
    """A video of the flight: its pictures and, if it has any, its sound."""

    def __init__(self, video: FlightVideo) -> None:
        if video.sync is None:
            raise VideoError(
                f"{video.name} is not synchronised yet. Synchronise it in its view, or by "
                "'lapwing sync'."
            )
        self._sync = video.sync
        self._source = open_video(video.files)
        self._sound: SoundTrack | None = None
        with suppress(VideoError):  # many have none
            self._sound = open_sound(video.files)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._source.size

    @property
    def sound_hz(self) -> int:
        """Samples of sound a second; 0 without sound."""
        return self._sound.rate_hz if self._sound is not None else 0

    def frames(self, start_s: float, end_s: float) -> list[_Frame]:
        """The frames taken between two times of the flight."""
        times = [*self._source.times().tolist(), self._source.duration_s]
        first_s: float | None = None
        found = []
        for video_s, next_s in itertools.pairwise(times):
            flight_s = self._sync.flight_s(video_s)
            if flight_s is not None and start_s <= flight_s <= end_s:
                first_s = video_s if first_s is None else first_s
                found.append(_Frame(video_s - first_s, next_s - video_s, flight_s, video_s))
        return found

    def picture(self, frame: _Frame, size: tuple[int, int]) -> YuvPicture | None:
        """What it shows, scaled; None where it cannot be read."""
        return self._source.yuv_at(frame.video_s, size)

    def sound(self, frame: _Frame) -> npt.NDArray[np.float32]:
        """What is heard while a frame is shown."""
        if self._sound is None:
            return np.empty(0, np.float32)
        return self._sound.samples(frame.video_s, frame.video_s + frame.lasts_s).samples

    def close(self) -> None:
        """Let go of the files."""
        self._source.close()
        if self._sound is not None:
            self._sound.close()


class _Composer:
    """Puts each frame together and has it encoded; what has not changed stays. For one thread."""

    def __init__(self, film: _Film | None, arrangement: Arrangement, writer: VideoWriter) -> None:
        self._film, self._arrangement, self._writer = film, arrangement, writer
        self._canvas = YuvPicture.black(writer.encoding.size)

    def write(self, frame: _Frame, views: Sequence[YuvPicture | None]) -> None:
        """Add a frame with its sound; `views` that are None are as they were. Black where the film
        has no picture, rather than one of another time."""
        film, space = self._film, self._arrangement.picture
        if film is not None and space is not None:
            size = (space.width(), space.height())
            picture = film.picture(frame, size) or YuvPicture.black(size)
            self._canvas.paste(picture, space.left(), space.top())
        for view, place in zip(views, self._arrangement.views, strict=True):
            if view is not None:
                self._canvas.paste(view, place.left(), place.top())
        self._writer.frame(self._canvas.pixels, frame.written_s)
        if film is not None:
            self._writer.sound(film.sound(frame))


class _Worker:
    """Works in a thread of its own, a few frames behind; what fails there is raised here."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="encoder")
        self._under_way: list[Future[None]] = []

    def put(self, work: Callable[..., None], *what: Any) -> None:
        """Have something done; wait if too much is."""
        self._under_way.append(self._thread.submit(work, *what))
        if len(self._under_way) > _FRAMES_AHEAD:
            self._under_way.pop(0).result()

    def __enter__(self) -> "_Worker":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        self._thread.shutdown(wait=True, cancel_futures=kind is not None)
        if kind is None:
            for future in self._under_way:
                future.result()
