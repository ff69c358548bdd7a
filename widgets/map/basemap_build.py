"""Basemap build from the package `world-atlas` (Natural Earth as TopoJSON).

Run by hand when Natural Earth is renewed: `npm pack world-atlas@2`, unpack it, then
`python -m widgets.map.basemap_build package resources/basemap/world.npz`.

Written are lines in quantised degrees as deltas, which compress well, and for each point the
coarsest zoom level at which it matters (Douglas and Peucker's distance in pixels of Web Mercator).
TopoJSON: https://github.com/topojson/topojson-specification, sections 2.1 (deltas), 2.2.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from telemetry.base.text_formats import parse_json
from widgets.map.basemap import FINEST_ZOOM, STEPS_PER_DEGREE, clipped_ring
from widgets.map.projection import TILE_PX, Bounds, Floats, project_many

_WORLD = Bounds(-180.0, -90.0, 180.0, 90.0)
_LARGEST_BYTES = 16 << 20
_TOLERANCE_PX = 0.5
_SMALLEST_PX = 1.5
"""Islands below that are left out of a zoom level."""

Line = Floats
"""Points (n, 2): longitude and latitude in degrees."""


def arcs_of(topology: dict[str, Any]) -> list[Line]:
    """The arcs of a quantised topology in degrees."""
    scale, translate = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    return [np.cumsum(np.array(arc), axis=0) * scale + translate for arc in topology["arcs"]]


def rings_of(topology: dict[str, Any], name: str) -> Iterator[Line]:
    """Every ring of the polygons of an object, holes too; first and last point are the same."""
    arcs = arcs_of(topology)
    for geometry in topology["objects"][name]["geometries"]:
        for ring in _rings(geometry):
            parts = [arcs[index] if index >= 0 else arcs[~index][::-1] for index in ring]
            yield from _in_one_world(np.concatenate([parts[0], *(part[1:] for part in parts[1:])]))


def borders_of(topology: dict[str, Any], name: str) -> Iterator[Line]:
    """The arcs that two geometries of an object share: borders without coasts."""
    uses: Counter[int] = Counter()
    for geometry in topology["objects"][name]["geometries"]:
        own = {index if index >= 0 else ~index for ring in _rings(geometry) for index in ring}
        uses.update(own)
    arcs = arcs_of(topology)
    return (arcs[index] for index in sorted(uses) if uses[index] > 1)


def _in_one_world(ring: Line) -> Iterator[Line]:
    """A ring that may cross the date line as rings that end there.

    One that goes round a pole, as Antarctica's does, is closed along it.
    """
    longitude = np.unwrap(ring[:, 0], period=360.0)
    ring = np.column_stack((longitude, ring[:, 1]))
    if abs(longitude[-1] - longitude[0]) > 180.0:
        pole = 90.0 if ring[:, 1].mean() > 0.0 else -90.0
        ring = np.vstack((ring, (longitude[-1], pole), (longitude[0], pole), ring[:1]))
    for turns in (-1, 0, 1):
        part = clipped_ring(ring[:-1] + np.array((turns * 360.0, 0.0)), _WORLD)
        if len(part) > 2:
            yield np.vstack((part, part[:1]))


def _rings(geometry: dict[str, Any]) -> Iterable[list[int]]:
    if geometry["type"] == "Polygon":
        return list(geometry["arcs"])
    if geometry["type"] == "MultiPolygon":
        return [ring for polygon in geometry["arcs"] for ring in polygon]
    return []


@dataclass(frozen=True, slots=True)
class _Packed:
    """Lines as they are written: points in order, where each line starts, and zoom levels."""

    steps: np.ndarray[Any, np.dtype[np.int32]]
    starts: np.ndarray[Any, np.dtype[np.int32]]
    zooms: np.ndarray[Any, np.dtype[np.uint8]]


def packed(lines: Iterable[Line]) -> _Packed:
    """Quantise lines and find the zoom level of each of their points."""
    steps, starts, zooms, count = [], [], [], 0
    for line in lines:
        quantised = np.round(line * STEPS_PER_DEGREE).astype(np.int32)
        moved = np.ones(len(quantised), bool)
        moved[1:] = np.any(quantised[1:] != quantised[:-1], axis=1)
        quantised = quantised[moved]
        if len(quantised) < 2:
            continue
        starts.append(count)
        count += len(quantised)
        steps.append(quantised)
        zooms.append(zoom_levels(*project_many(*(quantised.T[::-1] / STEPS_PER_DEGREE))))
    return _Packed(
        np.concatenate(steps), np.array(starts, np.int32), np.concatenate(zooms).astype(np.uint8)
    )


def zoom_levels(x: Floats, y: Floats) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The coarsest zoom level that each point of a line in world coordinates is drawn at.

    Its ends are drawn where the line is as large as a pixel or two, every point at the finest.
    """
    size = float(max(np.ptp(x), np.ptp(y)))
    distances = np.zeros(len(x))
    distances[[0, -1]] = size
    stack = [(0, len(x) - 1, size)]
    while stack:
        first, last, parent = stack.pop()
        if last - first < 2:
            continue
        off = _distances(x[first : last + 1], y[first : last + 1])
        far = int(off[1:-1].argmax()) + 1
        distance = min(parent, float(off[far]))
        distances[first + far] = distance
        stack += [(first, first + far, distance), (first + far, last, distance)]
    smallest = np.where(distances == size, _SMALLEST_PX, _TOLERANCE_PX)
    zooms = np.ceil(np.log2(smallest / np.maximum(distances, 1e-12) / TILE_PX))
    # No point before the line is large enough to be drawn.
    least = np.ceil(np.log2(_SMALLEST_PX / max(size, 1e-12) / TILE_PX))
    return np.clip(np.maximum(zooms, least), 0, FINEST_ZOOM).astype(np.uint8)


def _distances(x: Floats, y: Floats) -> Floats:
    """How far points are from the line between the first and the last of them."""
    along_x, along_y = x[-1] - x[0], y[-1] - y[0]
    off_x, off_y = x - x[0], y - y[0]
    length = float(np.hypot(along_x, along_y))
    if length == 0.0:
        from_first: Floats = np.hypot(off_x, off_y)
        return from_first
    share = np.clip((off_x * along_x + off_y * along_y) / length**2, 0.0, 1.0)
    distances: Floats = np.hypot(off_x - share * along_x, off_y - share * along_y)
    return distances


def write_basemap(package: Path, target: Path) -> None:
    """Write the basemap from the unpacked folder of `world-atlas`."""
    land, countries = (
        parse_json((package / name).read_bytes(), _LARGEST_BYTES)
        for name in ("land-10m.json", "countries-50m.json")
    )
    layers = {
        "land": packed(rings_of(land, "land")),
        "borders": packed(borders_of(countries, "countries")),
    }
    arrays: dict[str, Any] = {}
    for name, layer in layers.items():
        deltas = np.diff(layer.steps, axis=0, prepend=np.zeros((1, 2), np.int32))
        # The bytes of the four places of a number apart: the upper ones are mostly alike.
        arrays[name] = np.ascontiguousarray(deltas.T).view(np.uint8).reshape(2, -1, 4)
        arrays[name] = np.ascontiguousarray(arrays[name].transpose(0, 2, 1))
        arrays[f"{name}_starts"] = layer.starts
        arrays[f"{name}_zooms"] = layer.zooms
    target.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(target, **arrays)


if __name__ == "__main__":
    write_basemap(Path(sys.argv[1]), Path(sys.argv[2]))
