"""Sound pitch and power: how high a motor sounds in a sound track, and how loud.

A pitch is the more likely the more stands in the spectrum at it and its prime multiples, and the
less halfway below each: the roots of the amplitudes are compared with a comb of such teeth (after
Camacho and Harris, A sawtooth waveform inspired pitch estimator for speech and music, 2008, with
triangles of one bin for teeth). Primes keep half the pitch from winning. Motors cannot change
their speed at once: of all paths through the windows the one that is most likely and changes least
is taken (Viterbi's algorithm). Cameras of the kind that flies along clip their sound; that adds
harmonics of the same pitch and does no harm.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.flights.synchronisation.errors import MeasuringCancelledError
from telemetry.review.flights.synchronisation.motion_signals import SoundPitch
from telemetry.review.playback.sound import SoundTrack, open_sound

_Array = npt.NDArray[np.float64]

_WINDOW_S, _HOP_S = 0.128, 0.05
_BLOCK_WINDOWS = 200
_LOWEST_HZ, _HIGHEST_HZ, _PER_OCTAVE = 30.0, 900.0, 36
_PITCHES_HZ = _LOWEST_HZ * 2.0 ** np.arange(
    0.0, np.log2(_HIGHEST_HZ / _LOWEST_HZ), 1.0 / _PER_OCTAVE
)
_HARMONICS = np.array([1, 2, 3, 5, 7])
_WEIGHTS = 1.0 / np.sqrt(_HARMONICS)
_HIGHEST_HARMONIC_HZ = 3500.0
_STEP_COST, _MOST_STEPS = 0.1, 6
"""Of a change by one pitch from window to window, against the match of spectrum and comb."""
_NOISE, _CLEAR = 1.9, 5.0
"""What mere noise matches with one window in 50, and what a clear pitch does."""
_SILENCE = 1e-12


def sound_of(video_files: Sequence[Path]) -> SoundPitch | None:
    """What is heard in a video; None where the sound cannot be read, which pictures need not."""
    try:
        with closing(open_sound(list(video_files))) as track:
            return measure_sound(track)
    except VideoError:
        return None


def measure_sound(
    source: SoundTrack,
    progress: Callable[[float], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> SoundPitch:
    """Pitch and power of a sound track, every 50 ms.

    `progress` is told the share that is done, 0 to 1, and `is_cancelled` is asked every ten
    seconds of sound. Raises MeasuringCancelledError if it says so.
    """
    times = np.arange(0.5 * _WINDOW_S, source.duration_s - 0.5 * _WINDOW_S, _HOP_S)
    power, likelihood = np.zeros(len(times)), np.zeros((len(times), len(_PITCHES_HZ)), np.float32)
    for first in range(0, len(times), _BLOCK_WINDOWS):
        if is_cancelled is not None and is_cancelled():
            raise MeasuringCancelledError
        block = slice(first, min(first + _BLOCK_WINDOWS, len(times)))
        windows, rate_hz = _windows(source, times[block])
        power[block] = (windows**2).mean(axis=1)
        likelihood[block] = _likelihood(windows, rate_hz)
        if progress is not None:
            progress(block.stop / len(times))
    path = _smoothest_path(likelihood)
    quality = np.clip((likelihood[np.arange(len(times)), path] - _NOISE) / (_CLEAR - _NOISE), 0, 1)
    with np.errstate(divide="ignore"):
        energy_db = 10.0 * np.log10(np.where(power > _SILENCE, power, 0.0))
    pitch_hz = np.where(quality > 0, _PITCHES_HZ[path], np.nan)
    return SoundPitch(times, pitch_hz, energy_db, quality.astype(np.float64))


def _windows(source: SoundTrack, middles_s: _Array) -> tuple[_Array, int]:
    """The samples around each time, without their mean, and how many there are in a second."""
    sound = source.samples(middles_s[0] - 0.5 * _WINDOW_S, middles_s[-1] + 0.5 * _WINDOW_S)
    count = round(_WINDOW_S * sound.rate_hz)
    starts = np.round((middles_s - middles_s[0]) * sound.rate_hz).astype(int)
    samples = np.zeros(starts[-1] + count)
    read = min(len(samples), len(sound.samples))
    samples[:read] = sound.samples[:read]
    windows = np.lib.stride_tricks.sliding_window_view(samples, count)[starts]
    return windows - windows.mean(axis=1, keepdims=True), sound.rate_hz


def _likelihood(windows: _Array, rate_hz: int) -> _Array:
    """How well each window's spectrum matches each pitch, (windows, pitches)."""
    count = windows.shape[1]
    length = 2 * count
    spectra = np.abs(np.fft.rfft(windows * np.hanning(count), length, axis=1))
    spectra[:, 1:-1] += spectra[:, :-2] + spectra[:, 2:]  # less noise, no less resolution
    roots = np.sqrt(spectra)
    roots /= np.linalg.norm(roots, axis=1, keepdims=True) / np.sqrt(length) + _SILENCE
    return np.asarray(roots @ _comb(length, rate_hz))


@lru_cache(maxsize=2)
def _comb(length: int, rate_hz: int) -> _Array:
    """Weights (frequencies, pitches): above zero at multiples of a pitch, below between them."""
    comb = np.zeros((length // 2 + 1, len(_PITCHES_HZ)))
    highest_hz = min(_HIGHEST_HARMONIC_HZ, 0.48 * rate_hz)
    column = np.arange(len(_PITCHES_HZ))
    for number, weight in zip(_HARMONICS, _WEIGHTS, strict=True):
        for multiple, sign in ((number, 1.0), (number - 0.5, -1.0)):
            frequency_hz = multiple * _PITCHES_HZ
            heard = np.where(number * _PITCHES_HZ < highest_hz, sign * weight, 0.0)
            place = np.minimum(frequency_hz * length / rate_hz, length // 2 - 1)
            below = place.astype(int)
            comb[below, column] += heard * (1.0 - place + below)
            comb[below + 1, column] += heard * (place - below)
    return comb


def _smoothest_path(likelihood: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
    """The number of the pitch in each window."""
    count, pitches = likelihood.shape
    if not count:
        return np.zeros(0, np.int64)
    steps = np.arange(-_MOST_STEPS, _MOST_STEPS + 1)
    cost = _STEP_COST * np.abs(steps)[:, None]
    came_from = np.zeros((count, pitches), np.int8)
    column = np.arange(pitches)
    best = likelihood[0].astype(np.float64)
    for number in range(1, count):
        padded = np.pad(best, _MOST_STEPS, constant_values=-np.inf)
        reached = np.lib.stride_tricks.sliding_window_view(padded, pitches) - cost
        choice = reached.argmax(axis=0)
        came_from[number] = steps[choice]
        best = reached[choice, column] + likelihood[number]
    path = np.zeros(count, np.int64)
    path[-1] = int(best.argmax())
    for number in range(count - 1, 0, -1):
        path[number - 1] = path[number] + came_from[number, path[number]]
    return path
