"""WGS84 ellipsoid (NIMA TR8350.2)."""

import math
from typing import Final

EQUATOR_M: Final = 6378137.0
FLATTENING: Final = 1.0 / 298.257223563
ECCENTRICITY2: Final = FLATTENING * (2.0 - FLATTENING)


def curvature_radii_m(latitude_deg: float) -> tuple[float, float]:
    """Radii of curvature there, along the meridian and across it (the prime vertical)."""
    sine = math.sin(math.radians(latitude_deg))
    shrink = 1.0 - ECCENTRICITY2 * sine * sine
    across = EQUATOR_M / math.sqrt(shrink)
    return across * (1.0 - ECCENTRICITY2) / shrink, across


def metres_per_degree(latitude_deg: float) -> tuple[float, float]:
    """Metres per degree of latitude and of longitude there: for files whose degrees are linear."""
    meridian, across = curvature_radii_m(latitude_deg)
    return math.radians(meridian), math.radians(across * math.cos(math.radians(latitude_deg)))
