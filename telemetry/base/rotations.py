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


def quaternion_by_angles(roll_deg: float, pitch_deg: float, yaw_deg: float) -> Quaternion:
    """The quaternion of the same turn as `matrix_by_angles`."""
    (sr, cr), (sp, cp), (sy, cy) = (
        (math.sin(angle / 2.0), math.cos(angle / 2.0))
        for angle in map(math.radians, (roll_deg, pitch_deg, yaw_deg))
    )
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


def turned_part_way(start: Quaternion, end: Quaternion, share: float) -> Quaternion:
    """The turn a `share` (0 to 1) of the shortest way from one to another, at an even rate (slerp,
    K. Shoemake, Animating Rotation with Quaternion Curves, 1985)."""
    cosine = sum(a * b for a, b in zip(start, end, strict=True))
    sign = -1.0 if cosine < 0.0 else 1.0
    angle = math.acos(min(abs(cosine), 1.0))
    if abs(cosine) > _POLE:
        of_start, of_end = 1.0 - share, sign * share
    else:
        of_start = math.sin((1.0 - share) * angle) / math.sin(angle)
        of_end = sign * math.sin(share * angle) / math.sin(angle)
    w, x, y, z = (of_start * a + of_end * b for a, b in zip(start, end, strict=True))
    return w, x, y, z
