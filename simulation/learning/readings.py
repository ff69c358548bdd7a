"""Readings of a fleet: where each aircraft is and how it moves, as arrays with a row for each."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from simulation.learning.columns import Array, SpaceColumn, columns_of

Which = npt.NDArray[np.int64] | slice
"""Numbers of the aircraft meant."""
ALL: Final = slice(None)
FASTEST_MPS: Final = 30.0
FASTEST_RADPS: Final = 35.0
"""What a gyro of 2000 deg/s shows."""
_SCALAR: Final = 0

VELOCITY_COLUMNS: Final = columns_of(
    ("velocity_north", "velocity_east", "velocity_down"), "m/s", "NED", FASTEST_MPS
)
ATTITUDE_COLUMNS: Final = (
    SpaceColumn("q_w", "", "body to NED", 0.0, 1.0),
    *columns_of(("q_x", "q_y", "q_z"), "", "body to NED", 1.0),
)
RATE_COLUMNS: Final = columns_of(
    ("roll_rate", "pitch_rate", "yaw_rate"), "rad/s", "FRD", FASTEST_RADPS
)


class FleetReadings(NamedTuple):
    """Of n aircraft: `position_m` (n, 3), NED from the world's origin, which is home;
    `velocity_mps` (n, 3), NED; `q_wxyz` (n, 4), body to NED, w never negative; `rates_radps`
    (n, 3), FRD."""

    position_m: Array
    velocity_mps: Array
    q_wxyz: Array
    rates_radps: Array


class FleetMoment(NamedTuple):
    """The truth about n aircraft after a step: seconds of the episode, whether they touch
    something, and whether they are broken or their motion has become impossible."""

    truth: FleetReadings
    time_s: Array
    touches: npt.NDArray[np.bool_]
    broken: npt.NDArray[np.bool_]


_TRUE = ("true_position", "true_velocity", "true_quaternion", "true_rates")
_ESTIMATED = ("position", "velocity", "quaternion", "rates")


class FleetReader:
    """Reads an array of FLIGHT, each time anew; what it returns is the caller's."""

    def __init__(self, records: "npt.NDArray[Any]") -> None:
        output, state = records["output"], records["state"]
        self._true = [output[name] for name in _TRUE]
        self._estimated = [output[name] for name in _ESTIMATED]
        self._time_us = output["time_us"]
        self._crashed, self._diverged = output["crashed"], state["diverged"]
        self._contact = state["contact_force"]

    def truth(self, which: Which = ALL) -> FleetReadings:
        """Of these aircraft, as it is."""
        return _read([member[which] for member in self._true])

    def estimate(self) -> FleetReadings:
        """Of all, as their boards estimate it from their sensors."""
        return _read(self._estimated)

    def moment(self, which: Which = ALL) -> FleetMoment:
        """Of these aircraft, all that rewards and ends of episodes go by."""
        broken = (self._crashed[which] != 0) | (self._diverged[which] != 0)
        touches = (self._contact[which] != 0.0).any(axis=1)
        return FleetMoment(self.truth(which), self._time_us[which] / 1e6, touches, broken)

    def renew(self, moment: FleetMoment, which: Which) -> None:
        """Bring what a moment says of these aircraft up to date."""
        now = self.moment(which)
        pairs = zip((*moment.truth, *moment[1:]), (*now.truth, *now[1:]), strict=True)
        for values, new in pairs:
            values[which] = new


def _read(members: "list[npt.NDArray[np.float64]]") -> FleetReadings:
    position, velocity, quaternion, rates = members
    sign = np.where(quaternion[:, _SCALAR] < 0.0, -1.0, 1.0)[:, None]
    return FleetReadings(position.copy(), velocity.copy(), quaternion * sign, np.radians(rates))
