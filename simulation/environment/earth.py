"""Where the field lies: WGS84 flattened around a point, gravity, and the magnetic field there."""

import math
from dataclasses import dataclass
from typing import Final

from telemetry.compiled import njit_part

GRAVITY: Final = 9.81
_EQUATOR_M = 6378137.0
_ECCENTRICITY2 = 6.69437999014e-3


@njit_part
def metres_per_degree(latitude_deg: float) -> tuple[float, float]:
    """Metres per degree of latitude and of longitude: the equirectangular projection about a
    point, with WGS84's radii of curvature there."""
    latitude = math.radians(latitude_deg)
    s = 1.0 - _ECCENTRICITY2 * math.sin(latitude) * math.sin(latitude)
    prime_vertical = _EQUATOR_M / math.sqrt(s)
    meridian = prime_vertical * (1.0 - _ECCENTRICITY2) / s
    return math.radians(meridian), math.radians(prime_vertical * math.cos(latitude))


@dataclass(frozen=True, slots=True)
class Place:
    """A point on the ground, the origin of the world, with the magnetic field around it.

    Altitude is above the geoid. The field is a constant: declination and inclination in degrees,
    strength in nanotesla.
    """

    latitude_deg: float
    longitude_deg: float
    altitude_m: float
    declination_deg: float
    inclination_deg: float
    field_nt: float

    def field_mgauss(self) -> tuple[float, float, float]:
        """The magnetic field in NED, in the milligauss of MagSensor and HomeLocation.Be."""
        strength = self.field_nt * 0.01
        horizontal = strength * math.cos(math.radians(self.inclination_deg))
        declination = math.radians(self.declination_deg)
        return (
            horizontal * math.cos(declination),
            horizontal * math.sin(declination),
            strength * math.sin(math.radians(self.inclination_deg)),
        )


FIELD_NEAR_BACKNANG: Final = Place(48.9460, 9.4300, 270.0, 3.6, 64.6, 48_700.0)
"""The meadow every flight starts from unless a scenario says otherwise."""
