"""Objectives: what gains are judged by, worst over all conditions, and the targets of that.

Rise, overshoot and settling are those of the step test, and so of the page *Stabilization*.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from simulation.scenarios.step_answer import StepAnswer
from simulation.tuning.conditions import Condition
from simulation.tuning.flown_steps import STEPS, FlownSteps, sample_times_s
from simulation.tuning.linear_loop import LEAST_GAIN_MARGIN_DB, LEAST_PHASE_MARGIN_DEG, Margins

Array = npt.NDArray[np.float64]

NOISE: Final = "actuator_noise"
GAIN_MARGIN, PHASE_MARGIN = "gain_margin_db", "phase_margin_deg"
_RISE, _OVERSHOOT, _SETTLING = "rise_s", "overshoot", "settling_s"
_MOST_NOISE: Final = 0.01
_NEVER: Final = 2.0
"""Ratio of a figure that does not come to be."""
_TITLES: Final = {"roll": "Roll", "pitch": "Pitch", "yaw": "Yaw rate", "heading": "Heading"}


@dataclass(frozen=True, slots=True)
class Targets:
    """What is asked of an answer: `rise_s` from 10 to 90 % of roll, pitch and the rate of yaw,
    twice that of a heading, and `overshoot`, a share of the way. The defaults lie within the bands
    of the scenario step-test."""

    rise_s: float = 0.45
    overshoot: float = 0.15


@dataclass(frozen=True, slots=True)
class Objective:
    """One figure; `target` is None where it is only told."""

    name: str
    title: str
    unit: str
    better: Literal["less", "more"]
    target: float | None

    def ratio(self, values: Array) -> Array:
        """To the target: 1 at it, below it better; a figure that is none has a bad one."""
        if self.target is None:
            return np.zeros_like(values)
        with np.errstate(divide="ignore"):
            share = values / self.target if self.better == "less" else self.target / values
        bad = np.isnan(values) | (share < 0.0)
        return np.where(bad, _NEVER, np.minimum(share, _NEVER))

    def is_met(self, value: float) -> bool:
        """Whether this is inside the target."""
        return bool(self.ratio(np.array([value]))[0] <= 1.0)


def objectives_of(targets: Targets) -> tuple[Objective, ...]:
    """All of them, in the order to be told."""
    steps = {step.name: step for step in STEPS}
    rises = {name: targets.rise_s * (2.0 if name == "heading" else 1.0) for name in steps}
    return (
        *(Objective(f"{n}_{_RISE}", f"{_TITLES[n]}, rise", "s", "less", rises[n]) for n in steps),
        *(
            Objective(
                f"{n}_{_OVERSHOOT}", f"{_TITLES[n]}, overshoot", "share", "less", targets.overshoot
            )
            for n in steps
        ),
        *(
            Objective(f"{n}_{_SETTLING}", f"{_TITLES[n]}, settled", "s", "less", None)
            for n in steps
        ),
        Objective(NOISE, "Noise in the actuators", "share", "less", _MOST_NOISE),
        Objective(GAIN_MARGIN, "Gain margin", "dB", "more", LEAST_GAIN_MARGIN_DB),
        Objective(PHASE_MARGIN, "Phase margin", "deg", "more", LEAST_PHASE_MARGIN_DEG),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """By name of an objective: `each` (candidates, conditions) as flown, margins (candidates,
    axes)."""

    each: Mapping[str, Array]

    def worst(self, objective: Objective) -> Array:
        """(candidates,): NaN where any is none."""
        values = self.each[objective.name]
        worst: Array = values.max(axis=1) if objective.better == "less" else values.min(axis=1)
        return worst

    def inside(self, objectives: Sequence[Objective]) -> npt.NDArray[np.bool_]:
        """(candidates, conditions): whether all of these objectives are inside their targets."""
        return np.asarray(np.all([o.ratio(self.each[o.name]) <= 1.0 for o in objectives], axis=0))


def figures_of(
    flown: FlownSteps, least: Margins | None, conditions: Sequence[Condition]
) -> Figures:
    """The figures of flown candidates; margins only where they are given. Noise is that of calm
    conditions: in gusts the actuators have to move."""
    each: dict[str, Array] = {}
    for step in STEPS:
        answers = flown.answers[step.name]
        time_s, asked = sample_times_s(answers.shape[2]), np.ones(answers.shape[2])
        metrics = [[StepAnswer(time_s, asked, one).metrics() for one in row] for row in answers]
        for name in (_RISE, _OVERSHOOT, _SETTLING):
            each[f"{step.name}_{name}"] = np.array([[m[name] for m in row] for row in metrics])
    is_calm = np.array([condition.wind_mps == 0.0 for condition in conditions])
    each[NOISE] = np.where(is_calm | np.isnan(flown.actuator_noise), flown.actuator_noise, 0.0)
    if least is not None:
        each[GAIN_MARGIN] = least.gain_db
        each[PHASE_MARGIN] = least.phase_deg
    return Figures(each)
