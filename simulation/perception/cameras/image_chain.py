"""Image chain of a camera: exposure, vignetting, white balance and noise, from light to numbers."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.perception.cameras.camera_keys import GREY, size_of
from simulation.perception.sensor_settings import SensorSettings
from simulation.worlds.scene import Picture

Floats = npt.NDArray[np.float32]

_LEAST_GAIN, _MOST_GAIN = 1.0 / 16.0, 16.0
_METERED: Final = 8
"""Every so many pixels the brightness is measured."""
_MOST_SHIFT: Final = 1024
_TILE_SEED: Final = 0xCA3E


@dataclass(frozen=True, slots=True)
class Development:
    """How one picture was developed: the factor on all light, and those on red and blue."""

    gain: float
    red: float
    blue: float


class ImageChain:
    """Exposure, vignetting, white balance and noise of one camera, which follow what it saw before.

    Grey levels are those of the picture on a screen: a factor is one on these, not on the light.
    """

    def __init__(self, settings: SensorSettings) -> None:
        values = settings.values
        width, height = size_of(settings)
        self._is_grey = values["colours"] == GREY
        self._fixed_gain = float(values["gain"])
        self._adapts_s = float(values["auto_exposure_s"])
        self._brightness = float(values["brightness"])
        self._drift, self._drift_s = (
            float(values[key]) for key in ("white_balance", "white_balance_s")
        )
        self._noise = float(values["noise"])
        self._tile = (
            _noise_tile(height, width * (1 if self._is_grey else 3)) if self._noise else None
        )
        vignetting = float(values["vignetting"])
        self._is_vignetted = vignetting != 0.0
        self._falloff = _falloff(width, height, vignetting, self._is_grey)
        self.begin()

    def begin(self) -> None:
        """Forget what was seen before."""
        self._is_first = True
        self._gain = self._fixed_gain
        self._balance = np.zeros(2)

    def develop(
        self, light: Picture, blur_px: float, after_s: float, random: np.random.Generator
    ) -> tuple[Picture, Development]:
        """The picture as sent, BGR or grey, `after_s` after the one before."""
        import cv2

        picture = cv2.cvtColor(light, cv2.COLOR_BGR2GRAY) if self._is_grey else light
        how = self._settled(picture, after_s, random)
        if blur_px:
            picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
        shift = random.integers(0, _MOST_SHIFT, 2).tolist()
        factors = (how.gain * how.blue, how.gain, how.gain * how.red)
        if self._tile is None and not self._is_vignetted and factors == (1.0, 1.0, 1.0):
            return picture, how
        scale = (how.gain,) if self._is_grey else (*factors, 0.0)
        exposed = cv2.multiply(picture, cv2.multiply(self._falloff, scale), dtype=cv2.CV_32F)
        if self._tile is None:
            return np.asarray(cv2.convertScaleAbs(exposed)), how
        return self._noisy(exposed, self._noise * max(how.gain, 1.0), shift), how

    def _settled(
        self, picture: Picture, after_s: float, random: np.random.Generator
    ) -> Development:
        """What the camera has made of exposure and white balance by now."""
        if self._adapts_s:
            brightness = max(float(picture[::_METERED, ::_METERED].mean()), 1.0)
            wanted = min(max(self._brightness / brightness, _LEAST_GAIN), _MOST_GAIN)
            share = -math.expm1(-after_s / self._adapts_s)
            self._gain = wanted if self._is_first else self._gain + (wanted - self._gain) * share
        # A Gauss-Markov process, exact for any time between two pictures.
        kept = 0.0 if self._is_first else math.exp(-after_s / self._drift_s)
        drawn = math.sqrt(1.0 - kept * kept) * self._drift * random.standard_normal(2)
        self._balance = kept * self._balance + drawn
        self._is_first = False
        red, blue = (1.0 + self._balance).tolist()
        return Development(self._gain, red, blue)

    def _noisy(self, exposed: Floats, spread: float, shift: list[int]) -> Picture:
        """With white noise: always the same, at another place in every picture."""
        import cv2

        assert self._tile is not None
        height = exposed.shape[0]
        flat = exposed.reshape(height, -1)
        row, column = shift
        noise = self._tile[row : row + height, column : column + flat.shape[1]]
        sent = cv2.addWeighted(flat, 1.0, noise, spread, 0.0, dtype=cv2.CV_8U)
        return np.asarray(sent).reshape(exposed.shape)


def _noise_tile(height: int, width: int) -> Floats:
    random = np.random.Generator(np.random.SFC64(_TILE_SEED))
    shape = height + _MOST_SHIFT, width + _MOST_SHIFT
    return random.standard_normal(shape, dtype=np.float32)


def _falloff(width: int, height: int, vignetting: float, is_grey: bool) -> Floats:
    """How much of the light arrives: less by `vignetting` in the corners, growing as the square of
    the distance from the middle."""
    across, along = ((np.arange(side) + 0.5 - side / 2) for side in (width, height))
    squared = (across[None] ** 2 + along[:, None] ** 2) / (across[0] ** 2 + along[0] ** 2)
    share = (1.0 - vignetting * squared).astype(np.float32)
    return share if is_grey else np.repeat(share[..., None], 3, axis=2)
