"""Airspeed and wind: the pitot tube and the velocity over ground, brought together.

The wind is what changes slowest, so it is what is kept: a vector over ground. Along the nose the
tube corrects it; across, that an aeroplane does not slip for long. Velocity less wind, along the
nose, is the airspeed, which so has no lag in a turn. Without a position the tube stands alone,
without a tube the speed over ground does.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.mathematics.rotation import to_ned

_GAS_CONSTANT = 287.053  # J/(kg K)
_ALONG = 0.02  # of what the tube misses, taken over per sample: 1 s at 50 Hz
_ACROSS = 0.01  # of what it seems to slip
_ALONE = 0.1  # of a sample taken over without a position: 0.2 s
_FLYING_MPS = 6.0  # slower it may be carried about


@njit_shared
def estimate_airspeed(c: Any, f: Any, o: Any) -> None:
    """Set airspeeds and wind of OUTPUT; `c` are the settings, `f` the filter's memory. Called at
    the rate of the sensor."""
    v, wind = o["velocity"], o["wind"]
    thin = thinness(o)
    has_tube = c["wing_use_airspeed"] != 0 and o["airspeed_count"] != 0
    is_new = has_tube and o["airspeed_count"] != f["airspeed_seen"]
    f["airspeed_seen"] = o["airspeed_count"]
    measured = thin * math.sqrt(2.0 * max(o["airspeed_pressure_pa"], 0.0) / SEA_LEVEL_DENSITY)
    if o["position_valid"] == 0:
        if is_new:
            o["airspeed_true"] += _ALONE * (measured - o["airspeed_true"])
    elif not has_tube:
        o["airspeed_true"] = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    else:
        nose, side = to_ned(o["quaternion"], 1.0, 0.0, 0.0), to_ned(o["quaternion"], 0.0, 1.0, 0.0)
        if is_new and measured > _FLYING_MPS:
            along = _ALONG * (measured - _through_air(v, wind, nose))
            across = _ACROSS * -_through_air(v, wind, side)
            for i in range(2):
                wind[i] -= along * nose[i] + across * side[i]
        o["airspeed_true"] = max(_through_air(v, wind, nose), 0.0)
    o["airspeed_calibrated"] = o["airspeed_true"] / thin


@njit_part
def _through_air(v: Any, wind: Any, axis: Any) -> float:
    """Velocity through the air along `axis`, a unit vector in NED."""
    return float((v[0] - wind[0]) * axis[0] + (v[1] - wind[1]) * axis[1] + v[2] * axis[2])


@njit_part
def thinness(o: Any) -> float:
    """True over calibrated airspeed, from barometer and thermometer; 1 before they speak."""
    kelvin = o["baro_temperature_c"] + 273.15
    density = 1000.0 * o["baro_pressure_kpa"] / (_GAS_CONSTANT * kelvin)
    return math.sqrt(SEA_LEVEL_DENSITY / density) if density > 0.1 else 1.0
