"""Ground picture: fields, tracks, roads and woods, painted as they look from above."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.worlds.random_tiles import random_tile

Bytes = npt.NDArray[np.uint8]

WIDTH_M = 3072.0
_BEND_M = 22.0
_CROPS = (
    (92, 118, 52),  # wheat in spring
    (116, 134, 62),
    (146, 137, 84),  # stubble
    (112, 92, 68),  # ploughed
    (128, 106, 78),
    (168, 158, 62),  # rape
    (84, 108, 54),  # meadow
    (102, 122, 66),
    (74, 98, 46),
)
_TRACK, _ROAD, _HEDGE, _WOOD = (150, 138, 112), (98, 98, 100), (58, 76, 38), (48, 62, 34)
_LAWN, _RUNWAY = (96, 126, 58), (122, 146, 74)
_SMALLEST_M = 55.0


@dataclass(frozen=True, slots=True, eq=False)
class PaintedGround:
    """The picture (n, n, 3), rows from south to north, and where trees grow: masks of its size."""

    pixels: Bytes
    hedges: npt.NDArray[np.bool_]
    woods: npt.NDArray[np.bool_]

    def wild_places(self, each: int, random: np.random.Generator) -> npt.NDArray[np.float64]:
        """North and east (2 x `each`, 2) of trees: half along hedges, half in woods."""
        found = []
        for mask in (self.hedges, self.woods):
            rows, columns = np.nonzero(mask)
            chosen = random.integers(len(rows), size=each)
            found.append(np.stack([rows[chosen], columns[chosen]], -1))
        pixels = np.concatenate(found) + random.random((2 * each, 2))
        return np.asarray((pixels / len(self.pixels) - 0.5) * WIDTH_M)


def paint_ground(random: np.random.Generator, pixels: int) -> PaintedGround:
    """Rectangular fields, bent a little, around a mown strip in the middle; `pixels` a side."""
    import cv2

    canvas = np.zeros((pixels, pixels, 3), np.uint8)
    hedges = np.zeros((pixels, pixels), np.uint8)
    _Fields(canvas, hedges, random).divide((0, pixels, 0, pixels))
    bend = np.float32(_BEND_M * pixels / WIDTH_M)
    line = np.arange(pixels, dtype=np.float32)
    rows = _smooth(random, pixels, 2.4) * bend + line[:, None]
    columns = _smooth(random, pixels, 2.4) * bend + line[None, :]
    edge = cv2.BORDER_REFLECT_101
    canvas = cv2.remap(canvas, columns, rows, cv2.INTER_LINEAR, borderMode=edge)
    hedges = cv2.remap(hedges, columns, rows, cv2.INTER_NEAREST, borderMode=edge)
    axis = (line + 0.5 - pixels / 2) * np.float32(WIDTH_M / pixels)
    away_m = np.hypot(axis[:, None], axis[None, :])
    woods = (_smooth(random, pixels, 1.7) > 1.25) & (away_m > 260.0)
    canvas[woods] = _WOOD
    soil = 1.0 + 0.05 * _smooth(random, pixels, 1.2) + 0.04 * _smooth(random, pixels, 0.6)
    canvas = np.clip(canvas * soil[..., None], 0.0, 255.0).astype(np.uint8)
    _mow(canvas)
    return PaintedGround(canvas, (hedges > 0) & (away_m > 90.0), woods)


def _smooth(random: np.random.Generator, pixels: int, fall: float) -> npt.NDArray[np.float32]:
    """Random structure of the picture's size, made at a quarter of it."""
    import cv2

    tile = random_tile(random, pixels // 4, fall, coarsest=2).astype(np.float32)
    return np.asarray(cv2.resize(tile, (pixels, pixels), interpolation=cv2.INTER_LINEAR))


class _Fields:
    """Rectangles that are split until they are fields, painted as that is done."""

    def __init__(self, canvas: Bytes, hedges: Bytes, random: np.random.Generator) -> None:
        self._canvas, self._hedges, self._random = canvas, hedges, random
        self._pixel_m = WIDTH_M / len(canvas)

    def divide(self, box: tuple[int, int, int, int], depth: int = 0) -> None:
        """Split along the longer side; roads, tracks and hedges run where it was split. `box`:
        first row and end, first column and end."""
        random = self._random
        top, bottom, left, right = box
        tall, wide = bottom - top, right - left
        least = _SMALLEST_M / self._pixel_m
        if min(tall, wide) < 1.6 * least or (depth > 6 and random.random() < 0.35):
            self._sow(self._canvas[top:bottom, left:right])
            return
        share = random.uniform(0.3, 0.7)
        cut = top + int(tall * share) if tall > wide else left + int(wide * share)
        line = slice(cut - 2, cut + 2)
        if tall > wide:
            parts = ((top, cut, left, right), (cut, bottom, left, right))
            border = line, slice(left, right)
        else:
            parts = ((top, bottom, left, cut), (top, bottom, cut, right))
            border = slice(top, bottom), line
        for part in parts:
            self.divide(part, depth + 1)
        self._plant(border, depth)

    def _plant(self, border: tuple[slice, slice], depth: int) -> None:
        canvas, hedges = self._canvas[border], self._hedges[border]
        chance = self._random.random()
        if depth < 3:
            canvas[:], hedges[:] = _ROAD, 0
        elif chance < 0.4:
            narrow = (slice(1, 3),) if len(canvas) == 4 else (slice(None), slice(1, 3))
            canvas[narrow] = _TRACK
        elif chance < 0.6:
            canvas[:], hedges[:] = _HEDGE, 255

    def _sow(self, canvas: Bytes) -> None:
        """One crop, with the lines of its machines along the longer side."""
        random = self._random
        colour = np.array(_CROPS[random.integers(len(_CROPS))]) * random.uniform(0.88, 1.1)
        tall, wide = canvas.shape[:2]
        across = np.arange(min(tall, wide)) * self._pixel_m
        lines = np.where(np.mod(across, random.choice((12.0, 18.0, 24.0))) < 2.0, 0.86, 1.0)
        lines = lines * (1.0 + 0.05 * np.sin(across * random.uniform(0.6, 1.6)))
        striped = np.clip(colour * lines[:, None], 0.0, 255.0).astype(np.uint8)
        canvas[:] = striped[None, :] if tall > wide else striped[:, None]


def _mow(canvas: Bytes) -> None:
    """The field of the model pilots: a lawn with a strip from south to north."""

    def box(north_m: float, east_m: float) -> tuple[slice, slice]:
        rows, columns = (max(int(m * len(canvas) / WIDTH_M), 1) for m in (north_m, east_m))
        middle = len(canvas) // 2
        return slice(middle - rows, middle + rows), slice(middle - columns, middle + columns)

    canvas[box(75.0, 40.0)] = _LAWN
    canvas[box(62.0, 7.0)] = _RUNWAY
