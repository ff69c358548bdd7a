"""Report of a tuning: one JSON object for windows and scripts, lines for people."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.identification.parameters import BY_NAME
from simulation.tuning.conditions import Condition
from simulation.tuning.flown_steps import STEPS, AxisSteps, sample_times_s
from simulation.tuning.gains import BANK
from simulation.tuning.judge import GainJudge
from simulation.tuning.objectives import Objective
from simulation.tuning.tuning import FACTORS, GainChoice, Neighbours, Tuning, told
from simulation.tuning.uncertainty import Uncertainty

Array = npt.NDArray[np.float64]

METHOD: Final = "differential evolution"
ESTIMATOR_NOTE: Final = (
    "The simulated board estimates attitude a little better than firmware does, so gains have to "
    "hold the margins of the linearised loop as well."
)
_DIGITS: Final = 5
_TOLD: Final = ("roll_rise_s", "roll_overshoot", "yaw_rise_s", "actuator_noise", "phase_margin_deg")


def as_dict(tuning: Tuning, aircraft: GainJudge) -> dict[str, Any]:
    """All that was found, but for who was tuned."""
    chosen = tuning.choices[tuning.chosen]
    flights, inside = tuning.validated
    return {
        "bank": BANK,
        "uncertainty": uncertainty_dict(aircraft.uncertainty),
        "conditions": [_condition(one) for one in aircraft.conditions],
        "objectives": [_objective(one) for one in tuning.objectives],
        "present": _choice(tuning.present, tuning.objectives),
        "choices": [_choice(one, tuning.objectives) for one in tuning.choices],
        "chosen": tuning.chosen,
        "reason": tuning.reason,
        "misses": chosen.misses(tuning.objectives),
        "settings": {BANK: chosen.gains.as_settings()},
        "neighbours": [_neighbours(one) for one in tuning.neighbours],
        "validation": {"flights": flights, "inside": inside},
        "search": {
            "method": METHOD,
            "candidates": tuning.front.candidates,
            "flown": tuning.front.flown,
            "flights": aircraft.flights,
        },
        "refused": None,
        "notes": [ESTIMATOR_NOTE],
    }


def uncertainty_dict(uncertainty: Uncertainty) -> dict[str, Any]:
    """What the aircraft may be, by parameter."""
    sigmas = np.sqrt(np.diag(uncertainty.covariance)).tolist()
    rows = zip(uncertainty.names, uncertainty.values.tolist(), sigmas, strict=True)
    return {
        "source": "identified" if uncertainty.file else "assumed",
        "text": uncertainty.text,
        "parameters": {
            name: {
                "title": BY_NAME[name].title,
                "unit": BY_NAME[name].unit,
                "value": value,
                "sigma": sigma,
            }
            for name, value, sigma in rows
        },
    }


def as_lines(tuning: Tuning, aircraft: GainJudge) -> list[str]:
    """The same for people: the choices as a table, the chosen gains, what they miss."""
    shown = [o for o in tuning.objectives if o.name in _TOLD]
    chosen = tuning.choices[tuning.chosen]
    width = max(len(one.title) for one in (tuning.present, *tuning.choices))
    lines = [aircraft.uncertainty.text, ""]
    lines.append(" " * (width + 3) + "  ".join(f"{o.title:>22}" for o in shown))
    for one in (tuning.present, *tuning.choices):
        mark = "*" if one is chosen else " "
        figures = "  ".join(f"{told(one.figures[o.name], o.unit):>22}" for o in shown)
        lines.append(f"{mark} {one.title:{width}} {figures}")
    before = tuning.present.gains.as_settings()
    lines += ["", f"{BANK}, chosen (before):"]
    for path, value in chosen.gains.as_settings().items():
        if value != before[path]:
            lines.append(f"  {path:18} {value:<10g} ({before[path]:g})")
    flights, inside = tuning.validated
    rises, overshoots = (
        next(o for o in tuning.objectives if o.name == name)
        for name in ("roll_rise_s", "roll_overshoot")
    )
    return [
        *lines,
        "",
        tuning.reason,
        *(f"Missed: {miss}" for miss in chosen.misses(tuning.objectives)),
        f"{inside} of {flights} flights that the search has not seen rise within "
        f"{rises.target:g} s (a heading within twice that) and overshoot by at most "
        f"{100.0 * (overshoots.target or 0.0):g} %.",
        ESTIMATOR_NOTE,
    ]


def _condition(condition: Condition) -> dict[str, Any]:
    return {
        "wind_mps": condition.wind_mps,
        "turbulence_mps": condition.turbulence_mps,
        "charge": condition.charge,
        "seed": condition.seed,
        "values": dict(condition.values),
    }


def _objective(objective: Objective) -> dict[str, Any]:
    return {
        "name": objective.name,
        "title": objective.title,
        "unit": objective.unit,
        "better": objective.better,
        "target": objective.target,
    }


def _choice(choice: GainChoice, objectives: Sequence[Objective]) -> dict[str, Any]:
    misses = choice.misses(objectives)
    return {
        "title": choice.title,
        "settings": {BANK: choice.gains.as_settings()},
        "figures": {name: _number(value) for name, value in choice.figures.items()},
        "meets": not misses,
        "misses": misses,
        "steps": {step.name: _step(step, choice.steps[step.name]) for step in STEPS},
    }


def _step(step: AxisSteps, answers: Array) -> dict[str, Any]:
    """An answer in the unit of its axis, over the conditions."""
    flown = step.size * answers
    count = flown.shape[1]
    return {
        "unit": step.unit,
        "time_s": _numbers(sample_times_s(count)),
        "asked": [step.size] * count,
        "mean": _numbers(flown.mean(axis=0)),
        "low": _numbers(flown.min(axis=0)),
        "high": _numbers(flown.max(axis=0)),
    }


def _neighbours(neighbours: Neighbours) -> dict[str, Any]:
    return {
        "title": neighbours.number.title,
        "paths": list(neighbours.number.paths),
        "factors": list(FACTORS),
        "figures": {name: _numbers(values) for name, values in neighbours.figures.items()},
    }


def _numbers(values: Array) -> list[float | None]:
    return [_number(value) for value in values.tolist()]


def _number(value: float) -> float | None:
    """JSON knows no NaN."""
    return float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None
