"""International Standard Atmosphere up to 11 km (ISO 2533), with the weather's offsets of
temperature and pressure at sea level: one function for physics, sensors and tests.

    T = 288.15 + dT - 0.0065 h,  P = (101325 + dP) (T / (288.15 + dT))^5.25588,  rho = P / (R T)
"""

from typing import Final

from simulation.compiler.decorators import njit_part

SEA_LEVEL_PRESSURE_PA: Final = 101325.0
SEA_LEVEL_TEMPERATURE_K: Final = 288.15
SEA_LEVEL_DENSITY: Final = 1.225
_LAPSE = 0.0065  # K/m
_COLDEST = 1.0  # K
_EXPONENT = 5.25588
_GAS_CONSTANT = 287.053  # J/(kg K)


@njit_part
def temperature_k(altitude_m: float, warmer_k: float = 0.0) -> float:
    """Air temperature in kelvin on a day `warmer_k` warmer than standard. Far above the heights
    this holds for it stays positive, so that the air thins out to nothing."""
    return max(SEA_LEVEL_TEMPERATURE_K + warmer_k - _LAPSE * altitude_m, _COLDEST)


@njit_part
def pressure_pa(altitude_m: float, warmer_k: float = 0.0, higher_pa: float = 0.0) -> float:
    """Static pressure in pascal where it is `higher_pa` above standard at sea level."""
    ratio = temperature_k(altitude_m, warmer_k) / (SEA_LEVEL_TEMPERATURE_K + warmer_k)
    return float((SEA_LEVEL_PRESSURE_PA + higher_pa) * ratio**_EXPONENT)


@njit_part
def altitude_m(pressure: float) -> float:
    """The altitude in metres at which the standard atmosphere has this pressure in pascal."""
    ratio = (pressure / SEA_LEVEL_PRESSURE_PA) ** (1.0 / _EXPONENT)
    return float((1.0 - ratio) * SEA_LEVEL_TEMPERATURE_K / _LAPSE)


@njit_part
def density_of(pressure: float, temperature: float) -> float:
    """Density in kg/m3 of dry air of this pressure in pascal and temperature in kelvin."""
    return pressure / (_GAS_CONSTANT * temperature)


def density(altitude: float) -> float:
    """Air density in kg/m3 on a standard day."""
    return density_of(pressure_pa(altitude), temperature_k(altitude))
