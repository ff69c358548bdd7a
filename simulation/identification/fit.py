"""Fit: Gauss and Newton's method on multiple shooting, and how sure the parameters are.

Every window adds the rows [A_k, B_k] to the Jacobian, A_k by its own start and B_k by the
parameters, as images and points do in bundle adjustment (Triggs et al., Bundle Adjustment - A
Modern Synthesis, 2000, section 6): starts are eliminated window by window, and what is left is an
equation of a few parameters,

    H = P + sum(B' W B - B' W A (A' W A)^-1 A' W B)        P: of the prior

A wind moves the aircraft as a start's velocity does, but for the velocity that is measured: what
tells them apart is a small difference of large numbers. So it is not formed, but taken from the
triangle of QR, whose lower corner it is.

Residuals count by Huber's weights. Those of a window are not independent (vibration, gusts, what
the model lacks), and neither are those of windows that follow each other, so the covariance is not
H^-1 but H^-1 M H^-1, with M the variance of the windows' gradients as they are, over lags of some
windows by Bartlett's weights (Newey and West 1987), and never less than H^-1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from simulation.identification.channels import ACCELS, CHANNELS, GYROS
from simulation.identification.logged_flight import Floats
from simulation.identification.starts import FREE, moved
from simulation.identification.synthesis import Synthesis

_HUBER: Final = 3.0
_MOST_ROUNDS: Final = 30
_EARLY_ROUNDS: Final = 2
"""In which only what moves the aircraft much is looked for."""
_HALVINGS: Final = 5
_SHARES: Final = (0.5, 0.2, 0.0)
"""Of a start's step, for windows that the whole one made worse."""
_SETTLED, _NEARLY_SETTLED, _PATIENT_ROUNDS = 0.1, 1.0, 10
"""Of a sigma: a smaller step of every parameter is the last; and after so many rounds, where
weights go to and fro by what is left."""
_STRAIGHT: Final = 0.5
"""After a smaller step the slopes are still good,"""
_GAINS: Final = 0.002
"""unless it took more than this share of what was left."""
_USUAL: Final = 1.3
_STRANGE: Final = 12.0
"""Times the median of the windows' mean squares: more counts less, and at last not at all."""
_LAGS: Final = 4
_SLOW: Final = 5
_PART: Final = 128
_FIRST_SIGMA: Final = {"gyro": 2.0, "accel": 0.4, "velocity": 0.15}
_ATTITUDE_SIGMAS: Final = {"attitude_x": 10.0, "attitude_y": 10.0, "attitude_z": 3.0}
"""The attitude is an estimate of the board, ten values a second of which are one and whose tilt is
off for long: the velocities tell it better."""
_SIGMAS: Final = {"gyro": (0.02, 4.0), "accel": (0.005, 0.8), "velocity": (0.04, 0.3)}
"""What is left of a channel may be from least to most: a channel that does not fit counts still."""
_START_PRIOR: Final = np.array([5.0] * 3 + [0.3] * 3 + [2.0] * 3)
"""Deviations of a start: m/s, rad, rad/s."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known of a parameter without the flight; `step` is a difference for slopes. What is
    not `is_early` is looked for once the others are nearly known."""

    mean: float
    sigma: float
    step: float
    low: float = -np.inf
    high: float = np.inf
    is_early: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class FlightFit:
    """Parameters by name with their covariance (n, n), the starts, predictions, standard deviations
    by channel, how much each window counted, and whether it came to an end."""

    values: Mapping[str, float]
    covariance: Floats
    starts: Floats
    predicted: Floats
    sigmas: Floats
    counts: Floats
    settled: bool

    @property
    def sigma(self) -> dict[str, float]:
        """Standard deviation by name."""
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))


class _Equations:
    """Normal equations of one linearisation."""

    def __init__(
        self,
        synthesis: Synthesis,
        slopes: Floats,
        residual: Floats,
        weight: Floats,
        counts: Floats,
    ) -> None:
        """`counts` (windows,): how much each of them counts; 0: it has a start only."""
        bounds, names = synthesis.channels.bounds, slopes.shape[1] - FREE
        columns = np.column_stack([slopes, residual]) * np.sqrt(weight)[:, None]
        prior = np.zeros((FREE, columns.shape[1]))
        prior[:, :FREE] = np.diag(1.0 / _START_PRIOR)
        self.hessian = np.zeros((names, names))
        self.gradients = np.zeros((synthesis.windows, names))
        self._starts: list[tuple[Floats, Floats, Floats]] = []
        for k in range(synthesis.windows):
            own = columns[bounds[k] : bounds[k + 1]]
            if not np.isfinite(own).all():  # flown to where no numbers are
                own = own[:0]
            r = _triangle(np.vstack([prior, own]))
            left = r[FREE:, FREE:-1]
            self.hessian += counts[k] * left.T @ left
            self.gradients[k] = counts[k] * left.T @ r[FREE:, -1]
            self._starts.append((r[:FREE, :FREE], r[:FREE, FREE:-1], r[:FREE, -1]))

    def starts(self, step: Floats) -> Floats:
        """How far starts move (windows, FREE) while parameters move by `step`."""
        found = [np.linalg.solve(own, right - cross @ step) for own, cross, right in self._starts]
        return np.array(found)


def _triangle(rows: Floats) -> Floats:
    """R of QR, in parts so small that BLAS does not share them out to threads, which for these
    sizes takes ten times as long as it saves."""
    whole = len(rows) // _PART * _PART
    parts = np.asarray(np.linalg.qr(rows[:whole].reshape(-1, _PART, rows.shape[1]), mode="r"))
    stacked = np.vstack([parts.reshape(-1, rows.shape[1]), rows[whole:]])
    if len(stacked) > _PART:
        return _triangle(stacked)
    return np.asarray(np.linalg.qr(stacked, mode="r"), np.float64)


def fit(
    synthesis: Synthesis,
    priors: Mapping[str, Prior],
    first: Mapping[str, float],
    tell: Tell = lambda text: None,
    sigmas: Floats | None = None,
) -> FlightFit:
    """The parameters named in `priors`, begun from `first`, whose other values stay. `sigmas` by
    channel are worked out of what is left if not given."""
    search = _Search(synthesis, priors, first, sigmas)
    for number in range(_MOST_ROUNDS):
        tell(f"Round {number + 1}")
        moved_by = search.improve(number < _EARLY_ROUNDS)
        nearly = _SETTLED if number < _PATIENT_ROUNDS else _NEARLY_SETTLED
        if moved_by < nearly and number >= _EARLY_ROUNDS:
            return search.result(settled=True)
    return search.result(settled=False)


class _Search:
    def __init__(
        self,
        synthesis: Synthesis,
        priors: Mapping[str, Prior],
        first: Mapping[str, float],
        sigmas: Floats | None,
    ) -> None:
        self._synthesis, self._priors, self._fixed = synthesis, priors, dict(first)
        self._names = list(priors)
        self._mean = np.array([p.mean for p in priors.values()])
        self._precision = np.array([p.sigma**-2.0 for p in priors.values()])
        self._is_early = np.array([p.is_early for p in priors.values()], np.bool_)
        self._theta = np.array([first.get(name, p.mean) for name, p in priors.items()])
        self._starts = synthesis.first_starts()
        self._keeps_sigmas = sigmas is not None
        self._sigmas = _first_sigmas() if sigmas is None else sigmas
        self._predicted = synthesis.predict(self._values(self._theta), self._starts)
        self._counts = np.isfinite(self._window_costs(self._predicted)).astype(np.float64)
        self._most = np.inf
        self._slopes: Floats | None = None
        self._equations: _Equations | None = None

    def _values(self, theta: Floats) -> dict[str, float]:
        return {**self._fixed, **dict(zip(self._names, theta.tolist(), strict=True))}

    @property
    def cost(self) -> float:
        """Huber's loss of the windows that count, with the prior's."""
        return self._total(self._window_costs(self._predicted), self._theta)

    def _total(self, costs: Floats, theta: Floats) -> float:
        """Windows that are repeated much worse than most do not hold the others up."""
        prior = 0.5 * float((self._precision * (theta - self._mean) ** 2).sum())
        counted = self._counts > 0.0
        return float(np.minimum(costs, self._most)[counted] @ self._counts[counted]) + prior

    def _window_costs(self, predicted: Floats) -> Floats:
        """Huber's loss of each window; infinite where it flew to where no numbers are."""
        size = (
            np.abs(self._synthesis.channels.observed - predicted)
            / self._sigmas[self._synthesis.channels.channel]
        )
        loss = np.where(size < _HUBER, 0.5 * size**2, _HUBER * (size - 0.5 * _HUBER))
        total: Floats = np.add.reduceat(loss, self._synthesis.channels.bounds[:-1])
        return np.where(np.isfinite(total), total, np.inf)

    def improve(self, early: bool) -> float:
        """One step, of some parameters only while it is `early`; how far it went, in sigmas of the
        parameter that moved most, and infinite while much is gained by it."""
        synthesis, theta = self._synthesis, self._theta
        if self._slopes is None:
            steps = {name: prior.step for name, prior in self._priors.items()}
            values = self._values(theta)
            self._slopes = synthesis.jacobian(
                self._names, steps, values, self._starts, self._predicted
            )
        residual = synthesis.channels.observed - self._predicted
        equations = _Equations(
            synthesis, self._slopes, residual, self._weight(residual), self._counts
        )
        self._equations = equations
        hessian = equations.hessian + np.diag(self._precision)
        right = equations.gradients.sum(axis=0) - self._precision * (theta - self._mean)
        free = self._is_early if early else np.ones(len(theta), np.bool_)
        step = np.zeros(len(theta))
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], right[free])
        sigma = np.sqrt(np.diag(np.linalg.inv(hessian)))
        costs = self._window_costs(self._predicted)
        self._most = _STRANGE * float(np.median(costs))
        before = self.cost
        self._take(equations, step, before)
        moved_by = float((np.abs(self._theta - theta) / sigma).max(initial=0.0))
        gained = 1.0 - self.cost / max(before, 1e-9)
        if moved_by > _STRAIGHT or gained > _GAINS or gained == 0.0:
            self._slopes = None
        if not (self._keeps_sigmas or early):
            self._sigmas = _spread(synthesis.channels.observed - self._predicted, synthesis)
            self._counts = counting_windows(synthesis, self._predicted, self._sigmas)
        return moved_by if gained < _GAINS else np.inf

    def _take(self, equations: _Equations, step: Floats, before: float) -> None:
        """The step, or as much of it as makes it better."""
        low = np.array([p.low for p in self._priors.values()])
        high = np.array([p.high for p in self._priors.values()])
        for _ in range(_HALVINGS):
            theta = np.clip(self._theta + step, low, high)
            starts, predicted, costs = self._best_starts(theta, equations.starts(step))
            if self._total(costs, theta) < before:
                self._theta, self._starts, self._predicted = theta, starts, predicted
                return
            step = 0.5 * step

    def _best_starts(self, theta: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        """Starts moved as far as it makes their window better, predictions, costs by window."""
        values, owner = self._values(theta), np.diff(self._synthesis.channels.bounds)
        before = self._window_costs(self._predicted)
        starts = moved(self._starts, moves)
        predicted = self._synthesis.predict(values, starts)
        costs = self._window_costs(predicted)
        for share in _SHARES:
            if (costs <= before).all():
                break
            others = moved(self._starts, share * moves)
            flown = self._synthesis.predict(values, others)
            other_costs = self._window_costs(flown)
            better = other_costs < costs
            starts[better], costs[better] = others[better], other_costs[better]
            part = np.repeat(better, owner)
            predicted[part] = flown[part]
        return starts, predicted, costs

    def _weight(self, residual: Floats) -> Floats:
        """Of each residual: one over its variance, less for outliers."""
        sigma = self._sigmas[self._synthesis.channels.channel]
        size = np.abs(residual) / sigma
        found: Floats = np.minimum(1.0, _HUBER / np.maximum(size, 1e-9)) / sigma**2
        return found

    def result(self, *, settled: bool) -> FlightFit:
        """What was found. The covariance is that of the last linearisation."""
        assert self._equations is not None
        scale = np.diag(self._precision**-0.5)
        hessian = scale @ self._equations.hessian @ scale + np.eye(len(scale))
        inverse = scale @ np.linalg.inv(hessian) @ scale
        meat = _long_run(self._equations.gradients) + np.diag(self._precision)
        robust = inverse @ meat @ inverse
        wider = np.sqrt(np.maximum(np.diag(inverse) / np.diag(robust), 1.0))
        return FlightFit(
            dict(zip(self._names, self._theta.tolist(), strict=True)),
            robust * np.outer(wider, wider),
            self._starts,
            self._predicted,
            self._sigmas,
            self._counts,
            settled,
        )


def _first_sigmas() -> Floats:
    found = {name: _FIRST_SIGMA.get(name.partition("_")[0], 0.0) for name in CHANNELS}
    return np.array(list({**found, **_ATTITUDE_SIGMAS}.values()))


def _spread(residual: Floats, synthesis: Synthesis) -> Floats:
    """Standard deviation by channel, of which outliers know nothing; that of rarely measured ones
    for the numbers of the starts that they determine."""
    found = _first_sigmas()
    for number, name in enumerate(CHANNELS):
        sensor = name.partition("_")[0]
        if name in _ATTITUDE_SIGMAS:
            continue
        own = residual[synthesis.channels.channel == number]
        free = 2 * synthesis.windows if sensor not in (GYROS, ACCELS) else 0
        share = max(len(own) - free, len(own) // 4, 1) / max(len(own), 1)
        sigma = 1.4826 * float(np.median(np.abs(own))) / np.sqrt(share) if len(own) else 0.0
        found[number] = np.clip(sigma, *_SIGMAS[sensor])
        if sensor in (GYROS, ACCELS) and len(own):
            slow = _slow_spread(own, len(own) // synthesis.windows)
            found[number] = max(found[number], slow)
    return found


def _slow_spread(residual: Floats, per_window: int) -> float:
    """What white noise would have to be to leave as much in the mean of a fifth of a second. Gusts
    do: counted as so many independent samples they would outweigh the velocities, and a controller
    that works against them would look like motors that give less."""
    size = max(per_window // _SLOW, 1)
    means = residual[: len(residual) // size * size].reshape(-1, size).mean(axis=1)
    return float(1.4826 * np.median(np.abs(means)) * np.sqrt(size))


def counting_windows(synthesis: Synthesis, predicted: Floats, sigmas: Floats) -> Floats:
    """How much each window (windows,) counts: less where the simulator repeats it worse than most,
    and nothing where it met the ground, a gust, or something else that it knows nothing of."""
    size = ((synthesis.channels.observed - predicted) / sigmas[synthesis.channels.channel]) ** 2
    bounds = synthesis.channels.bounds
    mean = np.add.reduceat(size, bounds[:-1]) / np.diff(bounds)
    worse = mean / max(float(np.median(mean)), 1e-9)
    found: Floats = np.minimum(1.0, (_USUAL / np.maximum(worse, 1e-9)) ** 2)
    found[~(worse <= _STRANGE)] = 0.0
    return found


def _long_run(gradients: Floats) -> Floats:
    """Variance of the sum of gradients (windows, names) that depend on their neighbours."""
    centred = gradients - gradients.mean(axis=0)
    count = len(centred)
    total = centred.T @ centred
    for lag in range(1, min(_LAGS, count - 1) + 1):
        weight = 1.0 - lag / (_LAGS + 1.0)
        product = centred[lag:].T @ centred[:-lag]
        total += weight * (product + product.T)
    found: Floats = total * count / max(count - 1, 1)
    return found


def settle(synthesis: Synthesis, values: Mapping[str, float], sigmas: Floats) -> FlightFit:
    """Starts alone, for known parameters."""
    return fit(synthesis, {}, values, sigmas=sigmas)
