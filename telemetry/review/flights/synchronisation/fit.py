"""Sync fit: when and how fast the medium ran, how the camera was mounted, how wide it saw.

Residuals stand at the log's own samples: the turn since the sample before, three axes, and the
roll against the horizon where one was seen. Robust non-linear least squares; the errors by a
sandwich of the scores' long-run covariance, because neighbouring residuals are of one kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from telemetry.review.flights.synchronisation.rotations import rotation_matrix
from telemetry.review.flights.synchronisation.turns import LogTurns, PictureTurns

_Column = npt.NDArray[np.float64]
_Mask = npt.NDArray[np.bool_]

_Spreads = tuple[float, float]

_NUDGE_S = 0.1
"""For derivatives: over less, a picture's noise would pass for turning."""
_NUDGES_S, _AS_IT_IS = np.array([_NUDGE_S, -_NUDGE_S]), np.zeros(1)
_UNKNOWABLE_S = 0.005
"""How late a log is on its way, and a picture's rows behind its first one, shifts everything and
cannot be told from the offset."""
_SHOULDER = 2.0
"""Residuals of so many sigmas begin to count less."""
_RELATED_S = 3.0
"""Residuals may be related over this time."""
_STILL_SIGMA, _TURNING_SIGMA = np.radians(0.1), 0.04
"""What the difference of a turn is made of: noise, and what late samples and a lens other than
assumed make of turning. Only their ratio matters: the spread is a factor on both."""
_LEAST_SPREAD, _LEAST_ROLL = 0.8, np.radians(0.1)
_LEAST_PAIRS = 12
_MARGIN_S = 0.3
"""Turns so close to the ends of a span might leave it while the fit moves."""
_RATE_SIGMA = 0.004
"""Clocks are usually better than this; it only matters where the flight says nothing of it."""
_NUDGE = 1e-5
_LEVEL = 0.7
"""A camera that looks further down or up than by 45 degrees has no roll."""
_MOST_LOG_SCALE = 1.5
_ANGLE_SIGMA, _SCALE_SIGMA = 0.5, 0.3
"""How far a mount may be from where the coarse search has put it, and the assumed field of view
from the true one, before the picture says anything."""


@dataclass(frozen=True, slots=True)
class FileSpan:
    """A stretch of the medium, one file's or a part of one, and its supposed offset."""

    start_s: float
    end_s: float
    offset_s: float


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """A fit: `medium = offset + rate x log` in each of the spans, and what was estimated along.

    `mount` (3, 3) takes the body's axes, in the order in which a camera along the nose has them,
    to the camera's; `scale` is how much wider the picture's turns are than by the assumed field
    of view. `covariance` is that of the spans' offsets and, last, the rate. For each compared
    turn, `times_s` (n,) is the medium's, `costs` (n,) its robust cost, and `null_costs` (n,) that
    if the log had said that nothing turned. `spreads` are of turns, as a factor on what is usual,
    and of roll, in rad.
    """

    spans: tuple[FileSpan, ...]
    rate: float
    mount: _Column
    scale: float
    covariance: _Column
    spreads: _Spreads
    times_s: _Column
    costs: _Column
    null_costs: _Column

    @property
    def gain(self) -> float:
        """By how much log likelihood it is better than turns that have nothing in common."""
        return float(np.sum(self.null_costs - self.costs))

    def log_s(self, medium_s: float, number: int = 0) -> float:
        """The log's time at one of the medium, by the line of one span."""
        return (medium_s - self.spans[number].offset_s) / self.rate

    def sigma_s(self, log_s: _Column, number: int = 0) -> _Column:
        """The standard error (n,) of the medium's time at times of the log, by that line."""
        pick = np.zeros((len(log_s), len(self.covariance)))
        pick[:, number], pick[:, -1] = 1.0, log_s
        found: _Column = np.sqrt(np.einsum("ni,ij,nj->n", pick, self.covariance, pick))
        return found


class AlignmentFit:
    """The spans of one medium against one log, from a first guess of everything."""

    def __init__(
        self,
        picture: PictureTurns,
        log: LogTurns,
        spans: Sequence[FileSpan],
        rate: float,
        mount: _Column,
    ) -> None:
        self._picture = picture
        self._spans = tuple(spans)
        self._pieces = len(self._spans)
        compared = []
        for span in self._spans:
            start_s, end_s = (span.offset_s + rate * at_s for at_s in (log.start_s, log.end_s))
            _, seen = picture.between(start_s, end_s)
            seen &= (start_s - _MARGIN_S >= span.start_s) & (end_s + _MARGIN_S <= span.end_s)
            compared.append(np.flatnonzero(seen))
        self.log = log.where(np.concatenate(compared))
        self._piece = np.repeat(np.arange(self._pieces), [len(one) for one in compared])
        self._pivot_s = float(np.mean(self.log.end_s)) if len(self.log) else 0.0
        self._mount = mount
        offsets = [span.offset_s + rate * self._pivot_s for span in self._spans]
        self._first = np.array([*offsets, rate, 0.0, 0.0, 0.0, 0.0])
        self._weight = self.log.usual_errors(_STILL_SIGMA, _TURNING_SIGMA)
        self._sigmas = (1.0, np.radians(2.0))

    @property
    def can_be_fitted(self) -> bool:
        """Whether each span overlaps enough with the log."""
        counts = np.bincount(self._piece, minlength=self._pieces)
        return bool(np.all(counts >= _LEAST_PAIRS))

    def run(self, passes: int = 3) -> Alignment:
        """Fit, with the residuals' spread estimated along, pass by pass."""
        found = self._first
        for _ in range(passes):
            found = least_squares(
                self._all_residuals,
                found,
                jac=self._all_slopes,
                loss="cauchy",
                f_scale=_SHOULDER,
                x_scale=[0.02] * self._pieces + [1e-4, 0.02, 0.02, 0.02, 0.05],
                xtol=1e-6,
                ftol=1e-6,
                max_nfev=15,
            ).x
            self._sigmas = self._spread(found)
        return self._alignment(found)

    def judged(self, found: Alignment, spreads: _Spreads) -> Alignment:
        """The same with the costs that it has at other spreads, to be compared."""
        x = self._vector(found)
        self._sigmas = spreads
        return self._alignment(x)

    def shifted_costs(self, found: Alignment, shifts_s: _Column) -> _Column:
        """What each turn (n, shifts) would cost if the medium were later by each shift."""
        return self._shifted_costs(self._vector(found), shifts_s)

    def guess_costs(self, spreads: _Spreads, scale: float, shifts_s: _Column) -> _Column:
        """What all of the first guess would cost (shifts,), at known spreads and scale."""
        self._sigmas = spreads
        costs = self._shifted_costs(np.append(self._first[:-1], np.log(scale)), shifts_s)
        total: _Column = costs.sum(axis=0)
        return total

    def guess_gain(self, spreads: _Spreads, shifts_s: _Column) -> float:
        """By how much the first guess, at its best shift, explains more than no turns would."""
        still = self._still_costs(self._first, spreads)
        return float(still.sum() - self.guess_costs(spreads, 1.0, shifts_s).min())

    def _still_costs(self, x: _Column, spreads: _Spreads) -> _Column:
        sigmas = spreads[0] * self._weight[:, None]
        turned = self._picture.curve.turned(*self._medium_s(x))
        costs: _Column = _cost(turned / sigmas).sum(axis=1)
        return costs

    def _shifted_costs(self, x: _Column, shifts_s: _Column) -> _Column:
        difference = _without_unknown(self._seen(x, shifts_s) - self._predicted(x))
        costs: _Column = _cost(difference / self._all_sigmas()).sum(axis=2).T
        return costs

    def rates(self, found: Alignment) -> tuple[_Column, _Column]:
        """The picture's and the log's rates (n, 3) in rad/s in the camera's axes, at the times of
        the alignment."""
        x = self._vector(found)
        start_s, end_s = self._medium_s(x)
        span_s = (end_s - start_s)[:, None]
        expected = self._expected(x, self._turned_mount(x))
        return self._picture.curve.turned(start_s, end_s) / span_s, expected / span_s

    def horizon_off_rad(self, found: Alignment) -> _Column:
        """How far the horizon's roll is from where the log has it, where it was seen."""
        off = np.abs(self._difference(self._vector(found))[:, 3])
        seen: _Column = off[off != 0.0]
        return seen

    def _vector(self, found: Alignment) -> _Column:
        x = self._first.copy()
        offsets = np.array([span.offset_s for span in found.spans])
        x[: self._pieces] = offsets + found.rate * self._pivot_s
        turned = Rotation.from_matrix(found.mount @ self._mount.T).as_rotvec()
        x[self._pieces :] = [found.rate, *turned, np.log(found.scale)]
        self._sigmas = found.spreads
        return x

    def _medium_s(self, x: _Column) -> tuple[_Column, _Column]:
        offset, rate = x[self._piece], x[self._pieces]
        start_s = offset + rate * (self.log.start_s - self._pivot_s)
        return start_s, offset + rate * (self.log.end_s - self._pivot_s)

    def _turned_mount(self, x: _Column) -> _Column:
        turn = x[self._pieces + 1 : self._pieces + 4]
        mount: _Column = rotation_matrix(turn) @ self._mount
        return mount

    def _expected(self, x: _Column, mount: _Column) -> _Column:
        scale = _scale(x)
        expected: _Column = self.log.turn_rad @ (mount.T * [scale, scale, 1.0])
        return expected

    def _seen(self, x: _Column, shifts_s: _Column) -> _Column:
        """The turns in the picture, three columns, and its roll against the horizon, nan where none
        was seen, if the medium were later by each shift: (shifts, n, 4)."""
        start_s, end_s = ((at_s + shifts_s[:, None]).reshape(-1) for at_s in self._medium_s(x))
        seen = np.empty((len(end_s), 4))
        seen[:, :3] = self._picture.curve.turned(start_s, end_s)
        seen[:, 3] = self._picture.roll_at(end_s)
        return seen.reshape(len(shifts_s), -1, 4)

    def _predicted(self, x: _Column) -> _Column:
        mount = self._turned_mount(x)
        expected = self._expected(x, mount)
        if not len(self.log.down):
            return self._columns(expected, np.nan)
        across, along = mount[:2] @ self.log.down.T
        roll = np.arctan2(across, along)
        roll[np.hypot(across, along) <= _LEVEL] = np.nan
        return self._columns(expected, roll)

    def _columns(self, turns: _Column, roll: _Column | float) -> _Column:
        """Of each turn (n, 3) and roll (n,): (n, 4)."""
        columns = np.empty((len(self.log), 4))
        columns[:, :3], columns[:, 3] = turns, roll
        return columns

    def _difference(self, x: _Column) -> _Column:
        return _without_unknown(self._seen(x, _AS_IT_IS)[0] - self._predicted(x))

    def _residuals(self, x: _Column) -> _Column:
        residuals: _Column = self._difference(x) / self._all_sigmas()
        return residuals

    def _all_sigmas(self) -> _Column:
        """Of each turn's three axes and its roll, (n, 4)."""
        turn, roll = self._sigmas
        return self._columns((turn * self._weight)[:, None], roll)

    def _all_residuals(self, x: _Column) -> _Column:
        return np.concatenate([self._residuals(x).ravel(), self._prior(x)])

    def _all_slopes(self, x: _Column) -> _Column:
        prior = np.zeros((5, len(x)))
        prior[np.arange(5), self._pieces + np.arange(5)] = 1 / self._prior_sigmas()
        return np.concatenate([self._slopes(x).reshape(-1, len(x)), prior])

    def _prior(self, x: _Column) -> _Column:
        prior: _Column = (x - self._first)[self._pieces :]
        prior[0] = x[self._pieces] - 1.0
        return prior / self._prior_sigmas()

    def _prior_sigmas(self) -> _Column:
        return np.array([_RATE_SIGMA, *[_ANGLE_SIGMA] * 3, _SCALE_SIGMA])

    def _slopes(self, x: _Column) -> _Column:
        """The residuals' derivatives (n, 4, parameters)."""
        sigmas = self._all_sigmas()
        slopes = np.zeros((len(self.log), 4, len(x)))
        later, sooner = self._seen(x, _NUDGES_S)
        by_time = _without_unknown(later - sooner) / (2 * _NUDGE_S * sigmas)
        slopes[np.arange(len(self.log)), :, self._piece] = by_time
        age_s = (self.log.start_s + self.log.end_s) / 2 - self._pivot_s
        slopes[:, :, self._pieces] = by_time * age_s[:, None]
        for number, change in enumerate(self._predicted_slopes(x), self._pieces + 1):
            slopes[:, :, number] = -change / sigmas
        slopes[~np.isfinite(self._picture.roll_at(self._medium_s(x)[1])), 3] = 0.0
        return slopes

    def _predicted_slopes(self, x: _Column) -> list[_Column]:
        """How what is predicted (n, 4) changes with the mount's turn and with the scale."""
        scales = np.array([_scale(x), _scale(x), 1.0])
        mount, has_down = self._turned_mount(x), len(self.log.down) > 0
        if has_down:
            across, along = mount[:2] @ self.log.down.T
            size_2 = across * across + along * along
            is_level = size_2 > _LEVEL**2
        found = []
        for axis in range(3):
            moved = x.copy()
            moved[self._pieces + 1 + axis] += _NUDGE
            change = (self._turned_mount(moved) - mount) / _NUDGE
            roll: _Column | float = 0.0
            if has_down:
                moved_across, moved_along = change[:2] @ self.log.down.T
                turned = (moved_across * along - across * moved_along) / np.maximum(size_2, _LEVEL)
                roll = np.where(is_level, turned, 0.0)
            found.append(self._columns(self.log.turn_rad @ (change.T * scales), roll))
        wider = self._expected(x, mount) * [1.0, 1.0, 0.0]
        return [*found, self._columns(wider if abs(x[-1]) < _MOST_LOG_SCALE else 0.0 * wider, 0.0)]

    def _spread(self, x: _Column) -> _Spreads:
        difference = np.abs(self._difference(x))
        turn = 1.4826 * float(np.median(difference[:, :3] / self._weight[:, None]))
        known = difference[:, 3][difference[:, 3] != 0.0]
        roll = 1.4826 * float(np.median(known)) if len(known) >= _LEAST_PAIRS else np.radians(2.0)
        return max(turn, _LEAST_SPREAD), max(roll, _LEAST_ROLL)

    def _alignment(self, x: _Column) -> Alignment:
        rate = float(x[self._pieces])
        offsets = x[: self._pieces] - rate * self._pivot_s
        to_offsets = np.eye(len(x))[: self._pieces + 1]
        to_offsets[: self._pieces, self._pieces] = -self._pivot_s
        covariance = to_offsets @ self._covariance(x) @ to_offsets.T
        covariance[: self._pieces, : self._pieces] += _UNKNOWABLE_S**2
        return Alignment(
            spans=tuple(
                replace(span, offset_s=float(offset))
                for span, offset in zip(self._spans, offsets, strict=True)
            ),
            rate=rate,
            mount=self._turned_mount(x),
            scale=_scale(x),
            covariance=covariance,
            spreads=self._sigmas,
            times_s=self._medium_s(x)[1],
            costs=_cost(self._residuals(x)).sum(axis=1),
            null_costs=self._still_costs(x, self._sigmas),
        )

    def _covariance(self, x: _Column) -> _Column:
        """Of all parameters: the sandwich, with Newey and West's weights for related residuals."""
        residuals, slopes = self._residuals(x), self._slopes(x)
        z = (residuals / _SHOULDER) ** 2
        bend = (1 - z) / (1 + z) ** 2
        curvature = np.einsum("nk,nki,nkj->ij", bend, slopes, slopes)
        curvature[np.arange(self._pieces, len(x)), np.arange(self._pieces, len(x))] += (
            1 / self._prior_sigmas() ** 2
        )
        scores = np.einsum("nk,nki->ni", residuals / (1 + z), slopes)
        spread = scores.T @ scores
        lags = max(round(_RELATED_S / float(np.median(np.diff(self.log.end_s)))), 1)
        for lag in range(1, min(lags, len(scores) // 4) + 1):
            related = scores[lag:].T @ scores[:-lag]
            spread = spread + (1 - lag / (lags + 1)) * (related + related.T)
        inverse = np.linalg.pinv(curvature, hermitian=True)
        found: _Column = inverse @ spread @ inverse
        return found


def _scale(x: _Column) -> float:
    """A step of the fit may ask for any; no lens is further from its setting than by 4.5 times."""
    return float(np.exp(min(max(x[-1], -_MOST_LOG_SCALE), _MOST_LOG_SCALE)))


def _without_unknown(difference: _Column) -> _Column:
    """Differences (..., 4) with a roll within half a turn, none where it is not known."""
    roll = (difference[..., 3] + np.pi) % (2 * np.pi) - np.pi
    difference[..., 3] = np.where(np.isnan(roll), 0.0, roll)
    return difference


def _cost(residuals: _Column) -> _Column:
    cost: _Column = _SHOULDER**2 / 2 * np.log1p((residuals / _SHOULDER) ** 2)
    return cost
