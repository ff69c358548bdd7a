"""INS13 prediction: state and covariance from one IMU sample to the next.

The equations are those of LibrePilot's flight/libraries/insgps13state.c: with a the specific force
and w the rates less their bias b, both in body axes, and R(q) from body to NED

    p' = v,   v' = R(q) a + (0, 0, g),   q' = q w / 2,   b' = 0

by one step of RK4 with a and w held, and P <- (I + F T) P (I + F T)' + T^2 G Q G' with F and G at
the state before the step. R(q) is not divided by the square of q, whose length the stages change.
Firmware counts in single precision; in double the states differ by less than they are sure of.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.estimation.ins13_state import (
    GYRO_BIAS,
    MOVING,
    POSITION,
    SIZE,
    TURN,
    VELOCITY,
)
from simulation.mathematics.rotation import Triple

_GRAVITY = 9.81  # as firmware has it everywhere on Earth
_REACH = (0.0, 0.5, 0.5, 1.0)  # of the step, where RK4 looks


@njit_part
def predict_state(n: Any, dt: float) -> None:
    """Move the state on by `dt` seconds with INS.rate (rad/s, as measured) and INS.force (m/s2);
    `n` is the INS record. Linearises about the state before, for `predict_covariance`."""
    linearise(n)
    x, between, slope = n["x"], n["between"], n["slope"]
    for stage in range(4):
        for i in range(MOVING):
            between[i] = x[i]
            if stage > 0:
                between[i] += _REACH[stage] * dt * slope[stage - 1, i]
        _set_slope(n, slope[stage])
    for i in range(MOVING):
        middle = slope[1, i] + slope[2, i]
        x[i] += dt * (slope[0, i] + 2.0 * middle + slope[3, i]) / 6.0
    normalise_turn(x)


@njit_part
def normalise_turn(x: Any) -> None:
    """Bring the quaternion in `x` back to length one."""
    square = 0.0
    for i in range(4):
        square += x[TURN + i] * x[TURN + i]
    scale = 1.0 / math.sqrt(square) if square > 0.0 else 0.0
    for i in range(4):
        x[TURN + i] *= scale


@njit_part
def _set_slope(n: Any, slope: Any) -> None:
    """Write the derivative at INS.between into `slope`, of position, velocity and quaternion."""
    x, a, w = n["between"], n["force"], n["turning"]
    q0, q1, q2, q3 = x[TURN], x[TURN + 1], x[TURN + 2], x[TURN + 3]
    north, east, down = turned(q0, q1, q2, q3, a)
    for i in range(3):
        slope[POSITION + i] = x[VELOCITY + i]
    slope[VELOCITY] = north
    slope[VELOCITY + 1] = east
    slope[VELOCITY + 2] = down + _GRAVITY
    slope[TURN] = 0.5 * (-q1 * w[0] - q2 * w[1] - q3 * w[2])
    slope[TURN + 1] = 0.5 * (q0 * w[0] - q3 * w[1] + q2 * w[2])
    slope[TURN + 2] = 0.5 * (q3 * w[0] + q0 * w[1] - q1 * w[2])
    slope[TURN + 3] = 0.5 * (-q2 * w[0] + q1 * w[1] + q0 * w[2])


@njit_part
def turned(q0: float, q1: float, q2: float, q3: float, a: Any) -> Triple:
    """The body vector `a` in NED, times the square of the quaternion's length."""
    s0, s1, s2, s3 = q0 * q0, q1 * q1, q2 * q2, q3 * q3
    x, y, z = a[0], a[1], a[2]
    return (
        (s0 + s1 - s2 - s3) * x + 2.0 * (q1 * q2 - q0 * q3) * y + 2.0 * (q1 * q3 + q0 * q2) * z,
        2.0 * (q1 * q2 + q0 * q3) * x + (s0 - s1 + s2 - s3) * y + 2.0 * (q2 * q3 - q0 * q1) * z,
        2.0 * (q1 * q3 - q0 * q2) * x + 2.0 * (q2 * q3 + q0 * q1) * y + (s0 - s1 - s2 + s3) * z,
    )


@njit_part
def linearise(n: Any) -> None:
    """Write the derivatives that are not constant into the record: of the acceleration by the
    quaternion, INS.pull (3, 4), and of the quaternion's rate by itself, INS.spin (4, 4), and by the
    gyros' bias, INS.drift (4, 3), which is also how their noise comes in; that of the
    accelerometers comes in by INS.rotation (3, 3)."""
    x, w = n["x"], n["turning"]
    for i in range(3):
        w[i] = n["rate"][i] - x[GYRO_BIAS + i]
    q0, q1, q2, q3 = x[TURN], x[TURN + 1], x[TURN + 2], x[TURN + 3]
    _set_pull(n, q0, q1, q2, q3)
    _set_spin(n["spin"], w)
    _set_drift(n["drift"], q0, q1, q2, q3)
    _set_rotation(n["rotation"], q0, q1, q2, q3)


@njit_part
def _set_pull(n: Any, q0: float, q1: float, q2: float, q3: float) -> None:
    """Four sums are all there are: each derivative is one of them or its negative."""
    a, pull = n["force"], n["pull"]
    along = 2.0 * (q1 * a[0] + q2 * a[1] + q3 * a[2])
    north = 2.0 * (q0 * a[0] - q3 * a[1] + q2 * a[2])
    east = 2.0 * (q3 * a[0] + q0 * a[1] - q1 * a[2])
    down = 2.0 * (-q2 * a[0] + q1 * a[1] + q0 * a[2])
    pull[0, 0], pull[0, 1], pull[0, 2], pull[0, 3] = north, along, down, -east
    pull[1, 0], pull[1, 1], pull[1, 2], pull[1, 3] = east, -down, along, north
    pull[2, 0], pull[2, 1], pull[2, 2], pull[2, 3] = down, east, -north, along


@njit_part
def _set_spin(spin: Any, w: Any) -> None:
    x, y, z = 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]
    spin[0, 0], spin[0, 1], spin[0, 2], spin[0, 3] = 0.0, -x, -y, -z
    spin[1, 0], spin[1, 1], spin[1, 2], spin[1, 3] = x, 0.0, z, -y
    spin[2, 0], spin[2, 1], spin[2, 2], spin[2, 3] = y, -z, 0.0, x
    spin[3, 0], spin[3, 1], spin[3, 2], spin[3, 3] = z, y, -x, 0.0


@njit_part
def _set_drift(drift: Any, q0: float, q1: float, q2: float, q3: float) -> None:
    drift[0, 0], drift[0, 1], drift[0, 2] = 0.5 * q1, 0.5 * q2, 0.5 * q3
    drift[1, 0], drift[1, 1], drift[1, 2] = -0.5 * q0, 0.5 * q3, -0.5 * q2
    drift[2, 0], drift[2, 1], drift[2, 2] = -0.5 * q3, -0.5 * q0, 0.5 * q1
    drift[3, 0], drift[3, 1], drift[3, 2] = 0.5 * q2, -0.5 * q1, -0.5 * q0


@njit_part
def _set_rotation(r: Any, q0: float, q1: float, q2: float, q3: float) -> None:
    s0, s1, s2, s3 = q0 * q0, q1 * q1, q2 * q2, q3 * q3
    r[0, 0], r[1, 1], r[2, 2] = s0 + s1 - s2 - s3, s0 - s1 + s2 - s3, s0 - s1 - s2 + s3
    r[0, 1], r[1, 0] = 2.0 * (q1 * q2 - q0 * q3), 2.0 * (q1 * q2 + q0 * q3)
    r[0, 2], r[2, 0] = 2.0 * (q1 * q3 + q0 * q2), 2.0 * (q1 * q3 - q0 * q2)
    r[1, 2], r[2, 1] = 2.0 * (q2 * q3 - q0 * q1), 2.0 * (q2 * q3 + q0 * q1)


@njit_part
def _carry(v: Any, n: Any, dt: float) -> None:
    """Multiply the error vector `v`, of thirteen, in place by I + F dt."""
    pull, spin, drift = n["pull"], n["spin"], n["drift"]
    q0, q1, q2, q3 = v[TURN], v[TURN + 1], v[TURN + 2], v[TURN + 3]
    b0, b1, b2 = v[GYRO_BIAS], v[GYRO_BIAS + 1], v[GYRO_BIAS + 2]
    for i in range(3):
        v[POSITION + i] += dt * v[VELOCITY + i]
        change = pull[i, 0] * q0 + pull[i, 1] * q1 + pull[i, 2] * q2 + pull[i, 3] * q3
        v[VELOCITY + i] += dt * change
    for i in range(4):
        change = spin[i, 0] * q0 + spin[i, 1] * q1 + spin[i, 2] * q2 + spin[i, 3] * q3
        change += drift[i, 0] * b0 + drift[i, 1] * b1 + drift[i, 2] * b2
        v[TURN + i] += dt * change


@njit_part
def predict_covariance(n: Any, dt: float) -> None:
    """Move the covariance on by `dt` seconds, with the derivatives of the newest `linearise`.

    EKFConfiguration.Q are variances of what happens in one step, whatever its length: the shorter
    the step, the less is added in a second.
    """
    p = n["p"]
    for j in range(SIZE):
        _carry(p[:, j], n, dt)
    for i in range(MOVING):
        _carry(p[i], n, dt)
    _add_noise(n, dt * dt)
    for i in range(MOVING):
        for j in range(i + 1, SIZE):
            p[j, i] = p[i, j]


@njit_part
def _add_noise(n: Any, square: float) -> None:
    """Above the diagonal and on it."""
    p, q, r, drift = n["p"], n["q"], n["rotation"], n["drift"]
    for i in range(3):
        for j in range(i, 3):
            by_force = (
                r[i, 0] * q[3] * r[j, 0] + r[i, 1] * q[4] * r[j, 1] + r[i, 2] * q[5] * r[j, 2]
            )
            p[VELOCITY + i, VELOCITY + j] += square * by_force
        p[GYRO_BIAS + i, GYRO_BIAS + i] += square * q[6 + i]
    for i in range(4):
        for j in range(i, 4):
            by_rate = 0.0
            for k in range(3):
                by_rate += drift[i, k] * q[k] * drift[j, k]
            p[TURN + i, TURN + j] += square * by_rate
