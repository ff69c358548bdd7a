"""One sensor of a suite: when its samples begin, are taken and arrive."""

import hashlib
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.interface import STEP_US
from simulation.perception.pose_history import PoseHistory
from simulation.perception.sensor import (
    PerceptionSensor,
    SensorMoment,
    SensorPoses,
    SensorReading,
    matrices,
)
from simulation.perception.settings import SensorSettings
from telemetry.streams.samples import StreamDescription, StreamSample

Array = npt.NDArray[np.float64]

MOST_GRID_STEPS: Final = 5
"""Between two poses, at most: 200 Hz, so that straight lines between them are exact enough."""
_LOST_STREAM, _SAMPLE_STREAM = 0, 1


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
        self._key = np.array([seed, int.from_bytes(name[:8], "little")], np.uint64)
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

        def poses(after_us: Array) -> SensorPoses:
            return self._carried(*history.motion(start_us + after_us, self.grid_steps))

        clock = 1.0 + 1e-6 * self.faults["clock_drift_ppm"]
        stamped_us = start_us + int(self.sensor.description.details.get("stamped_after_us", 0))
        stamp_us = round(stamped_us * clock + 1e3 * self.faults["clock_offset_ms"])
        moment = SensorMoment(
            self._number, start_us, stamp_us, self.faults, poses, self._random, self._output
        )
        reading = self._newest if self.faults["stuck"] else None
        if reading is None:
            reading = self._newest = self.sensor.take(moment)
        sample = replace(reading.sample, time_us=stamp_us, number=self._number)
        pose = poses(np.zeros(1))
        truth = SensorTruth(start_us, pose.position_m[0], pose.attitude_q_wxyz[0], reading.truth)
        return SuiteSample(self.sensor.description, sample, truth)

    def _carried(self, position: Array, attitude: Array) -> SensorPoses:
        """Where the sensor is when the aircraft is there."""
        return SensorPoses(
            position + matrices(attitude) @ self._place, _product(attitude, self._turn)
        )

    def _random(self, stream: int = _SAMPLE_STREAM) -> np.random.Generator:
        counter = np.array([0, 0, self._number, stream], np.uint64)
        return np.random.Generator(np.random.Philox(key=self._key, counter=counter))


def _product(first: Array, second: Array) -> Array:
    """The quaternions (n, 4) that turn by `second` (4,) and then by `first` (n, 4)."""
    w, x, y, z = first.T
    a, b, c, d = second
    return np.stack(
        [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a,
        ],
        axis=1,
    )
