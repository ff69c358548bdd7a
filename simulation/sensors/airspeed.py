"""Airspeed sensor: a pitot tube along body x and a differential pressure sensor, rho u^2 / 2."""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.environment.air import velocity_through_air
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.records.sensor_table import AIRSPEED
from simulation.sensors.error_model import measured


@njit_part
def measure_dynamic_pressure(p: Any, s: Any, slot: Any) -> None:
    """The pressure in pascal of air that meets the tube's opening."""
    ahead, _, _ = velocity_through_air(s, s["motion"])
    ahead = max(ahead, 0.0)
    pressure = 0.5 * SEA_LEVEL_DENSITY * s["air_density_ratio"] * ahead * ahead
    slot[0] = measured(p, s, AIRSPEED, 0, pressure)
