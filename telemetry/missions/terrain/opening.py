"""Terrain files, opened by what they are called."""

from pathlib import Path
from typing import Final

from telemetry.missions.terrain.elevation import ElevationMap, TerrainError
from telemetry.missions.terrain.geotiff import open_geotiff
from telemetry.missions.terrain.hgt import open_hgt

TERRAIN_SUFFIXES: Final = (".hgt", ".tif", ".tiff")


def open_terrain(path: Path) -> ElevationMap:
    """The heights in a file. Raises TerrainError."""
    try:
        match path.suffix.lower():
            case ".hgt":
                return open_hgt(path)
            case ".tif" | ".tiff":
                return open_geotiff(path)
    except OSError as error:
        raise TerrainError(path, f"it cannot be read ({error.strerror or error}).") from None
    raise TerrainError(path, f"its name must end with one of {', '.join(TERRAIN_SUFFIXES)}.")
