"""What is written from a video's own colours looks as what is shown of it."""

from pathlib import Path

import av
import cv2
import numpy as np
import numpy.typing as npt
import pytest
from av.video.reformatter import VideoReformatter

from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.recording.video_files.yuv_picture import YuvPicture
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered
from tests.telemetry.recording.video_files.track_header import (
    MIRRORED,
    ON_ITS_SIDE,
    UPSIDE_DOWN,
    turn,
)

Pixels = npt.NDArray[np.uint8]


def _bgr(picture: YuvPicture | None) -> Pixels:
    """OpenCV's conversion is BT.601 in limited range."""
    assert picture is not None
    return np.asarray(cv2.cvtColor(picture.pixels, cv2.COLOR_YUV2BGR_I420), np.uint8)


def _colours() -> Pixels:
    """Red at the left, green, grey, and blue at the right."""
    pixels = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
    colours = ((0, 0, 255), (0, 255, 0), (90, 90, 90), (255, 0, 0))
    for part, colour in zip(np.split(pixels, 4, axis=1), colours, strict=True):
        part[:] = colour
    return pixels


@pytest.mark.parametrize("encoder", ["mpeg4", "mjpeg"])
def test_a_scaled_picture_has_the_colours_that_are_shown(tmp_path: Path, encoder: str) -> None:
    path = tmp_path / "a.avi"
    with VideoWriter(path, VideoEncoding(SIZE, encoder=encoder)) as writer:
        writer.frame(_colours(), 0.0)
    video = open_video([path])
    shown, size = video.frame(0), (2 * SIZE[0], 2 * SIZE[1])
    assert shown is not None
    scaled = _bgr(video.yuv_at(0.0, size))
    assert scaled.shape == (size[1], size[0], 3)
    difference = np.abs(scaled[::2, ::2].astype(int) - shown.pixels)
    assert np.median(difference) <= 3
    assert video.yuv_at(-1.0, size) is None
    video.close()


@pytest.mark.parametrize("matrix", [UPSIDE_DOWN, ON_ITS_SIDE, MIRRORED])
def test_a_turned_camera_is_upright(tmp_path: Path, matrix: tuple[int, ...]) -> None:
    path = write_numbered(tmp_path / "a.mp4", 3)
    turn(path, matrix)
    video = open_video([path])
    shown = video.frame(1)
    assert shown is not None
    upright = _bgr(video.yuv_at(float(video.times()[1]), video.size))
    assert np.abs(upright.astype(int) - shown.pixels).mean() < 4
    video.close()


def test_a_picture_of_parts_is_written_as_it_is(tmp_path: Path) -> None:
    whole = YuvPicture.black((2 * SIZE[0], SIZE[1] + 6))
    frame = av.VideoFrame.from_ndarray(_colours(), format="bgr24")
    whole.paste(YuvPicture.converted(VideoReformatter(), frame, SIZE), SIZE[0], 4)
    path = tmp_path / "a.mp4"
    with VideoWriter(path, VideoEncoding(whole.size)) as writer:
        writer.frame(whole.pixels, 0.0)
    video = open_video([path])
    shown = video.frame(0)
    video.close()
    assert shown is not None
    inside = shown.pixels[4 : 4 + SIZE[1], SIZE[0] :]
    assert np.median(np.abs(inside.astype(int) - _colours())) <= 3
    assert shown.pixels[:, : SIZE[0] - 4].max() <= 6, "the rest is black"
