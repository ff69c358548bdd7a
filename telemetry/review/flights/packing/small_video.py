"""Small copies of videos: at most 640 pixels wide, every frame at the time it had, with sound.

A synchronisation and a lens found with the video hold for its copy: the lens in the copy's pixels.
"""

from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.reader import VideoFileReader, open_video
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.recording.video_files.yuv_picture import YuvPicture
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.packing.progress import Progress, part_of
from telemetry.review.playback.sound import SoundTrack, open_sound

SUFFIX: Final = ".mp4"
_WIDEST: Final = 640
_NARROWEST_SHARE: Final = 0.9
_KEY_EVERY: Final = 60
_USUAL_HZ: Final = 30.0
_CODED_HZ: Final = (8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000)
"""Rates of sound that AAC takes."""

Size = tuple[int, int]


def small_video(video: FlightVideo, folder: Path, progress: Progress) -> FlightVideo | None:
    """A video whose files are small copies of those of another one, in an empty folder; None if
    they would be no smaller. Raises VideoError."""
    with closing(open_video(video.files)) as whole:
        full = whole.size
        length_s = whole.duration_s
    size = small_size(full)
    done_s, copies = 0.0, []
    for number, file in enumerate(video.files):
        out = folder / f"{number}" / f"{file.stem}{SUFFIX}"
        out.parent.mkdir()
        with closing(open_video([file])) as source:
            begin_s, done_s = done_s, done_s + source.duration_s
            _copy(source, file, out, size, part_of(progress, begin_s / length_s, done_s / length_s))
        copies.append(out)
    if _bytes(copies) >= _bytes(video.files):
        return None
    return replace(video, files=tuple(copies), camera=scaled(video.camera, full, size))


def small_size(full: Size) -> Size:
    """Even sides of at most 640 pixels width, of nearly the same shape."""
    width, height = full
    if width <= _WIDEST:
        return max(2, width // 2 * 2), max(2, height // 2 * 2)
    widths = range(round(_NARROWEST_SHARE * _WIDEST) // 2 * 2, _WIDEST + 1, 2)
    sizes = [(one, max(2, round(height * one / width / 2) * 2)) for one in widths]
    return min(sizes, key=lambda one: (abs(one[1] / one[0] - height / width), -one[0]))


def scaled(camera: CameraSettings, full: Size, size: Size) -> CameraSettings:
    """A calibrated lens in the pixels of another size; pixel centres are whole numbers."""
    shares = (size[0] / full[0], size[1] / full[1])
    focal, centre = camera.focal_px, camera.centre_px
    return replace(
        camera,
        focal_px=tuple(value * share for value, share in zip(focal, shares, strict=False)),
        centre_px=tuple(
            (value + 0.5) * share - 0.5 for value, share in zip(centre, shares, strict=False)
        ),
    )


def _copy(source: VideoFileReader, file: Path, out: Path, size: Size, progress: Progress) -> None:
    times = source.times()
    with ExitStack() as stack:
        sound: SoundTrack | None = None
        with suppress(VideoError):  # many have none
            sound = stack.enter_context(closing(open_sound([file])))
        last_s = source.duration_s - float(times[-1])
        encoding = VideoEncoding(
            size,
            rate_hz=1.0 / last_s if last_s > 0.0 else _USUAL_HZ,  # how long its last frame shows
            key_every=_KEY_EVERY,
            sound_hz=_sound_hz(sound) if sound is not None else 0,
        )
        writer = stack.enter_context(VideoWriter(out, encoding))
        picture, heard_s = YuvPicture.black(size), 0.0
        for time_s in times.tolist():
            picture = source.yuv_at(time_s, size) or picture
            writer.frame(picture.pixels, time_s)
            while sound is not None and heard_s <= time_s:
                end_s = min(heard_s + 1.0, source.duration_s)
                writer.sound(_resampled(sound, heard_s, end_s, encoding.sound_hz))
                heard_s += 1.0
            progress(time_s / source.duration_s)


def _sound_hz(sound: SoundTrack) -> int:
    return sound.rate_hz if sound.rate_hz in _CODED_HZ else max(_CODED_HZ)


def _resampled(
    sound: SoundTrack, first_s: float, last_s: float, rate_hz: int
) -> npt.NDArray[np.float32]:
    """The sound between two times of the medium, at another rate."""
    wanted_s = np.arange(round(first_s * rate_hz), round(last_s * rate_hz)) / rate_hz
    step_s = 1.0 / sound.rate_hz
    block = sound.samples(max(0.0, first_s - step_s), last_s + 2.0 * step_s)
    return np.interp(wanted_s, block.times_s, block.samples).astype(np.float32)


def _bytes(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files)
