"""GeoTIFF heights (OGC 19-008r4): degrees on WGS84, or UTM on it.

What it reads: one band of numbers, in strips or tiles, north up, with a pixel scale and a tie
point, uncompressed or as tifffile alone unpacks it. Whatever else there is, it says so.
"""

import logging
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from telemetry.base.input_files import check_file
from telemetry.missions.terrain.elevation import Floats, TerrainError, between, between_many

_LARGEST: Final = 10_000 * 10_000
_LARGEST_RATIO: Final = 1000
"""Of what it holds to its size, for compressed files."""
_DAMAGE: Final = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    MemoryError,
    struct.error,
)
"""What reading a damaged file raises."""
_DEGREES: Final = (4326, 4258)
"""WGS84 and ETRS89, which differ by half a metre."""
_CONVERT: Final = "Convert it to WGS84 in degrees (EPSG:4326) or UTM."
_USER_DEFINED: Final = 32767
_AREA: Final = 1
_SCALE, _TIE, _NODATA = 33550, 33922, 42113
Project = Callable[[Any, Any], tuple[Any, Any]]
"""Latitude and longitude to x and y of the file, numbers or arrays."""


@dataclass(frozen=True, slots=True)
class GeoTiffMap:
    """A file of heights. `west` and `north` are x and y of its first pixel's middle."""

    name: str
    heights: NDArray[Any]
    west: float
    north: float
    step_x: float
    step_y: float
    void: float | None
    project: Project

    def height_m(self, latitude_deg: float, longitude_deg: float) -> float | None:
        """See ElevationMap."""
        x, y = self.project(latitude_deg, longitude_deg)
        row, column = (self.north - y) / self.step_y, (x - self.west) / self.step_x
        return between(self.heights, row, column, self.void)

    def heights_m(self, latitude_deg: Floats, longitude_deg: Floats) -> Floats:
        """See ElevationMap. Of places of which some cannot be projected none is known."""
        x, y = self.project(latitude_deg, longitude_deg)
        row, column = (self.north - y) / self.step_y, (x - self.west) / self.step_x
        shape = latitude_deg.shape
        return between_many(
            self.heights, np.broadcast_to(row, shape), np.broadcast_to(column, shape), self.void
        )


def open_geotiff(path: Path) -> GeoTiffMap:
    """Raises TerrainError, or OSError for a file that is not there."""
    import tifffile

    logging.getLogger("tifffile").setLevel(logging.CRITICAL)  # it is all said by the exceptions
    check_file(path)
    size = path.stat().st_size
    try:
        with tifffile.TiffFile(path) as file:
            page = file.pages.first
            _check_kind(path, page.shape, page.dtype, size)
            tags = {tag.code: tag.value for tag in page.tags.values()}
            return _placed(path, page.asarray(), tags, file.geotiff_metadata or {})
    except TerrainError:
        raise
    except _DAMAGE as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TerrainError(
            path, f"it cannot be read ({what}). Save it as an uncompressed GeoTIFF."
        ) from None


def _check_kind(path: Path, shape: tuple[int, ...], kind: Any, size: int) -> None:
    if len(shape) != 2 or kind is None or np.dtype(kind).kind not in "iuf":
        raise TerrainError(path, "it is a picture of several bands. Give one of heights.")
    if shape[0] * shape[1] > _LARGEST:
        raise TerrainError(path, "it is larger than 100 million heights. Cut out the area flown.")
    if shape[0] * shape[1] * np.dtype(kind).itemsize > _LARGEST_RATIO * size:
        raise TerrainError(path, "it is damaged: it says that it is larger than it can be.")


def _placed(
    path: Path, heights: NDArray[Any], tags: dict[int, Any], keys: dict[str, Any]
) -> GeoTiffMap:
    """The heights with where they lie. What is damaged raises one of _DAMAGE."""
    scale, tie = tags.get(_SCALE), tags.get(_TIE)
    if scale is None or tie is None or len(scale) < 2 or len(tie) < 6 or min(scale[:2]) <= 0.0:
        raise TerrainError(
            path,
            "it does not say where it lies (no pixel scale and tie point). Export it north up.",
        )
    if heights.ndim != 2:
        raise TerrainError(path, "it has no rows of heights. Save it as an uncompressed GeoTIFF.")
    half = 0.5 if int(keys.get("GTRasterTypeGeoKey", _AREA)) == _AREA else 0.0
    return GeoTiffMap(
        path.name,
        heights,
        float(tie[3] + (half - tie[0]) * scale[0]),
        float(tie[4] - (half - tie[1]) * scale[1]),
        float(scale[0]),
        float(scale[1]),
        _void(tags.get(_NODATA)),
        _projection(path, keys),
    )


def _void(text: object) -> float | None:
    try:
        return float(str(text).strip("\0 ")) if text is not None else None
    except ValueError:
        return None


def _projection(path: Path, keys: dict[str, Any]) -> Project:
    projected = int(keys.get("ProjectedCSTypeGeoKey", 0) or 0)
    if projected:
        return _utm(path, projected)
    degrees = int(keys.get("GeographicTypeGeoKey", 0) or 0)
    if degrees in (*_DEGREES, _USER_DEFINED):
        return lambda latitude, longitude: (longitude, latitude)
    what = f"its coordinates are EPSG:{degrees}" if degrees else "it names no coordinate system"
    raise TerrainError(path, f"{what}. {_CONVERT}")


def _utm(path: Path, epsg: int) -> Project:
    """UTM zones: EPSG 32601 to 32660 north, 32701 to 32760 south, 25828 to 25838 of ETRS89."""
    is_north = 32601 <= epsg <= 32660 or 25828 <= epsg <= 25838
    if not is_north and not 32701 <= epsg <= 32760:
        raise TerrainError(path, f"its coordinates are EPSG:{epsg}. {_CONVERT}")
    zone = epsg % 100

    def project(latitude: Any, longitude: Any) -> tuple[Any, Any]:
        import utm

        try:
            east, north, _, _ = utm.from_latlon(latitude, longitude, zone, "N" if is_north else "S")
        except ValueError:  # out of its range, or on both sides of the equator
            return -math.inf, -math.inf
        return east, north

    return project
