"""Peaks tied to rotors: lines made of the commands of a flight, folded as sampling folds them."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from telemetry.review.analysis.series import Array, Series
from telemetry.review.analysis.spectra.power_spectrum import power_spectrum
from telemetry.review.analysis.spectra.resampling import even_runs
from telemetry.review.analysis.spectra.rotor_lines import (
    RotorLine,
    RotorSearch,
    find_rotor_lines,
    folded,
)

LENGTH_S, ROTOR_HZ, SHARE, FIXED_HZ = 100.0, 47.0, 0.7, 17.3
GIVEN = (0.0, 0.0, 0.12, -0.05, 0.0, 0.18, 0.0, -0.12, 0.02, 0.0, -0.08, 0.1, 0.0)
"""More or less than the usual, eight seconds each."""


def given(times: Array) -> Array:
    """Command times voltage, u / U - 1."""
    return np.interp(times, 8.0 * np.arange(len(GIVEN)), GIVEN)


DRIVE_S = np.arange(0.0, LENGTH_S, 0.02)
DRIVE = Series(DRIVE_S, 7.5 * (1.0 + given(DRIVE_S)))


def searched(
    rate_hz: float, drive: Series = DRIVE, harmonics: Sequence[int] = (1, 2)
) -> tuple[RotorSearch, list[float]]:
    """What is found in samples of a rotor's multiples and a swing at FIXED_HZ in noise, and the
    frequencies of all peaks."""
    times = np.arange(0.0, LENGTH_S, 1.0 / rate_hz)
    turns = np.cumsum(ROTOR_HZ * (1.0 + SHARE * given(times))) / rate_hz
    values = np.random.default_rng(1).normal(0.0, 1.0, len(times))
    values += 0.5 * np.cos(2.0 * math.pi * FIXED_HZ * times)
    for harmonic in harmonics:
        values += 1.5 * np.cos(2.0 * math.pi * harmonic * turns)
    runs = even_runs(Series(times, values), ((0.0, LENGTH_S),))
    assert not hasattr(runs, "reason")
    peaks = power_spectrum(runs).peaks  # type: ignore[arg-type]
    (found,) = find_rotor_lines([(runs, peaks)], drive)  # type: ignore[list-item]
    return found, [peak.frequency_hz for peak in peaks]


def line_near(found: RotorSearch, hz: float) -> RotorLine:
    return min(found.lines, key=lambda line: abs(line.frequency_hz - hz))


@pytest.mark.slow
@pytest.mark.parametrize("rate_hz", [250.0, 130.0, 100.0, 73.0])
def test_lines_are_counted_and_unfolded_as_they_were_made(rate_hz: float) -> None:
    found, peaks = searched(rate_hz)
    for harmonic in (1, 2):
        true_hz = harmonic * ROTOR_HZ
        line = line_near(found, float(folded(np.array(true_hz), rate_hz)))
        assert line.harmonic == harmonic
        assert line.true_hz == pytest.approx(true_hz, abs=0.5 * harmonic)
        assert line.is_aliased is (true_hz > rate_hz / 2.0)
        assert abs(line.slope_hz) == pytest.approx(harmonic * ROTOR_HZ * SHARE, rel=0.12)
        assert line.chance < 1e-4
    assert any(abs(hz - FIXED_HZ) < 0.2 for hz in peaks), "the swing is a peak"
    assert all(abs(line.frequency_hz - FIXED_HZ) > 0.2 for line in found.lines), "and no rotor"


def test_one_line_alone_is_a_rotor_without_a_number() -> None:
    found, _ = searched(250.0, harmonics=(1,))
    line = line_near(found, ROTOR_HZ)
    assert (line.harmonic, line.is_aliased) == (None, False)
    found, _ = searched(80.0, harmonics=(1,))
    assert line_near(found, 33.0).is_aliased, "it falls while the motors are given more"


@pytest.mark.slow
def test_the_same_commands_at_other_times_tie_nothing() -> None:
    for by in range(1000, 5000, 1000):
        moved = Series(DRIVE_S, np.roll(DRIVE.values, by))
        assert searched(100.0, moved)[0].lines == ()
    shuffled = Series(DRIVE_S, np.random.default_rng(2).permutation(DRIVE.values))
    assert searched(100.0, shuffled)[0].lines == ()


def test_what_drifts_in_time_follows_no_commands_that_make_up_for_a_sagging_battery() -> None:
    rate_hz, times = 100.0, np.arange(0.0, LENGTH_S, 0.01)
    turns = np.cumsum(31.0 + 2.0 * times / LENGTH_S) / rate_hz
    noise = np.random.default_rng(1).normal(0.0, 1.0, len(times))
    values = noise + 1.5 * np.cos(2.0 * math.pi * turns)
    runs = even_runs(Series(times, values), ((0.0, LENGTH_S),))
    peaks = power_spectrum(runs).peaks  # type: ignore[arg-type]
    wobble = 0.005 * np.sin(DRIVE_S)
    sagging = Series(DRIVE_S, 7.5 + 1.5 * (DRIVE_S / LENGTH_S + wobble))
    (found,) = find_rotor_lines([(runs, peaks)], sagging)  # type: ignore[list-item]
    assert peaks
    assert found == RotorSearch(), "they move with the commands, and with the time as well"


@pytest.mark.slow
def test_signals_that_contradict_each_other_tell_no_multiple() -> None:
    rate_hz, times = 100.0, np.arange(0.0, LENGTH_S, 0.01)
    noise = np.random.default_rng(1).normal(0.0, 1.0, (2, len(times)))
    signals = []
    for sense, values in zip((1.0, -1.0), noise, strict=True):
        turns = np.cumsum(30.0 * (1.0 + sense * SHARE * given(times))) / rate_hz
        runs = even_runs(
            Series(times, values + 1.5 * np.cos(2.0 * math.pi * turns)), ((0.0, LENGTH_S),)
        )
        signals.append((runs, power_spectrum(runs).peaks[:1]))  # type: ignore[arg-type]
    searches = find_rotor_lines(signals, DRIVE)  # type: ignore[arg-type]
    assert [line.is_aliased for one in searches for line in one.lines] == [None, None]
    (alone,) = find_rotor_lines(signals[1:], DRIVE)  # type: ignore[arg-type]
    assert [line.is_aliased for line in alone.lines] == [True]


def test_it_is_said_why_nothing_can_be_tied() -> None:
    steady = Series(DRIVE_S, np.full(len(DRIVE_S), 7.5))
    assert "hardly changes" in searched(100.0, steady)[0].reason
    assert "no throttle" in searched(100.0, Series(np.empty(0), np.empty(0)))[0].reason
    early = Series(DRIVE_S[:500], DRIVE.values[:500])
    assert "too little" in searched(100.0, early)[0].reason
