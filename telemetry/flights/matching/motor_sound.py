"""Whether a video's motor sounds as a log's commands its own, and with what offset."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.flights.matching.facts import LogFacts
from telemetry.flights.synchronisation.signals import SoundPitch

_Column = npt.NDArray[np.float64]

_STEP_S: Final = 0.25
_QUIETEST_DB: Final = -60.0
_LEAST_COMMON_S: Final = 20.0
_LEAST_SHARE: Final = 0.5
"""Of the shorter of the two: a few seconds of anything resemble anything."""
_LEAST_LIKENESS, _LEAST_LEAD = 0.6, 0.1
_NEAR_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class SoundLikeness:
    """`correlation` of loudness and motor command at the best offset, `medium = offset + flight`;
    `lead` is by how much it is better than any offset further away."""

    correlation: float
    offset_s: float
    lead: float

    @property
    def is_clear(self) -> bool:
        """Whether it says that the two belong together."""
        return self.correlation >= _LEAST_LIKENESS and self.lead >= _LEAST_LEAD


def compare_sound(sound: SoundPitch, log: LogFacts) -> SoundLikeness | None:
    """How well a sound track fits the commands to the motors at its best offset.

    None where one of them never changes, or too little of them can lie over each other.
    """
    if len(log.power_times_s) < 2 or len(sound.times_s) < 2:
        return None
    loudness = _on_grid(sound.times_s, np.maximum(sound.energy_db, _QUIETEST_DB))
    power = _on_grid(log.power_times_s, log.power)
    shorter = min(len(loudness), len(power))
    least = max(_LEAST_COMMON_S / _STEP_S, _LEAST_SHARE * shorter)
    if shorter < least or np.ptp(loudness) == 0 or np.ptp(power) == 0:
        return None
    likeness = _correlations(loudness, power, least)
    best = int(np.argmax(likeness))
    offsets_s = (np.arange(len(likeness)) - (len(power) - 1)) * _STEP_S
    far = np.abs(offsets_s - offsets_s[best]) > _NEAR_S
    lead = likeness[best] - (float(likeness[far].max()) if far.any() else 0.0)
    starts_s = float(sound.times_s[0]) - float(log.power_times_s[0])
    return SoundLikeness(float(likeness[best]), float(offsets_s[best]) + starts_s, float(lead))


def _on_grid(times_s: _Column, values: _Column) -> _Column:
    grid = np.arange(times_s[0], times_s[-1], _STEP_S)
    return np.asarray(np.interp(grid, times_s, values), np.float64)


def _correlations(a: _Column, b: _Column, least: float) -> _Column:
    """Pearson's correlation of what lies over each other, for every offset of `b` in `a`; -1 where
    that is fewer than `least` samples."""
    length = 1 << (len(a) + len(b) - 1).bit_length()

    def sums(x: _Column, y: _Column) -> _Column:
        spectrum = np.fft.rfft(x, length) * np.fft.rfft(y[::-1], length)
        return np.fft.irfft(spectrum, length)[: len(a) + len(b) - 1]

    a, b = a - a.mean(), b - b.mean()
    ones_a, ones_b = np.ones(len(a)), np.ones(len(b))
    count = np.maximum(np.round(sums(ones_a, ones_b)), 1.0)
    sum_a, sum_b = sums(a, ones_b), sums(ones_a, b)
    covariance = sums(a, b) - sum_a * sum_b / count
    spread_a = sums(a * a, ones_b) - sum_a**2 / count
    spread_b = sums(ones_a, b * b) - sum_b**2 / count
    floor_a, floor_b = 1e-3 * np.var(a) * count, 1e-3 * np.var(b) * count
    scale = np.sqrt(np.maximum(spread_a, floor_a) * np.maximum(spread_b, floor_b))
    return np.where(count >= least, covariance / scale, -1.0)
