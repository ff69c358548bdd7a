"""What a slow reader misses: the oldest, and it is counted."""

import numpy as np

from telemetry.protocol.streams.outbox import StreamOutbox
from telemetry.protocol.streams.samples import PictureSample
from tests.telemetry.protocol.streams.samples import CAMERA, LIDAR, picture, scan


def _all(outbox: StreamOutbox) -> list[tuple[str, int]]:
    return [(one[0], one[1].number) for one in iter(outbox.take, None)]


def test_what_is_taken_in_time_is_in_order_and_whole() -> None:
    outbox = StreamOutbox()
    for number in range(5):
        outbox.put(CAMERA, picture(number))
        outbox.put(LIDAR, scan(number))
    assert _all(outbox) == [(name, n) for n in range(5) for name in ("front", "lidar")]
    assert outbox.dropped == {}


def test_of_a_slow_reader_the_oldest_are_left_out_a_quarter_of_a_second_waits() -> None:
    outbox = StreamOutbox()
    outbox.put(LIDAR, scan(0))
    for number in range(100):
        outbox.put(CAMERA, picture(number))
    assert _all(outbox) == [("lidar", 0), *(("front", n) for n in range(92, 100))]
    assert outbox.dropped == {"front": 92}


def test_memory_is_bounded_whatever_the_pictures_are() -> None:
    outbox = StreamOutbox(most_bytes=300)
    for number in range(3):
        outbox.put(CAMERA, picture(number))  # 144 bytes each
    assert _all(outbox) == [("front", 1), ("front", 2)]
    outbox.put(CAMERA, PictureSample(0, 9, np.zeros((20, 20), np.uint8)))
    assert _all(outbox) == []
    assert outbox.dropped == {"front": 2}
