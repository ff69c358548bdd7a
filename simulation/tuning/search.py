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

from simulation.tuning.gains import NUMBERS, Gains
from simulation.tuning.linear_loop import LEAST_GAIN_MARGIN_DB, LEAST_PHASE_MARGIN_DEG
from simulation.tuning.objectives import NOISE, Figures, Objective
from simulation.tuning.tuned_aircraft import TunedAircraft, TuningError

Array = npt.NDArray[np.float64]
Tell = Callable[[str], None]

_POPULATION: Final = 28
_FIRST: Final = 400
"""Drawn at random to find those that begin."""
_STAGES: Final = (("balanced", 1.0, 8), ("calm", 0.6, 3), ("sharp", 1.7, 3))
"""Name, weight of the rises, generations."""
_MARGINS_HELD: Final = 1.03
"""What the search keeps above the least margins, since more aircraft may come."""
_REFUSED: Final = 10.0
_BESIDES: Final = 0.02
"""What the sum of all ratios counts beside the worst."""
_CHOICES: Final = 5
_RISING: Final = ("roll_rise_s", "pitch_rise_s", "yaw_rise_s", "heading_rise_s")


@dataclass(slots=True)
class Archive:
    """All that was flown: `numbers` (n, 7) of NUMBERS and `worst` (n, objectives)."""

    objectives: tuple[Objective, ...]
    numbers: list[Array] = field(default_factory=list)
    worst: list[Array] = field(default_factory=list)

    def add(self, numbers: Array, figures: Figures) -> Array:
        """(n, objectives): the worst of each, which is kept."""
        worst = np.column_stack([figures.worst(o) for o in self.objectives])
        self.numbers += list(numbers)
        self.worst += list(worst)
        return worst

    def ratios(self) -> Array:
        """(n, objectives), to the targets."""
        return ratios_of(np.array(self.worst), self.objectives)


@dataclass(frozen=True, slots=True, eq=False)
class Front:
    """The choices from calm to sharp as gains (n), which of them was chosen, and what was searched:
    candidates asked about, and flown."""

    gains: Gains
    chosen: int
    candidates: int
    flown: int


class GainSearch:
    """One search; deterministic by its seed."""

    def __init__(
        self, aircraft: TunedAircraft, objectives: tuple[Objective, ...], seed: int, tell: Tell
    ) -> None:
        self._aircraft = aircraft
        self._objectives = objectives
        self._archive = Archive(objectives)
        self._seed, self._tell = seed, tell
        self._candidates = 0

    def run(self, generations: tuple[int, ...] = tuple(n for *_, n in _STAGES)) -> Front:
        """Raises TuningError where no gains hold the margins."""
        from scipy.optimize import differential_evolution

        population = self._first()
        for (name, weight, _), count in zip(_STAGES, generations, strict=True):
            if count == 0:
                continue
            weights = np.array([weight if o.name in _RISING else 1.0 for o in self._objectives])
            found = differential_evolution(
                lambda x, weights=weights: self._costs(np.exp(x.T), weights),
                [(np.log(n.low), np.log(n.high)) for n in NUMBERS],
                maxiter=count,
                init=population,
                rng=np.random.default_rng((self._seed, count)),
                polish=False,
                vectorized=True,
                updating="deferred",
                tol=0.0,
            )
            population = found.population
            self._tell(f"{name}: {self._candidates} candidates, {len(self._archive.worst)} flown")
        return self._front()

    def _first(self) -> Array:
        """The logarithms of candidates that hold the margins, spread over what can be."""
        from scipy.stats.qmc import LatinHypercube, scale

        low, high = (np.log([getattr(n, end) for n in NUMBERS]) for end in ("low", "high"))
        drawn = LatinHypercube(len(NUMBERS), rng=np.random.default_rng(self._seed)).random(_FIRST)
        logarithms: Array = scale(drawn, low, high)
        lacks = self._lacking(self._aircraft.scale.gains(np.exp(logarithms)))
        best = logarithms[np.argsort(lacks, kind="stable")[:_POPULATION]]
        return best

    def _lacking(self, gains: Gains) -> Array:
        """By how much margins are too small, as shares summed; 0: they hold."""
        least = self._aircraft.margins(gains)
        self._candidates += len(gains)
        return sum(
            np.maximum(_MARGINS_HELD - has / needs, 0.0)
            for has, needs in (
                (least.gain_db, LEAST_GAIN_MARGIN_DB),
                (least.phase_deg, LEAST_PHASE_MARGIN_DEG),
            )
        )

    def _costs(self, numbers: Array, weights: Array) -> Array:
        """(n,) of (n, 7)."""
        gains = self._aircraft.scale.gains(numbers)
        lacks = self._lacking(gains)
        costs = _REFUSED + lacks
        flies = lacks == 0.0
        if flies.any():
            figures = self._aircraft.figures(gains[flies])
            worst = self._archive.add(numbers[flies], figures)
            costs[flies] = cost_of(weights * ratios_of(worst, self._objectives))
        return costs

    def _front(self) -> Front:
        if not self._archive.worst:
            raise TuningError(
                "No gains hold the margins with the motors and delays of this aircraft: check its "
                "motor time constant and dead time."
            )
        ratios = self._archive.ratios()
        best = int(np.argmin(cost_of(ratios)))
        rises = _worst_of(ratios, self._objectives, _RISING)
        price = np.column_stack(
            [
                rises,
                _worst_of(ratios, self._objectives, (NOISE,)),
                _worst_of(
                    ratios,
                    self._objectives,
                    tuple(
                        o.name for o in self._objectives if o.unit == "share" and o.name != NOISE
                    ),
                ),
            ]
        )
        good = ratios.max(axis=1) <= max(1.0, float(ratios[best].max()))
        kept = _not_dominated(price, good)
        shown = _spread(kept, rises, best)
        numbers = np.array(self._archive.numbers)[shown]
        return Front(
            self._aircraft.scale.gains(numbers),
            shown.index(best),
            self._candidates,
            len(self._archive.worst),
        )


def ratios_of(worst: Array, objectives: tuple[Objective, ...]) -> Array:
    """(n, objectives) of figures: to the targets."""
    return np.column_stack([o.ratio(worst[:, i]) for i, o in enumerate(objectives)])


def cost_of(ratios: Array) -> Array:
    """(n,): the worst, and a little of all."""
    cost: Array = ratios.max(axis=1) + _BESIDES * ratios.sum(axis=1)
    return cost


def _worst_of(ratios: Array, objectives: tuple[Objective, ...], names: tuple[str, ...]) -> Array:
    worst: Array = ratios[:, [i for i, o in enumerate(objectives) if o.name in names]].max(axis=1)
    return worst


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
    at_hand = sorted({*kept, best}, key=lambda i: -rises[i])
    wanted = np.linspace(rises[at_hand[0]], rises[at_hand[-1]], _CHOICES)
    shown = {min(at_hand, key=lambda i, w=w: abs(rises[i] - w)) for w in wanted}
    if best not in shown and len(shown) == _CHOICES:
        inner = [i for i in shown if i not in (at_hand[0], at_hand[-1])] or list(shown)
        shown.remove(min(inner, key=lambda i: abs(rises[i] - rises[best])))
    return sorted({*shown, best}, key=lambda i: -rises[i])
