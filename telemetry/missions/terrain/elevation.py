"""Elevation of the ground: the first map that knows a place counts; else flat at home."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from telemetry.missions.local_coordinates import MissionHome

Floats = NDArray[np.float64]


class TerrainError(ValueError):
    """Why a file of heights is not read: one sentence with what to do."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: {what}")


class ElevationMap(Protocol):
    """One file of heights."""

    @property
    def name(self) -> str:
        """What to call it."""

    def height_m(self, latitude_deg: float, longitude_deg: float) -> float | None:
        """Metres above sea level between its points; None outside and where it has a void."""

    def heights_m(self, latitude_deg: Floats, longitude_deg: Floats) -> Floats:
        """The same of many places (n,) at once, NaN for None."""


@dataclass(frozen=True, slots=True)
class GroundHeights:
    """What is known of the ground. Without maps, and between them, it is flat at home's height."""

    maps: Sequence[ElevationMap] = ()

    def known_m(self, latitude_deg: float, longitude_deg: float) -> float | None:
        """Metres above sea level, if a map tells."""
        for one in self.maps:
            height = one.height_m(latitude_deg, longitude_deg)
            if height is not None:
                return height
        return None

    def known_of_many_m(self, latitude_deg: Floats, longitude_deg: Floats) -> Floats:
        """The same of many places (n,) at once, NaN where no map tells."""
        heights = np.full(len(latitude_deg), np.nan)
        for one in self.maps:
            lacking = np.isnan(heights)
            heights[lacking] = one.heights_m(latitude_deg[lacking], longitude_deg[lacking])
        return heights

    def above(self, home: MissionHome) -> "GroundAboveHome":
        """The same, counted from home. Where home itself is on a map its height there counts: maps
        and GPS differ by metres, and it is the difference that an aircraft hits."""
        there = self.known_m(home.latitude_deg, home.longitude_deg)
        return GroundAboveHome(self, home.altitude_m if there is None else there)


@dataclass(frozen=True, slots=True)
class GroundAboveHome:
    """Heights of the ground above home, whose own height the maps count as `home_m`."""

    ground: GroundHeights
    home_m: float

    def known_m(self, latitude_deg: float, longitude_deg: float) -> float | None:
        """Metres above home, if a map tells."""
        here = self.ground.known_m(latitude_deg, longitude_deg)
        return None if here is None else here - self.home_m

    def height_m(self, latitude_deg: float, longitude_deg: float) -> float:
        """Metres above home; 0 where no map tells."""
        return self.known_m(latitude_deg, longitude_deg) or 0.0


FLAT_GROUND = GroundHeights()


def between(heights: NDArray[Any], row: float, column: float, void: float | None) -> float | None:
    """Bilinear between the four points around; None outside, and where one that counts is a void
    or not finite."""
    rows, columns = heights.shape
    if not (0.0 <= row <= rows - 1 and 0.0 <= column <= columns - 1):
        return None
    top, left = min(int(row), max(rows - 2, 0)), min(int(column), max(columns - 2, 0))
    down, right = row - top, column - left
    total = 0.0
    for i, share_i in ((top, 1.0 - down), (top + 1, down)):
        for j, share_j in ((left, 1.0 - right), (left + 1, right)):
            share = share_i * share_j
            if share == 0.0:
                continue
            value = float(np.asarray(heights[i, j]))
            if not math.isfinite(value) or value == void:
                return None
            total += share * value
    return total


def between_many(heights: NDArray[Any], row: Floats, column: Floats, void: float | None) -> Floats:
    """The same of many places (n,) at once, NaN for None."""
    rows, columns = heights.shape
    is_inside = (row >= 0.0) & (row <= rows - 1) & (column >= 0.0) & (column <= columns - 1)
    row, column = np.where(is_inside, row, 0.0), np.where(is_inside, column, 0.0)
    top = np.minimum(row.astype(np.intp), max(rows - 2, 0))
    left = np.minimum(column.astype(np.intp), max(columns - 2, 0))
    down, right = row - top, column - left
    total = np.where(is_inside, 0.0, np.nan)
    for i, share_i in ((top, 1.0 - down), (np.minimum(top + 1, rows - 1), down)):
        for j, share_j in ((left, 1.0 - right), (np.minimum(left + 1, columns - 1), right)):
            values = heights[i, j].astype(np.float64)
            values[~np.isfinite(values) | (values == void)] = np.nan
            share = share_i * share_j
            total += np.where(share > 0.0, share * values, 0.0)
    return total
