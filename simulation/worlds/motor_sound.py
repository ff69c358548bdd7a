"""What the camera hears: propellers, wind, and its own poor microphone."""

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
    """The sound of a flight, 8-bit as that camera records it."""

    def __init__(self, path: FlightPath, seed: int) -> None:
        self._time_s = path.time_s
        speed = path.rotor_speed
        steps = np.diff(self._time_s, prepend=self._time_s[:1])[:, None]
        self._turns = np.cumsum(speed * steps, axis=0) / (2.0 * np.pi)
        loudest = max(float(speed.max(initial=0.0)), 1.0)
        self._loudness = (speed / loudest) ** 2 / max(speed.shape[1], 1)
        self._wind = np.minimum((path.airspeed / _WIND_MPS) ** 2, 1.0)
        self._seed = seed

    def samples(self, times_s: Array) -> npt.NDArray[np.uint8]:
        """Samples at these times of the log, 128 being silence. Noise depends on the first."""
        sound = np.zeros(len(times_s))
        for turns, loudness in zip(self._turns.T, self._loudness.T, strict=True):
            angle = 2.0 * np.pi * self._at(times_s, turns)
            tone = sum(share * np.sin(multiple * angle) for multiple, share in _PARTS)
            sound += self._at(times_s, loudness) * tone
        start = round(float(times_s[0]) * SAMPLES_PER_S) if len(times_s) else 0
        random = np.random.default_rng([self._seed, start & 0xFFFFFFFF])
        rumble = np.convolve(random.standard_normal(len(times_s) + 7), np.ones(8) / 8, "valid")
        sound += 1.2 * self._at(times_s, self._wind) * rumble
        sound += 0.02 * random.standard_normal(len(times_s))
        return np.clip(128.0 + 118.0 * np.tanh(_GAIN * sound), 0.0, 255.0).astype(np.uint8)

    def _at(self, times_s: Array, values: Array) -> Array:
        return np.interp(times_s, self._time_s, values)
