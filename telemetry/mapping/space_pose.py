"""Where an aircraft or a sensor is in space."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.streams.samples import StreamDescription

Floats = npt.NDArray[np.float64]


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
        return SpacePose(position, self.rotation @ rotation_of(description.attitude_q_wxyz))


def rotation_of(q_wxyz: tuple[float, float, float, float]) -> Floats:
    """The matrix (3, 3) of a quaternion of length 1."""
    w, x, y, z = q_wxyz
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def rotation_by_angles(roll_deg: float, pitch_deg: float, yaw_deg: float) -> Floats:
    """The matrix (3, 3) that turns body vectors (FRD) into NED: yaw, then pitch, then roll."""
    roll, pitch, yaw = (math.radians(angle) / 2.0 for angle in (roll_deg, pitch_deg, yaw_deg))
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return rotation_of(
        (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        )
    )
