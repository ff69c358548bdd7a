"""SRTM's .hgt files: heights of one degree square, 1 or 3 arc seconds apart.

Rows from north to south, big-endian 16 bits, metres above EGM96, -32768 where nothing is known;
the name says the south-west corner (SRTM Topography, USGS, `srtm_documentation`).
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from telemetry.base.input_files import open_file
from telemetry.missions.terrain.elevation import Floats, TerrainError, between, between_many

_NAME: Final = re.compile(r"([NS])(\d{2})([EW])(\d{3})", re.IGNORECASE)
_SIDES: Final = {2 * side * side: side for side in (1201, 3601)}
_VOID: Final = -32768


@dataclass(frozen=True, slots=True)
class HgtMap:
    """One file, read as it is needed."""

    name: str
    south_deg: float
    west_deg: float
    heights: NDArray[np.int16]

    def height_m(self, latitude_deg: float, longitude_deg: float) -> float | None:
        """See ElevationMap."""
        north = latitude_deg - self.south_deg
        east = (longitude_deg - self.west_deg) % 360.0
        if not (0.0 <= north <= 1.0 and 0.0 <= east <= 1.0):
            return None
        last = len(self.heights) - 1
        return between(self.heights, (1.0 - north) * last, east * last, _VOID)

    def heights_m(self, latitude_deg: Floats, longitude_deg: Floats) -> Floats:
        """See ElevationMap."""
        last = len(self.heights) - 1
        north, east = latitude_deg - self.south_deg, (longitude_deg - self.west_deg) % 360.0
        return between_many(self.heights, (1.0 - north) * last, east * last, _VOID)


def open_hgt(path: Path) -> HgtMap:
    """Raises TerrainError, or OSError."""
    match = _NAME.match(path.stem)
    if match is None:
        raise TerrainError(
            path, "its name must tell the corner, like N48E009.hgt. Give it the name it came with."
        )
    with open_file(path) as file:
        side = _SIDES.get(file.seek(0, 2))
        heights = np.memmap(file, ">i2", "r", shape=(side, side)) if side else None
    if heights is None:
        raise TerrainError(
            path,
            "it is neither 1201 x 1201 heights (3 arc seconds) nor 3601 x 3601 (1 arc second). "
            "Unpack it, or download it again.",
        )
    north, latitude, east, longitude = match.groups()
    return HgtMap(
        path.name,
        float(latitude) * (1.0 if north.upper() == "N" else -1.0),
        float(longitude) * (1.0 if east.upper() == "E" else -1.0),
        heights,
    )
