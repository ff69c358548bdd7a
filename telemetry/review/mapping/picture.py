"""Map picture: a map from above and in space; made where nobody waits for it."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from telemetry.recording.recording import Recording
from telemetry.review.mapping.grown_map import (
    TEXELS,
    CellWindow,
    Flags,
    Floats,
    Floats32,
    GrownMap,
    Pixels,
)
from telemetry.review.mapping.heights import without_holes
from telemetry.review.mapping.recorded_poses import PoseSource

MOST_PX: Final = 800
_MOST_CORNERS: Final = 160
"""Along a side of a surface."""
_STEEPEST: Final = 1.0
_RELIEF: Final = 0.35
_LEAST_SPAN_M: Final = 0.1

Shades = tuple[tuple[int, int, int], ...]
"""Red, green and blue of heights, from low to high."""


@dataclass(frozen=True, slots=True, eq=False)
class MapSurface:
    """Heights (rows, columns) above the origin, at `north_m` (rows,), from south to north, and at
    `east_m` (columns,); NaN where nothing was seen. What is seen and was not measured is as high as
    the nearest place that was."""

    north_m: Floats
    east_m: Floats
    heights_m: Floats32


@dataclass(frozen=True, slots=True, eq=False)
class MapPicture:
    """Pictures (height, width, 4) of `window`, north up, red, green, blue and opacity: of the
    heights alone, and with the colours over them. `heights_m` are those of the cells, rows from
    south to north; all lie from `lowest_m` to `highest_m`, but some outliers."""

    window: CellWindow
    cell_m: float
    heights_m: Floats32
    by_height: Pixels
    in_colour: Pixels
    lowest_m: float
    highest_m: float
    surface: MapSurface

    def height_at(self, north_m: float, east_m: float) -> float | None:
        """What is known there."""
        row = math.floor(north_m / self.cell_m) - self.window.south
        column = math.floor(east_m / self.cell_m) - self.window.west
        rows, columns = self.window.shape
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        height = float(self.heights_m[row, column])
        return height if math.isfinite(height) else None


@dataclass(frozen=True, slots=True, eq=False)
class ShownMap:
    """The map of a flight that one view shows, for others to show as well. `source` says from where
    its metres count."""

    recording: Recording
    source: PoseSource
    picture: MapPicture


def make_picture(grown: GrownMap, shades: Shades) -> MapPicture | None:
    """None while there is nothing on the map."""
    window = grown.window_with(grown.is_known | grown.is_seen)
    if window is None:
        return None
    at = grown.window.slices(window)
    heights = grown.heights_m[at].copy()
    known = np.isfinite(heights)
    lowest, highest = 0.0, 0.0
    if known.any():
        lowest, highest = (float(one) for one in np.percentile(heights[known], (1, 99)))
    every = max(1, math.ceil(max(window.shape) * TEXELS / MOST_PX))
    by_height = _enlarged(_by_height(heights, (lowest, highest), grown.cell_m, shades), every)
    seen = _enlarged(grown.is_seen[at].astype(np.uint8), every)
    colours = grown.colours[grown.window.slices(window, TEXELS)][::every, ::every, ::-1]
    in_colour = np.where(seen[..., None] > 0, _opaque(colours), by_height)
    return MapPicture(
        window,
        grown.cell_m,
        heights,
        np.ascontiguousarray(by_height[::-1]),
        np.ascontiguousarray(in_colour[::-1]),
        lowest,
        highest,
        _surface(grown, window, heights),
    )


def _surface(grown: GrownMap, window: CellWindow, heights: Floats32) -> MapSurface:
    known = np.isfinite(heights)
    filled = without_holes(heights, known) if known.any() else np.zeros_like(heights)
    is_there = known | grown.is_seen[grown.window.slices(window)]
    every = max(1, math.ceil(max(window.shape) / _MOST_CORNERS))
    chosen = slice(every // 2, None, every)
    north, east = grown.centres_m(window)
    corners = np.where(is_there, filled, np.float32(np.nan))[chosen, chosen]
    return MapSurface(north[chosen], east[chosen], corners)


def _by_height(
    heights: Floats32, span: tuple[float, float], cell_m: float, shades: Shades
) -> Pixels:
    """(rows, columns, 4), in the light of the north-west."""
    known: Flags = np.isfinite(heights)
    lowest, highest = span
    share = (np.nan_to_num(heights) - lowest) / max(highest - lowest, _LEAST_SPAN_M)
    table = np.array(shades, np.float32)
    place = np.clip(share, 0.0, 1.0) * (len(table) - 1)
    low = np.minimum(place.astype(int), len(table) - 2)
    part = (place - low)[..., None]
    colours = table[low] * (1.0 - part) + table[low + 1] * part
    rise = np.zeros_like(heights)
    rise[:-1, 1:] = (heights[:-1, 1:] - heights[1:, :-1]) / cell_m
    light = 1.0 + _RELIEF * np.clip(np.nan_to_num(rise), -_STEEPEST, _STEEPEST)
    lit = np.clip(colours * light[..., None], 0.0, 255.0).astype(np.uint8)
    return np.concatenate([lit, np.where(known, 255, 0).astype(np.uint8)[..., None]], axis=-1)


def _enlarged(cells: Pixels, every: int) -> Pixels:
    """As many pixels as texels of which one in so many counts."""
    rows, columns = (np.arange(0, side * TEXELS, every) // TEXELS for side in cells.shape[:2])
    return np.asarray(cells[rows][:, columns])


def _opaque(colours: Pixels) -> Pixels:
    return np.concatenate([colours, np.full((*colours.shape[:2], 1), 255, np.uint8)], axis=-1)
