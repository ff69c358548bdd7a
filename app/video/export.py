"""Writes a flight as a video: the picture of one of its videos, and views of the station beside it.

Each frame of the video becomes one frame, at its own time, and its sound stays; the views show the
flight as it was then. Without a video the views are shown alone. Frames are drawn here, in the
thread of the widgets, and encoded in another one that never lags far behind.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from app.video.arrangement import arrange
from app.video.views import DrawnView, ViewSpace
from app.workspaces import PanelPlace
from telemetry.flights.flight import FlightVideo
from telemetry.flights.sync import Sync
from telemetry.vehicle.vehicle import Vehicle
from telemetry.video.reader import open_video
from telemetry.video.source import FrameSource, VideoError, VideoFrame
from telemetry.video.writer import VideoEncoding, VideoWriter

_RATE_HZ = 30.0
_FRAMES_AHEAD = 4
_SOUND_BLOCK_S = 0.5

Pixels = npt.NDArray[np.uint8]
Progress = Callable[[float, float], None]
"""Told how many seconds of how many are done; may raise VideoExportCancelled."""


class VideoExportCancelled(Exception):  # noqa: N818 - reads as what happened
    """The user has changed their mind; the file that was begun is removed."""


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
    """When a frame stands in the new video, in the flight, and in the old video."""

    written_s: float
    flight_s: float
    video_s: float | None


def export_video(request: VideoExportRequest, vehicle: Vehicle, shared: ViewSpace) -> int:
    """Write the video and return its frames. Raises VideoError and what `progress` raises; the
    file is then removed. For the GUI thread."""
    with ExitStack() as resources:
        source = None
        if request.video is not None:
            source = resources.enter_context(closing(open_video(request.video.files)))
        frames = list(_frames(request, vehicle, source))
        if not frames:
            raise VideoError("Nothing was filmed or recorded in that span. Give another one.")
        picture = source.size if source is not None else None
        arrangement = arrange(request.size, picture, len(request.views))
        views = [
            DrawnView(place, space, shared)
            for place, space in zip(request.views, arrangement.views, strict=True)
        ]
        for view in views:
            resources.callback(view.close)
        encoding = VideoEncoding(request.size, _rate(frames), request.encoder)
        writer = resources.enter_context(VideoWriter(request.path, encoding))
        encoder = resources.enter_context(_Encoder(writer))
        canvas = _Canvas(request.size, arrangement.picture, views, vehicle)
        for number, frame in enumerate(frames):
            request.progress(frame.written_s, frames[-1].written_s)
            found = source.frame_at(frame.video_s) if source and frame.video_s is not None else None
            encoder.put(canvas.drawn(frame.flight_s, found), frame.written_s)
            if number % 8 == 0:
                QApplication.processEvents()
        request.progress(frames[-1].written_s, frames[-1].written_s)
    return len(frames)


def _frames(
    request: VideoExportRequest, vehicle: Vehicle, source: FrameSource | None
) -> Iterator[_Frame]:
    """Every frame of the video within the span, or, without a video, 30 a second."""
    recording = vehicle.recording
    start_s = recording.first_s if request.start_s is None else request.start_s
    end_s = recording.last_s if request.end_s is None else request.end_s
    if source is None or request.video is None:
        for number in range(int((end_s - start_s) * _RATE_HZ + 1e-6) + 1):
            yield _Frame(number / _RATE_HZ, start_s + number / _RATE_HZ, None)
        return
    sync = request.video.sync
    if sync is None:
        raise VideoError(
            f"{request.video.name} is not synchronised yet. Synchronise it in its view, or by "
            "'lapwing sync'."
        )
    yield from _filmed(source, sync, (start_s, end_s))


def _filmed(source: FrameSource, sync: Sync, span: tuple[float, float]) -> Iterator[_Frame]:
    first_s: float | None = None
    for video_s in source.times().tolist():
        flight_s = sync.flight_s(video_s)
        if flight_s is not None and span[0] <= flight_s <= span[1]:
            first_s = video_s if first_s is None else first_s
            yield _Frame(video_s - first_s, flight_s, video_s)


def _rate(frames: Sequence[_Frame]) -> float:
    """Frames a second, of which containers with a fixed rate make use."""
    if len(frames) < 2:
        return _RATE_HZ
    return round(1.0 / float(np.median(np.diff([frame.written_s for frame in frames]))), 3)


class _Canvas:
    """The picture that becomes each frame; what has not changed stays."""

    def __init__(
        self,
        size: tuple[int, int],
        picture: QRect | None,
        views: Sequence[DrawnView],
        vehicle: Vehicle,
    ) -> None:
        self._pixels: Pixels = np.zeros((size[1], size[0], 3), np.uint8)
        self._picture = None if picture is None else self._part(picture)
        self._views = [(view, self._part(view.space)) for view in views]
        self._vehicle = vehicle

    def drawn(self, flight_s: float, frame: VideoFrame | None) -> Pixels:
        """A copy of the pixels (BGR) at a time of the flight; black where there is no frame, rather
        than one of another time."""
        import cv2

        self._vehicle.timeline.seek(flight_s)
        if self._picture is not None:
            if frame is None:
                self._picture[:] = 0
            else:
                size = self._picture.shape[1::-1]
                self._picture[:] = cv2.resize(frame.pixels, size, interpolation=cv2.INTER_LINEAR)
        for view, part in self._views:
            pixels = view.drawn(flight_s)
            if pixels is not None:
                part[:] = pixels
        return self._pixels.copy()

    def _part(self, space: QRect) -> Pixels:
        return self._pixels[space.top() : space.bottom() + 1, space.left() : space.right() + 1]


class _Encoder:
    """Encodes in a thread of its own, a few frames behind; what fails there is raised here."""

    def __init__(self, writer: VideoWriter) -> None:
        self._writer = writer
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="encoder")
        self._under_way: list[Future[None]] = []

    def put(self, pixels: Pixels, time_s: float) -> None:
        """Have a frame encoded; wait if too many are."""
        self._under_way.append(self._thread.submit(self._writer.frame, pixels, time_s))
        if len(self._under_way) > _FRAMES_AHEAD:
            self._under_way.pop(0).result()

    def __enter__(self) -> "_Encoder":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        self._thread.shutdown(wait=True, cancel_futures=kind is not None)
        if kind is None:
            for future in self._under_way:
                future.result()
