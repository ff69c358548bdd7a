"""Rotor lines: peaks of a spectrum that follow what the motors are given.

How fast a rotor turns follows u, command times battery voltage: near its usual value U in a line,
F (1 + e (u / U - 1)), with e from a half to one, for drag grows with the square of the speed. What
it shakes is seen at the multiples h F, folded at half the sample rate: the peak at frequency p
moves by s (u / U - 1), where s = +-h F e. One that falls while the motors are given more is folded
for certain, and the slopes of several peaks are to each other as their h, folded or not.

A peak follows if the power along its path through short windows is more than chance explains: that
along the best paths of the same flight with its commands moved to other times. Their tail is that
of Gumbel's distribution, as of the largest of many.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from telemetry.review.analysis.series import Array, Series
from telemetry.review.analysis.spectra.power_spectrum import SpectralPeak
from telemetry.review.analysis.spectra.resampling import EvenRuns
from telemetry.review.analysis.spectra.short_spectra import decibels, short_spectra

_WINDOW_S: Final = 1.0
_LEAST_WINDOWS: Final = 30
_LEAST_SWING: Final = 0.04
"""Of u about its usual value, from the 2nd to the 98th percentile: else no line moves."""
_MOST_SWING: Final = 0.3
"""Beyond it a rotor's speed is no line of u any more, or still on its way."""
_FASTEST_HZ: Final = 600.0
"""Of a line: the third multiple of a small rotor."""
_LEAST_SHARE, _MOST_SHARE = 0.45, 1.1
"""Between which e lies."""
_SLOWEST_HZ: Final = 2.0
"""Below it an aircraft moves as it is steered, which goes with the commands, too."""
_TRIALS: Final = 60
_MOST_CHANCE: Final = 1e-3
_LEAST_GAIN_DB: Final = 0.3
"""Of the power along the path over that at the peak's frequency, in the mean of all windows."""
_FLOOR_LINES: Final = 10
_CLEAR_DB: Final = (-6.0, 10.0)
"""A line is there or not: one that is far stronger, and crossed, tells nothing more."""
_NEAR_LINES: Final = 2
_LEAST_NEAR: Final = 3
_SIGNIFICANT: Final = 4.0
_MOST_POWER: Final = 0.7
_MOST_HARMONIC, _MOST_FOLDS = 6, 12
_TOLERANCE_HZ: Final = 0.5
_SLOPE_TOLERANCE: Final = 0.12
_SURE: Final = 0.15
_FINER: Final = 41
_SPREADS: Final = 2.0
"""A path whose power is less than the best by fewer spreads of chance is as good."""
_GUMBEL_MEAN: Final = 0.5772


@dataclass(frozen=True, slots=True)
class RotorLine:
    """What is known of a peak that follows the motors.

    Were what they are given twice the usual, it would have moved by `slope_hz`, known to
    `slope_error_hz`; at the usual it is seen at `usual_hz`. `chance` is how likely commands of
    other times do as well. `true_hz` is the usual frequency before folding, None where several are
    possible, and `is_aliased` None where nobody can tell whether it is folded.
    `harmonic` counts from the fastest rotor that explains all lines; None where one line is all.
    """

    frequency_hz: float
    slope_hz: float
    slope_error_hz: float
    chance: float
    usual_hz: float
    is_aliased: bool | None = None
    true_hz: float | None = None
    harmonic: int | None = None


@dataclass(frozen=True, slots=True)
class RotorSearch:
    """The lines found, or why none could be: a sentence, "" where they were looked for."""

    lines: tuple[RotorLine, ...] = ()
    reason: str = ""


def find_rotor_lines(
    signals: Sequence[tuple[EvenRuns, Sequence[SpectralPeak]]], drive: Series
) -> tuple[RotorSearch, ...]:
    """Those of the peaks of each signal that follow `drive`, which is u in any unit. Harmonics are
    told by the lines of all signals of one rate together."""
    searches = [_search(runs, peaks, drive) for runs, peaks in signals]
    rates = [runs.rate_hz for runs, _ in signals]
    for rate_hz in set(rates):
        at_rate = [one.lines for one, hz in zip(searches, rates, strict=True) if hz == rate_hz]
        lines = [line for found in at_rate for line in found if line.usual_hz == line.frequency_hz]
        named = {line.usual_hz: line for line in _with_harmonics(lines, rate_hz)}
        searches = [
            replace(one, lines=tuple(_like(line, named) for line in one.lines)) for one in searches
        ]
    return tuple(searches)


def _like(line: RotorLine, named: Mapping[float, RotorLine]) -> RotorLine:
    """The line with what was found of the one that it is, or is a part of."""
    found = named.get(line.usual_hz, line)
    return replace(found, frequency_hz=line.frequency_hz)


def folded(hz: Array, rate_hz: float) -> Array:
    """Where frequencies appear that are sampled at a rate."""
    return np.asarray(np.abs(hz - rate_hz * np.round(hz / rate_hz)))


def _search(runs: EvenRuns, peaks: Sequence[SpectralPeak], drive: Series) -> RotorSearch:
    if not len(drive.times):
        return RotorSearch((), "no throttle was recorded.")
    windows = _windows(runs, drive)
    if isinstance(windows, str):
        return RotorSearch((), windows)
    lines: list[RotorLine] = []
    for peak in peaks:
        line = windows.same_line(peak.frequency_hz, lines) or windows.line_at(peak.frequency_hz)
        lines += [line] if line is not None else []
    return RotorSearch(tuple(lines))


@dataclass(frozen=True, slots=True, eq=False)
class _Windows:
    """Power over its surroundings in decibels (k, m) of k short windows in lines `step_hz` apart,
    and what the motors were given in each, u / U - 1 (k,)."""

    level: Array
    step_hz: float
    rate_hz: float
    swing: Array

    def line_at(self, peak_hz: float) -> RotorLine | None:
        """The peak as a line of its own, None where it does not follow."""
        slopes = self._slopes_hz()
        scores = self._scores(peak_hz, slopes, self.swing)
        best = int(np.argmax(scores))
        if scores[best] - scores[len(slopes) // 2] < _LEAST_GAIN_DB:
            return None
        count = len(self.swing)
        shifts = np.linspace(count // 10, count - count // 10, _TRIALS).astype(int)
        trials = [self._scores(peak_hz, slopes, np.roll(self.swing, by)).max() for by in shifts]
        chance = _chance(float(scores[best]), np.asarray(trials))
        if chance > _MOST_CHANCE or self._drifts_as_well(peak_hz, slopes, float(scores[best])):
            return None
        slope_hz = self._finer(peak_hz, slopes, best)
        as_good = slopes[scores >= scores[best] - _SPREADS * float(np.std(trials))]
        error_hz = float(np.abs(as_good - slope_hz).max() + (slopes[1] - slopes[0]) / 2.0)
        return RotorLine(peak_hz, slope_hz, error_hz, chance, peak_hz)

    def _drifts_as_well(self, peak_hz: float, slopes_hz: Array, score: float) -> bool:
        """Whether a path that is straight in time explains as much: what is warming up and commands
        that make up for a battery that sags change together, and are not told apart."""
        reach = float(np.abs(self.swing).max())
        straight = np.linspace(-reach, reach, len(self.swing))
        return score - float(self._scores(peak_hz, slopes_hz, straight).max()) < _LEAST_GAIN_DB

    def _finer(self, peak_hz: float, slopes_hz: Array, best: int) -> float:
        """The slope between those tried, by the power between lines."""
        tried = np.linspace(
            slopes_hz[max(best - 1, 0)], slopes_hz[min(best + 1, len(slopes_hz) - 1)], _FINER
        )
        places = folded(peak_hz + np.outer(tried, self.swing), self.rate_hz) / self.step_hz
        before = np.minimum(places.astype(np.intp), self.level.shape[1] - 2)
        share, rows = places - before, np.arange(len(self.swing))
        power = (1.0 - share) * self.level[rows, before] + share * self.level[rows, before + 1]
        return float(tried[int(np.argmax(power.mean(axis=1)))])

    def same_line(self, peak_hz: float, lines: Sequence[RotorLine]) -> RotorLine | None:
        """The peak as part of a line that was found: it is there when the line comes by, and
        hardly else."""
        at = self.level[:, min(round(peak_hz / self.step_hz), self.level.shape[1] - 1)]
        power = 10.0 ** (at / 10.0)
        for line in lines:
            path = folded(line.usual_hz + line.slope_hz * self.swing, self.rate_hz)
            is_near = np.abs(path - peak_hz) <= _NEAR_LINES * self.step_hz
            near, away = at[is_near], at[~is_near]
            if min(len(near), len(away)) < _LEAST_NEAR:
                continue
            error = math.sqrt(at.var() / len(near) + at.var() / len(away))
            is_there = near.mean() - away.mean() > _SIGNIFICANT * error
            if is_there and power[is_near].sum() > _MOST_POWER * power.sum():
                return replace(line, frequency_hz=peak_hz)
        return None

    def _slopes_hz(self) -> Array:
        """So close that no path is further than half a line from the nearest; 0 in the middle."""
        reach = float(np.abs(self.swing).max())
        count = int(_FASTEST_HZ * _MOST_SHARE * reach / self.step_hz) + 1
        return np.asarray(self.step_hz / reach * np.arange(-count, count + 1), dtype=np.float64)

    def _scores(self, peak_hz: float, slopes_hz: Array, swing: Array) -> Array:
        """The mean power (n,) along the paths of n slopes."""
        paths = folded(peak_hz + np.outer(slopes_hz, swing), self.rate_hz)
        lines = np.minimum(np.rint(paths / self.step_hz).astype(np.intp), self.level.shape[1] - 1)
        return np.asarray(self.level[np.arange(len(swing)), lines].mean(axis=1))


def _windows(runs: EvenRuns, drive: Series) -> _Windows | str:
    """The windows of a signal, or why they tell nothing."""
    from scipy.ndimage import median_filter

    short = short_spectra(runs, 1, _WINDOW_S)
    half = short.basis.window_s / 2.0
    given = _mean_within(drive, short.times - half, short.times + half)
    is_known = np.isfinite(given) & (given > 0.0)
    if np.count_nonzero(is_known) < _LEAST_WINDOWS or len(short.frequencies) < 2 * _FLOOR_LINES:
        return "too little was recorded, or too seldom."
    swing = given / np.median(given[is_known]) - 1.0
    is_known &= np.abs(swing) <= _MOST_SWING
    swing = swing[is_known]
    low, high = np.percentile(swing, (2.0, 98.0))
    if high - low < _LEAST_SWING:
        return "what the motors are given hardly changes in this stretch."
    level = decibels(short.density[is_known])
    floor = median_filter(level, size=(1, 2 * _FLOOR_LINES + 1), mode="nearest")
    step_hz = float(short.frequencies[1] - short.frequencies[0])
    clear = np.clip(level - floor, *_CLEAR_DB)
    clear[:, short.frequencies < _SLOWEST_HZ] = 0.0
    return _Windows(clear, step_hz, runs.rate_hz, swing)


def _chance(score: float, trials: Array) -> float:
    """How likely the best of many paths has that score: Gumbel's distribution by its moments."""
    spread = float(trials.std()) * math.sqrt(6.0) / math.pi
    if spread <= 0.0:
        return 1.0
    above = (score - float(trials.mean())) / spread + _GUMBEL_MEAN
    return float(-math.expm1(-math.exp(-above))) if above > -5.0 else 1.0


def _with_harmonics(lines: Sequence[RotorLine], rate_hz: float) -> list[RotorLine]:
    """The lines with what they tell together; alone, with what one tells; those that contradict
    each other as they are."""
    agreed = [line for line in lines if not any(_contradict(line, other) for other in lines)]
    numbers, rotor_hz = _counted(agreed, rate_hz)
    named = {
        line: _unfolded(line, rate_hz)
        if number is None
        else _numbered(line, number, rotor_hz, rate_hz)
        for line, number in zip(agreed, numbers, strict=True)
    }
    return [named.get(line, line) for line in lines]


def _contradict(line: RotorLine, other: RotorLine) -> bool:
    """Whether two signals show one line that moves differently in them."""
    is_one = abs(line.usual_hz - other.usual_hz) < _TOLERANCE_HZ
    errors_hz = line.slope_error_hz + other.slope_error_hz
    return is_one and abs(line.slope_hz - other.slope_hz) > errors_hz


def _counted(lines: Sequence[RotorLine], rate_hz: float) -> tuple[list[int | None], float]:
    """Which multiples of the rotor that explains most of them the lines are, and its frequency, the
    highest possible. It is one that the surest of them is a multiple of; None where fewer than two
    multiples are told."""
    best: tuple[list[int | None], float] = [None] * len(lines), 0.0
    if not lines:
        return best
    surest = min(lines, key=lambda line: line.slope_error_hz / abs(line.slope_hz))
    most = 0
    for true_hz in _true_frequencies(surest, rate_hz):
        for harmonic in range(1, _MOST_HARMONIC + 1):
            rotor_hz = true_hz / harmonic
            rotor = rotor_hz, abs(surest.slope_hz) / harmonic
            numbers = [_harmonic_of(line, rotor, rate_hz) for line in lines]
            explained = len(numbers) - numbers.count(None)
            if len({*numbers} - {None}) > 1 and (explained, rotor_hz) > (most, best[1]):
                most, best = explained, (numbers, rotor_hz)
    return best


def _numbered(line: RotorLine, number: int, rotor_hz: float, rate_hz: float) -> RotorLine:
    """The line as a multiple of a rotor; of the places that fold to it, the nearest to that."""
    every = _true_frequencies(line, rate_hz, is_any=True)
    true_hz = min(every, key=lambda hz: abs(hz - number * rotor_hz))
    return replace(line, harmonic=number, true_hz=true_hz, is_aliased=true_hz > rate_hz / 2.0)


def _unfolded(line: RotorLine, rate_hz: float) -> RotorLine:
    """What a line tells by itself: the frequencies that may fold to it, and rise with e."""
    possible = [*_true_frequencies(line, rate_hz)]
    is_above = {hz > rate_hz / 2.0 for hz in possible}
    return replace(
        line,
        is_aliased=is_above.pop() if len(is_above) == 1 else None,
        true_hz=possible[0] if len(possible) == 1 else None,
    )


def _true_frequencies(line: RotorLine, rate_hz: float, *, is_any: bool = False) -> Iterator[float]:
    """The frequencies that are seen at a line's, and move in a sense and with an e that it has."""
    slowest, fastest = line.slope_hz - line.slope_error_hz, line.slope_hz + line.slope_error_hz
    if _has_vague_sense(line):
        slowest, fastest = min(slowest, -fastest), max(fastest, -slowest)
    for fold, sense in itertools.product(range(_MOST_FOLDS), (1.0, -1.0)):
        true_hz = fold * rate_hz + sense * line.usual_hz
        moves = sorted((sense * slowest, sense * fastest))
        if not 0.0 < true_hz <= _FASTEST_HZ or moves[1] <= 0.0:
            continue
        is_possible = moves[0] <= _MOST_SHARE * true_hz and moves[1] >= _LEAST_SHARE * true_hz
        if is_any or is_possible:
            yield true_hz


def _has_vague_sense(line: RotorLine) -> bool:
    """Whether it may as well move the other way: folded at 0 Hz, amid what the aircraft does."""
    is_folded = line.usual_hz < _MOST_SWING * abs(line.slope_hz)
    return is_folded and line.slope_error_hz > _SURE * abs(line.slope_hz)


def _harmonic_of(line: RotorLine, rotor: tuple[float, float], rate_hz: float) -> int | None:
    """Which multiple of a rotor, its frequency and slope, a line is; None for none."""
    rotor_hz, slope_hz = rotor
    for number in range(1, _MOST_HARMONIC + 1):
        expected = number * slope_hz
        tolerance_hz = _SLOPE_TOLERANCE * expected + line.slope_error_hz
        if abs(abs(line.slope_hz) - expected) > tolerance_hz:
            continue
        trues = _true_frequencies(line, rate_hz, is_any=True)
        if any(abs(hz - number * rotor_hz) <= _TOLERANCE_HZ * number for hz in trues):
            return number
    return None


def _mean_within(series: Series, starts: Array, ends: Array) -> Array:
    """Means (n,) of what was recorded within each [start, end]; NaN where nothing was."""
    total = np.concatenate([[0.0], np.cumsum(series.values)])
    first = np.searchsorted(series.times, starts)
    last = np.searchsorted(series.times, ends, "right")
    counts = last - first
    return np.where(counts > 0, (total[last] - total[first]) / np.maximum(counts, 1), np.nan)
