"""Wind by drag: what an accelerometer feels across the rotors' axes, without flying it again.

Rotors push along their axes only, so what an accelerometer feels across them, averaged over a
second, is the drag of body and discs in the flow u = R'(v - w), plus its bias b:

    m (f_x - b_x) = -(rho D_x |u| + N (k_d rho W + T phi / (W R))) u_x        y alike

with the thrust T = -m f_z / N of a rotor and its speed W. Two unknowns of the wind and two of the
bias, which turn against each other when the aircraft turns: Gauss and Newton's method.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from simulation.aircraft.performance import hover_speed, lifting_rotors
from simulation.identification.logged_flight import Floats, IdentificationError, LoggedFlight
from simulation.identification.windows import WINDOW_S, Windows
from telemetry.base.rotations import matrices_of

_ROUNDS: Final = 15
_WIND_SIGMA_MPS: Final = 10.0
_BEGINS_MPS: Final = ((3.0, 3.0), (3.0, -3.0), (-3.0, 3.0), (-3.0, -3.0))
_STEP: Final = 1e-4
_HOVERING_MPS: Final = 1.0
_LEAST_HOVERING: Final = 8
_DRAG_SIGMA_MPS2: Final = 3.0
_LEAST_SIGMA_MPS2: Final = 0.02


def wind_by_drag(
    flight: LoggedFlight, p: np.void, windows: Windows, bias_sigma: float
) -> tuple[Floats, Floats]:
    """Wind to north and east (2,), m/s, and its covariance (2, 2); the drag is the file's."""
    times = windows.middle_s
    felt = _means(flight, times)
    to_ned = matrices_of(flight.attitude.at(times))
    velocity = flight.velocity.at(times)
    discs = _disc_drag(p, felt[:, 2].mean())

    def expected(x: Floats) -> Floats:
        wind = np.array([x[0], x[1], 0.0])
        through = np.einsum("nji,nj->ni", to_ned, velocity - wind)
        size = np.linalg.norm(through, axis=1, keepdims=True)
        drag = (p["drag_force"][:2] * size + discs) * through[:, :2]
        found: Floats = -drag / float(p["mass"]) + x[2:]
        return found

    sigmas = np.array([_WIND_SIGMA_MPS, _WIND_SIGMA_MPS, bias_sigma, bias_sigma])
    fits = [_least_squares(expected, felt[:, :2], sigmas, begin) for begin in _BEGINS_MPS]
    _, x, covariance = min(fits, key=lambda each: each[0])
    return x[:2], covariance[:2, :2]


def drag_of_wind(
    flight: LoggedFlight, windows: Windows, bias_sigma: float
) -> tuple[Floats, Floats]:
    """The drag per mass (2,), m/s2, with which the air pushes a hovering aircraft to north and
    east, and its covariance (2, 2): all that is told of the wind without knowing the aircraft.
    Windows flown fast over the ground are left out. Raises IdentificationError without others."""
    times = windows.middle_s
    slow = np.linalg.norm(flight.velocity.at(times)[:, :2], axis=1) < _HOVERING_MPS
    if slow.sum() < _LEAST_HOVERING:
        raise IdentificationError(
            f"Without an aircraft file only a hover tells the wind, and this span has "
            f"{slow.sum() * WINDOW_S:.0f} s of it. Give --aircraft FILE."
        )
    felt = _means(flight, times[slow])[:, :2]
    to_ned = matrices_of(flight.attitude.at(times[slow]))

    def expected(x: Floats) -> Floats:
        drag = np.einsum("nji,j->ni", to_ned[:, :2], x[:2])
        found: Floats = drag[:, :2] + x[2:]
        return found

    sigmas = np.array([_DRAG_SIGMA_MPS2, _DRAG_SIGMA_MPS2, bias_sigma, bias_sigma])
    _, x, covariance = _least_squares(expected, felt, sigmas, (0.0, 0.0))
    return x[:2], covariance[:2, :2]


def _means(flight: LoggedFlight, times: Floats) -> Floats:
    """Specific forces (n, 3) averaged over most of a window."""
    around = np.linspace(-0.4, 0.4, 41)[:, None] * WINDOW_S + times
    found: Floats = flight.accel.at(around.ravel()).reshape(*around.shape, 3).mean(axis=0)
    return found


def _disc_drag(p: np.void, felt_down: float) -> float:
    """Of all rotors, N per m/s across them, while each bears its share."""
    count = int(p["rotor_count"])
    thrust = -float(p["mass"]) * felt_down / lifting_rotors(p)
    speed = hover_speed(p, thrust)
    flapping = thrust * float(p["flapping"]) / (speed * float(p["rotor_radius"]))
    return count * (float(p["k_d"]) * speed + flapping)


def _least_squares(
    expected: Callable[[Floats], Floats], felt: Floats, sigmas: Floats, begin: tuple[float, float]
) -> tuple[float, Floats, Floats]:
    """What is left, the solution, and its covariance; `sigmas` of a prior about zero."""
    x = np.array([*begin, 0.0, 0.0])
    sigma = 0.1
    for _ in range(_ROUNDS):
        base = expected(x)
        residual = felt - base
        sigma = max(float(residual.std()), _LEAST_SIGMA_MPS2)
        slopes = np.column_stack(
            [((expected(x + move) - base) / _STEP).ravel() for move in _STEP * np.eye(len(x))]
        )
        normal = slopes.T @ slopes / sigma**2 + np.diag(sigmas**-2.0)
        x = x + np.linalg.solve(normal, slopes.T @ residual.ravel() / sigma**2 - x / sigmas**2)
    left = float((residual**2).sum() / sigma**2 + (x**2 / sigmas**2).sum())
    covariance: Floats = np.linalg.inv(normal).astype(np.float64)
    return left + 2.0 * residual.size * float(np.log(sigma)), x, covariance
