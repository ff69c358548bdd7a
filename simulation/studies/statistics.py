"""Statistics of a study: how sure a mean is, what goes with what, and what a metric hangs on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.studies.distribution import Numbers, StudyError
from simulation.studies.sampling import sobol_rows
from simulation.studies.study import Study
from simulation.studies.study_table import StudyTable, check_metric

_RESAMPLES: Final = 200
_FEWEST: Final = 4
_SAME_RANKS: Final = 1.0 - 1e-9
_FEWEST_ROWS: Final = 32
"""Of Sobol's sequence, for indices: fewer give numbers that mean nothing."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value, and the ends between which it is with the confidence that was asked for; `count` is
    what it was made of. NaN where there is nothing to say."""

    value: float
    low: float
    high: float
    count: int

    @property
    def half_width(self) -> float:
        """Half of the way between its ends; infinite where that is not known."""
        width = 0.5 * (self.high - self.low)
        return width if np.isfinite(width) else np.inf


@dataclass(frozen=True, slots=True)
class Indices:
    """How much of a metric's variance hangs on a parameter: alone (`first`), and with all that it
    does together with others (`total`). Sobol 1993; Saltelli et al. 2010."""

    first: Interval
    total: Interval


def independent_flights(study: Study, table: StudyTable) -> npt.NDArray[np.bool_]:
    """Which flights have drawn independently of each other: of Sobol's those of A and B, since the
    mixed ones repeat them."""
    count = 2 * sobol_rows(study) if study.sampling == "sobol" else len(table)
    return table.index < count if study.sampling == "sobol" else table.index >= 0


def has_intervals(study: Study) -> bool:
    """Whether its flights are drawn by chance: a grid is not, and its means are those of it."""
    return study.sampling != "grid"


def without_ends(found: Interval) -> Interval:
    """The same, with nothing said about how sure it is."""
    return Interval(found.value, np.nan, np.nan, found.count)


def mean_interval(values: Numbers, confidence: float = 0.95, *, is_share: bool = False) -> Interval:
    """The mean of a metric. Of shares (of flights, by values 0 and 1) by Wilson's score interval
    (1927), which holds at the ends too; of others by Student's t."""
    from scipy import stats

    known = values[np.isfinite(values)]
    count = len(known)
    if count == 0:
        return Interval(np.nan, np.nan, np.nan, 0)
    mean = float(known.mean())
    if is_share:
        found = stats.binomtest(int(known.sum()), count).proportion_ci(confidence, method="wilson")
        return Interval(mean, float(found.low), float(found.high), count)
    if count < 2:
        return Interval(mean, np.nan, np.nan, count)
    reach = float(stats.sem(known) * stats.t.ppf(0.5 + 0.5 * confidence, count - 1))
    return Interval(mean, mean - reach, mean + reach, count)


def rank_correlations(
    study: Study, table: StudyTable, metric: str, confidence: float = 0.95
) -> dict[str, Interval]:
    """Spearman's rank correlation of a metric with each parameter that has numbers; its interval
    by Fisher's transformation with the variance of Bonett and Wright (2000), where the ranks are
    not the same ones. Raises StudyError."""
    from scipy import stats

    values, independent = check_metric(table, metric), independent_flights(study, table)
    found = {}
    for name, column in table.parameters.items():
        if column.dtype == object:
            continue
        both = np.isfinite(values) & np.isfinite(column) & independent
        count = int(both.sum())
        if count < _FEWEST or np.ptp(values[both]) == 0.0 or np.ptp(column[both]) == 0.0:
            found[name] = Interval(np.nan, np.nan, np.nan, count)
            continue
        rank = float(stats.spearmanr(column[both], values[both]).statistic)
        if abs(rank) > _SAME_RANKS or not has_intervals(study):
            found[name] = Interval(rank, np.nan, np.nan, count)
            continue
        spread = np.sqrt((1.0 + 0.5 * rank * rank) / (count - 3))
        reach = float(stats.norm.ppf(0.5 + 0.5 * confidence) * spread)
        middle = np.arctanh(rank)
        low, high = np.tanh((middle - reach, middle + reach))
        found[name] = Interval(rank, float(low), float(high), count)
    return found


def sobol_of(
    study: Study, table: StudyTable, metric: str, confidence: float = 0.95
) -> Mapping[str, Indices]:
    """First and total indices of each parameter, with intervals by bootstrap. Raises StudyError
    where the flights do not give them."""
    rows, names = sobol_rows(study), study.vary.varied
    if study.sampling != "sobol":
        raise StudyError('Indices need sampling = "sobol".')
    if rows < _FEWEST_ROWS:
        raise StudyError(f"Indices need flights = {_FEWEST_ROWS} or more.")
    if len(table) != rows * (len(names) + 2):
        raise StudyError("Indices need all flights of the study; run it to its end.")
    values = check_metric(table, metric)
    missing = int((~np.isfinite(values)).sum())
    if missing:
        raise StudyError(f"{missing} flights have no '{metric}', so there are no indices of it.")
    if np.ptp(values) == 0.0:
        raise StudyError(f"'{metric}' is the same in all flights; it hangs on nothing.")
    parts = values.reshape(len(names) + 2, 1, rows)
    random = np.random.default_rng(study.seed)
    chosen = [random.integers(0, rows, rows) for _ in range(_RESAMPLES)]
    found = _indices(parts, np.arange(rows))
    resampled = np.array([_indices(parts, one) for one in chosen])
    reach = (0.5 - 0.5 * confidence, 0.5 + 0.5 * confidence)
    low, high = np.quantile(resampled, reach, axis=0)
    first, total = (
        [
            Interval(float(value), float(low[kind, i]), float(high[kind, i]), rows)
            for i, value in enumerate(found[kind])
        ]
        for kind in (0, 1)
    )
    return {name: Indices(*both) for name, *both in zip(names, first, total, strict=True)}


def _indices(parts: Numbers, chosen: npt.NDArray[np.intp]) -> Numbers:
    """(2, names): first and total indices of some rows. (SciPy's own bootstrap takes memory by the
    square of the rows.)"""
    from scipy.stats import sobol_indices

    taken = parts[:, :, chosen]
    if len(taken) == 3:  # SciPy's own fail for one parameter of one metric: it is given two
        taken = np.repeat(taken, 2, axis=1)
    given = {"f_A": taken[0], "f_B": taken[1], "f_AB": taken[2:]}
    result = sobol_indices(func=given, n=len(chosen))
    both = np.stack([result.first_order, result.total_order])
    return both.reshape(2, taken.shape[1], -1)[:, 0]
