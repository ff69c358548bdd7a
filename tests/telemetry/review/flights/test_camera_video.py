"""What was recorded of a live camera runs with its flight by the stamps of its frames."""

from pathlib import Path

import pytest

from telemetry.review.cameras.camera_recorder import RecordedPart
from telemetry.review.flights.camera_video import LIVE, camera_sync, camera_video

ONE = RecordedPart(Path("a.mkv"), 50.0, 20.0)
TWO = RecordedPart(Path("b.mkv"), 80.0)


def test_each_part_begins_at_the_stamp_of_its_first_frame() -> None:
    video = camera_video("Live camera", [ONE, TWO])
    sync = video.sync
    assert sync is not None
    assert (video.files, sync.method) == ((ONE.file, TWO.file), LIVE)
    assert [sync.medium_s(t) for t in (50.0, 69.9)] == pytest.approx([0.0, 19.9])
    assert sync.medium_s(75.0) is None, "the camera was away"
    assert [sync.medium_s(t) for t in (80.0, 95.0)] == pytest.approx([20.0, 35.0])
    assert (sync.medium_s(49.0) or 0.0) < 0.0, "before its first frame"


def test_what_was_recorded_in_no_part_is_no_video() -> None:
    with pytest.raises(ValueError, match="at least one piece"):
        camera_sync([])
