"""Reduction of many samples to few columns."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from widgets.plot.peaks import BLOCK, Peaks, bucket_size

N = 200_000
TIMES = np.arange(N) / 100.0


def noise(seed: int = 1) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(0, 1, N).astype(np.float32)


def reader(values: NDArray[Any]) -> tuple[Peaks, list[int]]:
    """Peaks over values, and how many samples were read in all."""
    read = [0]

    def column(start: int, stop: int) -> NDArray[Any]:
        read[0] += stop - start
        return values[start:stop]

    return Peaks(column), read


def test_few_samples_come_as_they_are() -> None:
    values = noise()
    x, y = reader(values)[0].read(TIMES, 100, 900, 800)
    np.testing.assert_array_equal(x, TIMES[100:900])
    np.testing.assert_array_equal(y, values[100:900])


@pytest.mark.parametrize("columns", [50, 333, 800, 4000])
@pytest.mark.parametrize(("start", "stop"), [(0, N), (1234, 180_001), (5, 40_000)])
def test_no_peak_is_lost_and_none_is_invented(columns: int, start: int, stop: int) -> None:
    values = noise()
    values[start + 7_777] = 99.0
    values[stop - 3] = -99.0
    x, y = reader(values)[0].read(TIMES, start, stop, columns)
    assert (y.max(), y.min()) == (99.0, -99.0)
    assert set(np.unique(y)) <= set(values[max(0, start - 65_536) : stop].astype(float))
    assert len(x) == len(y) <= 2 * columns + 4
    assert np.all(np.diff(x) >= 0)
    assert abs(x[y.argmax()] - TIMES[start + 7_777]) <= (stop - start) / columns * 2 / 100


def test_a_window_that_scrolls_on_reads_what_is_new() -> None:
    values = noise()
    peaks, read = reader(values)
    peaks.read(TIMES, 0, 10_000, 1000)
    for start in range(7, 3000, 97):
        read[0] = 0
        x, y = peaks.read(TIMES, start, start + 10_000, 1000)
        assert 0 < read[0] < 97 + 2 * 16
        fresh = reader(values)[0].read(TIMES, start, start + 10_000, 1000)
        np.testing.assert_array_equal((x, y), fresh)
    for start, stop, columns in ((500, 10_500, 1000), (600, 6_000, 1000), (600, 6_000, 300)):
        fresh = reader(values)[0].read(TIMES, start, stop, columns)
        np.testing.assert_array_equal(peaks.read(TIMES, start, stop, columns), fresh)


def test_a_scrolling_window_shows_the_same_peaks() -> None:
    peaks, _ = reader(noise())
    first = peaks.read(TIMES, 10_000, 60_000, 500)
    second = peaks.read(TIMES, 10_700, 60_700, 500)
    common = np.intersect1d(first[0], second[0])[:-1]
    assert len(common) > 300
    of_first = first[1][np.isin(first[0], common)]
    of_second = second[1][np.isin(second[0], common)]
    np.testing.assert_array_equal(of_first, of_second)


def test_a_long_view_is_not_read_again() -> None:
    peaks, read = reader(noise())
    peaks.read(TIMES, 0, N, 100)
    assert read[0] >= N - BLOCK
    read[0] = 0
    peaks.read(TIMES, 0, N, 100)
    assert read[0] < N // 50


def test_growth_is_taken_in_bit_by_bit() -> None:
    values = noise()
    growing, _ = reader(values)
    for stop in range(50_000, N, 7_321):
        x, y = growing.read(TIMES, 0, stop, 60)
        whole_x, whole_y = reader(values)[0].read(TIMES, 0, stop, 60)
        np.testing.assert_array_equal(x, whole_x)
        np.testing.assert_array_equal(y, whole_y)


def test_nan_is_passed_over() -> None:
    values = noise()
    values[::3] = np.nan
    _, y = reader(values)[0].read(TIMES, 0, N, 200)
    assert np.isfinite(y).all()


def test_buckets_are_powers_of_two() -> None:
    assert [bucket_size(n, 100) for n in (0, 100, 101, 200, 201, 100_000)] == [1, 1, 2, 2, 4, 1024]
