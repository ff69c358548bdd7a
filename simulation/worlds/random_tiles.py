"""Random tiles: structure that repeats without a seam."""

import numpy as np
import numpy.typing as npt


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


def as_bytes(tile: npt.NDArray[np.float64], deviation: float) -> npt.NDArray[np.uint8]:
    """The same as grey values about 128."""
    return np.clip(128.0 + deviation * tile, 0.0, 255.0).astype(np.uint8)
