"""Patterns: pictures made by rules, for walls and floors without a file.

Each is bright, so that a body's colour can tint it, and repeats without a seam.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from simulation.worlds.random_tiles import random_tile
from simulation.worlds.scene import Picture

Generator = np.random.Generator

PIXELS: Final = 256
"""To a side."""
_DARK: Final = 25
_KEPT: Final = 32
_JOINT: Final = 4


@lru_cache(_KEPT)
def pattern_picture(name: str, seed: int) -> Picture:
    """(rows, columns, 3), the same for the same name and seed."""
    random = np.random.default_rng([seed, list(PATTERNS).index(name), 0x9A77])
    grey = PATTERNS[name](random)
    return np.ascontiguousarray(np.repeat(grey[..., None], 3, axis=2))


def _plain(_: Generator) -> Picture:
    """Nothing to be seen."""
    return np.full((2, 2), 255, np.uint8)


def _checks(random: Generator) -> Picture:
    """Black and white squares by chance, in three sizes: contrast at every distance."""
    picture = np.full((PIXELS, PIXELS), 255, np.uint8)
    for squares in (4, 8, 32):
        chosen = random.random((squares, squares)) < 0.3
        size = PIXELS // squares
        picture[np.kron(chosen, np.ones((size, size), bool))] ^= 255 - _DARK
    return picture


def _noise(random: Generator) -> Picture:
    """Structure at all scales."""
    tile = 178.0 + 42.0 * random_tile(random, PIXELS, 1.2)
    return np.clip(tile, 0.0, 255.0).astype(np.uint8)


def _stripes(random: Generator) -> Picture:
    """Upright, of random widths."""
    edges = np.sort(random.choice(np.arange(8, PIXELS, 4), 24, replace=False))
    dark = np.searchsorted(edges, np.arange(PIXELS), side="right") % 2
    row = np.where(dark, _DARK, 255).astype(np.uint8)
    return np.tile(row, (PIXELS, 1))


def _tiles(random: Generator) -> Picture:
    """Four by four tiles of slightly different grey, with dark joints."""
    size = PIXELS // 4
    grey = random.integers(185, 250, (4, 4)).astype(np.uint8)
    picture = np.kron(grey, np.ones((size, size), np.uint8))
    speckle = random.integers(-12, 13, picture.shape)
    picture = np.clip(picture.astype(int) + speckle, 0, 255).astype(np.uint8)
    line = np.arange(PIXELS) % size < _JOINT
    picture[line, :], picture[:, line] = 90, 90
    return np.asarray(picture)


def _bricks(random: Generator) -> Picture:
    """Eight courses, each shifted by half a brick against those beside it."""
    height, width = PIXELS // 8, PIXELS // 4
    picture = np.full((PIXELS, PIXELS), 235, np.uint8)
    for course in range(8):
        shift = (course % 2) * width // 2
        for brick in range(4):
            columns = (np.arange(_JOINT // 2, width - _JOINT // 2) + brick * width + shift) % PIXELS
            rows = slice(course * height + _JOINT // 2, (course + 1) * height - _JOINT // 2)
            picture[rows, columns] = random.integers(110, 190)
    return picture


def _squares(_: Generator) -> Picture:
    """A chess board of eight by eight, the first square dark."""
    size = PIXELS // 8
    dark = np.add.outer(np.arange(8), np.arange(8)) % 2 == 0
    board = np.where(dark, 0, 255).astype(np.uint8)
    return np.asarray(np.kron(board, np.ones((size, size), np.uint8)))


def _board(_: Generator) -> Picture:
    """10 x 7 squares with a white margin of one square: 12 x 9 of them fill the picture. Between
    them are 9 x 6 corners."""
    dark = np.add.outer(np.arange(9), np.arange(12)) % 2 == 0
    dark[[0, -1], :], dark[:, [0, -1]] = False, False
    board = np.where(dark, 0, 255).astype(np.uint8)
    return np.asarray(np.kron(board, np.ones((64, 64), np.uint8)))


def _windows(_: Generator) -> Picture:
    """Two storeys of two windows each, with frames, sills and shutters."""
    picture = np.full((PIXELS, PIXELS), 238, np.uint8)
    step = PIXELS // 2
    for top in (0, step):
        picture[top + step - 3 : top + step] = 200
        for left in (0, step):
            shutters = slice(left + 24, left + 104)
            picture[top + 30 : top + 92, shutters] = 150
            picture[top + 28 : top + 94, left + 40 : left + 88] = 250
            picture[top + 33 : top + 89, left + 44 : left + 84] = 60
            picture[top + 33 : top + 89, left + 62 : left + 66] = 250
            picture[top + 94 : top + 98, left + 38 : left + 90] = 170
    return picture


PATTERNS: Final[Mapping[str, Callable[[Generator], Picture]]] = {
    "plain": _plain,
    "checks": _checks,
    "noise": _noise,
    "stripes": _stripes,
    "tiles": _tiles,
    "bricks": _bricks,
    "squares": _squares,
    "windows": _windows,
    "calibration-board": _board,
}
"""By the name in a world's file."""
