"""Small videos whose pictures tell their numbers, made once per session."""

from pathlib import Path

import pytest

from telemetry.recording.video_files.writer import VideoEncoding
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("videos")


@pytest.fixture(scope="session")
def xvid(folder: Path) -> Path:
    """60 frames as the camera of seed 004 records them: XviD with PCM sound in AVI."""
    return write_numbered(folder / "xvid.avi", 60, VideoEncoding(SIZE, key_every=12, sound_hz=8000))


@pytest.fixture(scope="session")
def h264(folder: Path) -> Path:
    """60 frames of H.264 with B-frames and AAC sound."""
    encoding = VideoEncoding(SIZE, key_every=24, b_frames=2, sound_hz=8000)
    return write_numbered(folder / "h264.mp4", 60, encoding)
