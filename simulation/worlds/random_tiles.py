"""Random tiles: structure that repeats without a seam."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

_TILE = 512


def random_tile(
    random: np.random.Generator, size: int, fall: float, coarsest: int = 1
) -> npt.NDArray[np.float64]:
    """Noise (size, size) of mean 0 and deviation 1 whose amplitude falls as wavenumber to the
    power `-fall`; nothing in it is longer than the tile divided by `coarsest`."""
    spectrum = np.fft.rfft2(random.standard_normal((size, size)))
    waves = np.hypot(np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None, :]) * size
    waves[0, 0] = 1.0
    spectrum *= np.where(waves >= coarsest, waves**-fall, 0.0)
    spectrum[0, 0] = 0.0
    tile = np.fft.irfft2(spectrum, s=(size, size))
    return np.asarray(tile / tile.std())


def grain(random: np.random.Generator) -> Bytes:
    """The fine structure of surfaces, about 128."""
    return _as_bytes(random_tile(random, _TILE, 0.75, coarsest=2), 42.0)


def clouds(random: np.random.Generator, more: float = 0.0) -> Bytes:
    """How much cloud there is, about 128; `more` of it everywhere, in deviations."""
    return _as_bytes(random_tile(random, _TILE, 1.7, coarsest=3) + more, 52.0)


def _as_bytes(tile: npt.NDArray[np.float64], deviation: float) -> Bytes:
    return np.clip(128.0 + deviation * tile, 0.0, 255.0).astype(np.uint8)


def repeated(tile: npt.NDArray[Any], row: Array, column: Array) -> Array:
    """Values of a tile that repeats at n places, between those it has in straight lines."""
    rows, columns = tile.shape[:2]
    i, j = np.floor(row).astype(np.int64), np.floor(column).astype(np.int64)
    y, x = (
        (place - whole).reshape(-1, *(1,) * (tile.ndim - 2))
        for place, whole in ((row, i), (column, j))
    )
    upper, lower = (
        tile[k % rows, j % columns] * (1.0 - x) + tile[k % rows, (j + 1) % columns] * x
        for k in (i, i + 1)
    )
    return np.asarray(upper * (1.0 - y) + lower * y)
