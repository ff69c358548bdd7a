"""A video like a flight's, whose pictures tell their number by bars at the top."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from telemetry.recording.video_files.frame_source import VideoFrame
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter

SIZE = (640, 480)
_BITS = 16
_BAR = SIZE[0] // _BITS
_BAR_ROWS = 32


def write_video(path: Path, frames: int, key_every: int, b_frames: int = 0) -> None:
    """Ground that moves and turns a little, with sound, at 30 frames a second."""
    ground = np.random.default_rng(1).integers(60, 200, (80, 120, 3), dtype=np.uint8)
    ground = ground.repeat(16, axis=0).repeat(16, axis=1)
    sound = np.random.default_rng(2).normal(0, 0.1, 8000 // 30).astype(np.float32)
    encoding = VideoEncoding(SIZE, key_every=key_every, b_frames=b_frames, sound_hz=8000)
    with VideoWriter(path, encoding) as writer:
        for number in range(frames):
            writer.frame(_picture(ground, number), number / 30)
            writer.sound(sound)


def _picture(ground: npt.NDArray[np.uint8], number: int) -> npt.NDArray[np.uint8]:
    down = round(300 + 250 * np.sin(number / 60))
    right = round(500 + 450 * np.sin(number / 90))
    picture = ground[down : down + SIZE[1], right : right + SIZE[0]].copy()
    bits = (number >> np.minimum(np.arange(SIZE[0]) // _BAR, _BITS - 1)) & 1
    picture[:_BAR_ROWS] = (32 + 192 * bits)[np.newaxis, :, np.newaxis]
    return picture


def number_in(frame: VideoFrame | None) -> int:
    """The number in a picture, -1 without one."""
    if frame is None:
        return -1
    row = frame.pixels[_BAR_ROWS // 2].mean(axis=1)
    return int(((row[_BAR // 2 :: _BAR] > 128) << np.arange(_BITS)).sum())
