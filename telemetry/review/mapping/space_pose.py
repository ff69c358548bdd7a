"""Pose of an aircraft or a sensor in space."""

from dataclasses import dataclass

import numpy as np

from telemetry.base.rotations import Floats, matrix_of
from telemetry.protocol.streams.samples import StreamDescription


@dataclass(frozen=True, slots=True, eq=False)
class SpacePose:
    """`position_m` (3,) is NED, `rotation` (3, 3) turns vectors of its own axes (forward, right,
    down) into those."""

    position_m: Floats
    rotation: Floats

    def points(self, own: Floats) -> Floats:
        """Points (n, 3) of its own axes in NED."""
        return np.asarray(self.position_m + own @ self.rotation.T)

    def of_sensor(self, description: StreamDescription) -> "SpacePose":
        """Where a sensor is that is mounted on it; `rotation` turns the sensor's axes then."""
        position = self.position_m + self.rotation @ np.asarray(description.position_m)
        return SpacePose(position, self.rotation @ matrix_of(description.attitude_q_wxyz))
