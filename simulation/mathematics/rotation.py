"""Quaternion algebra on plain arrays, scalar first; a quaternion q turns body into NED."""

import math
from typing import Any

from simulation.compiler.decorators import njit_part

Triple = tuple[float, float, float]
_SMALL_SQUARE = 1e-3  # rad2


@njit_part
def clamp(value: float, low: float, high: float) -> float:
    """`value` limited to [low, high]."""
    if value < low:
        return low
    if value > high:
        return high
    return value


@njit_part
def whole_within(position: float, last: int) -> int:
    """The whole part of `position`, within 0..last: an index that is safe whatever went wrong
    before, because what is no number gives 0."""
    if position >= last:
        return last
    return int(position) if position >= 0.0 else 0


@njit_part
def to_ned(q: Any, x: float, y: float, z: float) -> Triple:
    """The body vector (x, y, z) in NED."""
    w, a, b, c = q[0], q[1], q[2], q[3]
    tx = 2.0 * (b * z - c * y)
    ty = 2.0 * (c * x - a * z)
    tz = 2.0 * (a * y - b * x)
    return (
        x + w * tx + b * tz - c * ty,
        y + w * ty + c * tx - a * tz,
        z + w * tz + a * ty - b * tx,
    )


@njit_part
def to_body(q: Any, x: float, y: float, z: float) -> Triple:
    """The NED vector (x, y, z) in body axes."""
    return to_ned((q[0], -q[1], -q[2], -q[3]), x, y, z)


@njit_part
def normalise(q: Any) -> None:
    """Scale the quaternion `q` to length one, in place."""
    scale = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    for i in range(4):
        q[i] *= scale


@njit_part
def turn(q: Any, x: float, y: float, z: float) -> None:
    """Turn `q` in place by the small rotation vector (x, y, z) in body axes, radians."""
    square = 0.25 * (x * x + y * y + z * z)  # of half the angle
    if square < _SMALL_SQUARE:  # series, exact to the last bit
        s = 0.5 - square * (1.0 / 12.0 - square * (1.0 / 240.0 - square * (1.0 / 10080.0)))
        c = 1.0 - square * (1.0 / 2.0 - square * (1.0 / 24.0 - square * (1.0 / 720.0)))
    else:
        half = math.sqrt(square)
        s = 0.5 * math.sin(half) / half
        c = math.cos(half)
    x, y, z = s * x, s * y, s * z
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    q[0] = q0 * c - q1 * x - q2 * y - q3 * z
    q[1] = q0 * x + q1 * c + q2 * z - q3 * y
    q[2] = q0 * y - q1 * z + q2 * c + q3 * x
    q[3] = q0 * z + q1 * y - q2 * x + q3 * c
    normalise(q)


@njit_part
def euler_of(q: Any) -> Triple:
    """Roll, pitch, yaw in radians."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = math.asin(clamp(2.0 * (w * y - z * x), -1.0, 1.0))
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return roll, pitch, yaw


@njit_part
def attitude_deg_of(q: Any, angles: Any) -> None:
    """Write roll, pitch, yaw of `q` in degrees into `angles`."""
    roll, pitch, yaw = euler_of(q)
    angles[0] = math.degrees(roll)
    angles[1] = math.degrees(pitch)
    angles[2] = math.degrees(yaw)


@njit_part
def set_euler(q: Any, roll: float, pitch: float, yaw: float) -> None:
    """Make `q` the attitude of these angles in radians."""
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    q[0] = cr * cp * cy + sr * sp * sy
    q[1] = sr * cp * cy - cr * sp * sy
    q[2] = cr * sp * cy + sr * cp * sy
    q[3] = cr * cp * sy - sr * sp * cy


@njit_part
def _turn_between(q: Any, target: Any) -> tuple[float, float, float, float]:
    """The turn in body axes, as a quaternion, that makes attitude `q` into `target`."""
    w = q[0] * target[0] + q[1] * target[1] + q[2] * target[2] + q[3] * target[3]
    x = q[0] * target[1] - q[1] * target[0] - q[2] * target[3] + q[3] * target[2]
    y = q[0] * target[2] + q[1] * target[3] - q[2] * target[0] - q[3] * target[1]
    z = q[0] * target[3] - q[1] * target[2] + q[2] * target[1] - q[3] * target[0]
    return w, x, y, z


@njit_part
def rotation_between(q: Any, target: Any) -> Triple:
    """The rotation vector in body axes, radians, that turns attitude `q` into `target`."""
    w, x, y, z = _turn_between(q, target)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    length = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 if length < 1e-9 else 2.0 * math.atan2(length, w) / length
    return scale * x, scale * y, scale * z


@njit_part
def euler_between(q: Any, target: Any) -> Triple:
    """The same turn as roll, pitch and yaw, radians."""
    return euler_of(_turn_between(q, target))


@njit_part
def wrap_pi(angle: float) -> float:
    """The same angle within -pi..pi."""
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))
