"""Writing videos: what is written can be read back, and nothing half-written stays."""

import errno
import io
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter, encoders
from tests.telemetry.recording.video_files.barcode import (
    SIZE,
    number_in,
    picture,
    tone,
    write_numbered,
)


@pytest.mark.parametrize("name", ["a.avi", "a.mp4", "a.mkv", "a.mov"])
def test_every_kind_of_file_is_read_back_frame_by_frame(tmp_path: Path, name: str) -> None:
    path = write_numbered(tmp_path / name, 20, VideoEncoding(SIZE, key_every=8))
    video = open_video([path])
    assert [number_in(video.frame_at(time_s)) for time_s in video.times()] == list(range(20))
    video.close()


def test_an_avi_is_what_the_camera_of_the_seed_writes(tmp_path: Path) -> None:
    path = write_numbered(tmp_path / "a.avi", 30, VideoEncoding(SIZE, sound_hz=8000))
    with av.open(str(path)) as container:
        video, sound = container.streams.video[0], container.streams.audio[0]
        assert (video.codec_context.name, video.codec_context.codec_tag) == ("mpeg4", "XVID")
        assert (sound.codec_context.name, sound.codec_context.sample_rate) == ("pcm_u8", 8000)


def test_frames_keep_their_own_times(tmp_path: Path) -> None:
    times = [0.0, 0.04, 0.05, 0.2, 0.75]
    video = open_video([write_numbered(tmp_path / "a.mp4", times)])
    assert video.times() == pytest.approx(times, abs=1e-4)
    video.close()


def test_two_frames_for_one_place_of_a_fixed_rate_are_counted(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "a.avi", VideoEncoding(SIZE)) as writer:
        for number, time_s in enumerate([0.0, 0.001, 1 / 30]):
            writer.frame(picture(number), time_s)
    assert writer.dropped == 1
    video = open_video([tmp_path / "a.avi"])
    assert [number_in(video.frame_at(time_s)) for time_s in video.times()] == [0, 2]
    video.close()


def test_a_cancelled_file_leaves_nothing_and_keeps_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(b"old")
    writer = VideoWriter(path, VideoEncoding(SIZE, sound_hz=8000))
    writer.frame(picture(0), 0.0)
    writer.cancel()
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("a.mp4", b"old")]


def test_an_error_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with VideoWriter(tmp_path / "a.avi", VideoEncoding(SIZE)) as writer:
            writer.frame(picture(0), 0.0)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


@contextmanager
def _room_for(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", ["a.avi", "a.mp4"])
def test_a_full_disk_names_the_file_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    def write() -> None:
        encoding = VideoEncoding(SIZE, sound_hz=8000)
        with VideoWriter(tmp_path / name, encoding) as writer:
            for number in range(40):
                writer.frame(picture(number), number / 30)
                writer.sound(tone(encoding, number / 30))

    with _room_for(3000), pytest.raises(VideoError, match=rf"{name}.*more room"):
        write()
    assert list(tmp_path.iterdir()) == []
    write()
    assert [one.name for one in tmp_path.iterdir()] == [name]


class _FullDisk(io.FileIO):
    """A file that takes nothing beyond 30,000 bytes, however often it is tried."""

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > 30_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


def test_a_disk_that_fills_up_behind_the_buffer_leaves_nothing_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (*SIZE[::-1], 3), np.uint8)

    def write() -> None:
        with VideoWriter(tmp_path / "a.avi", VideoEncoding(SIZE, sound_hz=8000)) as writer:
            for number in range(60):
                writer.frame(np.roll(noise, number, axis=0), number / 30)
                writer.sound(np.zeros(267, np.float32))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda path, mode: _FullDisk(str(path), mode))
        with pytest.raises(VideoError, match=r"a\.avi.*No space left.*more room"):
            write()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "encoding", "words"),
    [
        ("a.txt", VideoEncoding(SIZE), "Name the file .avi"),
        ("a.mp4", VideoEncoding((95, 64)), "even width"),
        ("a.mp4", VideoEncoding(SIZE, encoder="theora"), "Take one of: libx264"),
        ("no/a.mp4", VideoEncoding(SIZE), "No such file"),
    ],
)
def test_what_cannot_be_written_is_said(
    tmp_path: Path, name: str, encoding: VideoEncoding, words: str
) -> None:
    with pytest.raises(VideoError, match=words):
        VideoWriter(tmp_path / name, encoding)
    assert list(tmp_path.iterdir()) == []


def test_this_installation_has_the_usual_encoders() -> None:
    assert encoders(".mp4")[0] == "libx264"
    assert "mpeg4" in encoders(".AVI")
    assert encoders(".txt") == ()
