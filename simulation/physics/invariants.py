"""Invariants of free flight, by which integration is judged. Not part of the loop."""

from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import to_ned
from simulation.records.flight import ATTITUDE, FIXED_WING, MOTION, POSITION, RATES, ROTOR, VELOCITY

Vector = npt.NDArray[np.float64]


def energy_j(parameters: Any, motion: Vector) -> float:
    """Mechanical energy of the body in joule: of its motion, its turning and its height, but not
    of its rotors."""
    velocity = motion[VELOCITY : VELOCITY + 3]
    rates = motion[RATES : RATES + 3]
    mass = float(parameters["mass"])
    moving = 0.5 * mass * float(velocity @ velocity)
    turning = 0.5 * float(rates @ _body_momentum(parameters, rates))
    return moving + turning - mass * GRAVITY * float(motion[POSITION + 2])


def angular_momentum(parameters: Any, motion: Vector) -> Vector:
    """Angular momentum about the centre of mass, rotors included, NED, in kg m2/s."""
    total = _body_momentum(parameters, motion[RATES : RATES + 3])
    spins = parameters["rotor_spin"] * motion[ROTOR:MOTION]
    shaft = 0 if parameters["kind"] == FIXED_WING else 2
    total[shaft] += float(parameters["rotor_inertia"]) * float(spins.sum())
    return np.array(to_ned(motion[ATTITUDE : ATTITUDE + 4], *total.tolist()))


def _body_momentum(parameters: Any, rates: Vector) -> Vector:
    product = float(parameters["inertia_xz"])
    momentum: Vector = parameters["inertia"] * rates
    momentum[0] -= product * rates[2]
    momentum[2] -= product * rates[0]
    return momentum
