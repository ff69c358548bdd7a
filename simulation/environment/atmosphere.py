"""International Standard Atmosphere up to 11 km: one function for physics, sensor and tests."""

from typing import Final

from telemetry.compiled import njit_part

SEA_LEVEL_PRESSURE_PA: Final = 101325.0
SEA_LEVEL_TEMPERATURE_K: Final = 288.15
SEA_LEVEL_DENSITY: Final = 1.225
_LAPSE = 0.0065  # K/m
_EXPONENT = 5.25588
_GAS_CONSTANT = 287.053  # J/(kg K)


@njit_part
def temperature_k(altitude_m: float) -> float:
    """Air temperature in kelvin."""
    return SEA_LEVEL_TEMPERATURE_K - _LAPSE * altitude_m


@njit_part
def pressure_pa(altitude_m: float) -> float:
    """Static pressure in pascal."""
    ratio = temperature_k(altitude_m) / SEA_LEVEL_TEMPERATURE_K
    return float(SEA_LEVEL_PRESSURE_PA * ratio**_EXPONENT)


@njit_part
def altitude_m(pressure: float) -> float:
    """The altitude in metres at which the standard atmosphere has this pressure in pascal."""
    ratio = (pressure / SEA_LEVEL_PRESSURE_PA) ** (1.0 / _EXPONENT)
    return float((1.0 - ratio) * SEA_LEVEL_TEMPERATURE_K / _LAPSE)


@njit_part
def density(altitude: float) -> float:
    """Air density in kg/m3."""
    return pressure_pa(altitude) / (_GAS_CONSTANT * temperature_k(altitude))
