"""One scalar measurement at a time: gate, gain, covariance in Joseph's form, nominal state.

Scalar updates need no matrix inverse (Maybeck, Stochastic Models I, 7.2); Joseph's form stays
symmetric and positive for any gain, so gains may be masked (Schmidt's consider states).
"""

from typing import Any

from simulation.compiled import njit_part, njit_shared
from simulation.estimation.ekf_state import ACCEL_BIAS, GPS_SPEED, MAG_BIAS, SIZE, TURN
from simulation.noise import Whole
from simulation.rotation import to_body, turn

GATE2 = 25.0
"""Innovations beyond five standard deviations are refused."""


@njit_shared
def correct(e: Any, innovation: float, variance: float, everything: bool) -> bool:
    """Use a measurement whose gradient is in e["h"], which is cleared; False if it is refused.

    `innovation` is measurement less prediction. Without `everything` it moves only heading, gyro
    and magnetometer biases, as a compass may; the other states are considered but kept.
    """
    p, ph, gain = e["p"], e["ph"], e["gain"]
    s = variance + _project(p, e["h"], ph)
    if not innovation * innovation <= GATE2 * s:
        return False
    for i in range(SIZE):
        is_moved = everything or TURN + 2 <= i < ACCEL_BIAS or MAG_BIAS <= i < GPS_SPEED
        gain[i] = ph[i] / s if is_moved else 0.0
    for i in range(SIZE):
        for j in range(SIZE):
            p[i, j] += gain[i] * gain[j] * s - (gain[i] * ph[j] + ph[i] * gain[j])
    _inject(e, innovation)
    return True


@njit_part
def _project(p: Any, h: Any, ph: Any) -> float:
    """Write P h into `ph` and return h' P h; clears `h`, which is mostly zeros."""
    for i in range(SIZE):
        ph[i] = 0.0
    for j in range(SIZE):
        if h[j] != 0.0:
            for i in range(SIZE):
                ph[i] += h[j] * p[j, i]
    predicted = 0.0
    for i in range(SIZE):
        predicted += h[i] * ph[i]
        h[i] = 0.0
    return predicted


@njit_part
def _inject(e: Any, innovation: float) -> None:
    """Move the nominal state by the error found."""
    x, gain = e["x"], e["gain"]
    for i in range(SIZE):
        x[i] += gain[i] * innovation
    roll, pitch, yaw = to_body(e["q"], x[TURN], x[TURN + 1], x[TURN + 2])
    turn(e["q"], roll, pitch, yaw)
    for i in range(3):
        x[TURN + i] = 0.0


@njit_shared
def forget(e: Any, i: Whole, variance: float) -> None:
    """Let state `i` be known no better than this, and tied to no other."""
    p = e["p"]
    for j in range(SIZE):
        p[i, j] = 0.0
        p[j, i] = 0.0
    p[i, i] = variance
