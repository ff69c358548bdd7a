"""The two manoeuvres by scipy's DOP853 at a tolerance far below what any simulator reaches.

Written from the equations of a rigid body, not from any simulator: m v' = F, J w' = M - w x J w,
q' = q (0, w) / 2, and W' = (command - W) / tau for each rotor.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from benchmarks.peers import manoeuvre as m
from benchmarks.peers.manoeuvre import FlownManoeuvre, Vector

_TOLERANCE = 1e-11
_SAMPLE_S = m.SAMPLE_STEPS * m.STEP_S
# Where in the state: position, velocity, quaternion (scalar last, as scipy has it), rates, rotors.
_VELOCITY, _QUATERNION, _RATES, _ROTORS = slice(3, 6), slice(6, 10), slice(10, 13), slice(13, 17)


def brick() -> FlownManoeuvre:
    """Nothing but gravity."""
    inertia = np.array(m.BRICK_KGM2)
    start = [*m.BRICK_START_M, *m.BRICK_VELOCITY_MPS, 0, 0, 0, 1, *m.BRICK_RATES_RADPS]
    return _solve(lambda _t, y: _motion(y, 0.0, np.zeros(3), inertia), start, m.BRICK_S)


def quadrotor() -> FlownManoeuvre:
    """Four thrusts and their torques."""
    inertia = np.array(m.QUADROTOR_KGM2)
    x, y_left = np.array(m.ROTORS_M).T
    spins = np.array(m.SPINS)

    def rates(began_s: float, y: Vector) -> Vector:
        squares = y[_ROTORS] ** 2
        thrusts = m.THRUST_NS2 * squares
        moment = np.array([y_left @ thrusts, -x @ thrusts, m.TORQUE_NMS2 * (spins @ squares)])
        moved = _motion(y, float(thrusts.sum()) / m.QUADROTOR_KG, moment, inertia)
        return np.concatenate([moved, (m.commanded_radps(began_s) - y[_ROTORS]) / m.MOTOR_TAU_S])

    start = [*m.QUADROTOR_START_M, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, *[m.HOVER_RADPS] * 4]
    return _solve(rates, start, m.QUADROTOR_S)


def _motion(y: Vector, lift_mps2: float, moment: Vector, inertia: Vector) -> Vector:
    """The rates of change of the first thirteen; `lift_mps2` acts along the body's z axis."""
    rates, attitude = y[_RATES], Rotation.from_quat(y[_QUATERNION])
    acceleration = attitude.apply([0.0, 0.0, lift_mps2]) - [0.0, 0.0, m.GRAVITY]
    vector, scalar = y[6:9], y[9]
    turned = 0.5 * np.append(scalar * rates + np.cross(vector, rates), -vector @ rates)
    spun = (moment - np.cross(rates, inertia * rates)) / inertia
    return np.concatenate([y[_VELOCITY], acceleration, turned, spun])


def _solve(
    rates: Callable[[float, Vector], Vector], start: Sequence[float], seconds: float
) -> FlownManoeuvre:
    """From sample to sample, since commands change only there; `rates` is told when it began."""
    rows = [np.array(start, float)]
    for number in range(round(seconds / _SAMPLE_S)):
        solved = solve_ivp(
            lambda _t, y, began_s=number * _SAMPLE_S: rates(began_s, y),
            (0.0, _SAMPLE_S),
            rows[-1],
            method="DOP853",
            rtol=_TOLERANCE,
            atol=_TOLERANCE,
        )
        rows.append(solved.y[:, -1])
    states = np.array(rows)
    return FlownManoeuvre(states[:, :3], np.roll(states[:, _QUATERNION], 1, axis=1))
