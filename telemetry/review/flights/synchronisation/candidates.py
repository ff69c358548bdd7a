"""Sync candidates: places of a video in a log; all offsets at all rates are tried.

For each rate the log's turns are laid as impulses on a fine grid, at their own times, and the
picture's integrated turn is correlated with them, axis by axis, by Fourier transforms. The nine
sums at an offset say how well the best of all camera mounts would explain the picture: the signed
sum of their singular values (Wahba's problem), against the energy of what overlaps there.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.ndimage import uniform_filter1d

from telemetry.review.flights.synchronisation.rotations import agreement_of, rotations_of
from telemetry.review.flights.synchronisation.turns import LogTurns, PictureTurns

_Column = npt.NDArray[np.float64]

RATES = (0.99, 1.01)
"""Clocks are not worse than that."""
GRID_S = 0.05
_MOST_SHIFT_S = 0.1
"""How far the ends of the video may move between two rates that are tried."""
_SLOW_S = 8.0
"""Turning that lasts longer, an orbit's, tells little and is left out."""
_CORRELATION_S = 0.3
"""For so long a turn goes on by itself: nothing is learnt from looking at it again."""
_LEAST_OVERLAP_S = 8.0
_APART_S = 1.0
"""Two candidates differ by more than this."""
_LOOKED_AT = 400
"""So many offsets of a rate are looked at closely."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A supposed synchronisation, `score` its log likelihood against chance, and the matrix that
    takes the body's axes, as a camera along the nose has them, to the camera's."""

    offset_s: float
    rate: float
    score: float
    mount: _Column

    def log_s(self, medium_s: float) -> float:
        """The log's time at one of the medium."""
        return (medium_s - self.offset_s) / self.rate


def find_candidates(
    picture: PictureTurns, log: LogTurns, start_s: float, end_s: float, count: int
) -> list[Candidate]:
    """The best synchronisations of a stretch of the medium, the best first, each another place."""
    grid = _PictureGrid(picture, start_s, end_s, log)
    half_s = max(end_s - start_s, 1.0) / 2
    steps = int(np.ceil((RATES[1] - RATES[0]) / 2 * half_s / _MOST_SHIFT_S))
    rates = np.linspace(*RATES, 2 * steps + 1)
    found = [one for rate in rates for one in grid.peaks(log, float(rate), count)]
    return _distinct(found, (start_s + end_s) / 2, count)


def _distinct(found: list[Candidate], middle_s: float, count: int) -> list[Candidate]:
    found = sorted(found, key=lambda candidate: -candidate.score)
    at_s = np.array([one.log_s(middle_s) for one in found])
    is_free = np.ones(len(found), np.bool_)
    kept: list[Candidate] = []
    while len(kept) < count and is_free.any():
        best = int(np.argmax(is_free))
        kept.append(found[best])
        is_free &= np.abs(at_s - at_s[best]) > _APART_S
    return kept


class _PictureGrid:
    """A stretch of the picture on the grid, transformed once for all rates."""

    def __init__(self, picture: PictureTurns, start_s: float, end_s: float, log: LogTurns) -> None:
        self._start_s = start_s
        edges_s = np.arange(start_s, end_s, GRID_S)
        rates = _calm(picture.rates_rad_s, 1.0)
        steps_s = np.diff(picture.times_s, prepend=picture.times_s[0])
        integral = np.cumsum(rates * steps_s[:, None], axis=0)
        angle = np.stack(
            [np.interp(edges_s, picture.times_s, integral[:, axis]) for axis in range(3)], axis=1
        )
        angle -= uniform_filter1d(angle, round(_SLOW_S / GRID_S), axis=0, mode="nearest")
        self._log_span_s = float(log.end_s[-1] - log.start_s[0]) * RATES[1]
        self._interval = max(round(float(np.median(log.end_s - log.start_s)) / GRID_S), 1)
        self._size = len(edges_s)
        log_size = int(np.ceil(self._log_span_s / GRID_S)) + 2
        from scipy.fft import next_fast_len

        self._length = int(next_fast_len(self._size + log_size, real=True))
        turned = np.zeros_like(angle)
        turned[: -self._interval] = angle[self._interval :] - angle[: -self._interval]
        energy = np.sum(turned**2, axis=1)
        self._angle_ft = np.fft.rfft(angle, self._length, axis=0)
        self._energy_ft = np.fft.rfft(energy, self._length)
        self._mask_ft = np.fft.rfft(np.ones(self._size), self._length)

    def peaks(self, log: LogTurns, rate: float, count: int) -> list[Candidate]:
        """The best offsets at this rate."""
        origin_s = float(log.start_s[0])
        turn = _calm_turns(log)
        start = np.round((log.start_s - origin_s) * rate / GRID_S).astype(int)
        end = np.round((log.end_s - origin_s) * rate / GRID_S).astype(int)
        impulses = np.zeros((self._length, 3))
        np.add.at(impulses, end, turn)
        np.add.at(impulses, start, -turn)
        weights = np.zeros((self._length, 2))
        np.add.at(weights, start, np.stack([np.sum(turn**2, axis=1), np.ones(len(log))], axis=1))
        impulses_ft = np.conj(np.fft.rfft(impulses, axis=0))
        weights_ft = np.conj(np.fft.rfft(weights, axis=0))

        products = self._angle_ft[:, :, None] * impulses_ft[:, None, :]
        cross = np.fft.irfft(products, self._length, axis=0)
        log_energy = np.fft.irfft(self._mask_ft * weights_ft[:, 0], self._length)
        picture_energy = np.fft.irfft(self._energy_ft * weights_ft[:, 1], self._length)
        overlap = np.fft.irfft(self._mask_ft * weights_ft[:, 1], self._length)
        overlap_s = overlap * float(np.median(np.diff(log.end_s)))
        allowed = overlap_s > _LEAST_OVERLAP_S
        independent = overlap_s / max(self._interval * GRID_S, _CORRELATION_S)
        norm = np.sqrt(np.clip(log_energy * picture_energy, 1e-18, None))
        bound = np.where(allowed, np.linalg.norm(cross, axis=(1, 2)) / norm, 0.0)
        bound = -independent * np.log1p(-(np.clip(bound, 0.0, 0.999) ** 2))
        best = np.argsort(-bound)[:_LOOKED_AT]
        best = best[bound[best] > 0]
        agreed = np.clip(agreement_of(cross[best]) / norm[best], 0.0, 0.999)
        scores = -independent[best] / 2 * np.log1p(-(agreed**2))
        mounts = rotations_of(cross[best])
        lags = np.where(best >= self._size, best - self._length, best)
        offsets = self._start_s + lags * GRID_S - rate * origin_s
        order = np.argsort(-scores)
        found = [Candidate(float(offsets[i]), rate, float(scores[i]), mounts[i]) for i in order]
        return _distinct(found, self._start_s + self._size * GRID_S / 2, count)


def _calm(rates: _Column, times: float) -> _Column:
    """Rates with the wild ones tamed, so that one tumble does not outweigh a flight."""
    size = np.linalg.norm(rates, axis=1)
    usual = times * 3 * float(np.sqrt(np.mean(np.minimum(size, np.percentile(size, 90)) ** 2)))
    tamed: _Column = rates / np.sqrt(1 + (size / max(usual, 1e-6)) ** 2)[:, None]
    return tamed


def _calm_turns(log: LogTurns) -> _Column:
    spans_s = (log.end_s - log.start_s)[:, None]
    rates = log.turn_rad / spans_s
    turns = _calm(rates, 1.0) * spans_s
    mean = uniform_filter1d(turns, max(round(_SLOW_S / float(np.median(spans_s))), 1), axis=0)
    calm: _Column = turns - mean
    return calm
