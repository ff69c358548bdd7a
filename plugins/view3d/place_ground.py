"""Terrain of a place on Earth: heights from a file, map tiles as its picture, both the user's.

Two squares around the origin, the inner one finer. Offline tiles and files are read by a job.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QImage, QPainter

from telemetry.base.earth.tangent_plane import TangentPlane
from telemetry.missions.local_coordinates import MissionHome
from widgets.map.projection import project_many
from widgets.map.tile_key import TileKey
from widgets.map.tile_loader import read_tiles
from widgets.map.tiles import TileSource, open_source
from widgets.scene3d.line_of_sight import LineOfSight
from widgets.scene3d.scene import Floats, Floats32, Picture, PlacedMesh, Rgb, SolidMesh, Triangles

if TYPE_CHECKING:
    from telemetry.missions.terrain.elevation import GroundAboveHome

_INNER_M, _OUTER_M = 600.0, 4800.0
_INNER_ROWS, _OUTER_ROWS = 65, 65
"""The inner square's edges are rows of the outer one's grid: 150 m."""
_TILE_PX = 256
_MOST_TILES = 8
"""To each side: a picture of 2048 pixels."""
_PLAIN_ZOOM = 22


@dataclass(frozen=True, slots=True)
class PlaceRequest:
    """What a ground is made of: `tiles` as of `widgets.map.tiles`, a file of heights, the place
    with the altitude above sea level of the scene's zero, and the colour of what has no picture."""

    tiles: str
    terrain: str
    origin: TangentPlane
    altitude_m: float
    colour: Rgb


@dataclass(frozen=True, slots=True, eq=False)
class PlaceGround:
    """The ground as meshes, those as they are drawn, and its heights over the scene's zero."""

    request: PlaceRequest
    meshes: tuple[PlacedMesh, ...]
    drawn: LineOfSight
    heights: "GroundAboveHome | None"
    attribution: str = ""

    def down_m(self, north_m: float, east_m: float) -> float | None:
        """How high it is somewhere; None where nothing tells."""
        if self.heights is None:
            return None
        known = self.heights.known_m(*self.request.origin.latitude_longitude(north_m, east_m))
        return None if known is None else -known


def make_place_ground(request: PlaceRequest, cache: Path) -> PlaceGround:
    """Read what it needs. Raises TileSourceError, TerrainError and OSError."""
    heights = _heights(request)
    source = open_source(request.tiles, cache)
    sides = ((_INNER_M, _INNER_ROWS), (_OUTER_M, _OUTER_ROWS))
    meshes = []
    for half_m, rows in sides:
        hole_m = _INNER_M if half_m == _OUTER_M else 0.0
        meshes.append(_square(request, heights, source, half_m, rows, hole_m))
    placed, drawn = tuple(PlacedMesh(mesh) for mesh in meshes), LineOfSight(meshes)
    return PlaceGround(request, placed, drawn, heights, source.attribution if source else "")


def _heights(request: PlaceRequest) -> "GroundAboveHome | None":
    if not request.terrain:
        return None
    from telemetry.missions.terrain.elevation import GroundHeights
    from telemetry.missions.terrain.opening import open_terrain

    maps = (open_terrain(Path(request.terrain).expanduser()),)
    origin = request.origin
    home = MissionHome(origin.latitude_deg, origin.longitude_deg, request.altitude_m)
    return GroundHeights(maps).above(home)


def _square(
    request: PlaceRequest,
    heights: "GroundAboveHome | None",
    source: TileSource | None,
    half_m: float,
    rows: int,
    hole_m: float,
) -> SolidMesh:
    axis = np.linspace(-half_m, half_m, rows)
    north, east = np.meshgrid(axis, axis, indexing="ij")
    places = request.origin.latitude_longitude_many(north.ravel(), east.ravel())
    latitude, longitude = places.T
    up = np.zeros((rows, rows))
    if heights is not None:
        up = np.array([heights.height_m(*place) for place in places.tolist()]).reshape(rows, rows)
    slope_north, slope_east = np.gradient(up, axis, axis)
    normals = np.stack([-slope_north, -slope_east, -np.ones_like(up)], -1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    uv, picture = None, None
    if source is not None:
        uv, picture = _picture(source, latitude, longitude)
    colour = (1.0, 1.0, 1.0) if picture is not None else request.colour
    vertices = np.stack([north, east, -up], -1).reshape(-1, 3)
    return SolidMesh(
        vertices.astype(np.float32),
        normals.astype(np.float32),
        np.full((rows * rows, 3), colour, np.float32),
        _triangles(rows, axis, hole_m),
        uv,
        picture,
    )


def _triangles(rows: int, axis: Floats, hole_m: float) -> Triangles:
    """Two for every cell that does not lie in the hole."""
    corner = np.arange(rows * rows, dtype=np.int32).reshape(rows, rows)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    inside = np.abs(0.5 * (axis[:-1] + axis[1:])) < hole_m
    kept = ~(inside[:, None] & inside[None, :])
    cells = [np.stack([a, b, c], -1)[kept], np.stack([b, d, c], -1)[kept]]
    return np.concatenate(cells).astype(np.int32)


def _picture(
    source: TileSource, latitude: Floats, longitude: Floats
) -> tuple[Floats32, Picture | None]:
    """Places of vertices in a picture put together of tiles, and that picture; None where the
    source has none there."""
    x, y = project_many(latitude, longitude)
    span = max(float(np.ptp(x)), float(np.ptp(y)))
    zoom = min(math.floor(math.log2((_MOST_TILES - 1) / span)), source.max_zoom, _PLAIN_ZOOM)
    count = 2.0**zoom
    left, top = math.floor(float(x.min()) * count), math.floor(float(y.min()) * count)
    wide = math.floor(float(x.max()) * count) - left + 1
    high = math.floor(float(y.max()) * count) - top + 1
    picture = _tiles_picture(source, TileKey(zoom, left, top), wide, high)
    uv = np.column_stack(((x * count - left) / wide, (y * count - top) / high))
    return uv.astype(np.float32), picture


def _tiles_picture(source: TileSource, first: TileKey, wide: int, high: int) -> Picture | None:
    keys = tuple(
        TileKey(first.z, first.x + i, first.y + j) for j in range(high) for i in range(wide)
    )
    image = QImage(wide * _TILE_PX, high * _TILE_PX, QImage.Format.Format_RGB888)
    image.fill(0x808080)
    found = 0
    with QPainter(image) as painter:
        for key, tile in read_tiles(source, keys):
            if isinstance(tile, QImage):
                x, y = (key.x - first.x) * _TILE_PX, (key.y - first.y) * _TILE_PX
                painter.drawImage(x, y, tile.scaled(_TILE_PX, _TILE_PX))
                found += 1
    if not found:
        return None
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()
