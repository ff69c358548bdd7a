"""Motor sound of a film: propellers, wind, and the camera's own poor microphone."""

import numpy as np
import numpy.typing as npt

from simulation.worlds.flight_path import FlightPath

Array = npt.NDArray[np.float64]

SAMPLES_PER_S = 8000
_PARTS = ((1.0, 0.25), (2.0, 1.0), (4.0, 0.5), (6.0, 0.28), (8.0, 0.15))
"""Multiples of a shaft's turns and their loudness; the blades pass twice a turn."""
_WIND_MPS = 25.0
"""Wind of this speed is as loud as a motor at full speed."""
_GAIN = 2.2
"""The microphone's amplifier is driven so far beyond its limit."""


class MotorSound:
    """The sound of a flight as that camera records it, distorted."""

    def __init__(self, path: FlightPath, seed: int) -> None:
        self._path = path
        self._seed = seed

    def samples(self, log_s: Array) -> npt.NDArray[np.float32]:
        """Samples, -1 to 1, at these times of the log. Noise depends on the first."""
        path = self._path
        angle = 2.0 * np.pi * path.turns(log_s)
        tone = sum(share * np.sin(multiple * angle) for multiple, share in _PARTS)
        sound = np.asarray(path.loudness(log_s) * tone).sum(axis=1)
        start = round(float(log_s[0]) * SAMPLES_PER_S)
        random = np.random.default_rng([self._seed, start & 0xFFFFFFFF])
        rumble = np.convolve(random.standard_normal(len(log_s) + 7), np.ones(8) / 8, "valid")
        wind = np.minimum((path.airspeed(log_s) / _WIND_MPS) ** 2, 1.0)
        sound += 1.2 * wind * rumble + 0.02 * random.standard_normal(len(log_s))
        distorted: npt.NDArray[np.float32] = (0.92 * np.tanh(_GAIN * sound)).astype(np.float32)
        return distorted
