"""Log alignment: two logs of one flight on one time, by what both recorded.

A logger on board and a ground station keep the same objects, the one at 33 Hz, the other decimated
and late by a varying link. Where either has a sample the other's value at that time is known,
between samples of the faster one, so that offset and rate follow to a few milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from telemetry.recording.flight_state import ATTITUDE, armed_spans
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.airborne import airborne_spans
from telemetry.review.flights.correlation import correlations, on_grid
from telemetry.review.flights.sync import Piece, Sync

_Column = npt.NDArray[np.float64]
_Line = tuple[float, float]

_GYROS: Final = ("GyroState", "GyroSensor", "Gyros")
_FIELDS: Final = (
    *((tuple(f"{name}.{angle}" for name in ATTITUDE), 0.5) for angle in ("Roll", "Pitch")),
    *((tuple(f"{name}.{axis}" for name in _GYROS), 0.1) for axis in "xyz"),
    (("BaroSensor.Altitude", "BaroAltitude.Altitude"), 1.0),
)
"""What is compared, by the names it has had, and the seconds between samples beyond which nobody
knows what was between them; the logs may be of one release only."""
_LEAST_SAMPLES: Final = 30
_STEP_S, _MOST_GAP_S = 0.1, 1.5
_RATES: Final = np.linspace(0.99, 1.01, 21)
_LEAST_COMMON_S: Final = 15.0
_LEAST_LIKENESS, _LEAST_LEAD = 0.7, 0.1
_NEAR_S: Final = 5.0
_LEAST_EXPLAINED: Final = 0.8
"""Of a field's variance, at the median: else the two are only alike."""
_MOST_SIGMA_S: Final = 0.1
_LEAST_SHARE: Final = 0.3
"""Of the shorter log that lies over the other one."""
_MOST_STEPS, _LONGEST_STEP_S, _SMALLEST_STEP_S = 25, 1.0, 1e-6
_STAMP_SIGMA_S: Final = 0.005
"""What links and queues do to all stamps of a log alike, and no fit can tell."""
_PROBE_S: Final = 0.02
_OUTLIER: Final = 2.0
"""In spreads: from there on a residual weighs less than half."""
_NOTHING: Final = (
    "The logs have no field in common that moves (attitude, gyros or height of the barometer)."
)
_TOO_SLOW: Final = (
    "What the logs have in common was sampled too slowly in one of them to be recognised; attitude "
    "twice a second is enough."
)
_UNLIKE: Final = "What both logs recorded is nowhere alike: they are hardly of one flight."
_AMBIGUOUS: Final = "The logs fit in several places equally well: too little moves in them."


@dataclass(frozen=True, slots=True)
class LogAlignment:
    """`sync` maps the first log's time to the other's; None if it was not found, for a `reason`,
    a sentence. `fields` are those that were compared."""

    sync: Sync | None
    reason: str = ""
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """One field in both logs: times and values of each. Of one that `has_drift`, a barometer, only
    changes are compared. `slowest_s` is as in _FIELDS."""

    name: str
    slowest_s: float
    has_drift: bool
    first: tuple[_Column, _Column]
    other: tuple[_Column, _Column]

    @property
    def intervals_s(self) -> tuple[float, float]:
        """The usual time between two samples of either."""
        first_s, other_s = (float(np.median(np.diff(one[0]))) for one in (self.first, self.other))
        return first_s, other_s


def align_logs(first: Recording, other: Recording) -> LogAlignment:
    """How two logs of one flight run against each other, whatever each calls second 0.

    Takes about a second for logs of ten minutes: not for the GUI thread.
    """
    pairs = [pair for field in _FIELDS if (pair := _pair(first, other, *field)) is not None]
    fields = tuple(pair.name for pair in pairs)
    fast = [pair for pair in pairs if max(pair.intervals_s) <= pair.slowest_s]
    if not fast:
        return LogAlignment(None, _TOO_SLOW if pairs else _NOTHING, fields)
    line, likeness, lead = _search(fast)
    if likeness < _LEAST_LIKENESS:
        return LogAlignment(None, _UNLIKE, fields)
    if lead < _LEAST_LEAD:
        return LogAlignment(None, _AMBIGUOUS, fields)
    fit = _Fit(pairs)
    line = fit.refined(line)
    explained = fit.explained(line)
    offset_sigma_s, rate_sigma, sigma_s = fit.sigmas(line)
    if explained < _LEAST_EXPLAINED or sigma_s > _MOST_SIGMA_S:
        return LogAlignment(None, _UNLIKE, fields)
    sync = Sync(
        (Piece(*line, sigma_s=sigma_s),),
        method="common fields",
        offset_sigma_s=offset_sigma_s,
        rate_sigma=rate_sigma,
        confidence=round(min(explained, 1.0), 3),
    )
    return LogAlignment(sync, "", fields)


def compare_flights(first: Recording, other: Recording) -> Sync:
    """A first offset for another flight laid over this one: both take off at once; both are armed
    at once where one of them never flies, and begin at once where one is never armed."""
    armed = [tuple(armed_spans(one, one.last_s)) for one in (first, other)]
    flown = [
        tuple(airborne_spans(one, spans)) for one, spans in zip((first, other), armed, strict=True)
    ]
    for method, spans in (("take-off", flown), ("arming", armed)):
        if all(spans):
            (start_s, _), (other_s, _) = spans[0][0], spans[1][0]
            return Sync((Piece(other_s - start_s),), method=method)
    return Sync((Piece(other.first_s - first.first_s),), method="start")


def _pair(
    first: Recording, other: Recording, names: Sequence[str], slowest_s: float
) -> _Pair | None:
    """The field under the name that both have, if it moves in both and one tells it often."""
    for name in names:
        columns = _column(first, name), _column(other, name)
        if columns[0] is not None and columns[1] is not None:
            has_drift = name.startswith("Baro")
            pair = _Pair(name, slowest_s, has_drift, columns[0], columns[1])
            return pair if min(pair.intervals_s) <= slowest_s else None
    return None


def _column(recording: Recording, path: str) -> tuple[_Column, _Column] | None:
    try:
        times, values = recording.series(path)
    except (KeyError, ValueError):
        return None
    times_s, known = np.asarray(times, np.float64), np.asarray(values, np.float64)
    good = np.isfinite(known) & np.append(np.diff(times_s) > 0, True)
    if np.count_nonzero(good) < _LEAST_SAMPLES or np.ptp(known[good]) == 0:
        return None
    return times_s[good], known[good]


def _search(pairs: Sequence[_Pair]) -> tuple[_Line, float, float]:
    """The best line of all rates and offsets, its mean correlation over the fields, and its lead
    over other offsets at that rate."""
    spans = [_span([getattr(pair, which)[0] for pair in pairs]) for which in ("first", "other")]
    grids = [on_grid(*pair.first, spans[0], _STEP_S, _MOST_GAP_S) for pair in pairs]
    shorter_s = min(end - start for start, end in spans)
    least_s = max(_LEAST_COMMON_S, _LEAST_SHARE * shorter_s)
    best: tuple[_Line, float, float] = ((0.0, 1.0), -1.0, 0.0)
    for rate in _RATES.tolist():
        span = spans[1][0] / rate, spans[1][1] / rate
        likeness = np.zeros(0)
        for pair, grid in zip(pairs, grids, strict=True):
            times_s, values = pair.other
            scaled = on_grid(times_s / rate, values, span, _STEP_S, _MOST_GAP_S)
            offsets_s, one = correlations(grid, scaled, least_s)
            likeness = one if not len(likeness) else likeness + one
        likeness = likeness / len(pairs)
        at = int(np.argmax(likeness))
        if likeness[at] > best[1]:
            far = np.abs(offsets_s - offsets_s[at]) > _NEAR_S
            lead = float(likeness[at] - (likeness[far].max() if far.any() else 0.0))
            best = (-rate * float(offsets_s[at]), rate), float(likeness[at]), lead
    return best


def _span(times: Sequence[_Column]) -> tuple[float, float]:
    return min(float(one[0]) for one in times), max(float(one[-1]) for one in times) + _STEP_S


class _Fit:
    """Offset and rate by the samples of the sparser log of each field, robustly."""

    def __init__(self, pairs: Sequence[_Pair]) -> None:
        self._pairs = pairs
        self._ends_s = _span([pair.first[0] for pair in pairs])

    def refined(self, line: _Line) -> _Line:
        """The line that fits best near this one: Gauss-Newton, outliers weigh little (Cauchy)."""
        for _ in range(_MOST_STEPS):
            residuals, slopes, weights = self._system(line)
            weighted = slopes * weights[:, None]
            step, *_ = np.linalg.lstsq(weighted.T @ slopes, -weighted.T @ residuals, rcond=None)
            step = np.clip(step, -_LONGEST_STEP_S, _LONGEST_STEP_S)
            line = self._moved(line, (float(step[0]), float(step[1])))
            if np.abs(step).max() < _SMALLEST_STEP_S:
                break
        return line

    def explained(self, line: _Line) -> float:
        """The share of a field's variance that the other log explains, at the median field."""
        shares = []
        for pair in self._pairs:
            rows = _compared(pair, line)
            if len(rows.residuals) >= _LEAST_SAMPLES:
                shares.append(1.0 - _spread(rows.residuals) ** 2 / max(rows.variance, 1e-12))
        return float(np.median(shares)) if shares else 0.0

    def sigmas(self, line: _Line) -> tuple[float, float, float]:
        """Standard errors of offset and rate, and the largest one of a time within the logs.

        Residuals that follow each other are alike: as many samples as that leaves are counted.
        """
        residuals, slopes, weights = self._system(line)
        alike = float(np.corrcoef(residuals[1:], residuals[:-1])[0, 1])
        alike = min(max(alike, 0.0), 0.99) if np.isfinite(alike) else 0.0
        inverse = np.linalg.pinv(slopes.T @ (slopes * weights[:, None]))
        ends = inverse * (1 + alike) / (1 - alike)
        start_s, end_s = self._ends_s
        to_offset = np.array([end_s, -start_s]) / (end_s - start_s)
        to_rate = np.array([-1.0, 1.0]) / (end_s - start_s)
        offset_s2, rate2 = (max(float(to @ ends @ to), 0.0) for to in (to_offset, to_rate))
        worst_s2 = float(np.diag(ends).max())
        return (
            float(np.sqrt(offset_s2 + _STAMP_SIGMA_S**2)),
            float(np.sqrt(rate2)),
            float(np.sqrt(worst_s2 + _STAMP_SIGMA_S**2)),
        )

    def _system(self, line: _Line) -> tuple[_Column, _Column, _Column]:
        """Residuals in units of their spread, how they change with the medium's time at both ends,
        and their weights."""
        start_s, end_s = self._ends_s
        columns = [np.zeros((0, 3))]
        for pair in self._pairs:
            rows = _compared(pair, line)
            if len(rows.residuals) < _LEAST_SAMPLES:
                continue
            scale = max(_spread(rows.residuals), 1e-3 * np.sqrt(rows.variance), 1e-12)
            share = (rows.flight_s - start_s) / (end_s - start_s)
            slopes = rows.slopes * (1 - share), rows.slopes * share
            columns.append(np.stack([rows.residuals, *slopes], axis=1) / scale)
        table = np.concatenate(columns)
        residuals = table[:, 0]
        return residuals, table[:, 1:], 1.0 / (1.0 + (residuals / _OUTLIER) ** 2)

    def _moved(self, line: _Line, by_s: tuple[float, float]) -> _Line:
        """The line with the medium's time later by so much at the start and at the end."""
        start_s, end_s = self._ends_s
        rate = line[1] + (by_s[1] - by_s[0]) / (end_s - start_s)
        return line[0] + by_s[0] - (rate - line[1]) * start_s, rate


@dataclass(frozen=True, slots=True, eq=False)
class _Compared:
    """One field at the samples of the sparser log, (n,) each: what the denser one says more, how
    that changes with the medium's time, and when it was; and the field's variance there."""

    residuals: _Column
    slopes: _Column
    flight_s: _Column
    variance: float


def _compared(pair: _Pair, line: _Line) -> _Compared:
    offset_s, rate = line
    (first_s, first), (other_s, other) = pair.first, pair.other
    first_is_sparser = pair.intervals_s[0] > pair.intervals_s[1] / rate
    if first_is_sparser:
        at_s, values, flight_s, dense = offset_s + rate * first_s, first, first_s, (other_s, other)
        sense = 1.0
    else:
        flight_s = (other_s - offset_s) / rate
        at_s, values, dense = flight_s, other, (first_s, first)
        sense = -1.0 / rate
    after = np.clip(np.searchsorted(dense[0], at_s), 1, len(dense[0]) - 1)
    inside = (at_s >= dense[0][0]) & (at_s <= dense[0][-1])
    known = inside & (dense[0][after] - dense[0][after - 1] <= _MOST_GAP_S)
    at_s, values = at_s[known], values[known]
    residuals = np.interp(at_s, *dense) - values
    ahead, behind = (np.interp(at_s + by_s, *dense) for by_s in (_PROBE_S, -_PROBE_S))
    slopes = sense * (ahead - behind) / (2 * _PROBE_S)
    variance = float(np.var(values)) if len(values) else 0.0
    residuals = residuals - (np.median(residuals) if pair.has_drift and len(residuals) else 0.0)
    return _Compared(residuals, slopes, flight_s[known], variance)


def _spread(residuals: _Column) -> float:
    """Their standard deviation, whatever a tenth of them say."""
    middle = np.median(residuals)
    return 1.4826 * float(np.median(np.abs(residuals - middle)))
