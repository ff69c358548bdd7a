"""Map files: GeoTIFF for other programs and for the plan, and a world to fly in again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import tomli_w

from telemetry.base.earth.wgs84 import metres_per_degree
from telemetry.base.escaping import utf8_text
from telemetry.base.safe_files import replace_file, whole_file
from telemetry.review.mapping.grown_map import (
    TEXELS,
    CellWindow,
    Flags,
    Floats32,
    GrownMap,
    MapError,
    Pixels,
)
from telemetry.review.mapping.heights import without_holes

HEIGHTS, ORTHO, WORLD_FILE = "heights.tif", "ortho.png", "world.toml"
_FEWEST: Final = 3
"""Rows and columns of a world's ground."""
_STEEP_LATITUDE_DEG: Final = 89.0
_ABOVE_M: Final = 0.05
_AROUND_M: Final = 200.0
_AROUND_THICK_M: Final = 1.0
_PAD_M: Final = 1.6
"""Side of what an aircraft starts on. A map has its sensors' noise, 10 cm up and down from cell to
cell by a sonar: what stands on that stands askew, and its rotors meet the ground."""
_SCALE, _TIE, _KEYS, _NODATA = 33550, 33922, 34735, 42113
_Key = tuple[int, int, int, int]
_DOUBLE, _SHORT, _ASCII = 12, 3, 2
_BY_DEGREES: Final[tuple[_Key, ...]] = (1024, 0, 1, 2), (1025, 0, 1, 1), (2048, 0, 1, 4326)
_BY_METRES: Final[tuple[_Key, ...]] = (
    (1024, 0, 1, 1),
    (1025, 0, 1, 1),
    (3072, 0, 1, 32767),
    (3076, 0, 1, 9001),
)
"""GeoTIFF's keys (OGC 19-008r4): WGS84 in degrees, or a plane of metres that lies nowhere; a pixel
is an area."""


@dataclass(frozen=True, slots=True)
class MapOrigin:
    """Where on Earth the map's north and east begin (WGS84), and how high that is above the sea."""

    latitude_deg: float
    longitude_deg: float
    altitude_m: float = 0.0


def save_geotiff(grown: GrownMap, path: Path, origin: MapOrigin | None) -> tuple[Path, ...]:
    """Write the heights (metres, float32, NaN where nothing is known) to `path`, and beside it the
    colours as `NAME-ortho.tif`, if there are any. Returns what was written.

    With an `origin` they lie in degrees (EPSG:4326) above the sea, else in metres east and north of
    it, above it. Raises MapError.
    """
    window = _known_window(grown, grown.is_known | grown.is_seen)
    at = grown.window.slices(window)
    written: tuple[Path, ...] = (path,)
    with _problems(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        altitude_m = origin.altitude_m if origin is not None else 0.0
        heights = grown.heights_m[at][::-1] + np.float32(altitude_m)
        _write_tiff(path, heights, _tags(grown, window, origin, 1))
        if grown.is_seen.any():
            ortho = path.with_name(f"{path.stem}-ortho.tif")
            _write_tiff(ortho, _rgba(grown, window), _tags(grown, window, origin, TEXELS))
            written = path, ortho
    return written


def save_world(
    grown: GrownMap, folder: Path, origin: MapOrigin | None, start: tuple[float, float] = (0.0, 0.0)
) -> Path:
    """Write a world whose ground is this map, to be flown in from near `start` (north, east), where
    it has a level place to stand on.

    Between what was measured the ground is as high as the nearest place that was; what no picture
    shows has the middle colour of what they do; further out it is level and grey. Returns its
    folder. Raises MapError.
    """
    window = _known_window(grown, grown.is_known)
    if min(window.shape) < _FEWEST:
        raise MapError(
            f"The map is only {window.shape[0]} x {window.shape[1]} cells; fly over more ground, "
            "or choose smaller cells."
        )
    if folder.exists() and not (folder / WORLD_FILE).is_file() and any(folder.iterdir()):
        raise MapError(f"{folder} holds other files; choose another name.")
    known = grown.is_known[grown.window.slices(window)]
    heights = without_holes(grown.heights_m[grown.window.slices(window)], known)
    has_colours = bool(grown.is_seen[grown.window.slices(window)].any())
    with _problems(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _write_tiff(folder / HEIGHTS, heights[::-1], [])
        if has_colours:
            replace_file(folder / ORTHO, _png(_picture(grown, window)))
        place = _start(grown, window, heights, known, start)
        text = _world_text(grown, window, folder.name, has_colours=has_colours)
        text += (
            _start_text(place)
            + _pad_text(grown, window, heights, place)
            + _around_text(grown, window, heights)
            + _place_text(origin)
        )
        replace_file(folder / WORLD_FILE, text.encode())
    return folder


@contextmanager
def _problems(path: Path) -> Iterator[None]:
    """Say in a sentence what the disk has against it."""
    try:
        yield
    except OSError as error:
        raise MapError(
            f"{path} cannot be written ({error.strerror or error}); choose another folder."
        ) from None


def _known_window(grown: GrownMap, chosen: Flags) -> CellWindow:
    """The least window with all that is chosen."""
    window = grown.window_with(chosen)
    if window is None:
        raise MapError("There is nothing on the map yet; fly over some ground first.")
    return window


def _tags(
    grown: GrownMap, window: CellWindow, origin: MapOrigin | None, fineness: int
) -> list[tuple[Any, ...]]:
    """The tags that say where a raster lies, whose pixels are cells, or parts of them."""
    step_x = step_y = grown.cell_m
    x, y = window.west * grown.cell_m, window.north * grown.cell_m
    keys = _BY_METRES
    if origin is not None:
        keys = _BY_DEGREES
        latitude = min(abs(origin.latitude_deg), _STEEP_LATITUDE_DEG)
        step_y, step_x = (grown.cell_m / metres for metres in metres_per_degree(latitude))
        x = origin.longitude_deg + window.west * step_x
        y = origin.latitude_deg + window.north * step_y
    directory = [1, 1, 0, len(keys), *(number for key in keys for number in key)]
    return [
        (_SCALE, _DOUBLE, 3, (step_x / fineness, step_y / fineness, 0.0), True),
        (_TIE, _DOUBLE, 6, (0.0, 0.0, 0.0, x, y, 0.0), True),
        (_KEYS, _SHORT, len(directory), directory, True),
        (_NODATA, _ASCII, 0, "nan", True),
    ]


def _write_tiff(path: Path, pixels: Floats32 | Pixels, tags: list[tuple[Any, ...]]) -> None:
    import tifffile

    is_colour = pixels.ndim == 3
    with whole_file(path) as fresh:
        tifffile.imwrite(
            fresh,
            np.ascontiguousarray(pixels),
            photometric="rgb" if is_colour else "minisblack",
            extrasamples=["unassalpha"] if is_colour else None,
            metadata=None,
            extratags=tags,
        )


def _texels(grown: GrownMap, window: CellWindow) -> Pixels:
    """The colours of a window, BGR, rows from south to north."""
    return grown.colours[grown.window.slices(window, TEXELS)]


def _rgba(grown: GrownMap, window: CellWindow) -> Pixels:
    """North up; not seen is transparent."""
    seen = grown.is_seen[grown.window.slices(window)]
    opaque = np.where(seen, 255, 0).astype(np.uint8).repeat(TEXELS, axis=0).repeat(TEXELS, axis=1)
    return np.concatenate([_texels(grown, window)[..., ::-1], opaque[..., None]], axis=-1)[::-1]


def _picture(grown: GrownMap, window: CellWindow) -> Pixels:
    """BGR, north up, without gaps, from the middles of the outer cells on, as the ground."""
    seen = grown.is_seen[grown.window.slices(window)]
    is_seen = seen.repeat(TEXELS, axis=0).repeat(TEXELS, axis=1)
    texels = _texels(grown, window)
    middle = texels[is_seen].mean(axis=0).astype(np.uint8)
    half = TEXELS // 2
    filled = np.where(is_seen[..., None], texels, middle)
    return np.ascontiguousarray(filled[half:-half, half:-half][::-1])


def _png(pixels: Pixels) -> bytes:
    import cv2

    return bytes(cv2.imencode(".png", pixels)[1])


def _start(
    grown: GrownMap,
    window: CellWindow,
    heights: Floats32,
    known: Flags,
    wanted: tuple[float, float],
) -> tuple[float, float, float]:
    """North, east and down of the place nearest to one wanted that was measured and has ground all
    around it; as high as the highest that is covered by a pad there."""
    inner = np.zeros_like(known)
    inner[1:-1, 1:-1] = known[1:-1, 1:-1]
    if not inner.any():
        inner[1:-1, 1:-1] = True
    rows, columns = np.nonzero(inner)
    north, east = grown.centres_m(window)
    nearest = int(np.argmin(np.hypot(north[rows] - wanted[0], east[columns] - wanted[1])))
    place = float(north[rows[nearest]]), float(east[columns[nearest]])
    return *place, -float(_under_pad(grown, window, heights, place).max())


def _under_pad(
    grown: GrownMap, window: CellWindow, heights: Floats32, place: tuple[float, float]
) -> Floats32:
    """The heights that a pad at a place covers, and those next to it."""
    reach_m = 0.5 * _PAD_M + grown.cell_m
    near = (
        np.abs(line - middle) <= reach_m
        for line, middle in zip(grown.centres_m(window), place, strict=True)
    )
    return heights[np.ix_(*near)]


def _world_text(grown: GrownMap, window: CellWindow, name: str, *, has_colours: bool) -> str:
    north, east = (0.5 * float(line[0] + line[-1]) for line in grown.centres_m(window))
    look = f'picture = "{ORTHO}"' if has_colours else "colour = [0.5, 0.5, 0.5]"
    title = tomli_w.dumps({"title": utf8_text(f"Map of a flight: {name}")})
    return (
        f'{title}\n[ground]\nheights = "{HEIGHTS}"\nstep_m = {grown.cell_m!r}\n'
        f"middle_m = [{north!r}, {east!r}]\n{look}\n"
    )


def _start_text(place: tuple[float, float, float]) -> str:
    north, east, down = place
    above = down - _ABOVE_M
    return f"\n[starts.first]\nposition_m = [{north:.3f}, {east:.3f}, {above:.3f}]\n"


def _pad_text(
    grown: GrownMap, window: CellWindow, heights: Floats32, place: tuple[float, float, float]
) -> str:
    """What the aircraft starts on: level, from below the lowest that it covers to the highest."""
    north, east, down = place
    base = _ABOVE_M - float(_under_pad(grown, window, heights, (north, east)).min())
    return (
        f"\n[boxes.pad]\nposition_m = [{north:.3f}, {east:.3f}, {base:.3f}]\n"
        f"size_m = [{_PAD_M!r}, {_PAD_M!r}, {base - down:.3f}]\ncolour = [0.4, 0.4, 0.4]\n"
    )


def _around_text(grown: GrownMap, window: CellWindow, heights: Floats32) -> str:
    """Level ground further out, so that nobody falls off: just below the lowest height."""
    north, east = (0.5 * float(line[0] + line[-1]) for line in grown.centres_m(window))
    length, width = (side * grown.cell_m + 2.0 * _AROUND_M for side in window.shape)
    down = _ABOVE_M + _AROUND_THICK_M - float(heights.min())
    return (
        f"\n[boxes.around]\nposition_m = [{north:.3f}, {east:.3f}, {down:.3f}]\n"
        f"size_m = [{length:.3f}, {width:.3f}, {_AROUND_THICK_M!r}]\ncolour = [0.4, 0.4, 0.4]\n"
    )


def _place_text(origin: MapOrigin | None) -> str:
    if origin is None or abs(origin.latitude_deg) > _STEEP_LATITUDE_DEG:
        return ""
    return (
        f"\n[place]\nlatitude_deg = {origin.latitude_deg!r}\n"
        f"longitude_deg = {origin.longitude_deg!r}\naltitude_m = {origin.altitude_m!r}\n"
    )
