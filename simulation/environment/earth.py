"""Earth at the field: WGS84 flattened around a point, gravity, and the magnetic field there."""

import math
from dataclasses import dataclass
from typing import Final

from simulation.compiler.decorators import njit_part
from telemetry.base.earth.magnetic_model import Vector, field_nt, gradient_nt_per_km
from telemetry.base.earth.wgs84 import ECCENTRICITY2, EQUATOR_M

GRAVITY: Final = 9.81
DAY_OF_FLIGHT: Final = 2026.47
"""The decimal year flights take place in, 21 June 2026, unless a Place says otherwise."""
_MGAUSS_PER_NT = 0.01


@njit_part
def metres_per_degree(latitude_deg: float) -> tuple[float, float]:
    """Metres per degree of latitude and of longitude: the equirectangular projection about a
    point (seed 001, 3.3), with WGS84's radii of curvature there."""
    latitude = math.radians(latitude_deg)
    s = 1.0 - ECCENTRICITY2 * math.sin(latitude) * math.sin(latitude)
    prime_vertical = EQUATOR_M / math.sqrt(s)
    meridian = prime_vertical * (1.0 - ECCENTRICITY2) / s
    return math.radians(meridian), math.radians(prime_vertical * math.cos(latitude))


@dataclass(frozen=True, slots=True)
class WorldOrigin:
    """A point on the ground, the origin of the world, and the date (decimal year).

    Altitude is above the geoid. The magnetic model wants the height above the ellipsoid; taking
    one for the other, at most 110 m, changes the field by less than 5 nT.
    """

    latitude_deg: float
    longitude_deg: float
    altitude_m: float
    year: float = DAY_OF_FLIGHT

    def field_mgauss(self) -> Vector:
        """The magnetic field in NED, in the milligauss of MagSensor and HomeLocation.Be."""
        north, east, down = field_nt(
            self.latitude_deg, self.longitude_deg, self.altitude_m, self.year
        )
        return north * _MGAUSS_PER_NT, east * _MGAUSS_PER_NT, down * _MGAUSS_PER_NT

    def field_gradient(self) -> tuple[Vector, Vector, Vector]:
        """The change of that field in milligauss per metre to the north, east and down."""
        per_km = gradient_nt_per_km(
            self.latitude_deg, self.longitude_deg, self.altitude_m, self.year
        )
        north, east, down = (
            (x * _MGAUSS_PER_NT * 1e-3, y * _MGAUSS_PER_NT * 1e-3, z * _MGAUSS_PER_NT * 1e-3)
            for x, y, z in per_km
        )
        return north, east, down

    @property
    def declination_deg(self) -> float:
        """How far the compass points east of true north."""
        north, east, _ = self.field_mgauss()
        return math.degrees(math.atan2(east, north))


FIELD_NEAR_BACKNANG: Final = WorldOrigin(48.9460, 9.4300, 270.0)
"""The meadow every flight starts from unless a scenario says otherwise."""
