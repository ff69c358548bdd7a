"""Statistics of a study: how sure a mean is, what goes with what, and what a metric hangs on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from simulation.studies.distribution import Numbers, StudyError
from simulation.studies.sampling import sobol_rows
from simulation.studies.study import Study
from simulation.studies.study_table import StudyTable, check_metric

_RESAMPLES: Final = 200
_FEWEST: Final = 4


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


def mean_interval(values: Numbers, confidence: float = 0.95) -> Interval:
    """The mean of a metric. Of shares (all values 0 or 1) by Wilson's score interval (1927), which
    holds at the ends too; of others by Student's t."""
    from scipy import stats

    known = values[np.isfinite(values)]
    count = len(known)
    if count == 0:
        return Interval(np.nan, np.nan, np.nan, 0)
    mean = float(known.mean())
    if np.isin(known, (0.0, 1.0)).all():
        found = stats.binomtest(int(known.sum()), count).proportion_ci(confidence, method="wilson")
        return Interval(mean, float(found.low), float(found.high), count)
    if count < 2:
        return Interval(mean, np.nan, np.nan, count)
    reach = float(stats.sem(known) * stats.t.ppf(0.5 + 0.5 * confidence, count - 1))
    return Interval(mean, mean - reach, mean + reach, count)


def rank_correlations(
    table: StudyTable, metric: str, confidence: float = 0.95
) -> dict[str, Interval]:
    """Spearman's rank correlation of a metric with each parameter that has numbers; its interval
    by Fisher's transformation with the variance of Bonett and Wright (2000). Raises StudyError."""
    from scipy import stats

    values = check_metric(table, metric)
    found = {}
    for name, column in table.parameters.items():
        if column.dtype == object:
            continue
        both = np.isfinite(values) & np.isfinite(column)
        count = int(both.sum())
        if count < _FEWEST or np.ptp(values[both]) == 0.0 or np.ptp(column[both]) == 0.0:
            found[name] = Interval(np.nan, np.nan, np.nan, count)
            continue
        rank = float(stats.spearmanr(column[both], values[both]).statistic)
        spread = np.sqrt((1.0 + 0.5 * rank * rank) / (count - 3))
        reach = float(stats.norm.ppf(0.5 + 0.5 * confidence) * spread)
        middle = np.arctanh(np.clip(rank, -1.0 + 1e-12, 1.0 - 1e-12))
        low, high = np.tanh((middle - reach, middle + reach))
        found[name] = Interval(rank, float(low), float(high), count)
    return found


def sobol_of(
    study: Study, table: StudyTable, metric: str, confidence: float = 0.95
) -> Mapping[str, Indices]:
    """First and total indices of each parameter, with intervals by bootstrap. Raises StudyError
    where the flights do not give them."""
    from scipy.stats import sobol_indices

    rows, names = sobol_rows(study), list(study.vary.distributions)
    if study.sampling != "sobol":
        raise StudyError('Indices need sampling = "sobol".')
    if len(table) != rows * (len(names) + 2):
        raise StudyError("Indices need all flights of the study; run it to its end.")
    values = check_metric(table, metric)
    missing = int((~np.isfinite(values)).sum())
    if missing:
        raise StudyError(f"{missing} flights have no '{metric}', so there are no indices of it.")
    if np.ptp(values) == 0.0:
        raise StudyError(f"'{metric}' is the same in all flights; it hangs on nothing.")
    parts = values.reshape(len(names) + 2, 1, rows)
    given = {"f_A": parts[0], "f_B": parts[1], "f_AB": parts[2:]}
    result = sobol_indices(func=given, n=rows, rng=study.seed)
    ends = result.bootstrap(confidence_level=confidence, n_resamples=_RESAMPLES)
    return {
        name: Indices(
            _between(result.first_order[i], ends.first_order.confidence_interval, i, rows),
            _between(result.total_order[i], ends.total_order.confidence_interval, i, rows),
        )
        for i, name in enumerate(names)
    }


def _between(value: float, ends: object, place: int, count: int) -> Interval:
    low, high = np.ravel(ends.low)[place], np.ravel(ends.high)[place]  # type: ignore[attr-defined]
    return Interval(float(value), float(low), float(high), count)
