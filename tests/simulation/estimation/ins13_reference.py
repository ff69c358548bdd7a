"""INS13 written a second time: dense matrices, quaternion products and numerical derivatives.

Straight from the equations of LibrePilot's flight/libraries/insgps13state.c, and sharing nothing
with `simulation.estimation`, so that the two can only agree if both are right.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

GRAVITY = np.array([0.0, 0.0, 9.81])
_STEP = 1e-6


def product(a: Array, b: Array) -> Array:
    """The product of two quaternions, scalar first."""
    vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.concatenate(([a[0] * b[0] - a[1:] @ b[1:]], vector))


def conjugate(q: Array) -> Array:
    """The quaternion that turns back."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def sandwiched(q: Array, v: Array) -> Array:
    """q v q*: the vector turned, times the square of the quaternion's length."""
    return product(product(q, np.concatenate(([0.0], v))), conjugate(q))[1:]


def state_rate(x: Array, u: Array) -> Array:
    """The derivative of the state of shape (13,); `u` are rates in rad/s and the specific force."""
    q, turning = x[6:10], np.concatenate(([0.0], u[:3] - x[10:13]))
    speed_rate = sandwiched(q, u[3:]) + GRAVITY
    return np.concatenate((x[3:6], speed_rate, 0.5 * product(q, turning), np.zeros(3)))


def predicted_state(x: Array, u: Array, dt: float) -> Array:
    """One step of RK4, and the quaternion of length one."""
    k1 = state_rate(x, u)
    k2 = state_rate(x + 0.5 * dt * k1, u)
    k3 = state_rate(x + 0.5 * dt * k2, u)
    k4 = state_rate(x + dt * k3, u)
    new = x + dt * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0
    new[6:10] /= np.linalg.norm(new[6:10])
    return new


def _derivative(function: Callable[[Array], Array], at: Array) -> Array:
    """Columns by central differences."""
    columns = []
    for unit in np.eye(len(at)) * _STEP:
        columns.append((function(at + unit) - function(at - unit)) / (2.0 * _STEP))
    return np.stack(columns, axis=1)


def predicted_covariance(p: Array, x: Array, u: Array, q: Array, dt: float) -> Array:
    """(I + F dt) P (I + F dt)' + dt^2 G Q G'; the bias wanders with the last three of `q`."""
    f = _derivative(lambda y: state_rate(y, u), x)
    g = np.zeros((13, 9))
    g[:, :6] = _derivative(lambda v: state_rate(x, v), u)
    g[10:, 6:] = np.eye(3)
    carry = np.eye(13) + dt * f
    return np.asarray(carry @ p @ carry.T + dt * dt * g @ np.diag(q) @ g.T)


def expected(x: Array, field: Array) -> Array:
    """The ten measurements: position, velocity, field in body axes, height."""
    return np.concatenate((x[:6], sandwiched(conjugate(x[6:10]), field), [-x[2]]))


def corrected(
    known: tuple[Array, Array, Array], z: Array, r: Array, rows: list[int], anew: bool = False
) -> tuple[Array, Array]:
    """State and covariance after these rows, one after the other in Joseph's form; `known` are
    both before, and the field at home.

    Firmware takes what is expected, and its derivatives, of the state before the first row;
    `anew`: of the state before each, as a serial Kalman update is in the books.
    """
    x, p, field = known
    y, h = expected(x, field), _derivative(lambda v: expected(v, field), x)
    x = x.copy()
    for row in rows:
        if anew:
            y, h = expected(x, field), _derivative(lambda v: expected(v, field), x)
        gain = p @ h[row] / (h[row] @ p @ h[row] + r[row])
        keep = np.eye(13) - np.outer(gain, h[row])
        p = keep @ p @ keep.T + r[row] * np.outer(gain, gain)
        x = x + gain * (z[row] - y[row])
    x[6:10] /= np.linalg.norm(x[6:10])
    return x, p
