"""Fields, tracks, roads and woods, painted as they look from above."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.worlds.random_tiles import random_tile

Array = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

WIDTH_M = 3072.0
PIXELS = 2048
_PIXEL_M = WIDTH_M / PIXELS
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
    """The picture (PIXELS, PIXELS, 3) and where trees grow: masks of its size."""

    pixels: Bytes
    hedges: npt.NDArray[np.bool_]
    woods: npt.NDArray[np.bool_]


def paint_ground(random: np.random.Generator) -> PaintedGround:
    """Rectangular fields, bent a little, around a mown strip in the middle."""
    import cv2

    canvas = np.zeros((PIXELS, PIXELS, 3), np.float32)
    hedges = np.zeros((PIXELS, PIXELS), np.uint8)
    _divide(canvas, hedges, (0, PIXELS, 0, PIXELS), random, 0)
    bend_row, bend_column = (
        _smooth(random, 2.4) * (22.0 / _PIXEL_M) + np.arange(PIXELS)[index]
        for index in ((slice(None), None), (None, slice(None)))
    )
    maps = bend_column.astype(np.float32), bend_row.astype(np.float32)
    canvas = cv2.remap(canvas, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    hedges = cv2.remap(hedges, *maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REFLECT_101)
    woods = (_smooth(random, 1.7) > 1.25) & (_distance_m() > 260.0)
    canvas[woods] = _WOOD
    canvas *= (1.0 + 0.05 * _smooth(random, 1.2) + 0.04 * _smooth(random, 0.6))[..., None]
    _mow(canvas)
    near = _distance_m() < 90.0
    return PaintedGround(np.clip(canvas, 0.0, 255.0).astype(np.uint8), (hedges > 0) & ~near, woods)


def _smooth(random: np.random.Generator, fall: float) -> npt.NDArray[np.float32]:
    """Random structure of the picture's size, made at a quarter of it."""
    import cv2

    tile = random_tile(random, PIXELS // 4, fall, coarsest=2).astype(np.float32)
    return np.asarray(cv2.resize(tile, (PIXELS, PIXELS), interpolation=cv2.INTER_LINEAR))


def _distance_m() -> npt.NDArray[np.float32]:
    axis = (np.arange(PIXELS, dtype=np.float32) + 0.5 - PIXELS / 2) * np.float32(_PIXEL_M)
    return np.asarray(np.hypot(axis[:, None], axis[None, :]))


def _divide(
    canvas: npt.NDArray[np.float32],
    hedges: Bytes,
    box: tuple[int, int, int, int],
    random: np.random.Generator,
    depth: int,
) -> None:
    """Split a rectangle along its longer side until it is a field; roads, tracks and hedges run
    where it was split."""
    top, bottom, left, right = box
    tall, wide = bottom - top, right - left
    least = _SMALLEST_M / _PIXEL_M
    if min(tall, wide) < 1.6 * least or (depth > 6 and random.random() < 0.35):
        _sow(canvas[top:bottom, left:right], random)
        return
    share = random.uniform(0.3, 0.7)
    if tall > wide:
        cut = top + int(tall * share)
        parts = ((top, cut, left, right), (cut, bottom, left, right))
        line = (slice(cut - 2, cut + 2), slice(left, right))
    else:
        cut = left + int(wide * share)
        parts = ((top, bottom, left, cut), (top, bottom, cut, right))
        line = (slice(top, bottom), slice(cut - 2, cut + 2))
    for part in parts:
        _divide(canvas, hedges, part, random, depth + 1)
    _border(canvas[line], hedges[line], depth, random)


def _border(
    canvas: npt.NDArray[np.float32], hedges: Bytes, depth: int, random: np.random.Generator
) -> None:
    if depth < 3:
        canvas[:] = _ROAD
        hedges[:] = 0
    elif (chance := random.random()) < 0.4:
        canvas[1:3] = _TRACK
    elif chance < 0.6:
        canvas[:] = _HEDGE
        hedges[:] = 255


def _sow(canvas: npt.NDArray[np.float32], random: np.random.Generator) -> None:
    """One crop, with the lines of its machines along the longer side."""
    colour = np.array(_CROPS[random.integers(len(_CROPS))]) * random.uniform(0.88, 1.1)
    canvas[:] = colour
    tall, wide = canvas.shape[:2]
    across = np.arange(min(tall, wide)) * _PIXEL_M
    lines = np.where(np.mod(across, random.choice((12.0, 18.0, 24.0))) < 2.0, 0.86, 1.0)
    lines = lines * (1.0 + 0.05 * np.sin(across * random.uniform(0.6, 1.6)))
    canvas *= (lines[None, :] if tall > wide else lines[:, None])[..., None].astype(np.float32)


def _mow(canvas: npt.NDArray[np.float32]) -> None:
    """The field of the model pilots: a lawn with a strip from south to north."""

    def box(north_m: float, east_m: float) -> tuple[slice, slice]:
        rows, columns = int(north_m / _PIXEL_M), int(east_m / _PIXEL_M)
        middle = PIXELS // 2
        return slice(middle - rows, middle + rows), slice(middle - columns, middle + columns)

    canvas[box(75.0, 40.0)] = _LAWN
    strip = canvas[box(62.0, 7.0)]
    strip[:] = _RUNWAY
    strip[::8] *= 0.95
