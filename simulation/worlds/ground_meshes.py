"""Ground meshes: the ground of a world's file as triangles."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.worlds.picture_file import read_bytes
from simulation.worlds.scene import Mesh
from simulation.worlds.terrain import grid_triangles
from simulation.worlds.world import (
    EarthPlace,
    PlaneGround,
    RasterGround,
    TerrainGround,
    WorldError,
)
from telemetry.base.earth.tangent_plane import plane_at
from telemetry.missions.terrain.elevation import TerrainError
from telemetry.missions.terrain.opening import open_terrain

Array = npt.NDArray[np.float64]

_ROWS_IN_HAZE: Final = 81
_GATHERED: Final = 5.0
"""How much denser rows stand in the middle, where haze and light change fastest from pixel to
pixel."""
_CLEAR: Final = 0.02
_LARGEST_BYTES: Final = 64 << 20
_MOST_HEIGHTS: Final = 1_000_000
_HIGHEST_M: Final = 9000.0
_MOST_HOLES: Final = 0.1


def plane_mesh(ground: PlaneGround, haze_per_m: float) -> Mesh:
    """A square about the origin. Haze is worked out at its corners, so that it is cut where there
    is any."""
    is_clear = haze_per_m * ground.reach_m < _CLEAR
    s = np.linspace(-1.0, 1.0, 2 if is_clear else _ROWS_IN_HAZE)
    axis = ground.reach_m * (s if is_clear else np.sinh(_GATHERED * s) / np.sinh(_GATHERED))
    heights = np.full((len(axis), len(axis)), -ground.down_m)
    return height_mesh(axis, axis, heights, ground.surface.colour)


def raster_mesh(ground: RasterGround) -> tuple[Mesh, tuple[str, ...]]:
    """The raster, and in a sentence what was filled in. Raises WorldError.

    Holes have the height of the nearest point that has one, up to a tenth of all.
    """
    heights, notes = _filled(ground.path, _read(ground)[::-1])
    north, east = (
        (np.arange(n) - 0.5 * (n - 1)) * ground.step_m + middle
        for n, middle in zip(heights.shape, ground.middle_m, strict=True)
    )
    return height_mesh(north, east, heights, ground.surface.colour), notes


def terrain_mesh(ground: TerrainGround, place: EarthPlace) -> tuple[Mesh, tuple[str, ...]]:
    """The ground of a place on Earth, in metres above its altitude, and what was filled in.
    Raises WorldError."""
    count = 2 * round(ground.reach_m / ground.step_m) + 1
    _check_count(ground.path, (count, count))
    try:
        heights_of = open_terrain(ground.path).height_m
    except TerrainError as error:
        raise WorldError(str(error)) from None
    axis = (np.arange(count, dtype=np.float64) - 0.5 * (count - 1)) * ground.step_m
    norths, easts = np.meshgrid(axis, axis, indexing="ij")
    plane = plane_at(place.latitude_deg, place.longitude_deg)
    places = plane.ground_places(norths.ravel(), easts.ravel()).tolist()
    known = np.array([heights_of(*place) for place in places], np.float64)
    heights = known.reshape(norths.shape) - place.altitude_m
    heights, notes = _filled(ground.path, heights)
    return height_mesh(axis, axis, heights, ground.surface.colour), notes


def raster_size_m(mesh: Mesh) -> tuple[float, float]:
    """How long (south to north) and wide the ground is."""
    north, east = (float(np.ptp(mesh.vertices[:, axis])) for axis in (0, 1))
    return north, east


def height_mesh(north: Array, east: Array, heights: Array, colour: tuple[float, ...]) -> Mesh:
    """Triangles over a grid: `heights` (n, m) in metres at `north` (n,) and `east` (m,)."""
    slope_north, slope_east = np.gradient(heights, north, east)
    normals = np.stack([-slope_north, -slope_east, -np.ones_like(heights)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    norths, easts = np.meshgrid(north, east, indexing="ij")
    vertices = np.stack([norths, easts, -heights], axis=-1).reshape(-1, 3)
    return Mesh(
        vertices.astype(np.float32),
        normals.reshape(-1, 3).astype(np.float32),
        np.tile(np.array(colour, np.float32), (heights.size, 1)),
        grid_triangles(*heights.shape),
    )


def _read(ground: RasterGround) -> Array:
    """Heights with NaN where there is a hole."""
    from io import BytesIO

    import tifffile

    path = ground.path
    data = read_bytes(path, "elevation raster", _LARGEST_BYTES)
    try:
        with tifffile.TiffFile(BytesIO(data)) as file:
            page = file.pages.first
            _check_shape(path, page.shape, page.dtype)
            found: Any = page.asarray()
    except WorldError:
        raise
    except Exception as error:  # of any kind, for what is damaged
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WorldError(
            f"The elevation raster {path} cannot be read ({what}); save it as an uncompressed TIFF."
        ) from error
    heights = np.asarray(found, np.float64)
    is_hole = ~(np.abs(heights) <= _HIGHEST_M) | (heights == ground.void)
    return np.where(is_hole, np.nan, heights)


def _check_shape(path: Path, shape: tuple[int, ...], kind: Any) -> None:
    if len(shape) != 2 or min(shape) < 2 or kind is None or np.dtype(kind).kind not in "iuf":
        raise WorldError(f"{path} is no elevation raster; give a TIFF of one band of numbers.")
    _check_count(path, shape)


def _check_count(path: Path, shape: tuple[int, ...]) -> None:
    if shape[0] * shape[1] > _MOST_HEIGHTS:
        size = f"{shape[1]:,} x {shape[0]:,}"
        raise WorldError(
            f"The elevation raster {path} has {size} heights; {_MOST_HEIGHTS:,} are possible. Cut "
            "out the part that is flown over, or make it coarser."
        )


def _filled(path: Path, heights: Array) -> tuple[Array, tuple[str, ...]]:
    """Without holes, and in a sentence how many there were."""
    holes = np.isnan(heights)
    count = int(holes.sum())
    if not count:
        return heights, ()
    if count > _MOST_HOLES * heights.size:
        share = 100.0 * count / heights.size
        raise WorldError(
            f"The heights of {path} have holes in {share:.0f} % of the world; 10 % are filled. "
            "Fill them, for example by gdal_fillnodata, or take a part that is whole."
        )
    from scipy.ndimage import distance_transform_edt

    nearest = distance_transform_edt(holes, return_distances=False, return_indices=True)
    note = f"{path.name} has no height at {count} of {heights.size} points; the nearest one counts."
    return np.asarray(heights[tuple(nearest)]), (note,)
