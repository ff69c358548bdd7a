"""Mounted sensor of a suite: when its samples begin, are taken and arrive."""

import hashlib
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.perception.motion_stretch import MotionStretch
from simulation.perception.pose_history import PoseHistory
from simulation.perception.sensor import PerceptionSensor, SensorMoment, SensorReading
from simulation.perception.sensor_settings import SensorSettings
from simulation.records.interface import STEP_US
from telemetry.protocol.streams.samples import StreamDescription, StreamSample

Array = npt.NDArray[np.float64]

MOST_GRID_STEPS: Final = 5
"""Between two poses, at most: 200 Hz, so that straight lines between them are exact enough."""
_LOST_STREAM, _SAMPLE_STREAM = 0, 1
_WORD, _NUMBER_STEP = 0xFFFFFFFF, 0x9E3779B1
"""Streams of noise have 32 bits; by an odd step no two samples of a sensor soon share one."""


@dataclass(frozen=True, slots=True, eq=False)
class SensorTruth:
    """What is true of a sample: when it began by the flight's clock, where the sensor was then
    (NED, `attitude_q_wxyz` turns its axes into NED), and `values` as its kind explains them."""

    time_us: int
    position_m: Array
    attitude_q_wxyz: Array
    values: Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class SuiteSample:
    """What arrives of a sensor: its sample as sent, and the truth beside it."""

    description: StreamDescription
    sample: StreamSample
    truth: SensorTruth


class MountedSensor:
    """Takes samples of one sensor at its own period in simulated time.

    Everything happens on a grid of steps that only its own numbers decide, so that what it sends,
    and when, does not depend on which other sensors there are.
    """

    def __init__(
        self, settings: SensorSettings, sensor: PerceptionSensor, seed: int, output: Any
    ) -> None:
        """`output` is the record OUTPUT of the flight."""
        self.settings = settings
        self._output = output
        self.sensor = sensor
        self.faults = dict(settings.faults)
        """As they are now; those of the file to begin with."""
        self._place = np.array(settings.mount.position_m)
        self._turn = np.array(settings.attitude_q_wxyz)
        name = hashlib.sha256(settings.mount.name.encode()).digest()
        self._seed = seed
        self._key = np.array([seed, int.from_bytes(name[:8], "little")], np.uint64)
        self._name_word = int.from_bytes(name[8:12], "little")
        self._rate_hz = float(settings.values["rate_hz"])
        self._wait_us = sensor.lasts_us + round(1e3 * float(settings.values["delay_ms"]))
        self.grid_steps = self._own_grid()
        self.begin(0)

    def _own_grid(self) -> int:
        period_us = 1e6 / self._rate_hz
        if period_us % STEP_US:
            return 1
        wait_steps = math.ceil(self._wait_us / STEP_US)
        return math.gcd(MOST_GRID_STEPS, int(period_us) // STEP_US, wait_steps)

    def begin(self, time_us: int) -> None:
        """Begin with the first sample at or after that time."""
        self._number = math.ceil(time_us * self._rate_hz / 1e6)
        self._on_the_way: deque[tuple[int, SuiteSample]] = deque()
        self._newest: SensorReading | None = None

    @property
    def next_step(self) -> int:
        """Before this step there is nothing to be done."""
        step = self._on_grid(self._start_us + self.sensor.lasts_us)
        return min(step, self._on_the_way[0][0]) if self._on_the_way else step

    def advance(self, step: int, history: PoseHistory) -> list[SuiteSample]:
        """Take what is due at that step; what arrives by then."""
        while self._on_grid(self._start_us + self.sensor.lasts_us) <= step:
            taken = self._take(history) if history.covers(self._start_us) else None
            if taken is not None:
                arrival = max(self._on_grid(self._start_us + self._wait_us), step)
                self._on_the_way.append((arrival, taken))
            self._number += 1
        arrived = []
        while self._on_the_way and self._on_the_way[0][0] <= step:
            arrived.append(self._on_the_way.popleft()[1])
        return arrived

    @property
    def _start_us(self) -> int:
        return round(self._number * 1e6 / self._rate_hz)

    def _on_grid(self, time_us: int) -> int:
        """The first step of the grid at or after a time."""
        grid = self.grid_steps * STEP_US
        return -(-time_us // grid) * self.grid_steps

    def _take(self, history: PoseHistory) -> SuiteSample | None:
        lost = self.faults["lost"]
        if lost and self._random(_LOST_STREAM).random() < lost:
            return None
        start_us = self._start_us
        clock = 1.0 + 1e-6 * self.faults["clock_drift_ppm"]
        stamped_us = start_us + int(self.sensor.description.details.get("stamped_after_us", 0))
        stamp_us = round(stamped_us * clock + 1e3 * self.faults["clock_offset_ms"])
        motion = self._motion(history, start_us)
        if self.faults["stuck"] and self._newest is not None:
            stuck = replace(self._newest.sample, time_us=stamp_us, number=self._number)
            reading = replace(self._newest, sample=stuck)
        else:
            moment = SensorMoment(
                self._number,
                start_us,
                stamp_us,
                self.faults,
                motion,
                self._random,
                self._seed,
                (self._name_word + self._number * _NUMBER_STEP) & _WORD,
                self._output,
            )
            reading = self._newest = self.sensor.take(moment)
        truth = SensorTruth(start_us, *motion.beginning(), reading.truth)
        return SuiteSample(self.sensor.description, reading.sample, truth)

    def _motion(self, history: PoseHistory, start_us: int) -> MotionStretch:
        grid_us = self.grid_steps * STEP_US
        first = start_us // grid_us
        last = -(-(start_us + self.sensor.lasts_us) // grid_us)
        rows = history.rows(first * self.grid_steps, last * self.grid_steps, self.grid_steps)
        return MotionStretch(rows, first * grid_us - start_us, grid_us, self._place, self._turn)

    def _random(self, stream: int = _SAMPLE_STREAM) -> np.random.Generator:
        counter = np.array([0, 0, self._number, stream], np.uint64)
        return np.random.Generator(np.random.Philox(key=self._key, counter=counter))
