"""Pictures that take longer than they come, and values beside them (seed 002, framework)."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from simulation.perception.frame_pipeline import FramePipeline
from simulation.perception.mounted_sensor import SensorTruth, SuiteSample
from telemetry.protocol.streams.samples import (
    PictureSample,
    StreamDescription,
    StreamKind,
    StreamSample,
    ValueSample,
)

_CAMERA = StreamDescription("bottom", StreamKind.PICTURES, "Camera")
_NAVDATA = StreamDescription("navdata", StreamKind.VALUES, "Navdata")
_PIXELS = np.zeros((2, 2), np.uint8)


@dataclass
class _Reader:
    """Gives a pipeline pictures and values at times of its own, in ms."""

    frame_ms: int = 60
    now_us: int = 0
    done: list[tuple[str, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pipeline = FramePipeline(self._note, lambda: self.now_us, 1000 * self.frame_ms)

    def _note(self, sample: SuiteSample, ends_us: int) -> None:
        self.done.append((sample.description.name, sample.sample.number, ends_us // 1000))

    def _add(self, description: StreamDescription, sample: StreamSample) -> None:
        truth = SensorTruth(self.now_us, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), {})
        self.pipeline.add(SuiteSample(description, sample, truth))

    def picture(self, number: int, at_ms: int) -> None:
        self.now_us = 1000 * at_ms
        self._add(_CAMERA, PictureSample(self.now_us, number, _PIXELS))

    def value(self, number: int, at_ms: int) -> None:
        self.now_us = 1000 * at_ms
        self._add(_NAVDATA, ValueSample(self.now_us, number, np.zeros(1)))


def test_a_picture_that_comes_while_another_is_processed_is_dropped_and_counted() -> None:
    reader = _Reader()
    for number, at_ms in enumerate((0, 33, 67, 100, 133)):
        reader.picture(number, at_ms)
    reader.value(0, 200)
    assert [number for name, number, _ in reader.done if name == "bottom"] == [0, 2, 4]
    assert (reader.pipeline.processed, reader.pipeline.dropped) == (3, 2)


@pytest.mark.parametrize(("at_ms", "dropped"), [(59, 1), (60, 0)])
def test_one_that_comes_when_the_other_is_done_is_not(at_ms: int, dropped: int) -> None:
    reader = _Reader()
    reader.picture(0, 0)
    reader.picture(1, at_ms)
    assert reader.pipeline.dropped == dropped


def test_values_wait_for_the_picture_and_follow_it_in_their_order() -> None:
    reader = _Reader()
    reader.value(0, 0)
    reader.picture(0, 2)
    for number, at_ms in enumerate((5, 10, 15, 62), 1):
        reader.value(number, at_ms)
    expected = [
        ("navdata", 0, 0),
        ("bottom", 0, 62),
        *[("navdata", number, 62) for number in (1, 2, 3, 4)],
    ]
    assert reader.done == expected
    assert reader.pipeline.most_waiting == 3


def test_a_fast_computer_drops_nothing() -> None:
    """Negative control: it is the time that a picture takes."""
    reader = _Reader(frame_ms=10)
    for number in range(5):
        reader.picture(number, 33 * number)
    assert reader.pipeline.dropped == 0
