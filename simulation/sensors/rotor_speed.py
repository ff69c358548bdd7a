"""Rotor speeds as speed controllers report them."""

from typing import Any

from simulation.compiler.decorators import njit_shared
from simulation.records.flight import ROTOR
from simulation.records.sensor_table import ROTOR_SPEED
from simulation.sensors.error_model import measured


@njit_shared
def measure_rotor_speed(p: Any, s: Any, slot: Any) -> None:
    """Speed of each rotor in rad/s."""
    for i in range(p["rotor_count"]):
        slot[i] = max(measured(p, s, ROTOR_SPEED, i, s["motion"][ROTOR + i]), 0.0)
