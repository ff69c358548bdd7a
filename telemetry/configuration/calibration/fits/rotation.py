"""Rotations between the axes of the board and those of the airframe, as the firmware takes them.

Angles are those of the airframe as seen from the board: roll, pitch, yaw in the order of an
attitude. R turns components along the board's axes into components along the airframe's (forward,
right, down): with roll 90 deg the airframe's right side is where the board's underside is.
"""

import itertools
import math

import numpy as np

from telemetry.configuration.calibration.fits.result import Array

_POLE = 1.0 - 1e-9


def rotation_of(roll_deg: float, pitch_deg: float = 0.0, yaw_deg: float = 0.0) -> Array:
    """R (3, 3) for these angles."""
    a, b, c = (math.radians(x) for x in (roll_deg, pitch_deg, yaw_deg))
    about_x = [[1, 0, 0], [0, math.cos(a), math.sin(a)], [0, -math.sin(a), math.cos(a)]]
    about_y = [[math.cos(b), 0, -math.sin(b)], [0, 1, 0], [math.sin(b), 0, math.cos(b)]]
    about_z = [[math.cos(c), math.sin(c), 0], [-math.sin(c), math.cos(c), 0], [0, 0, 1]]
    return np.asarray(np.array(about_x) @ np.array(about_y) @ np.array(about_z))


def angles_of(rotation: Array) -> tuple[float, float, float]:
    """Roll, pitch, yaw of R in degrees; straight up or down, where one is free, roll is 0."""
    up = -float(rotation[0, 2])
    if abs(up) > _POLE:
        yaw = math.atan2(-rotation[1, 0], rotation[1, 1])
        return 0.0, math.copysign(90.0, up), math.degrees(yaw)
    roll = math.atan2(rotation[1, 2], rotation[2, 2])
    yaw = math.atan2(rotation[0, 1], rotation[0, 0])
    return math.degrees(roll), math.degrees(math.asin(up)), math.degrees(yaw)


def aligned_rotations() -> tuple[Array, ...]:
    """The 24 rotations that lay axes on axes, the untouched one first."""
    found: list[Array] = []
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = signs
            if np.linalg.det(matrix) > 0.0:
                found.append(matrix)
    return tuple(found)


def angle_between(first: Array, second: Array) -> float:
    """The angle between two vectors in degrees."""
    # Asked for with every reading: NumPy takes ten times as long for six products.
    a, b, c = first.tolist()
    x, y, z = second.tolist()
    crossed = math.hypot(b * z - c * y, c * x - a * z, a * y - b * x)
    return math.degrees(math.atan2(crossed, a * x + b * y + c * z))
