"""A minute of free flight without air: how far energy and angular momentum drift."""

import numpy as np

from simulation.aircraft.aircraft import load_aircraft
from simulation.physics.invariants import angular_momentum, energy_j
from simulation.records.flight import FLIGHT, POSITION, RATES, VELOCITY
from simulation.simulator.simulator import Simulator

_UP_MPS = 294.0  # comes down again after a minute
_RATES = (6.0, 0.2, 3.0)  # rad/s: about all axes, so that they exchange momentum
_INERTIA, _PRODUCT = (0.02, 0.03, 0.04), 0.005


def drift_per_minute() -> tuple[float, float]:
    """The largest relative change of energy and of angular momentum in 60 s, seen once a
    second."""
    memory = np.zeros(1, FLIGHT)
    simulator = Simulator(load_aircraft("ar100b"), memory=memory)
    parameters, motion = memory[0]["parameters"], memory[0]["state"]["motion"]
    for name in ("gravity_excess", "gravity_slope"):  # the energy is that of 9.81 everywhere
        memory[0]["world"][name] = 0.0
    for name in ("drag_force", "drag_moment", "rotor_count"):
        parameters[name] = 0
    parameters["inertia"], parameters["inertia_xz"] = _INERTIA, _PRODUCT
    motion[POSITION + 2] = -100.0
    motion[VELOCITY : VELOCITY + 3] = (10.0, -5.0, -_UP_MPS)
    motion[RATES : RATES + 3] = _RATES
    energy, momentum = energy_j(parameters, motion), angular_momentum(parameters, motion)
    size = float(np.linalg.norm(momentum))
    worst = np.zeros(2)
    for _ in range(60):
        simulator.advance(1000)
        change = angular_momentum(parameters, motion) - momentum
        now = energy_j(parameters, motion)
        seen = [abs(now / energy - 1.0), float(np.linalg.norm(change)) / size]
        worst = np.maximum(worst, seen)
    return float(worst[0]), float(worst[1])
