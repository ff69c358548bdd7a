"""What is said of a frame that shows."""

import numpy as np
import pytest

from plugins.video.moment import frame_badge, taken_at
from telemetry.recording.video_files.frame_source import VideoFrame
from telemetry.review.flights.sync import Piece, Sync

SYNC = Sync((Piece(-5.0),))
PIXELS = np.zeros((2, 2, 3), np.uint8)
GOOD = VideoFrame(PIXELS, 1.0, 30)


@pytest.mark.parametrize(
    ("sync", "frame", "is_alone", "is_late", "badge"),
    [
        (SYNC, GOOD, False, False, ""),
        (None, GOOD, True, False, "Not synchronised"),
        (SYNC, GOOD, True, False, "Not with the cursor"),
        (SYNC, GOOD, False, True, "Reading, this is another frame"),
        (SYNC, VideoFrame(PIXELS, None, 30), False, False, "Time of this frame unknown"),
        (None, VideoFrame(PIXELS, 1.0, 30, True), False, False, "Not synchronised · Damaged frame"),
    ],
)
def test_what_is_not_as_one_would_think_is_said(
    sync: Sync | None, frame: VideoFrame, is_alone: bool, is_late: bool, badge: str
) -> None:
    assert frame_badge(sync, frame, is_alone=is_alone, is_late=is_late) == badge


def test_the_log_is_read_when_the_frame_was_taken() -> None:
    assert taken_at(SYNC, GOOD, 6.02, is_alone=False) == 6.0
    assert taken_at(SYNC, GOOD, 6.02, is_alone=True) == 6.02
    assert taken_at(None, GOOD, 6.02, is_alone=False) == 6.02
