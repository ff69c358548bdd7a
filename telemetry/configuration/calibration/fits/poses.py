"""Calibration poses: the six sides an aircraft can be laid on."""

from enum import Enum

import numpy as np

from telemetry.configuration.calibration.fits.result import Array
from telemetry.configuration.calibration.fits.rotation import angle_between

_WIDEST_DEG = 30.0
"""Further from every side than this and no side is meant."""


class RestPose(Enum):
    """A side, in the words shown; in the order in which they are easiest to reach."""

    LEVEL = "level"
    LEFT_DOWN = "left side down"
    UPSIDE_DOWN = "upside down"
    RIGHT_DOWN = "right side down"
    NOSE_DOWN = "nose down"
    NOSE_UP = "nose up"

    @property
    def down(self) -> Array:
        """Which way is down, a unit vector along the airframe's axes: forward, right, down."""
        return np.array(_DOWN[self])


_DOWN = {
    RestPose.LEVEL: (0.0, 0.0, 1.0),
    RestPose.UPSIDE_DOWN: (0.0, 0.0, -1.0),
    RestPose.NOSE_DOWN: (1.0, 0.0, 0.0),
    RestPose.NOSE_UP: (-1.0, 0.0, 0.0),
    RestPose.RIGHT_DOWN: (0.0, 1.0, 0.0),
    RestPose.LEFT_DOWN: (0.0, -1.0, 0.0),
}


def pose_of(accel: Array) -> RestPose | None:
    """The side an aircraft at rest lies on, from its acceleration (3,), or None between sides.

    At rest the accelerometer feels the table, which pushes up.
    """
    nearest = min(RestPose, key=lambda pose: angle_between(pose.down, -accel))
    return nearest if angle_between(nearest.down, -accel) <= _WIDEST_DEG else None
