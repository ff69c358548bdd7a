"""B3: the thrust of a rotor against the wind-tunnel curve of seed 001, eq. 7 and 8 (figure 2).

C_T(J) = C_T0 + C_T1 J - C_T2 J |J| with J = v1 / W. The table is computed from the curve's
coefficients in exact fractions, and rounded once; the thrust comes from the forces of the whole
aircraft as it climbs and sinks through still and moving air.
"""

import hashlib
from fractions import Fraction
from typing import Any, Final

import numpy as np

from simulation.physics.rigid_body import derivative
from simulation.records.flight import ATTITUDE, MOTION, ROTOR, ROTORCRAFT, STATE, VELOCITY
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.measures import Column

SPEED_RADPS: Final = 485.0
"""About hover."""
ADVANCE: Final = np.linspace(-0.03, 0.02, 101)
"""v1 / W in m: sinking at 15 m/s to climbing at 10 m/s."""


def run(experiment: Experiment) -> RunOutcome:
    """Compare; the largest error is relative to the table's value."""
    experiment.insist_on(ROTORCRAFT)
    parameters = experiment.preset().load_aircraft().parameters.copy()
    parameters["drag_force"] = 0.0
    parameters["c_t2"] = experiment.values["c_t2_ns2pm2"]
    inflow = SPEED_RADPS * ADVANCE
    measured = np.array([_thrust(parameters, float(v)) for v in inflow])
    branches = experiment.values["sign_branch"] != 0.0
    table = np.array([_tabled(parameters, float(v), branches) for v in inflow])
    still = _thrust(parameters, 0.0)
    metrics = {
        "largest_error": float(np.max(np.abs(measured - table) / table)),
        "sinking_lifts": float(measured[0] / still),
        "climbing_costs": float(measured[-1] / still),
    }
    digest = hashlib.sha256(measured.tobytes()).hexdigest()
    return RunOutcome(metrics, _figure(measured, table), digest)


def _thrust(p: np.void, inflow: float) -> float:
    """Thrust of one rotor while the aircraft climbs with half of `inflow` and the air sinks with
    the other half, newton."""
    state: Any = np.zeros(1, STATE)[0]
    motion = state["motion"]
    motion[2] = -100.0
    motion[ATTITUDE] = 1.0
    motion[VELOCITY + 2] = -0.5 * inflow
    motion[ROTOR : ROTOR + int(p["rotor_count"])] = SPEED_RADPS
    state["wind"][2] = 0.5 * inflow
    state["air_density_ratio"] = 1.0
    wrench = np.zeros(6)
    derivative(p, state, motion, np.zeros(MOTION), wrench)
    return -float(wrench[2]) / int(p["rotor_count"])


def _tabled(p: np.void, inflow: float, branches: bool) -> float:
    """The curve's thrust. Without branches C_T2 has the sign it has in a climb everywhere."""
    advance = Fraction(inflow) / Fraction(SPEED_RADPS)
    square = advance * abs(advance) if branches else advance * advance
    curve = Fraction(float(p["alpha"])) + Fraction(float(p["c_t1"])) * advance
    curve -= Fraction(float(p["c_t2"])) * square
    return float(curve * Fraction(SPEED_RADPS) ** 2)


def _figure(measured: Column, table: Column) -> Figure:
    square, advance = SPEED_RADPS * SPEED_RADPS, ("J = v1 / W, m", ADVANCE)
    values = {"table": table / square, "simulated": measured / square}
    errors = {"": measured / table - 1.0}
    axes = (
        curves("C_T(J)", advance, "C_T, N s²", values, {"simulated": "dots"}),
        curves("Relative error", advance, "", errors, {"": "dots"}),
    )
    return Figure("Thrust coefficient over advance", axes)
