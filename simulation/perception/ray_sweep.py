"""Rays that a sensor sends one after the other while its aircraft moves."""

import numpy as np
import numpy.typing as npt

from simulation.perception.sensor import SensorMoment

Array = npt.NDArray[np.float64]

_KNOT_US = 1000
"""Between two poses that rays in between are interpolated from: turning at 20 rad/s, the line
between them is off the arc by 0.003 degrees."""


class RaySweep:
    """Rays of one scan: `directions` (n, 3) of length 1 in the sensor's axes, and `after_us` (n,)
    from the scan's beginning, ascending."""

    def __init__(self, directions: Array, after_us: Array) -> None:
        self._directions = directions
        self.lasts_us = int(after_us[-1])
        knots = -(-self.lasts_us // _KNOT_US) + 1
        self._knots_us = np.linspace(0.0, float(self.lasts_us), knots)
        place = after_us / max(self.lasts_us, 1) * (knots - 1)
        self._low = np.minimum(place.astype(np.int64), max(knots - 2, 0))
        self._high = np.minimum(self._low + 1, knots - 1)
        self._share = place - self._low

    def of(self, moment: SensorMoment) -> tuple[Array, Array]:
        """NED origins and directions (n, 3) of the rays of that moment's scan."""
        poses = moment.poses(self._knots_us)
        places = _between(poses.position_m, self._low, self._high, self._share[:, None])
        turns = _between(poses.rotations(), self._low, self._high, self._share[:, None, None])
        directions = np.matmul(turns, self._directions[:, :, None])[:, :, 0]
        directions /= np.sqrt(np.einsum("ij,ij->i", directions, directions))[:, None]
        return places, directions


def _between(
    knots: Array, low: npt.NDArray[np.int64], high: npt.NDArray[np.int64], share: Array
) -> Array:
    first = knots[low]
    first += (knots[high] - first) * share
    return first
