"""Pictures ahead of the cursor: the newest wish wins, and nobody waits."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from telemetry.recording.video_files.frame_source import DecodingLeft, VideoError, VideoFrame
from telemetry.recording.video_files.reader import VideoFileReader, open_video
from telemetry.review.playback.prefetch import FramePrefetch, PrefetchedFrame
from tests.telemetry.recording.video_files.barcode import number_in
from tests.waiting import wait_for, wait_until


class _SlowSource:
    """A hundred frames at 10 Hz, each given out only when the test lets it."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.is_closed = False
        self.may_go_on = threading.Semaphore(0)
        self.problem = ""

        self.nearby: VideoFrame | None = None
        self.can_be_left = False

    size = (4, 2)
    duration_s = 10.0

    def times(self) -> npt.NDArray[np.float64]:
        return np.arange(100) / 10

    def index_at(self, time_s: float) -> int:
        return int(np.floor(time_s * 10 + 1e-6)) if 0 <= time_s < 10 else -1

    def frame_at(self, time_s: float) -> VideoFrame | None:
        return self.frame_unless(time_s, lambda: False)

    def frame_unless(self, time_s: float, is_left: Callable[[], bool]) -> VideoFrame | None:
        number = self.index_at(time_s)
        self.asked.append(number)
        while not self.may_go_on.acquire(timeout=0.001):
            if self.can_be_left and is_left():
                raise DecodingLeft
        if self.problem:
            raise VideoError(self.problem)
        return VideoFrame(np.full((2, 4, 3), number, np.uint8), number / 10, number)

    def nearby_at(self, time_s: float) -> VideoFrame | None:
        return self.nearby

    def is_on_way(self, time_s: float, later_s: float) -> bool:
        return 0.0 <= later_s - time_s < 1.0

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def slow() -> _SlowSource:
    return _SlowSource()


@pytest.fixture
def prefetch(slow: _SlowSource) -> Iterator[FramePrefetch]:
    made = FramePrefetch(lambda: slow)
    wait_until(lambda: made.source)
    yield made
    slow.may_go_on.release(1000)
    made.close()
    assert slow.is_closed


def _exact(prefetch: FramePrefetch, time_s: float) -> PrefetchedFrame:
    def look() -> PrefetchedFrame | None:
        found = prefetch.frame_for(time_s)
        return found if found.is_exact else None

    return wait_for(look)


def _numbers(frame: PrefetchedFrame) -> int | None:
    return None if frame.frame is None else frame.frame.number


def test_asking_and_looking_never_wait(prefetch: FramePrefetch) -> None:
    prefetch.ask(3.0)
    assert prefetch.frame_for(3.0) == PrefetchedFrame(None, False)


def test_the_newest_wish_is_next_and_the_others_are_counted(
    prefetch: FramePrefetch, slow: _SlowSource
) -> None:
    prefetch.ask(1.0)
    wait_until(lambda: slow.asked == [10])
    for time_s in (2.0, 3.0, 4.0, 5.0):
        prefetch.ask(time_s)
    slow.may_go_on.release(2)
    assert _numbers(_exact(prefetch, 5.0)) == 50
    assert slow.asked[:2] == [10, 50]
    assert prefetch.dropped == 4


def test_what_is_not_there_yet_is_told_apart_from_what_is_there(
    prefetch: FramePrefetch, slow: _SlowSource
) -> None:
    prefetch.ask(1.0)
    slow.may_go_on.release()
    assert _numbers(_exact(prefetch, 1.0)) == 10
    late = prefetch.frame_for(1.1)
    assert (_numbers(late), late.is_exact) == (10, False)
    assert prefetch.frame_for(-1.0) == PrefetchedFrame(None, True)


def test_a_frame_that_the_cursor_has_left_is_not_waited_for(
    prefetch: FramePrefetch, slow: _SlowSource
) -> None:
    slow.can_be_left = True
    prefetch.ask(1.0)
    wait_until(lambda: slow.asked == [10])
    prefetch.ask(5.0)
    wait_until(lambda: slow.asked == [10, 50])
    slow.may_go_on.release()
    assert _numbers(_exact(prefetch, 5.0)) == 50


@pytest.mark.parametrize(("wished_s", "rate"), [(1.5, 0.0), (5.0, 1.0)])
def test_what_lies_on_the_way_is_decoded_to_the_end_and_so_is_what_is_played(
    prefetch: FramePrefetch, slow: _SlowSource, wished_s: float, rate: float
) -> None:
    slow.can_be_left = True
    prefetch.ask(1.0)
    wait_until(lambda: slow.asked == [10])
    prefetch.ask(wished_s, rate)
    slow.may_go_on.release()
    wait_until(lambda: len(slow.asked) > 1)
    assert _numbers(prefetch.frame_for(1.0)) == 10


def test_a_frame_nearby_stands_in_for_one_that_takes_long(
    prefetch: FramePrefetch, slow: _SlowSource
) -> None:
    slow.nearby = VideoFrame(np.zeros((2, 4, 3), np.uint8), 3.0, 30)
    prefetch.ask(5.0)
    wait_until(lambda: prefetch.frame_for(5.0).frame)
    assert prefetch.frame_for(5.0) == PrefetchedFrame(slow.nearby, False, is_nearby=True)
    slow.may_go_on.release()
    assert _exact(prefetch, 5.0).is_nearby is False
    late = prefetch.frame_for(5.1)
    assert (_numbers(late), late.is_exact, late.is_nearby) == (50, False, False)


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (1.0, [50, 51, 52, 53, 54]),
        (-1.0, [50, 49, 48, 47, 46]),
        (12.0, [50, 54, 58, 62, 66]),
        (0.0, [50]),
    ],
)
def test_it_decodes_ahead_in_the_direction_of_travel(
    prefetch: FramePrefetch, slow: _SlowSource, rate: float, expected: list[int]
) -> None:
    prefetch.ask(5.0, rate)
    slow.may_go_on.release(len(expected))
    assert _numbers(_exact(prefetch, expected[-1] / 10)) == expected[-1]
    assert slow.asked[: len(expected)] == expected


def test_memory_is_bounded(slow: _SlowSource) -> None:
    prefetch = FramePrefetch(lambda: slow, memory_mb=3 * 24 / 1e6)
    slow.may_go_on.release(1000)
    wait_until(lambda: prefetch.source)
    for number in range(20):
        prefetch.ask(number / 10, 1.0)
        _exact(prefetch, number / 10)
    held = [number for number in range(100) if prefetch.frame_for(number / 10).is_exact]
    assert 19 in held
    assert len(held) <= 3
    prefetch.close()


def test_a_change_is_told(slow: _SlowSource) -> None:
    told = threading.Event()
    prefetch = FramePrefetch(lambda: slow, on_change=told.set)
    assert told.wait(60)  # it is open
    told.clear()
    prefetch.ask(1.0)
    slow.may_go_on.release()
    assert told.wait(60)
    prefetch.close()


def test_a_source_that_fails_says_why_and_is_closed(slow: _SlowSource) -> None:
    prefetch = FramePrefetch(lambda: slow)
    slow.problem = "The card was pulled. Put it back."
    slow.may_go_on.release()
    prefetch.ask(1.0)
    wait_until(lambda: prefetch.is_over and slow.is_closed)
    assert prefetch.problem == slow.problem
    prefetch.close()


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    prefetch = FramePrefetch(lambda: open_video([tmp_path / "none.avi"]))
    wait_until(lambda: prefetch.is_over)
    assert "none.avi" in prefetch.problem
    assert prefetch.frame_for(0.0) == PrefetchedFrame(None, False)
    prefetch.close()


def test_a_real_video_shows_the_picture_of_the_cursor_both_ways(xvid: Path) -> None:
    prefetch = FramePrefetch(lambda: open_video([xvid]))
    wait_until(lambda: prefetch.source)
    for rate, numbers in ((1.0, range(60)), (-1.0, range(59, -1, -1))):
        for number in numbers:
            time_s = number / 30 + 0.01
            prefetch.ask(time_s, rate)
            assert number_in(_exact(prefetch, time_s).frame) == number
    assert isinstance(prefetch.source, VideoFileReader)
    prefetch.close()
