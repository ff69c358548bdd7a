"""Video export of a flight: the picture of one of its videos, with instruments over it and views of
the station beside it, as a template says.

Each frame of the video becomes one frame, at its own time, and its sound stays; what is drawn shows
the flight as it was then. Without a video that is shown alone. It is drawn here, in the thread of
the widgets; another one, which never lags far behind, decodes the video, puts each frame together
and has it encoded, in the colours that videos are coded in from end to end.
"""

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtWidgets import QApplication

from app.exporting.arrangement import Arrangement, arrange, usual_size
from app.exporting.video_template import VideoTemplate
from app.video.views import Drawing, DrawnInstrument, DrawnView, FilmPart, ViewSpace
from app.workspaces.workspace import PanelPlace
from telemetry.recording.interpolated_state import InterpolatedFlight
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.recording.video_files.yuv_layer import YuvLayer
from telemetry.recording.video_files.yuv_picture import YuvPicture
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.playback.sound import SoundTrack, open_sound
from telemetry.vehicle.vehicle import Vehicle
from widgets.plot.window import Span
from widgets.theme import SCALE_RANGE

_RATE_HZ = 30.0
_USUAL_LINES = 720
_FRAMES_AHEAD = 8
_FRAMES_BETWEEN_EVENTS = 8

Progress = Callable[[float, float], None]
"""Told how many seconds of how many are done; whatever it raises ends the export, and the file that
was begun is removed."""


@dataclass(frozen=True, slots=True)
class VideoExportRequest:
    """What is wanted. `views` are the panels of the template's strip, with their settings; those
    over the picture are set as the first of their kind in the `workspace`. Times are those of the
    flight, None leaving an end open. `size` None is the usual one of template and picture.
    `encoder` is FFmpeg's name, "" for the usual one of the file's suffix.
    """

    path: Path
    video: FlightVideo | None
    template: VideoTemplate
    views: Sequence[PanelPlace] = ()
    size: tuple[int, int] | None = None
    start_s: float | None = None
    end_s: float | None = None
    encoder: str = ""
    progress: Progress = lambda _done, _total: None
    workspace: Sequence[PanelPlace] = ()


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
    _check_panels(request.template, shared)
    with ExitStack() as resources:
        film = resources.enter_context(closing(_Film(request.video))) if request.video else None
        frames = _frames(request, vehicle, film)
        if not frames:
            raise VideoError("Nothing was filmed or recorded in that span. Give another one.")
        filmed = film.size if film else None
        size = request.size or usual_size(request.template, filmed)
        sound_hz = film.sound_hz if film else 0
        encoding = VideoEncoding(size, _rate(frames), request.encoder, sound_hz=sound_hz)
        writer = resources.enter_context(VideoWriter(request.path, encoding))
        arrangement = arrange(request.template, size, filmed, len(request.views))
        _check_room(request.template, arrangement)
        span = Span(frames[0].flight_s, max(frames[-1].flight_s, frames[0].flight_s + 1e-3))
        scaled = replace(shared, theme=replace(shared.theme, scale=_theme_scale(size)))
        drawn = _open_drawn(request, arrangement, scaled, (vehicle, span))
        for one in drawn:
            resources.enter_context(closing(one))
        composer = _Composer(film, arrangement, writer)
        worker = resources.enter_context(_Worker())
        for number, frame in enumerate(frames):
            request.progress(frame.written_s, frames[-1].written_s)
            vehicle.timeline.seek(frame.flight_s)
            worker.put(composer.write, frame, [one.drawn(frame.flight_s) for one in drawn])
            if number % _FRAMES_BETWEEN_EVENTS == 0:
                QApplication.processEvents()
        request.progress(frames[-1].written_s, frames[-1].written_s)
    return len(frames)


def _check_panels(template: VideoTemplate, shared: ViewSpace) -> None:
    """Raises VideoError where a panel over the picture is not there."""
    for one in template.instruments:
        if one.panel and one.panel not in shared.panels:
            raise VideoError(
                f"The template {template.name} shows the panel '{one.panel}', which there is not. "
                f"Take one of: {', '.join(shared.panels)}."
            )


def _check_room(template: VideoTemplate, arrangement: Arrangement) -> None:
    """Raises VideoError where an instrument stands out of the picture, however small."""
    picture = arrangement.picture
    if picture is None or all(picture.contains(one) for one in arrangement.instruments):
        return
    raise VideoError(
        f"The instruments of the template {template.name} have no room in a picture of "
        f"{picture.width()}x{picture.height()}. Make them smaller there, or take another template."
    )


def _theme_scale(size: tuple[int, int]) -> float:
    """Text as large in a picture of any size, as far as themes go."""
    return min(max(min(size) / _USUAL_LINES, SCALE_RANGE[0]), SCALE_RANGE[1])


def _open_drawn(
    request: VideoExportRequest,
    arrangement: Arrangement,
    shared: ViewSpace,
    filmed: tuple[Vehicle, Span],
) -> list[FilmPart]:
    """The views first, then the instruments, as they stand in the arrangement."""
    vehicle, span = filmed
    found: list[FilmPart] = [
        DrawnView(place, space, shared, span)
        for place, space in zip(request.views, arrangement.views, strict=True)
    ]
    flight = InterpolatedFlight(vehicle.recording)
    for one, space in zip(request.template.instruments, arrangement.instruments, strict=True):
        if not one.panel:
            found.append(DrawnInstrument(one, space, shared.theme, flight))
            continue
        alike = (place.settings for place in request.workspace if place.panel == one.panel)
        settings = one.settings or next(alike, {})
        place = PanelPlace(one.name, one.panel, settings=settings)
        found.append(DrawnView(place, space, shared, span, one.opacity))
    return found


def _frames(request: VideoExportRequest, vehicle: Vehicle, film: "_Film | None") -> list[_Frame]:
    """Every frame of the video within the span, or, without a video, 30 a second."""
    recording = vehicle.recording
    start_s = recording.first_s if request.start_s is None else request.start_s
    end_s = recording.last_s if request.end_s is None else request.end_s
    if film is not None:
        return film.frames(start_s, end_s)
    start_s, end_s = max(start_s, recording.first_s), min(end_s, recording.last_s)
    if end_s < start_s:
        return []
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
        self._sync, self._turn = video.sync, video.turn_shown
        self._source = open_video(video.files)
        self._sound: SoundTrack | None = None
        with suppress(VideoError):  # many have none
            self._sound = open_sound(video.files)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as it is shown."""
        return self._turn.size(self._source.size)

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
        turn = self._turn
        stored = self._source.yuv_at(frame.video_s, turn.size(size))
        return stored and stored.turned(turn.quarter_turns, is_mirrored=turn.is_mirrored)

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
        self._film, self._picture, self._writer = film, arrangement.picture, writer
        self._spaces = (*arrangement.views, *arrangement.instruments)
        self._canvas = YuvPicture.black(writer.encoding.size)
        self._layers: dict[int, YuvLayer] = {}

    def write(self, frame: _Frame, drawn: Sequence[Drawing | None]) -> None:
        """Add a frame with its sound; what is None of the drawn is as it was."""
        self._paste_picture(frame)
        for number, (drawing, space) in enumerate(zip(drawn, self._spaces, strict=True)):
            if isinstance(drawing, YuvPicture):
                self._canvas.paste(drawing, space.left(), space.top())
            elif drawing is not None:
                self._layers[number] = drawing
        for number, layer in self._layers.items():
            layer.lay_over(self._canvas, self._spaces[number].left(), self._spaces[number].top())
        self._writer.frame(self._canvas.pixels, frame.written_s)
        if self._film is not None:
            self._writer.sound(self._film.sound(frame))

    def _paste_picture(self, frame: _Frame) -> None:
        """Black where the film has no picture, rather than one of another time."""
        space = self._picture
        if space is not None:
            size = (space.width(), space.height())
            picture = self._film.picture(frame, size) if self._film else None
            self._canvas.paste(picture or YuvPicture.black(size), space.left(), space.top())


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
