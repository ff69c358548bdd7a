"""Pictures that tell their number by a bar code, whatever a container says of their time."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

from telemetry.recording.video_files.frame_source import VideoFrame
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter

SIZE = (96, 64)
_BITS = 8
_BAR = SIZE[0] // _BITS

Pixels = npt.NDArray[np.uint8]


def picture(number: int) -> Pixels:
    """A BGR picture with a number below 256: bars on top, their opposite below for a check, and
    between them something that moves, so that pictures lean on each other when coded."""
    height, width = SIZE[1], SIZE[0]
    columns = np.arange(width)
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = (96 + 64 * np.sin((columns + 2 * number) / 9.0))[np.newaxis, :, np.newaxis]
    bits = (number >> np.minimum(columns // _BAR, _BITS - 1)) & 1
    pixels[: height // 4] = (32 + 192 * bits)[np.newaxis, :, np.newaxis]
    pixels[-height // 4 :] = (224 - 192 * bits)[np.newaxis, :, np.newaxis]
    return pixels


def number_in(frame: VideoFrame | None) -> int | None:
    """The number that a picture shows; None for no picture and for one that is torn."""
    if frame is None:
        return None
    grey = frame.pixels.mean(axis=2)
    middles = np.arange(_BITS) * _BAR + _BAR // 2
    upper = grey[SIZE[1] // 8, middles] > 128
    lower = grey[-SIZE[1] // 8, middles] > 128
    if (upper == lower).any():
        return None
    return int((upper << np.arange(_BITS)).sum())


def write_numbered(
    path: Path,
    times_s: Iterable[float] | int = 60,
    encoding: VideoEncoding | None = None,
    first: int = 0,
) -> Path:
    """Pictures numbered from `first` on at these times, or so many of them at the rate."""
    wanted = encoding or VideoEncoding(SIZE, key_every=12)
    if isinstance(times_s, int):
        times_s = [number / wanted.rate_hz for number in range(times_s)]
    with VideoWriter(path, wanted) as writer:
        for at, time_s in enumerate(times_s):
            writer.frame(picture(first + at), time_s)
            if wanted.sound_hz:
                writer.sound(tone(wanted, time_s))
    return path


def write_h264(path: Path, count: int) -> Path:
    """H.264 with B-frames at 30 Hz in any container that FFmpeg writes, of ours or not."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height = SIZE
        stream.codec_context.gop_size, stream.codec_context.max_b_frames = 12, 2
        for number in range(count):
            frame = av.VideoFrame.from_ndarray(picture(number), format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 30)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def tone(encoding: VideoEncoding, time_s: float) -> npt.NDArray[np.float32]:
    """The sound of one frame: 440 Hz in the first second, 880 Hz afterwards."""
    first = round(time_s * encoding.sound_hz)
    last = round((time_s + 1 / encoding.rate_hz) * encoding.sound_hz)
    at = np.arange(first, last) / encoding.sound_hz
    return (0.5 * np.sin(2 * np.pi * np.where(at < 1, 440, 880) * at)).astype(np.float32)


def numbers_in(frames: Sequence[VideoFrame | None]) -> list[int | None]:
    """The numbers that several pictures show."""
    return [number_in(frame) for frame in frames]
