"""EKF scalar update: gate, gain, covariance and nominal state of one measurement at a time.

Scalar updates need no matrix inverse (Maybeck, Stochastic Models I, 7.2). A state may be considered
but kept (Schmidt's consider states): its gain is zero. Joseph's form for any gain K,

    P <- P - K (P h)' - (P h) K' + s K K',   s = h' P h + r,

is then P - (P h)(P h)' / s wherever one of the two states is moved, and P where both are kept.
Each pair of states is worked out once and written on both sides of the diagonal, so P is symmetric
to the bit. It stays positive definite: what is left is at least the share r / s, see LEAST_SHARE.
"""

from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.estimation.ekf_state import ACCEL_BIAS, BARO, GYRO_BIAS, MAG_BIAS, SIZE, TURN
from simulation.mathematics.random_numbers import Whole
from simulation.mathematics.rotation import to_body, turn

GATE2 = 25.0
"""Innovations beyond five standard deviations are refused."""
LEAST_SHARE = 1e-10
"""A measurement's own variance is taken for at least this share of the predicted one: what it
leaves of the variance along h then stays far above what rounding does to it."""


@njit_shared
def correct(e: Any, innovation: float, variance: float, everything: bool) -> bool:
    """Use a measurement whose gradient is in e["h"], which is cleared; False if it is refused.

    `innovation` is measurement less prediction. Without `everything` it moves only heading, gyro
    and magnetometer biases, as a compass may; the other states are considered but kept.
    """
    p, ph, gain = e["p"], e["ph"], e["gain"]
    predicted = _project(p, e["h"], ph)
    s = predicted + max(variance, LEAST_SHARE * predicted)
    if not innovation * innovation <= GATE2 * s:
        return False
    for i in range(SIZE):
        is_bias = GYRO_BIAS <= i < ACCEL_BIAS or MAG_BIAS <= i < BARO
        gain[i] = ph[i] / s if everything or is_bias or i == TURN + 2 else 0.0
    _reduce(p, ph, gain)
    _inject(e, innovation)
    return True


@njit_part
def predicted_variance(e: Any) -> float:
    """The variance that the filter gives to a measurement whose gradient is in e["h"], which is
    cleared, without the measurement's own."""
    return float(_project(e["p"], e["h"], e["ph"]))


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
def _reduce(p: Any, ph: Any, gain: Any) -> None:
    """Take off the covariance what has been learned: of each pair with a state that is moved."""
    for i in range(SIZE):
        share = gain[i]
        if share != 0.0:
            for j in range(SIZE):
                if j >= i or gain[j] == 0.0:
                    left = p[i, j] - share * ph[j]
                    p[i, j] = left
                    p[j, i] = left


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
