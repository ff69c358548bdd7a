"""Grown map: a grid of cells in metres north and east, which grows where something is seen."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.uint8]

TEXELS: Final = 4
"""So many pixels of colour along the side of a cell."""
MOST_CELLS: Final = 1_000_000
"""As many as a world's raster of heights has at most; with its colours 61 MB."""
LONGEST_SIDE: Final = 2048
"""In cells; a world's picture has 8192 pixels at most."""
SMALLEST_CELL_M: Final = 0.01
LARGEST_CELL_M: Final = 100.0
_FARTHEST_M: Final = 1e5
_BLOCK: Final = 32
"""It grows by so many cells at least, so that it is not copied again and again."""


class MapError(ValueError):
    """A map that cannot be made or saved: one sentence for the user."""


@dataclass(frozen=True, slots=True)
class CellWindow:
    """Rows (from south to north) and columns (from west to east) of cells: from the first up to,
    not including, the last. Cell (0, 0) has its south-west corner at the origin."""

    south: int = 0
    north: int = 0
    west: int = 0
    east: int = 0

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.north - self.south, self.east - self.west

    def around(self, other: "CellWindow") -> "CellWindow":
        """The least that holds both."""
        if not min(self.shape):
            return other
        south, west = min(self.south, other.south), min(self.west, other.west)
        return CellWindow(south, max(self.north, other.north), west, max(self.east, other.east))

    def slices(self, part: "CellWindow", scale: int = 1) -> tuple[slice, slice]:
        """Where a part of it stands in its arrays, which have `scale` along the side of a cell."""
        south, west = part.south - self.south, part.west - self.west
        rows, columns = part.shape
        return (
            slice(south * scale, (south + rows) * scale),
            slice(west * scale, (west + columns) * scale),
        )

    def inside(self, other: "CellWindow") -> "CellWindow":
        """What of it is in another one; without cells if nothing is."""
        south, west = max(self.south, other.south), max(self.west, other.west)
        north, east = min(self.north, other.north), min(self.east, other.east)
        return CellWindow(south, max(south, north), west, max(west, east))


class GrownMap:
    """What is known of each cell, in arrays (rows, columns) of `window`, rows from south to north.

    `heights_m` above the origin, NaN where nothing was measured, with `variances_m2`; `doubts`
    count readings in a row that disagree, those above positive. `colours` are BGR,
    (TEXELS rows, TEXELS columns, 3), with the `clarity` with which each cell was seen, 0 for never.
    For one thread at a time.
    """

    def __init__(self, cell_m: float = 0.1) -> None:
        """Raises MapError for cells that cannot be."""
        if not SMALLEST_CELL_M <= cell_m <= LARGEST_CELL_M:
            raise MapError(
                f"Cells have {SMALLEST_CELL_M:g} to {LARGEST_CELL_M:g} m, not {cell_m:g} m."
            )
        self.cell_m = cell_m
        self.beyond = 0
        """How many readings and pictures lay where there is no room for."""
        self.window = CellWindow()
        self._take(self.window, {})

    @property
    def is_known(self) -> Flags:
        """Of each cell: whether its height was measured."""
        return np.asarray(np.isfinite(self.heights_m))

    @property
    def is_seen(self) -> Flags:
        """Of each cell: whether it has colours."""
        return np.asarray(self.clarity > 0.0)

    def cells_of(self, places_m: Floats) -> Numbers:
        """Rows and columns (n, 2), counted from the origin, of places (n, 2) north and east."""
        return np.asarray(np.floor(places_m / self.cell_m).astype(np.int64))

    def window_of(self, lowest_m: Floats, highest_m: Floats) -> CellWindow | None:
        """The cells from one corner (north, east) to another; None if they are nowhere."""
        corners = np.array([lowest_m, highest_m], np.float64)
        if not np.abs(corners).max() <= _FARTHEST_M:
            return None
        (south, west), (north, east) = self.cells_of(corners).tolist()
        return CellWindow(south, north + 1, west, east + 1)

    def window_with(self, chosen: Flags) -> CellWindow | None:
        """The least window with all cells that are chosen, (rows, columns); None if none is."""
        rows, columns = np.flatnonzero(chosen.any(axis=1)), np.flatnonzero(chosen.any(axis=0))
        if not len(rows):
            return None
        south, west = self.window.south, self.window.west
        return CellWindow(
            south + int(rows[0]),
            south + int(rows[-1]) + 1,
            west + int(columns[0]),
            west + int(columns[-1]) + 1,
        )

    def centres_m(self, window: CellWindow) -> tuple[Floats, Floats]:
        """How far north the middle of each row of a window is, how far east of each column."""
        south, west = 0.5 + window.south, 0.5 + window.west
        rows, columns = (np.arange(n, dtype=np.float64) for n in window.shape)
        return (rows + south) * self.cell_m, (columns + west) * self.cell_m

    def reach(self, wanted: CellWindow) -> bool:
        """Grow so that a window is inside; False, and counted, if there is no room for it."""
        if self.window.around(wanted) == self.window:
            return True
        exact = self.window.around(wanted)
        whole = self.window.around(_in_blocks(wanted))
        grown = next((one for one in (whole, exact) if _has_room(one)), None)
        if grown is None:
            self.beyond += 1
            return False
        self._take(grown, {name: getattr(self, name) for name in _LAYERS})
        return True

    def height_at(self, north_m: float, east_m: float) -> float | None:
        """Of the cell there; None where it was not measured."""
        row, column = self.cells_of(np.array([north_m, east_m])).tolist()
        inside = CellWindow(row, row + 1, column, column + 1).inside(self.window)
        if not min(inside.shape):
            return None
        height = float(self.heights_m[self.window.slices(inside)][0, 0])
        return height if math.isfinite(height) else None

    def _take(self, window: CellWindow, layers: dict[str, npt.NDArray[np.generic]]) -> None:
        """Have arrays of this window, with what there was."""
        rows, columns = window.shape
        made = {
            name: np.full((rows * scale, columns * scale, *more), empty, kind)
            for name, (empty, kind, scale, more) in _LAYERS.items()
        }
        for name, before in layers.items():
            made[name][window.slices(self.window, _LAYERS[name][2])] = before
        self.window = window
        self.heights_m: Floats32 = made["heights_m"]
        self.variances_m2: Floats32 = made["variances_m2"]
        self.doubts: npt.NDArray[np.int8] = made["doubts"]
        self.clarity: Floats32 = made["clarity"]
        self.colours: Pixels = made["colours"]


_LAYERS: Final[dict[str, tuple[float, type[np.generic], int, tuple[int, ...]]]] = {
    "heights_m": (math.nan, np.float32, 1, ()),
    "variances_m2": (math.inf, np.float32, 1, ()),
    "doubts": (0, np.int8, 1, ()),
    "clarity": (0.0, np.float32, 1, ()),
    "colours": (0, np.uint8, TEXELS, (3,)),
}
"""What a cell has: the value of a new one, its kind, how many along a side, how many numbers."""


def _has_room(window: CellWindow) -> bool:
    rows, columns = window.shape
    return max(rows, columns) <= LONGEST_SIDE and rows * columns <= MOST_CELLS


def _in_blocks(window: CellWindow) -> CellWindow:
    def down(cell: int) -> int:
        return cell // _BLOCK * _BLOCK

    def up(cell: int) -> int:
        return -(-cell // _BLOCK) * _BLOCK

    return CellWindow(down(window.south), up(window.north), down(window.west), up(window.east))
