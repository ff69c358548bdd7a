"""Perception sensor: the protocol of a kind: what it takes, when, and what is true then."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from simulation.perception.motion_stretch import MotionStretch, SensorPoses
from telemetry.protocol.streams.samples import StreamDescription, StreamSample

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SensorMoment:
    """When a sensor takes its sample `number`, and what it needs for it.

    `time_us` is the true beginning, `stamp_us` the same by the sensor's own clock, or what comes
    `stamped_after_us` (in the details of its stream) later. `faults` are those that hold now.
    Randomness comes from `random()`, or in compiled code from
    `simulation.mathematics.random_numbers` with `seed` and `stream`; both begin anew with every
    sample: what a sensor draws depends on the seed, its mount's name and `number` alone.
    """

    number: int
    time_us: int
    stamp_us: int
    faults: Mapping[str, float]
    motion: MotionStretch
    random: Callable[[], np.random.Generator]
    seed: int
    stream: int
    output: Any
    """The record OUTPUT when the sample is taken: for what the board knows."""

    def poses(self, after_us: Array) -> SensorPoses:
        """Where the sensor is at these times (n,), in microseconds after `time_us`, from 0 to the
        sensor's `lasts_us`."""
        return self.motion.poses(after_us)


@dataclass(frozen=True, slots=True, eq=False)
class SensorReading:
    """What a sensor sends, and what is true of it: arrays by name, which the kind explains. A
    mapping that works them out when asked may name in `large` those that should not be asked for
    every sample."""

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
