"""WGS84 ellipsoid (NIMA TR8350.2)."""

from typing import Final

EQUATOR_M: Final = 6378137.0
FLATTENING: Final = 1.0 / 298.257223563
ECCENTRICITY2: Final = FLATTENING * (2.0 - FLATTENING)
