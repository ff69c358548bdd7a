"""Summary of a study: what its flights say, for people, for JSON, for reports and the window."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from simulation.studies.distribution import StudyError
from simulation.studies.flight import OUTCOMES, PASSED
from simulation.studies.statistics import (
    Indices,
    Interval,
    has_intervals,
    independent_flights,
    mean_interval,
    rank_correlations,
    sobol_of,
    without_ends,
)
from simulation.studies.study import Study
from simulation.studies.study_table import StudyTable
from telemetry.base.number_text import significant

_MOST_REASONS: Final = 5
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric over all flights that have it: mean with its interval, spread, and quantiles."""

    mean: Interval
    deviation: float
    quantiles: Mapping[str, float]
    correlations: Mapping[str, Interval]
    indices: Mapping[str, Indices]
    """By Sobol; empty where the sampling or the flights do not give them."""


@dataclass(frozen=True, slots=True)
class StudySummary:
    """`planned` flights, of which so many are in the table, by their outcomes, with the reasons
    that were given most often, in the words of the first flight that had them, and the numbers of
    the first flights with each."""

    planned: int
    outcomes: Mapping[str, int]
    reasons: Sequence[tuple[str, int, Sequence[int]]]
    metrics: Mapping[str, MetricSummary]
    digest: str

    @property
    def first_varied(self) -> str:
        """The first metric that is not the same in all flights."""
        varied = (name for name, metric in self.metrics.items() if metric.deviation > 0.0)
        return next(varied, PASSED)


def summarise(study: Study, table: StudyTable, planned: int) -> StudySummary:
    """What the flights of a table say."""
    counted = Counter(table.outcome.tolist())
    return StudySummary(
        planned,
        {outcome: counted[outcome] for outcome in OUTCOMES if counted[outcome]},
        _reasons(table),
        {name: summarise_metric(study, table, name) for name in _passed_first(table)},
        table.digest(),
    )


def as_dict(summary: StudySummary) -> dict[str, Any]:
    """Ready for JSON."""
    return {
        "flights": sum(summary.outcomes.values()),
        "planned": summary.planned,
        "outcomes": dict(summary.outcomes),
        "reasons": [
            {"reason": reason, "flights": count, "first": list(first)}
            for reason, count, first in summary.reasons
        ],
        "metrics": {name: _metric_dict(metric) for name, metric in summary.metrics.items()},
        "digest": summary.digest,
    }


def as_lines(summary: StudySummary, metric: str = "") -> list[str]:
    """For people: how flights ended, all metrics, and what one of them goes with; by default the
    first one that differs from flight to flight. Raises StudyError for a metric that is none."""
    metric = metric or summary.first_varied
    if metric not in summary.metrics:
        known = ", ".join(summary.metrics)
        raise StudyError(f"The study has no metric '{metric}'; there are {known}.")
    flown = sum(summary.outcomes.values())
    ends = ", ".join(f"{count} {outcome}" for outcome, count in summary.outcomes.items())
    lines = [f"{flown:,} of {summary.planned:,} flights: {ends or 'none'}"]
    lines += [
        f"  {count} times, as flight {first[0]}: {reason}"
        for reason, count, first in summary.reasons
    ]
    width = max(map(len, summary.metrics), default=0)
    lines += [f"  {name:{width}}  {_mean_text(one)}" for name, one in summary.metrics.items()]
    return lines + _hangs_on(metric, summary.metrics[metric])


def interval_text(interval: Interval, digits: int = _DIGITS) -> str:
    """A value with its interval."""
    if not np.isfinite(interval.low):
        return f"{significant(interval.value, digits)} (no interval)"
    value, low, high = (
        significant(number, digits) for number in (interval.value, interval.low, interval.high)
    )
    return f"{value} ({low} to {high})"


def _hangs_on(name: str, metric: MetricSummary) -> list[str]:
    width = max(map(len, (*metric.correlations, *metric.indices)), default=0)
    known = {one: rank for one, rank in metric.correlations.items() if np.isfinite(rank.value)}
    lines = [f"rank correlation with {name} (95 %):"] if known else []
    lines += [f"  {one:{width}}  {interval_text(rank)}" for one, rank in known.items()]
    if metric.indices:
        lines.append(f"Sobol indices of {name} (95 %), first, total:")
    for parameter, found in metric.indices.items():
        first, total = interval_text(found.first), interval_text(found.total)
        lines.append(f"  {parameter:{width}}  {first}, {total}")
    return lines


def _mean_text(metric: MetricSummary) -> str:
    if not metric.mean.count:
        return "no flight has it"
    ends = (significant(metric.quantiles[q], _DIGITS) for q in ("0.05", "0.95"))
    spread = "" if metric.mean.count < 2 else f", 90 % between {' and '.join(ends)}"
    return f"mean {interval_text(metric.mean)}{spread}"


def summarise_metric(study: Study, table: StudyTable, name: str) -> MetricSummary:
    """What the flights say of one metric. Raises LookupError for one that is none."""
    values = table.metrics[name][independent_flights(study, table)]
    mean = mean_interval(values, is_share=name == PASSED)
    known = values[np.isfinite(values)]
    points = (0.0, 0.05, 0.5, 0.95, 1.0)
    found = np.quantile(known, points) if len(known) else np.full(len(points), np.nan)
    try:
        indices = sobol_of(study, table, name)
    except StudyError:
        indices = {}
    return MetricSummary(
        mean if has_intervals(study) else without_ends(mean),
        float(known.std(ddof=1)) if len(known) > 1 else float("nan"),
        {f"{point:g}": float(value) for point, value in zip(points, found, strict=True)},
        rank_correlations(study, table, name),
        indices,
    )


def _reasons(table: StudyTable) -> list[tuple[str, int, list[int]]]:
    found: dict[str, tuple[str, list[int]]] = {}
    for index, reason in zip(table.index.tolist(), table.reason.tolist(), strict=True):
        if reason:
            found.setdefault(_kind_of(reason), (reason, []))[1].append(index)
    most = sorted(found.values(), key=lambda item: (-len(item[1]), item[1][0]))[:_MOST_REASONS]
    return [(reason, len(flights), flights[:_MOST_REASONS]) for reason, flights in most]


def _kind_of(reason: str) -> str:
    """The same for reasons that differ in their numbers only."""
    return " ".join("…" if any(c.isdigit() for c in word) else word for word in reason.split())


def _passed_first(table: StudyTable) -> list[str]:
    return sorted(table.metrics, key=lambda name: name != PASSED)


def _metric_dict(metric: MetricSummary) -> dict[str, Any]:
    return {
        "mean": _interval_dict(metric.mean),
        "deviation": _finite(metric.deviation),
        "quantiles": {q: _finite(value) for q, value in metric.quantiles.items()},
        "rank_correlations": {
            name: _interval_dict(interval) for name, interval in metric.correlations.items()
        },
        "sobol": {
            name: {"first": _interval_dict(i.first), "total": _interval_dict(i.total)}
            for name, i in metric.indices.items()
        },
    }


def _interval_dict(interval: Interval) -> dict[str, Any]:
    return {
        "value": _finite(interval.value),
        "low": _finite(interval.low),
        "high": _finite(interval.high),
        "count": interval.count,
    }


def _finite(value: float) -> float | None:
    """JSON knows no NaN."""
    return float(value) if np.isfinite(value) else None
