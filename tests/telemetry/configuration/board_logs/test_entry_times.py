"""Times of entries: right to a millisecond, or said to be unknown."""

import os
import random

import numpy as np
import pytest

from telemetry.configuration.board_logs.entry_times import EntryTimes, entry_times, wrap_s

WRAP_S = 2**32 / 168e6
SEEDS = 2000 if os.environ.get("LAPWING_ALL_WAYS") else 100


def _clock(times_s: list[float], wrapping_s: float = WRAP_S) -> list[int]:
    return [int(t % wrapping_s * 1e6) for t in times_s]


@pytest.mark.parametrize(
    ("board", "seconds"),
    [(0x0903, 25.565), (0x9201, 25.565), (0x0904, 25.565), (0x0905, 44.739), (0x0402, 59.652)],
)
def test_wraps_by_board(board: int, seconds: float) -> None:
    assert wrap_s(board) == pytest.approx(seconds, abs=1e-3)
    assert wrap_s(0x7777) is None


def _check(found: EntryTimes, true_s: np.ndarray) -> int:
    """Known times are right to each other; how many are known."""
    known = np.flatnonzero(found.is_known)
    error = (found.seconds - found.seconds[known[0]])[known] - (true_s - true_s[known[0]])[known]
    assert np.abs(error).max() < 1e-3
    return len(known)


@pytest.mark.parametrize("every", [1, 5, 40])
def test_forty_minutes_with_gaps_are_right_or_unknown(every: int) -> None:
    """Anchors come as firmware makes them: up to 0.25 s old, logged up to 1 s later."""
    known = total = 0
    for seed in range(SEEDS):
        wild = random.Random(seed)
        true = [wild.uniform(0.0, 60.0)]
        while true[-1] < 2400.0:
            gap_s = wild.choice((wild.uniform(0.001, 1.0), wild.uniform(1.0, 60.0)))
            true.append(true[-1] + gap_s)
        offset_s = wild.uniform(0.0, 100.0)
        anchors = {
            i: round((t + offset_s - wild.uniform(0.0, 1.25)) * 1000) / 1000
            for i, t in enumerate(true)
            if wild.randrange(every) == 0
        }
        found = entry_times(_clock(true), anchors, WRAP_S)
        known += _check(found, np.array(true))
        total += len(true)
    assert known > {1: 0.97, 5: 0.2, 40: 0.01}[every] * total


def test_a_pause_that_looks_short_is_told_by_anchors_alone() -> None:
    true = [0.0, 1.0, 27.0, 28.0]
    found = entry_times(_clock(true), {1: 101.0, 2: 127.0}, WRAP_S)
    assert found.seconds == pytest.approx(true, abs=1e-3)
    assert found.is_known.tolist() == [False, True, True, False]
    without = entry_times(_clock(true), {}, WRAP_S)
    assert without.seconds[2] == pytest.approx(27.0 - WRAP_S, abs=1e-3)  # the shortest possible
    assert without.is_known.tolist() == [True, False, False, False]
    assert [(span.first, span.last) for span in without.unknown] == [(0, 3)]


def test_where_of_several_pauses_a_wrap_lies_is_unknown_but_not_what_follows() -> None:
    true = [0.0, 1.0, 28.0, 29.0, 30.0]
    found = entry_times(_clock(true), {0: 10.0, 3: 39.0, 4: 40.0}, WRAP_S)
    assert found.is_known.tolist() == [True, False, False, True, True]
    assert found.seconds[[0, 3, 4]] == pytest.approx([0.0, 29.0, 30.0], abs=1e-3)
    assert [(s.first, s.last, s.extra) for s in found.unknown] == [(0, 3, 1)]


def test_a_clock_of_another_board_says_nothing() -> None:
    true = [0.0, 10.0, 40.0]
    found = entry_times(_clock(true, 59.65), {0: 1.0, 1: 11.0, 2: 41.0}, WRAP_S)
    assert found.is_known.all()  # it did not wrap, as the anchors say
    wrapped = [0.0, 10.0, 50.0, 59.0, 61.0]
    anchors = {i: t + 1.0 for i, t in enumerate(wrapped)}
    found = entry_times(_clock(wrapped, 59.65), anchors, None)
    assert found.is_known.tolist() == [True, True, True, True, False]


def test_anchors_that_contradict_end_what_is_known() -> None:
    true = [0.0, 1.0, 2.0, 3.0]
    found = entry_times(_clock(true), {0: 100.0, 1: 101.0, 2: 5.0, 3: 6.0}, WRAP_S)
    assert found.is_known.tolist() == [True, True, False, False]


def test_when_the_board_was_started() -> None:
    assert entry_times(_clock([3.0, 4.0]), {1: 104.0}, WRAP_S).boot_s == pytest.approx(103.0)
    assert entry_times(_clock([3.0, 4.0]), {}, WRAP_S).boot_s is None


def test_a_clock_that_is_another_than_is_thought_makes_no_time_known() -> None:
    """55 s pass, in which a clock of 168 MHz wraps twice and is 3.87 s on; it is taken for one of
    96 MHz, which once more would be 48.6 s."""
    boot_s = {0: 100.0, 1: 155.0}
    clock_us = [0, round(55e6 - 2 * 2**32 / 168)]
    times = entry_times(clock_us, boot_s, 2**32 / 96e6)
    assert list(times.is_known) == [True, False]
    assert entry_times(clock_us, boot_s, 2**32 / 168e6).seconds[1] == pytest.approx(55.0)
