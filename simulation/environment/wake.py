"""Rotor downwash that the rotorcraft of a fleet blow at each other.

The wake of a hovering multicopter, some diameters below it, is one round turbulent jet, whatever
the number of its rotors (Bauersfeld et al., Robotics meets Fluid Dynamics, RA-L 2025, from 16 hours
of flights of six quadrotors: from 2.5 diameters on). A jet keeps its momentum flux, which is the
thrust T, and decays and spreads by measured constants (Hussein, Capp & George, J. Fluid Mech. 258,
1994; Pope, Turbulent Flows, table 5.1: B = 5.8, S = 0.094), z along the axis, r from it:

    u(z, r) = U exp(-ln 2 (r / h)^2)     velocity along the axis
    U = B sqrt(4 / pi) sqrt(T / rho) / z,  h = S z      far wake
    U = 2 v_h = sqrt(2 T / (rho A))                     nearer, where the first would be faster:
                                                        what momentum theory has far below a rotor

A is the area of all discs; h stays as it is where the two meet, at z = 4.6 sqrt(A). The axis goes
down the rotors' own, swept by the air that moves past: along 2 v_h k - v, v the velocity through
the air. Seven eighths of the momentum are in the mean flow; the rest is turbulence, which is left
out, as are the time that air takes to get there, the single rotors' wakes close below them, the
ground, what differs over the width of the aircraft that is hit, and the wakes of wings.
"""

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.records.flight import ATTITUDE, FIXED_WING, POSITION, ROTOR, VELOCITY
from simulation.records.interface import ROTORS

Vectors = npt.NDArray[np.float64]

_DECAY: Final = 5.8 * math.sqrt(4.0 / math.pi)
_SPREAD: Final = 0.094
_LEAST_SPEED: Final = 1e-3  # m/s of air behind a rotor; below it there is no wake


def wakes(flights: npt.NDArray[Any]) -> Vectors:
    """The velocity (n, 3) in m/s, NED, that the others' wakes have at each of n FLIGHT records."""
    motion = flights["state"]["motion"]
    place = motion[:, POSITION : POSITION + 3]
    density = flights["state"]["air_density_ratio"] * SEA_LEVEL_DENSITY
    area = _disc_area(flights["parameters"])
    with np.errstate(divide="ignore", invalid="ignore"):
        outflow = np.nan_to_num(np.sqrt(2.0 * _thrust(flights) / (density * area)), posinf=0.0)
    blows = np.flatnonzero(outflow > _LEAST_SPEED)
    total = np.zeros_like(place)
    if not blows.size:
        return total
    axis = _axes(motion[blows], flights["state"]["wind"][blows], outflow[blows])
    near = _DECAY * np.sqrt(0.5 * area[blows])  # where far wake and outflow are equally fast
    for i, direction, speed, reach in zip(blows, axis, outflow[blows], near, strict=True):
        away = place - place[i]
        along = away @ direction
        aside = np.sum(away * away, axis=1) - along * along
        far = np.maximum(along, reach)
        felt = speed * reach / far * np.exp2(-aside / (_SPREAD * far) ** 2)
        felt[along <= 0.0] = 0.0
        total += felt[:, None] * direction
    return total


def _thrust(flights: npt.NDArray[Any]) -> Vectors:
    """What the rotors push the air with, in N: what an aircraft in the air feels along body z."""
    parameters, state = flights["parameters"], flights["state"]
    turns = (state["motion"][:, ROTOR : ROTOR + ROTORS] > 0.0).any(axis=1)
    flies = (parameters["kind"] != FIXED_WING) & turns & (flights["output"]["touches_ground"] == 0)
    felt: Vectors = -parameters["mass"] * state["specific_force"][:, 2]
    return np.where(flies, np.maximum(felt, 0.0), 0.0)


def _disc_area(parameters: npt.NDArray[Any]) -> Vectors:
    area: Vectors = parameters["rotor_count"] * math.pi * parameters["rotor_radius"] ** 2
    return area


def _axes(motion: Vectors, wind: Vectors, outflow: Vectors) -> Vectors:
    """Unit vectors (n, 3), NED, along the wakes."""
    w, x, y, z = motion[:, ATTITUDE : ATTITUDE + 4].T
    below = np.stack((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), axis=1)
    way = outflow[:, None] * below + wind - motion[:, VELOCITY : VELOCITY + 3]
    length: Vectors = np.sqrt(np.sum(way * way, axis=1))
    axes: Vectors = way / np.maximum(length, _LEAST_SPEED)[:, None]
    return axes
