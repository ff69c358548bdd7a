"""Block matching as PX4Flow does it: by how much squares of 8 x 8 pixels have moved.

After the firmware PX4/Flow at 6c8cdb3, src/modules/flow/flow.c: 5 x 5 squares (compute_flow), of
which those count that have texture (compute_diff); the smallest sum of absolute differences (SAD)
within the search window; half pixels by SADs with means of neighbours, halves cut off as the
processor does (compute_subpixel); and the mean of what is found, its default
(BFLOW_HIST_FIL 0). Quality is 255 times the share of squares that counted, 0 with ten or fewer of
them.

So flow comes in halves of a pixel, as on the real module: where all squares move alike, what moves
by less than 0.24 pixels between two pictures stands still, and up to 0.74 counts as half a pixel.
Steady flow is read up to 30 % too low or 70 % too high below one pixel a picture, 17 % below two,
10 % below four: the firmware's own function gives the same numbers.
"""

import math
from typing import Any, Final

import numpy as np

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import Program
from simulation.compiler.source_digest import sources_digest

SIDE: Final = 64
"""Pixels of a picture, across and down."""
BLOCK: Final = 8
_BLOCKS: Final = 5
_LEAST_COUNT: Final = 10
_DIRECTIONS: Final = 8
_INFINITE: Final = 1e18

BLOCKS: Final = np.dtype(
    [
        ("before", np.float64, SIDE * SIDE),  # whole numbers, 0 to 255
        ("now", np.float64, SIDE * SIDE),
        ("search", np.int64),  # pixels either way; BFLOW_MAX_PIX
        ("feature", np.float64),  # least texture of a square; BFLOW_F_THLD
        ("value", np.float64),  # least SAD that is too large; BFLOW_V_THLD
        ("flow", np.float64, 2),  # pixels to the right and down
        ("quality", np.int64),  # 0 to 255
        ("sad", np.float64, _DIRECTIONS),  # of half pixels
    ],
    align=True,
)


@njit_part
def _texture(picture: Any, first: int) -> float:
    """The sum of steps between neighbours in the middle of a square (compute_diff)."""
    total = 0.0
    for k in range(4):
        for i in range(3):
            along = first + (2 + k) * SIDE + 2 + i
            down = first + (2 + i) * SIDE + 2 + k
            total += abs(picture[along + 1] - picture[along])
            total += abs(picture[down + SIDE] - picture[down])
    return total


@njit_part
def _sad(b: Any, first: int, second: int) -> float:
    """Of a square of the picture before and one of the new picture."""
    total = 0.0
    for row in range(BLOCK):
        for i in range(row * SIDE, row * SIDE + BLOCK):
            total += abs(b["before"][first + i] - b["now"][second + i])
    return total


@njit_part
def _half(one: float, other: float) -> float:
    """Their mean, cut off (UHADD8)."""
    return float(math.floor(0.5 * (one + other)))


@njit_shared
def _set_half_pixels(b: Any, first: int, second: int) -> None:
    """SADs half a pixel to the right of the best place and on around it clockwise."""
    now, sad = b["now"], b["sad"]
    for k in range(_DIRECTIONS):
        sad[k] = 0.0
    for row in range(BLOCK):
        for i in range(row * SIDE, row * SIDE + BLOCK):
            p, was = second + i, b["before"][first + i]
            here, right, left = now[p], now[p + 1], now[p - 1]
            below, above = now[p + SIDE], now[p - SIDE]
            s0, s4 = _half(here, right), _half(here, left)
            s1, s3 = _half(below, now[p + SIDE + 1]), _half(below, now[p + SIDE - 1])
            s5, s7 = _half(above, now[p - SIDE - 1]), _half(above, now[p - SIDE + 1])
            sad[0] += abs(was - s0)
            sad[1] += abs(was - _half(s0, s1))
            sad[2] += abs(was - _half(here, below))
            sad[3] += abs(was - _half(s3, s4))
            sad[4] += abs(was - s4)
            sad[5] += abs(was - _half(s4, s5))
            sad[6] += abs(was - _half(here, above))
            sad[7] += abs(was - _half(s7, s0))


@njit_part
def _best_whole(b: Any, first: int) -> tuple[float, int, int]:
    """The smallest SAD within the search window, and where it is."""
    search = b["search"]
    best, right, down = _INFINITE, 0, 0
    for y in range(-search, search + 1):
        for x in range(-search, search + 1):
            sad = _sad(b, first, first + y * SIDE + x)
            if sad < best:
                best, right, down = sad, x, y
    return best, right, down


@njit_part
def _best_half(b: Any, best: float) -> tuple[float, float]:
    """Half a pixel to the right and down of it, or none, where that is better still."""
    direction = -1
    for k in range(_DIRECTIONS):
        if b["sad"][k] < best:
            best, direction = b["sad"][k], k
    right = down = 0.0
    if direction == 0 or direction == 1 or direction == 7:  # noqa: PLR1714 - compiled
        right = 0.5
    if 3 <= direction <= 5:
        right = -0.5
    if 1 <= direction <= 3:
        down = 0.5
    if direction >= 5:
        down = -0.5
    return right, down


def _match(b: Any) -> None:
    begin = b["search"] + 1
    end = SIDE - (b["search"] + 1) - BLOCK
    step = (end - begin) // _BLOCKS + 1
    count = 0
    right = down = 0.0
    for k in range(_BLOCKS * _BLOCKS):
        x, y = begin + step * (k % _BLOCKS), begin + step * (k // _BLOCKS)
        first = y * SIDE + x
        if x < end and y < end and _texture(b["before"], first) >= b["feature"]:
            best, whole_right, whole_down = _best_whole(b, first)
            if best < b["value"]:
                _set_half_pixels(b, first, first + whole_down * SIDE + whole_right)
                more_right, more_down = _best_half(b, best)
                right += whole_right + more_right
                down += whole_down + more_down
                count += 1
    b["flow"][0] = b["flow"][1] = 0.0
    b["quality"] = 0
    if count > _LEAST_COUNT:
        b["flow"][0] = right / count
        b["flow"][1] = down / count
        b["quality"] = count * 255 // (_BLOCKS * _BLOCKS)


match_blocks: Final = Program(_match, BLOCKS, sources=sources_digest(__name__))
"""Sets `flow` and `quality` of a BLOCKS record."""
