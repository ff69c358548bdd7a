"""Motor sound score of a supposed synchronisation.

The motor is louder and higher where the log gives more power. Right to some tenths of a second
only, but it seldom repeats itself, so that it decides between places at which the aircraft turns
alike."""

from copy import copy

import numpy as np
import numpy.typing as npt
from scipy.ndimage import median_filter

from telemetry.review.flights.synchronisation.log_motion import LogMotion
from telemetry.review.flights.synchronisation.motion_signals import SoundPitch

_Column = npt.NDArray[np.float64]

_SILENCE_DB = -60.0
_STEADY = 11
"""Windows of the sound: a pitch that is lost or wrong for less than half of them is passed over."""
_LEAST_SAMPLES = 15
_RELATED = 30
"""Samples over which power, and sound, may be related with themselves."""


class SoundBesideLog:
    """A sound track beside the power in a log."""

    def __init__(self, sound: SoundPitch, log: LogMotion) -> None:
        self._sound_s, self._log_s, self._power = sound.times_s, log.power_times_s, log.power
        is_pitch = np.isfinite(sound.pitch_hz) & (sound.quality > 0)
        pitch = median_filter(np.where(is_pitch, sound.pitch_hz, 0.0), _STEADY, mode="nearest")
        self._sounds = (np.maximum(sound.energy_db, _SILENCE_DB), pitch)
        self._from_s, self._to_s = float(sound.times_s[0]), float(sound.times_s[-1])

    def within(self, start_s: float, end_s: float) -> "SoundBesideLog":
        """The same, heard in a stretch of the medium alone."""
        part = copy(self)
        part._from_s, part._to_s = max(self._from_s, start_s), min(self._to_s, end_s)
        return part

    def score(self, offset_s: float, rate: float) -> float:
        """The log likelihood, against chance, that the medium runs so: 0 where nothing is told."""
        medium_s = offset_s + rate * self._log_s
        inside = (medium_s >= self._from_s) & (medium_s <= self._to_s)
        if np.count_nonzero(inside) < _LEAST_SAMPLES:
            return 0.0
        power = self._power[inside]
        heard = (np.interp(medium_s[inside], self._sound_s, sound) for sound in self._sounds)
        return max(_likelihood(power, sound) for sound in heard)


def motor_sound(sound: SoundPitch | None, log: LogMotion) -> SoundBesideLog | None:
    """The two beside each other; None where one of them says nothing."""
    if sound is None or len(sound.times_s) < 2 or len(log.power_times_s) < _LEAST_SAMPLES:
        return None
    return SoundBesideLog(sound, log)


def _likelihood(power: _Column, sound: _Column) -> float:
    """Of a correlation above zero, by as many independent samples as there are (Bartlett)."""
    x, y = power - power.mean(), sound - sound.mean()
    size = float(np.linalg.norm(x) * np.linalg.norm(y))
    if size < 1e-9:
        return 0.0
    correlation = float(np.clip(x @ y / size, 0.0, 0.99))
    own = (np.correlate(one, one, "full")[len(one) :] / (one @ one) for one in (x, y))
    related = np.prod(list(own), axis=0)[:_RELATED]
    independent = len(x) / max(1.0 + 2.0 * float(np.sum(np.maximum(related, 0.0))), 1.0)
    return float(-independent / 2 * np.log1p(-(correlation**2)))
