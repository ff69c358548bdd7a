"""Barometer: the pressure of the standard atmosphere on this day, and the weather's slow change.

The weather's offset is the drift of the error model, in metres of pressure altitude: 15 m over
hours or days (seed 004). Air that blows at the opening adds a share of its dynamic pressure.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.environment.air import speed_through_air
from simulation.environment.atmosphere import (
    SEA_LEVEL_DENSITY,
    altitude_m,
    pressure_pa,
    temperature_k,
)
from simulation.records.flight import POSITION
from simulation.records.sensor_table import BARO
from simulation.sensors.error_model import measured


@njit_part
def measure_pressure_altitude(p: Any, w: Any, s: Any, slot: Any) -> None:
    """The altitude in metres at which the standard atmosphere has the pressure felt, and the
    temperature in degrees Celsius."""
    altitude = w["altitude"] - s["motion"][POSITION + 2]
    pressure = pressure_pa(altitude, w["weather_warmer"], w["weather_pressure"])
    if p["ram_share"] != 0.0:
        speed = speed_through_air(s)
        density = SEA_LEVEL_DENSITY * s["air_density_ratio"]
        pressure += p["ram_share"] * 0.5 * density * speed * speed
    slot[0] = measured(p, s, BARO, 0, altitude_m(pressure))
    slot[1] = temperature_k(altitude, w["weather_warmer"]) - 273.15


@njit_part
def show_pressure(o: Any, slot: Any) -> None:
    """Deliver pressure, temperature and the altitude computed from them."""
    o["baro_pressure_kpa"] = pressure_pa(slot[0], 0.0, 0.0) * 0.001
    o["baro_temperature_c"] = slot[1]
    o["baro_altitude_m"] = slot[0]


@njit_part
def show_supplied_pressure(o: Any, supplied: Any) -> None:
    """Deliver altitude, temperature and pressure that a station supplies."""
    o["baro_altitude_m"] = supplied[0]
    o["baro_temperature_c"] = supplied[1]
    o["baro_pressure_kpa"] = supplied[2]
