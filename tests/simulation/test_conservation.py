"""Free flight without air keeps energy and angular momentum."""

import numpy as np
import pytest

from benchmarks.free_flight import drift_per_minute
from simulation.physics.invariants import angular_momentum
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked, thrown

DRIFT = 1e-6
"""Relative, per minute: the issue's bar."""


def test_a_minute_of_tumbling_keeps_energy_and_momentum() -> None:
    energy, momentum = drift_per_minute()
    assert energy < DRIFT
    assert momentum < DRIFT


def weightless_rotors() -> Simulator:
    """Tumbling in a vacuum while the motors speed up and slow down, each in its own way."""
    simulator = thrown(parked(), 400.0, rates=(1.0, -2.0, 0.5))
    parameters = simulator.record["parameters"]
    aerodynamic = ("alpha", "beta", "c_t1", "c_t2", "k_t", "gamma", "k_d", "flapping")
    for name in ("drag_force", "drag_moment", *aerodynamic):
        parameters[name] = 0.0
    simulator.command["external"] = 1
    simulator.output["actuator_command"][:4] = (1300.0, 1250.0, 1280.0, 1400.0)
    return simulator


def turned(simulator: Simulator) -> float:
    """How much the total angular momentum changes in a second, relative to the rotors' own."""
    flight = simulator.record
    motion, parameters = flight["state"]["motion"], flight["parameters"]
    before = angular_momentum(parameters, motion)
    simulator.advance(1000)
    after = angular_momentum(parameters, motion)
    spins = float(parameters["rotor_inertia"]) * simulator.output["rotor_speed"].max()
    return float(np.linalg.norm(after - before) / spins)


def test_rotors_take_their_momentum_from_the_body() -> None:
    """Gyroscopic and reaction moments together only move momentum about."""
    assert turned(weightless_rotors()) < 1e-6


@pytest.mark.parametrize("member", ["k_t", "drag_moment"])
def test_air_takes_momentum_away(member: str) -> None:
    """Negative control: the measure sees a moment from outside."""
    simulator = weightless_rotors()
    parameters = simulator.record["parameters"]
    parameters["alpha"] = 1e-5 if member == "k_t" else 0.0
    parameters[member] = 0.02
    assert turned(simulator) > 1e-3
