"""What a kind of sensor is to whoever carries it: what it takes, when, and what is true then."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from telemetry.streams.samples import StreamDescription, StreamSample

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SensorMoment:
    """When a sensor takes its sample `number`, and what it needs for it.

    `time_us` is the true beginning, `stamp_us` the same by the sensor's own clock, or what comes
    `stamped_after_us` (in the details of its stream) later. `faults` are
    those that hold now. Randomness comes from `random()`, which begins anew with every sample:
    what a sensor draws depends on the seed, its mount's name and `number` alone.
    """

    number: int
    time_us: int
    stamp_us: int
    faults: Mapping[str, float]
    poses: "Callable[[Array], SensorPoses]"
    """Where the sensor is at these times, in microseconds after `time_us`, from 0 to `lasts_us`."""
    random: Callable[[], np.random.Generator]
    output: Any
    """The record OUTPUT when the sample is taken: for what the board knows."""


@dataclass(frozen=True, slots=True, eq=False)
class SensorPoses:
    """NED `position_m` (n, 3) of a sensor, and `attitude_q_wxyz` (n, 4), which turn vectors of its
    axes into NED."""

    position_m: Array
    attitude_q_wxyz: Array

    def rotations(self) -> Array:
        """(n, 3, 3): the same as matrices, which turn columns of the sensor's axes into NED."""
        return matrices(self.attitude_q_wxyz)


def matrices(quaternions: Array) -> Array:
    """(n, 3, 3) of (n, 4), scalar first: what turns a vector as the quaternion does."""
    w, x, y, z = quaternions.T
    found = np.empty((len(quaternions), 3, 3))
    found[:, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    found[:, 0, 1] = 2.0 * (x * y - w * z)
    found[:, 0, 2] = 2.0 * (x * z + w * y)
    found[:, 1, 0] = 2.0 * (x * y + w * z)
    found[:, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    found[:, 1, 2] = 2.0 * (y * z - w * x)
    found[:, 2, 0] = 2.0 * (x * z - w * y)
    found[:, 2, 1] = 2.0 * (y * z + w * x)
    found[:, 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class SensorReading:
    """What a sensor sends, and what is true of it: arrays by name, which the kind explains."""

    sample: StreamSample
    truth: Mapping[str, npt.NDArray[Any]]


class PerceptionSensor(Protocol):
    """One sensor on its mount; made anew for every flight."""

    @property
    def description(self) -> StreamDescription:
        """Its stream."""

    @property
    def lasts_us(self) -> int:
        """From the first thing that a sample looks at to its last: a sweep, a shutter; 0: an
        instant."""

    def take(self, moment: SensorMoment) -> SensorReading:
        """The sample of that moment, with `stamp_us` and `number` of it. Called in the order of
        numbers, without those that got lost."""
