"""Rotations as matrices and angles, for whoever draws, maps or flies.

SciPy's take a tenth of a second to load; they are for jobs.

Body axes are forward, right, down (FRD); a quaternion (w, x, y, z) has length 1.
"""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Quaternion = tuple[float, float, float, float]

_POLE = 1.0 - 1e-9


def matrix_by_angles(roll_deg: float, pitch_deg: float, yaw_deg: float) -> Floats:
    """The matrix (3, 3) that turns vectors of the body's axes into NED: roll, then pitch, then
    yaw."""
    (sr, cr), (sp, cp), (sy, cy) = (
        (math.sin(angle), math.cos(angle))
        for angle in map(math.radians, (roll_deg, pitch_deg, yaw_deg))
    )
    roll = np.array([[1.0, 0.0, 0.0], [0.0, cr, -sr], [0.0, sr, cr]])
    pitch = np.array([[cp, 0.0, sp], [0.0, 1.0, 0.0], [-sp, 0.0, cp]])
    yaw = np.array([[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(yaw @ pitch @ roll)


def matrix_of(q_wxyz: Quaternion | Floats) -> Floats:
    """The matrix (3, 3) that turns a vector as the quaternion does."""
    return np.asarray(matrices_of(np.array([q_wxyz]))[0])


def matrices_of(quaternions: Floats) -> Floats:
    """The same for many: (n, 3, 3) of (n, 4)."""
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


def angles_deg_of(q_wxyz: Quaternion) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a quaternion that turns body axes into NED; straight up or down, where
    one of them is free, roll is 0."""
    w, x, y, z = q_wxyz
    sine = max(-1.0, min(1.0, 2.0 * (w * y - z * x)))
    pitch = math.degrees(math.asin(sine))
    if abs(sine) > _POLE:
        return 0.0, pitch, math.degrees(-2.0 * math.copysign(math.atan2(x, w), sine))
    roll = math.degrees(math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)))
    yaw = math.degrees(math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
    return roll, pitch, yaw
