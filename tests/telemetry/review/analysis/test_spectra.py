"""Spectra of signals whose spectrum is known by hand."""

import numpy as np
import pytest

from plugins.testing import add
from telemetry.recording.recording import Recording
from telemetry.review.analysis.series import Inconclusive, Series
from telemetry.review.analysis.spectra.analysed_stretch import analysed_stretch
from telemetry.review.analysis.spectra.power_spectrum import PowerSpectrum, power_spectrum
from telemetry.review.analysis.spectra.resampling import EvenRuns, even_runs
from telemetry.review.analysis.spectra.spectrum_map import (
    SpectrumMap,
    spectrogram,
    throttle_spectrum,
)
from tests.telemetry.review.analysis.summary.test_flight_summary import FROM_S, TO_S, flown

ALL = ((-np.inf, np.inf),)
RNG = np.random.default_rng


def sine(
    frequency: float, amplitude: float, rate_hz: float = 200.0, seconds: float = 40.0
) -> Series:
    times = np.arange(0.0, seconds, 1.0 / rate_hz)
    return Series(times, 3.0 + amplitude * np.sin(2.0 * np.pi * frequency * times))


def runs_of(series: Series, spans: tuple[tuple[float, float], ...] = ALL) -> EvenRuns:
    runs = even_runs(series, spans)
    assert isinstance(runs, EvenRuns), runs
    return runs


def variance(found: PowerSpectrum) -> float:
    return float(found.density.sum() * (found.frequencies[1] - found.frequencies[0]))


def test_a_sine_has_its_variance_and_its_frequency() -> None:
    found = power_spectrum(runs_of(sine(17.3, 2.0)))
    assert variance(found) == pytest.approx(2.0**2 / 2.0, rel=0.01)  # Parseval: A²/2
    (peak,) = found.peaks
    assert peak.frequency_hz == pytest.approx(17.3, abs=0.05)
    assert peak.amplitude == pytest.approx(2.0, rel=0.01)
    wrong = Series(sine(17.3, 2.0).times * 1.1, sine(17.3, 2.0).values)
    (shifted,) = power_spectrum(runs_of(wrong)).peaks
    assert shifted.frequency_hz == pytest.approx(17.3 / 1.1, abs=0.05), "the times decide"


def test_white_noise_has_a_flat_density_and_no_peaks() -> None:
    values = RNG(4).normal(0.0, 1.5, 20000)
    found = power_spectrum(runs_of(Series(np.arange(20000) / 100.0, values)))
    assert variance(found) == pytest.approx(1.5**2, rel=0.03)
    # One-sided: all of the variance lies between 0 and half of the rate.
    assert np.median(found.density) == pytest.approx(1.5**2 / 50.0, rel=0.1)
    assert found.peaks == ()
    added = values + 0.5 * np.sin(2.0 * np.pi * 31.0 * np.arange(20000) / 100.0)
    loud = power_spectrum(runs_of(Series(np.arange(20000) / 100.0, added)))
    assert [round(peak.frequency_hz) for peak in loud.peaks] == [31]


def test_the_window_decides_what_is_told_apart() -> None:
    two = sine(20.0, 1.0).values + sine(21.0, 1.0).values
    runs = runs_of(Series(sine(20.0, 1.0).times, two))
    fine, coarse = power_spectrum(runs, 8.0), power_spectrum(runs, 0.5)
    assert sorted(round(peak.frequency_hz) for peak in fine.peaks) == [20, 21]
    assert len(coarse.peaks) == 1
    assert fine.basis.resolution_hz == pytest.approx(1.5 / 8.0)
    assert fine.basis.averages == 9  # 40 s in windows of 8 s that overlap by half
    assert fine.basis.error_db > coarse.basis.error_db


def test_uneven_samples_are_read_at_their_median_rate() -> None:
    rng = RNG(2)
    times = np.cumsum(rng.uniform(0.006, 0.014, 6000))
    runs = runs_of(Series(times, np.sin(2.0 * np.pi * 5.0 * times)))
    assert runs.is_interpolated
    assert runs.rate_hz == pytest.approx(100.0, rel=0.03)
    assert runs.usable_hz < 0.5 * runs.rate_hz, "the long intervals cannot show that much"
    found = power_spectrum(runs)
    assert found.peaks[0].frequency_hz == pytest.approx(5.0, abs=0.05)
    assert "uneven: usable to" in found.basis.text


def test_gaps_are_left_out_and_counted() -> None:
    whole = sine(12.0, 1.0)
    kept = (whole.times < 15.0) | (whole.times > 18.0)
    runs = runs_of(Series(whole.times[kept], whole.values[kept]))
    found = power_spectrum(runs)
    assert (runs.gaps, len(runs.values)) == (1, 2)
    assert found.basis.missing_s == pytest.approx(3.0, abs=0.02)
    assert variance(found) == pytest.approx(0.5, rel=0.01), "nothing was drawn across the gap"
    assert "1 gap" in found.basis.text


def test_only_the_stretch_counts() -> None:
    early, late = sine(10.0, 1.0), sine(30.0, 1.0)
    values = np.where(early.times < 20.0, early.values, late.values)
    found = power_spectrum(runs_of(Series(early.times, values), ((21.0, 39.0),)))
    assert [round(peak.frequency_hz) for peak in found.peaks] == [30]


@pytest.mark.parametrize(
    ("series", "reason"),
    [
        (sine(1.0, 1.0, seconds=0.1), "20 readings"),
        (Series(np.arange(100.0), np.full(100, 7.0)), "does not change"),
        (Series(np.empty(0), np.empty(0)), "0 readings"),
        (Series(np.arange(100.0), np.full(100, np.nan)), "0 readings"),
        (Series(np.sort(np.r_[0:200, 0.01:200, 0.02:200]), RNG(1).normal(size=600)), "too short"),
    ],
)
def test_what_gives_no_spectrum_says_why(series: Series, reason: str) -> None:
    found = even_runs(series, ALL)
    assert isinstance(found, Inconclusive)
    assert reason in found.reason


def test_headings_go_round() -> None:
    times = np.arange(0.0, 40.0, 0.02)
    turning = (36.0 * times) % 360.0
    swinging = turning + 0.5 * np.sin(2.0 * np.pi * 4.0 * times)
    runs = even_runs(Series(times, swinging), ALL, wraps_at=360.0)
    assert isinstance(runs, EvenRuns)
    assert power_spectrum(runs).peaks[0].frequency_hz == pytest.approx(4.0, abs=0.05)


def test_a_chirp_climbs_in_the_spectrogram() -> None:
    times = np.arange(0.0, 60.0, 0.005)
    chirp = Series(times, np.sin(2.0 * np.pi * (5.0 * times + 0.5 * times**2)))  # 5 Hz + 1 Hz/s
    found = spectrogram(runs_of(chirp), 1.0)
    middles = (found.edges[1:] + found.edges[:-1]) / 2.0
    loudest = found.frequencies[np.argmax(found.density, axis=1)]
    assert np.abs(loudest - (5.0 + middles)).max() <= 1.0  # a line is 1 Hz wide
    kept = (times < 20.0) | (times > 30.0)
    torn = spectrogram(runs_of(Series(times[kept], chirp.values[kept])), 1.0)
    middles = (torn.edges[1:] + torn.edges[:-1]) / 2.0
    silent = middles[np.isnan(torn.density[:, 0])]
    assert silent.min() > 19.0
    assert silent.max() < 31.0
    assert len(silent) > 30


def test_vibration_shifts_with_throttle() -> None:
    times = np.arange(0.0, 120.0, 0.004)
    throttle = np.where(times < 60.0, 0.3, 0.7)
    frequency = np.where(times < 60.0, 40.0, 80.0)
    series = Series(times, np.sin(2.0 * np.pi * frequency * times))
    heat = throttle_spectrum(runs_of(series), (times, throttle))
    assert isinstance(heat, SpectrumMap)
    assert heat.basis.window_s == pytest.approx(1.0), "throttle changes within longer ones"
    flown = np.flatnonzero(heat.counts > 1)
    assert [heat.edges[k] for k in flown] == [28.0, 68.0]
    loudest = heat.frequencies[np.argmax(heat.density[flown], axis=1)]
    assert loudest == pytest.approx([40.0, 80.0], abs=4.0)
    nothing = throttle_spectrum(runs_of(series), (np.empty(0), np.empty(0)))
    later = throttle_spectrum(runs_of(series), (times + 500.0, throttle))
    assert isinstance(nothing, Inconclusive)
    assert isinstance(later, Inconclusive)


def test_the_stretch_is_the_selection_else_the_flight() -> None:
    recording = flown()
    assert analysed_stretch(recording, (3.0, 9.0)).spans == ((3.0, 9.0),)
    in_air = analysed_stretch(recording, None)
    ((start, end),) = in_air.spans
    assert (start, end) == pytest.approx((FROM_S, TO_S), abs=1.5)
    assert "in the air" in in_air.words
    unarmed = Recording(source="made up")
    for t in range(21):
        add(unarmed, float(t), "AttitudeState", Roll=1.0)
    whole = analysed_stretch(unarmed, None)
    assert (whole.spans, whole.words) == (((0.0, 20.0),), "the whole 20 s")
