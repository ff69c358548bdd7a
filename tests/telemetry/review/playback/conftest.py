"""The small videos of the tests of video files."""

from tests.telemetry.recording.video_files.conftest import folder, h264, xvid

__all__ = ["folder", "h264", "xvid"]
