"""Sensor motion from the beginning of a sample to its end."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.mathematics.rotation import to_ned
from telemetry.base.rotations import matrices_of

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SensorPoses:
    """NED `position_m` (n, 3) of a sensor, and `attitude_q_wxyz` (n, 4), which turn vectors of its
    axes into NED."""

    position_m: Array
    attitude_q_wxyz: Array

    def rotations(self) -> Array:
        """(n, 3, 3): the same as matrices, which turn columns of the sensor's axes into NED."""
        return matrices_of(self.attitude_q_wxyz)


@dataclass(frozen=True, slots=True, eq=False)
class MotionStretch:
    """The aircraft's `rows` (n, 7), position and attitude, one every `grid_us` from `first_us`
    (which is 0 or less, from the sample's beginning) on, with straight lines in between; and the
    sensor's `place` and `turn` (into the body's axes) on it. Times are in microseconds after the
    sample's beginning."""

    rows: Array
    first_us: int
    grid_us: int
    place: Array
    turn: Array

    def poses(self, after_us: Array) -> SensorPoses:
        """Where the sensor is at times (n,) of the stretch."""
        along = (after_us - self.first_us) / self.grid_us
        low = np.minimum(along.astype(np.int64), len(self.rows) - 2)
        share = (along - low)[:, None]
        rows = self.rows[low] * (1.0 - share) + self.rows[low + 1] * share
        attitude = rows[:, 3:]
        attitude /= np.sqrt(np.einsum("ij,ij->i", attitude, attitude))[:, None]
        place = rows[:, :3] + matrices_of(attitude) @ self.place
        turned = _product(attitude.T, self.turn.tolist())
        return SensorPoses(place, np.stack(turned, axis=1))

    def beginning(self) -> tuple[Array, Array]:
        """Position (3,) and attitude (4,) of the sensor at the sample's beginning."""
        share = -self.first_us / self.grid_us
        row, following = self.rows[0].tolist(), self.rows[1].tolist()
        if share:
            row = [a + share * (b - a) for a, b in zip(row, following, strict=True)]
        length = math.sqrt(sum(part * part for part in row[3:]))
        q = tuple(part / length for part in row[3:])
        x, y, z = to_ned(q, *self.place.tolist())
        position = np.array([row[0] + x, row[1] + y, row[2] + z])
        return position, np.array(_product(q, self.turn.tolist()))


def _product(first: Sequence[Any], second: Sequence[float]) -> tuple[Any, Any, Any, Any]:
    """The quaternion that turns by `second` and then by `first`; parts of that may be arrays."""
    w, x, y, z = first
    a, b, c, d = second
    return (
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c - x * d + y * a + z * b,
        w * d + x * c - y * b + z * a,
    )
