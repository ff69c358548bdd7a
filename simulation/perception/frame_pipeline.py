"""Frame pipeline: a computer that needs longer for pictures than they take to come.

Seed 002's framework: a picture takes 60 ms; one that arrives while another is processed is dropped.
Values that come meanwhile wait, and are processed once the picture is, in the order in which they
came, so that what a picture said of the past is known before what is newer.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from simulation.perception.mounted_sensor import SuiteSample
from telemetry.protocol.streams.samples import PictureSample

FRAME_US: Final = 60_000
"""The average of seed 002's visual odometry, mapping and localisation together."""

Process = Callable[[SuiteSample, int], object]
"""Given a sample, and the simulated time in microseconds at which processing it ends."""


class FramePipeline:
    """Give `add` to `PerceptionSuite.subscribe`. It works in simulated time: `clock` says it in
    microseconds, and `process` is called at the first sample at or after the end of processing.

    `processed` and `dropped` count pictures; `most_waiting` is how many values waited at once.
    """

    def __init__(
        self, process: Process, clock: Callable[[], int], frame_us: int = FRAME_US
    ) -> None:
        self.processed = 0
        self.dropped = 0
        self.most_waiting = 0
        self._process = process
        self._clock = clock
        self._frame_us = frame_us
        self._frame: SuiteSample | None = None
        self._ends_us = 0
        self._waiting: deque[SuiteSample] = deque()

    def add(self, sample: SuiteSample) -> None:
        """Take the sample that arrives now."""
        now_us = self._clock()
        self._finish(now_us)
        if isinstance(sample.sample, PictureSample):
            if self._frame is not None:
                self.dropped += 1
                return
            self._frame = sample
            self._ends_us = now_us + self._frame_us
        elif self._frame is not None:
            self._waiting.append(sample)
            self.most_waiting = max(self.most_waiting, len(self._waiting))
        else:
            self._process(sample, now_us)

    def _finish(self, now_us: int) -> None:
        """Hand over the picture if it is done by now, and what has waited for it."""
        if self._frame is None or now_us < self._ends_us:
            return
        frame, self._frame = self._frame, None
        self.processed += 1
        self._process(frame, self._ends_us)
        while self._waiting:
            self._process(self._waiting.popleft(), self._ends_us)
