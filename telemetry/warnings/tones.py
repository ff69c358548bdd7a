"""Warning tones of our own, told apart without words: by pitch, number and length."""

from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.base.finding import Level

RATE_HZ: Final = 22_050
_LOUDNESS: Final = 0.4
_EDGE_S: Final = 0.008
"""Tones that begin at once click."""
_PATTERNS: Final = {
    Level.INFO: ((660.0, 0.10),),
    Level.WARNING: ((660.0, 0.14), (0.0, 0.06), (880.0, 0.20)),
    Level.ERROR: ((988.0, 0.12), (0.0, 0.05), (740.0, 0.12), (0.0, 0.05)) * 3,
}
"""Frequency in Hz, 0 for silence, and length in seconds of each part."""


def tone(level: Level) -> npt.NDArray[np.float32]:
    """Samples (n,) from -1 to 1 at RATE_HZ."""
    parts = _PATTERNS.get(level, _PATTERNS[Level.INFO])
    return np.concatenate([_part(frequency_hz, length_s) for frequency_hz, length_s in parts])


def _part(frequency_hz: float, length_s: float) -> npt.NDArray[np.float32]:
    times = np.arange(round(length_s * RATE_HZ)) / RATE_HZ
    edges = np.minimum(np.minimum(times, length_s - times) / _EDGE_S, 1.0)
    wave = _LOUDNESS * np.sin(2.0 * np.pi * frequency_hz * times) * edges
    return wave.astype(np.float32)
