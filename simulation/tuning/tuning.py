"""Tuning: the choices of gains for an aircraft, beside those that it has, and their neighbours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.tuning.conditions import conditions_of_validation
from simulation.tuning.flown_steps import FlownSteps
from simulation.tuning.gains import NUMBERS, GainSet, Number, scaled, stacked
from simulation.tuning.judge import GainJudge
from simulation.tuning.objectives import (
    GAIN_MARGIN,
    PHASE_MARGIN,
    Figures,
    Objective,
    Targets,
    figures_of,
    objectives_of,
)
from simulation.tuning.search import Front, GainSearch, Tell, ratios_of

Array = npt.NDArray[np.float64]

FACTORS: Final = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4)
"""Of neighbours."""
VALIDATION_FLIGHTS: Final = 50
_VALIDATION_SEED: Final = 1_000_000
_TITLES: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("chosen",),
    2: ("calm", "sharp"),
    3: ("calm", "middle", "sharp"),
    4: ("calm", "rather calm", "rather sharp", "sharp"),
    5: ("calm", "rather calm", "middle", "rather sharp", "sharp"),
}


@dataclass(frozen=True, slots=True, eq=False)
class GainChoice:
    """One set of gains, flown: `figures` by name of an objective, worst over the conditions, NaN
    where one never comes; `steps` (conditions, samples) by axis, from 0 to 1."""

    title: str
    gains: GainSet
    figures: Mapping[str, float]
    steps: Mapping[str, Array]

    def misses(self, objectives: Sequence[Objective]) -> list[str]:
        """A sentence for each target that it misses."""
        return [
            _miss(o, self.figures[o.name]) for o in objectives if not o.is_met(self.figures[o.name])
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """What one gain would give with others about it: `figures` (factors,) by objective."""

    number: Number
    figures: Mapping[str, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Tuning:
    """What was found. `validated`: flights that the search has not seen, and of those inside the
    targets of rise and overshoot."""

    objectives: tuple[Objective, ...]
    present: GainChoice
    choices: tuple[GainChoice, ...]
    chosen: int
    reason: str
    neighbours: tuple[Neighbours, ...]
    validated: tuple[int, int]
    front: Front


def tune(aircraft: GainJudge, targets: Targets, seed: int, tell: Tell) -> Tuning:
    """Search, and look around what was chosen. Raises NoGainsError where none hold the margins."""
    objectives = objectives_of(targets)
    front = GainSearch(aircraft, objectives, seed, tell).run()
    gains = stacked([aircraft.present, *front.gains])
    titles = ("present", *_TITLES[len(front.gains)])
    flown = aircraft.fly(gains)
    figures = figures_of(flown, aircraft.margins(gains), aircraft.conditions)
    present, *choices = [
        _choice(title, (gains, i), (flown, figures), objectives) for i, title in enumerate(titles)
    ]
    chosen = choices[front.chosen]
    tell("neighbours of the chosen gains")
    around = _neighbours(aircraft, chosen, objectives)
    tell(f"{VALIDATION_FLIGHTS} flights that the search has not seen")
    inside = inside_targets(aircraft, chosen.gains, objectives, (VALIDATION_FLIGHTS, seed))
    return Tuning(
        objectives,
        present,
        tuple(choices),
        front.chosen,
        _reason(chosen, objectives),
        around,
        (VALIDATION_FLIGHTS, inside),
        front,
    )


def inside_targets(
    aircraft: GainJudge, gains: GainSet, objectives: Sequence[Objective], flights: tuple[int, int]
) -> int:
    """How many of (count, seed) flights with other aircraft, winds and charges than those of the
    search are inside the targets of rise and overshoot on all axes."""
    count, seed = flights
    conditions = conditions_of_validation(aircraft.uncertainty, count, _VALIDATION_SEED + seed)
    judged = [o for o in objectives if o.name.endswith(("_rise_s", "_overshoot"))]
    figures = aircraft.figures_in(conditions, stacked([gains]))
    return int(figures.inside(judged).sum())


def _choice(
    title: str,
    which: tuple[GainSet, int],
    flown: tuple[FlownSteps, Figures],
    objectives: Sequence[Objective],
) -> GainChoice:
    gains, i = which
    steps, figures = flown
    return GainChoice(
        title,
        gains[i],
        {o.name: float(figures.worst(o)[i]) for o in objectives},
        {name: answers[i] for name, answers in steps.answers.items()},
    )


def _neighbours(
    aircraft: GainJudge, chosen: GainChoice, objectives: Sequence[Objective]
) -> tuple[Neighbours, ...]:
    """Each number that is searched, times each factor, the others as chosen."""
    around = [
        scaled(chosen.gains, number.paths, factor)
        for number in NUMBERS
        for factor in FACTORS
        if factor != 1.0
    ]
    figures = aircraft.figures(stacked(around))
    per = len(FACTORS) - 1
    middle = FACTORS.index(1.0)
    found = []
    for i, number in enumerate(NUMBERS):
        rows = slice(i * per, (i + 1) * per)
        columns = {
            o.name: np.insert(figures.worst(o)[rows], middle, chosen.figures[o.name])
            for o in objectives
        }
        found.append(Neighbours(number, columns))
    return tuple(found)


def _reason(chosen: GainChoice, objectives: tuple[Objective, ...]) -> str:
    asked = [o for o in objectives if o.name not in (GAIN_MARGIN, PHASE_MARGIN)]
    ratios = ratios_of(np.array([[chosen.figures[o.name] for o in asked]]), tuple(asked))[0]
    weakest = int(np.argmax(ratios))
    name = f"{asked[weakest].title[0].lower()}{asked[weakest].title[1:]}"
    if ratios[weakest] > 1.0:
        return f"No gains meet all targets; these are nearest: {name} misses its target by most."
    return (
        "Of all gains that hold the margins these have most in hand: their weakest figure, "
        f"{name}, is {ratios[weakest]:.0%} of what it may be."
    )


def _miss(objective: Objective, value: float) -> str:
    bound = "at most" if objective.better == "less" else "at least"
    target = told(objective.target or 0.0, objective.unit)
    return f"{objective.title}: {told(value, objective.unit)}, the target is {bound} {target}."


def told(value: float, unit: str) -> str:
    """A figure as people read it."""
    if np.isnan(value):
        return "never"
    if unit == "share":
        return f"{100.0 * value:.1f} %"
    return f"{value:.2f} s" if unit == "s" else f"{value:.1f} {unit}"
