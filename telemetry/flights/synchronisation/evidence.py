"""What speaks for a fit and against it: turns that agree, here more than anywhere else."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from telemetry.flights.synchronisation.fit import Alignment, AlignmentFit

_Column = npt.NDArray[np.float64]

_BIN_S = 1.0
_MOST_PER_BIN, _LEAST_PER_BIN = 30.0, 6.0
"""A second counts at most so much, lest one hard turn decide, and only if it tells at least so
much for or against one of the two."""
_WINDOW_S = 5.0
_SHIFTS_S = np.linspace(-3.0, 3.0, 61)
_SAME_S = 0.15
_DEEP = 12.0
"""A window tells something if its best shift is better by so much log likelihood than most others
are, and than no turns would be."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How far a fit can be believed.

    `lead` compares with the best fit elsewhere, inf if there is none: the sum of what second by
    second speaks for this one, against its standard error if nothing did; `rival_log_s` is where
    that one has the middle of the video, this one `middle_log_s`. `windows` counts stretches of
    five seconds with enough movement to find their own place, `agreeing` those that find this one.
    """

    lead: float
    middle_log_s: float
    rival_log_s: float
    windows: int
    agreeing: int

    @property
    def confidence(self) -> float:
        """From 0 to 1: what share of the windows agrees, less the chance that another place is as
        good, by its lead."""
        if not self.windows or self.lead <= 0:
            return 0.0
        return self.agreeing / self.windows * float(1 - np.exp(-((self.lead / 4) ** 2)))


def gain_per_bin(fit: Alignment, duration_s: float) -> _Column:
    """The gain over no connection, second by second of the medium."""
    bins = np.zeros(int(duration_s / _BIN_S) + 1)
    at = np.clip((fit.times_s / _BIN_S).astype(int), 0, len(bins) - 1)
    np.add.at(bins, at, fit.null_costs - fit.costs)
    return bins


def lead_over(best: _Column, other: _Column) -> float:
    """How clearly one fit is better than another, both as gains per bin."""
    lively = np.maximum(np.abs(best), np.abs(other)) >= _LEAST_PER_BIN
    told = np.clip((best - other)[lively], -_MOST_PER_BIN, _MOST_PER_BIN)
    size = float(np.linalg.norm(told))
    return float(np.sum(told)) / size if size else 0.0


def windows_of(fit: AlignmentFit, found: Alignment) -> tuple[int, int]:
    """How many windows can find their own place within three seconds, and how many find this."""
    costs = fit.shifted_costs(found, _SHIFTS_S)
    window = (found.times_s / _WINDOW_S).astype(int)
    told = agreeing = 0
    for number in np.unique(window):
        inside = window == number
        cost, still = costs[inside].sum(axis=0), found.null_costs[inside].sum()
        if min(np.median(cost), still) - cost.min() < _DEEP:
            continue
        told += 1
        agreeing += bool(abs(_SHIFTS_S[int(np.argmin(cost))]) <= _SAME_S)
    return told, agreeing
