"""Airspeed: the pitot tube's pressure, smoothed by the velocity over ground.

The speed over ground along the nose reacts at once but lacks the wind; the tube is noisy and slow
but has it. Their difference, the wind's part, is low-passed. Without a position the tube stands
alone, without a tube the speed over ground does.
"""

import math
from typing import Any

from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.rotation import to_body
from telemetry.compiled import njit_part

_GAS_CONSTANT = 287.053  # J/(kg K)
_SHARE = 0.02  # of a difference taken over per sample: 1 s at 50 Hz
_ALONE = 0.1  # of a sample taken over without a position: 0.2 s


@njit_part
def estimate_airspeed(c: Any, f: Any, o: Any) -> None:
    """Set the airspeeds of OUTPUT; `c` are the settings, `f` the filter's memory."""
    velocity = o["velocity"]
    ahead, over_ground = 0.0, 0.0
    if o["position_valid"] != 0:
        ahead, across, below = to_body(o["quaternion"], velocity[0], velocity[1], velocity[2])
        over_ground = math.sqrt(ahead * ahead + across * across + below * below)
    thinness = _thinness(o)
    if c["wing_use_airspeed"] == 0 or o["airspeed_count"] == 0:
        o["airspeed_true"] = over_ground
    else:
        if o["airspeed_count"] != f["airspeed_seen"]:
            measured = math.sqrt(2.0 * max(o["airspeed_pressure_pa"], 0.0) / SEA_LEVEL_DENSITY)
            share = _SHARE if o["position_valid"] != 0 else _ALONE
            f["airspeed_seen"] = o["airspeed_count"]
            f["headwind"] += share * (measured * thinness - ahead - f["headwind"])
        o["airspeed_true"] = max(ahead + f["headwind"], 0.0)
    o["airspeed_calibrated"] = o["airspeed_true"] / thinness


@njit_part
def _thinness(o: Any) -> float:
    """True over calibrated airspeed, from barometer and thermometer; 1 before they speak."""
    kelvin = o["baro_temperature_c"] + 273.15
    density = 1000.0 * o["baro_pressure_kpa"] / (_GAS_CONSTANT * kelvin)
    return math.sqrt(SEA_LEVEL_DENSITY / density) if density > 0.1 else 1.0
