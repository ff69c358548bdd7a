"""The pitch of tones that were made with one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from telemetry.review.flights.synchronisation.errors import MeasuringCancelledError
from telemetry.review.flights.synchronisation.sound_pitch import measure_sound

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Block:
    samples: npt.NDArray[np.float32]
    rate_hz: int


class Track:
    """A sound track in memory; silent outside."""

    def __init__(self, samples: Array, rate_hz: int = 8000) -> None:
        self._samples, self._rate_hz = samples.astype(np.float32), rate_hz

    @property
    def duration_s(self) -> float:
        return len(self._samples) / self._rate_hz

    def samples(self, first_s: float, last_s: float) -> Block:
        wanted = np.arange(round(first_s * self._rate_hz), round(last_s * self._rate_hz))
        inside = (wanted >= 0) & (wanted < len(self._samples))
        block = np.zeros(len(wanted), np.float32)
        block[inside] = self._samples[wanted[inside]]
        return Block(block, self._rate_hz)


def _motor(pitch_hz: Array, rate_hz: int = 8000, noise: float = 0.05) -> Array:
    """A clipped sum of harmonics of a pitch that changes, as a cheap camera records it."""
    angle = 2.0 * np.pi * np.cumsum(pitch_hz) / rate_hz
    tone = sum(np.sin(h * angle) / h for h in (1, 2, 3, 4))
    rng = np.random.default_rng(2)
    return np.asarray(np.tanh(1.5 * tone + noise * rng.normal(size=len(pitch_hz))) * 0.8)


def test_the_pitch_of_a_motor_that_changes_its_speed_is_followed() -> None:
    times_s = np.arange(16000) / 8000
    true_hz = 150.0 + 60.0 * np.sin(4.0 * times_s)
    found = measure_sound(Track(_motor(true_hz)))

    expected_hz = np.interp(found.times_s, times_s, true_hz)
    assert np.diff(found.times_s) == pytest.approx(0.05)
    assert np.all(found.quality > 0.3)
    assert found.pitch_hz / expected_hz == pytest.approx(1.0, abs=0.05)
    assert np.median(np.abs(found.pitch_hz / expected_hz - 1.0)) < 0.015


@pytest.mark.parametrize("rate_hz", [8000, 44100])
@pytest.mark.parametrize("true_hz", [80.0, 310.0])
def test_neither_half_nor_twice_the_pitch_is_taken(true_hz: float, rate_hz: int) -> None:
    found = measure_sound(Track(_motor(np.full(rate_hz, true_hz), rate_hz), rate_hz))
    assert np.median(found.pitch_hz) == pytest.approx(true_hz, rel=0.03)


def test_noise_and_silence_have_no_pitch() -> None:
    noise = np.random.default_rng(1).normal(0, 0.2, 16000)
    hiss, silence = measure_sound(Track(noise)), measure_sound(Track(np.zeros(8000)))
    assert np.isnan(hiss.pitch_hz).mean() > 0.8
    assert np.all(np.isnan(silence.pitch_hz))
    assert np.all(np.isneginf(silence.energy_db))


def test_energy_follows_the_motors_power() -> None:
    loudness = np.where(np.arange(16000) < 8000, 0.05, 0.5)
    tone = loudness * np.sin(2.0 * np.pi * 200.0 * np.arange(16000) / 8000)
    found = measure_sound(Track(tone))
    assert found.energy_db[:15] == pytest.approx(10 * np.log10(0.05**2 / 2), abs=0.2)
    assert found.energy_db[-15:] == pytest.approx(10 * np.log10(0.5**2 / 2), abs=0.2)
    step = np.flatnonzero(np.diff(found.energy_db) > 3.0)
    assert found.times_s[step].mean() == pytest.approx(1.0, abs=0.1)


def test_a_track_that_is_too_short_has_no_windows() -> None:
    assert len(measure_sound(Track(np.zeros(300))).times_s) == 0


def test_progress_is_told_and_cancelling_heard() -> None:
    told: list[float] = []
    measure_sound(Track(np.zeros(8000 * 21)), told.append)
    assert told[-1] == 1.0
    assert len(told) == 3
    with pytest.raises(MeasuringCancelledError):
        measure_sound(Track(np.zeros(8000)), None, lambda: True)
