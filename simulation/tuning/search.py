"""Search: differential evolution over gains without dimension, and the front of choices.

What is minimised is the worst of all ratios of a figure to its target (Chebyshev's scalarisation),
so that nothing is bought by what is over its target already. Three searches weigh the rise
differently and go on from each other's populations; the front is taken from all that was flown.
Candidates whose margins are too small are not flown. Method: Storn and Price, Differential
Evolution, J. Global Optimization 11, 1997, in SciPy's implementation, a whole generation at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.tuning.flown_steps import STEPS
from simulation.tuning.gains import NUMBERS, GainSet, stacked
from simulation.tuning.judge import GainJudge
from simulation.tuning.linear_loop import LEAST_GAIN_MARGIN_DB, LEAST_PHASE_MARGIN_DEG
from simulation.tuning.objectives import GAIN_MARGIN, NOISE, PHASE_MARGIN, Figures, Objective

Array = npt.NDArray[np.float64]
Tell = Callable[[str], None]

_BOUNDS: Final = [(float(np.log(n.low)), float(np.log(n.high))) for n in NUMBERS]
_POPULATION: Final = 28
_FIRST: Final = 400
"""Drawn at random to find those that begin."""
_STAGES: Final = (("balanced", 1.0, 16, 170), ("calm", 0.6, 5, 60), ("sharp", 1.7, 5, 60))
"""Name, weight of the rises; most generations, and how many that were flown are enough."""
_MARGINS_HELD: Final = 1.03
"""What the search keeps above the least margins, since more aircraft may come."""
_REFUSED: Final = 10.0
_OF_MARGINS: Final = 0.75
"""Weight of their ratios: the least margins have a reserve in them, targets have none."""
_BESIDES: Final = 0.02
"""What the sum of all ratios counts beside the worst."""
_GOOD_ENOUGH: Final = 0.5
_CHOICES: Final = 5
_RISING: Final = tuple(f"{step.name}_rise_s" for step in STEPS)
_PRICES: Final = (_RISING, tuple(f"{step.name}_overshoot" for step in STEPS), (NOISE,))
"""What the choices of the front differ in, each the mean over the axes."""


class NoGainsError(ValueError):
    """No gains hold the margins."""


@dataclass(slots=True)
class Archive:
    """All that was flown, once each: `gains`, and `worst` of each objective."""

    objectives: tuple[Objective, ...]
    gains: list[GainSet] = field(default_factory=list)
    worst: list[Array] = field(default_factory=list)
    _rows: dict[bytes, int] = field(default_factory=dict)

    def worst_of(self, gains: GainSet, fly: Callable[[GainSet], Figures]) -> Array:
        """(n, objectives): the worst of each; what was not flown yet is."""
        keys = [one.rate_pid.tobytes() + one.attitude_pi.tobytes() for one in gains]
        new = [i for i, key in enumerate(keys) if key not in self._rows and keys.index(key) == i]
        if new:
            figures = fly(gains[new])
            self._rows |= {keys[i]: len(self.worst) + row for row, i in enumerate(new)}
            self.worst += list(np.column_stack([figures.worst(o) for o in self.objectives]))
            self.gains += [gains[i] for i in new]
        return np.array([self.worst[self._rows[key]] for key in keys])

    def ratios(self) -> Array:
        """(n, objectives), to the targets."""
        return ratios_of(np.array(self.worst), self.objectives)


@dataclass(frozen=True, slots=True, eq=False)
class Front:
    """The choices from calm to sharp as gains (n), which of them was chosen, and what was searched:
    candidates asked about, and flown."""

    gains: GainSet
    chosen: int
    candidates: int
    flown: int


class GainSearch:
    """One search; deterministic by its seed."""

    def __init__(
        self, judge: GainJudge, objectives: tuple[Objective, ...], seed: int, tell: Tell
    ) -> None:
        self._judge = judge
        self._objectives = objectives
        self._archive = Archive(objectives)
        self._seed, self._tell = seed, tell
        self._candidates = 0

    def run(self) -> Front:
        """Raises NoGainsError where no gains hold the margins."""
        from scipy.optimize import differential_evolution

        population = self._first()
        for name, weight, generations, enough in _STAGES:
            weights = self._weights(weight)
            found = differential_evolution(
                lambda x, weights=weights: self._costs(np.exp(x.T), weights),
                _BOUNDS,
                maxiter=generations,
                callback=self._stopping(name, len(self._archive.worst) + enough),
                init=population,
                rng=np.random.default_rng((self._seed, generations)),
                polish=False,
                vectorized=True,
                updating="deferred",
                tol=0.0,
            )
            population = found.population
        return self._front()

    def _stopping(self, name: str, enough: int) -> Callable[..., bool]:
        """Called after each generation: whether so many were flown."""

        def stop(*_: Any, **__: Any) -> bool:
            flown = len(self._archive.worst)
            self._tell(f"{name}: {self._candidates} candidates, {flown} flown")
            return flown >= enough

        return stop

    def _weights(self, of_rises: float) -> Array:
        """(objectives,)"""
        weights = dict.fromkeys(_RISING, of_rises)
        weights |= dict.fromkeys((GAIN_MARGIN, PHASE_MARGIN), _OF_MARGINS)
        return np.array([weights.get(o.name, 1.0) for o in self._objectives])

    def _first(self) -> Array:
        """The logarithms of candidates that hold the margins, spread over what can be: of roll and
        pitch, and of yaw, whose loops know nothing of each other."""
        low, high = np.transpose(_BOUNDS)
        logarithms = np.random.default_rng(self._seed).uniform(low, high, (_FIRST, len(NUMBERS)))
        lacks = self._lacking(self._judge.scale.gains(np.exp(logarithms)))
        of_yaw = np.array([number.name.startswith("yaw") for number in NUMBERS])
        tilting, turning = (
            np.argsort(lack, kind="stable")[:_POPULATION]
            for lack in (lacks[:, :2].sum(axis=1), lacks[:, 2])
        )
        first: Array = np.where(of_yaw, logarithms[turning], logarithms[tilting])
        return first

    def _lacking(self, gains: GainSet) -> Array:
        """(n, 3) by how much margins of an axis are too small, as shares summed; 0: they hold."""
        least = self._judge.margins(gains)
        self._candidates += len(gains)
        lacks: Array = np.zeros(least.gain_db.shape)
        for has, needs in (
            (least.gain_db, LEAST_GAIN_MARGIN_DB),
            (least.phase_deg, LEAST_PHASE_MARGIN_DEG),
        ):
            lacks += np.maximum(_MARGINS_HELD - has / needs, 0.0)
        return lacks

    def _costs(self, numbers: Array, weights: Array) -> Array:
        """(n,) of (n, 8)."""
        gains = self._judge.scale.gains(numbers)
        lacks = self._lacking(gains).sum(axis=1)
        costs: Array = _REFUSED + lacks
        flies = lacks == 0.0
        if flies.any():
            worst = self._archive.worst_of(gains[flies], self._judge.figures)
            costs[flies] = cost_of(weights * ratios_of(worst, self._objectives), self._objectives)
        return costs

    def _front(self) -> Front:
        if not self._archive.worst:
            raise NoGainsError(
                "No gains hold the margins with the motors and delays of this aircraft: check its "
                "motor time constant and dead time."
            )
        ratios = self._archive.ratios()
        best = int(np.argmin(cost_of(self._weights(1.0) * ratios, self._objectives)))
        of = [[o.name in names for o in self._objectives] for names in _PRICES]
        price = np.column_stack([ratios[:, columns].mean(axis=1) for columns in of])
        rises = price[:, 0]
        good = ratios.max(axis=1) <= max(1.0, float(ratios[best].max()))
        kept = _not_dominated(price, good)
        shown = _spread(kept, rises, best)
        return Front(
            stacked([self._archive.gains[i] for i in shown]),
            shown.index(best),
            self._candidates,
            len(self._archive.worst),
        )


def ratios_of(worst: Array, objectives: tuple[Objective, ...]) -> Array:
    """(n, objectives) of figures: to the targets."""
    return np.column_stack([o.ratio(worst[:, i]) for i, o in enumerate(objectives)])


def cost_of(ratios: Array, objectives: tuple[Objective, ...]) -> Array:
    """(n,): the worst, and a little of all. An answer twice as good as its target is good enough,
    so that what remains goes into quiet actuators and margins."""
    answers = np.array([o.name not in (NOISE, GAIN_MARGIN, PHASE_MARGIN) for o in objectives])
    counted = np.where(answers, np.maximum(ratios, _GOOD_ENOUGH), ratios)
    cost: Array = counted.max(axis=1) + _BESIDES * counted.sum(axis=1)
    return cost


def _not_dominated(price: Array, allowed: Any) -> list[int]:
    """Rows that no allowed row is better than in everything."""
    rows = np.flatnonzero(allowed)
    return [
        int(i)
        for i in rows
        if not ((price[rows] <= price[i]).all(axis=1) & (price[rows] < price[i]).any(axis=1)).any()
    ]


def _spread(kept: list[int], rises: Array, best: int) -> list[int]:
    """A few of the front from slow to quick, evenly by their rise, the best among them."""
    at_hand = np.array(sorted({*kept, best}, key=lambda i: -rises[i]))
    there = rises[at_hand]
    wanted = np.linspace(there[0], there[-1], _CHOICES)
    others = np.delete(wanted, np.argmin(np.abs(wanted - rises[best])))
    shown = {int(at_hand[np.argmin(np.abs(there - rise))]) for rise in others}
    return sorted(shown | {best}, key=lambda i: -rises[i])
