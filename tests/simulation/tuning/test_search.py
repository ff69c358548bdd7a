"""The search, its front and the report, by a judge that flies nothing."""

import json
from dataclasses import replace

import numpy as np
import pytest

from simulation.tuning.conditions import Condition
from simulation.tuning.flown_steps import STEPS, FlownSteps
from simulation.tuning.gains import BANK, GainSet
from simulation.tuning.linear_loop import LEAST_PHASE_MARGIN_DEG
from simulation.tuning.objectives import Targets, figures_of, objectives_of
from simulation.tuning.report import as_dict, as_lines
from simulation.tuning.search import GainSearch, NoGainsError
from simulation.tuning.tuning import FACTORS, Tuning, tune
from tests.simulation.tuning.first_order import FirstOrder


def _quiet(_: str) -> None:
    pass


@pytest.fixture(scope="module")
def judge() -> FirstOrder:
    return FirstOrder()


@pytest.fixture(scope="module")
def found(judge: FirstOrder) -> Tuning:
    return tune(judge, Targets(), 1, _quiet)


def test_no_gains_without_margins_are_flown(judge: FirstOrder, found: Tuning) -> None:
    searched = judge.flown[: found.front.flown]
    phases = [judge.margins(GainSet(g.rate_pid[None], g.attitude_pi[None])) for g in searched]
    assert min(float(one.phase_deg.min()) for one in phases) >= LEAST_PHASE_MARGIN_DEG
    assert found.front.flown < found.front.candidates


def test_chosen_gains_answer_inside_the_targets(found: Tuning) -> None:
    """A first-order angle rises from 10 to 90 % in ln(9) / Kp."""
    chosen = found.choices[found.chosen]
    assert chosen.misses(found.objectives) == []
    kp = chosen.gains.attitude_pi[0, 0]
    assert chosen.figures["roll_rise_s"] == pytest.approx(np.log(9.0) / kp, rel=0.01)
    assert chosen.figures["roll_rise_s"] < 0.35
    assert found.validated == (50, 50)
    assert "in hand" in found.reason


def test_the_present_gains_say_what_they_miss(found: Tuning) -> None:
    """AR100B's angle Kp of 4 rises in 0.55 s by the first order, beyond 0.45 s."""
    misses = found.present.misses(found.objectives)
    assert any(
        miss.startswith("Roll, rise: 0.55 s, the target is at most 0.45 s") for miss in misses
    )


def test_choices_go_from_calm_to_sharp_and_none_is_better_in_all(found: Tuning) -> None:
    assert 3 <= len(found.choices) <= 5
    assert (found.choices[0].title, found.choices[-1].title) == ("calm", "sharp")
    rises = [
        sum(one.figures[f"{s.name}_rise_s"] / (2.0 if s.name == "heading" else 1.0) for s in STEPS)
        for one in found.choices
    ]
    assert rises == sorted(rises, reverse=True)
    noises = [one.figures["actuator_noise"] for one in found.choices]
    assert noises[0] <= noises[-1]


@pytest.mark.slow
def test_the_same_seed_finds_the_same(found: Tuning) -> None:
    again = GainSearch(FirstOrder(), found.objectives, 1, _quiet).run()
    assert (again.gains.rate_pid == found.front.gains.rate_pid).all()
    other = GainSearch(FirstOrder(), found.objectives, 2, _quiet).run()
    assert not np.array_equal(other.gains.rate_pid, found.front.gains.rate_pid)


@pytest.mark.slow
def test_targets_that_cannot_be_met_are_missed_and_told() -> None:
    found = tune(FirstOrder(), Targets(rise_s=0.05), 1, _quiet)
    chosen = found.choices[found.chosen]
    assert "misses" in found.reason
    assert any("the target is at most 0.05 s" in m for m in chosen.misses(found.objectives))


def test_an_aircraft_whose_loops_hold_with_no_gains_is_refused() -> None:
    with pytest.raises(NoGainsError, match="dead time"):
        GainSearch(FirstOrder(ends_at=1e-6), objectives_of(Targets()), 1, _quiet).run()


def test_neighbours_stand_around_the_chosen_gains(found: Tuning) -> None:
    chosen = found.choices[found.chosen]
    of_angle = next(one for one in found.neighbours if one.number.name == "angle")
    rises = of_angle.figures["roll_rise_s"]
    assert rises[FACTORS.index(1.0)] == chosen.figures["roll_rise_s"]
    assert rises == pytest.approx(rises[FACTORS.index(1.0)] / np.array(FACTORS), rel=0.02)


def test_report_is_json_and_lines(judge: FirstOrder, found: Tuning) -> None:
    never = replace(found.present, figures={**found.present.figures, "yaw_rise_s": float("nan")})
    told = json.loads(json.dumps(as_dict(replace(found, present=never), judge), allow_nan=False))
    chosen = told["choices"][told["chosen"]]
    assert chosen["settings"] == told["settings"]
    assert told["settings"][BANK]["RollPI.Kp"] == pytest.approx(
        found.choices[found.chosen].gains.attitude_pi[0, 0]
    )
    assert told["present"]["figures"]["yaw_rise_s"] is None
    assert told["present"]["misses"]
    assert {o["name"] for o in told["objectives"]} == set(chosen["figures"])
    roll = chosen["steps"]["roll"]
    assert len(roll["time_s"]) == len(roll["mean"]) == len(roll["low"]) == len(roll["asked"])
    assert roll["asked"][0] == 15.0
    lines = as_lines(found, judge)
    assert any(line.startswith("* ") for line in lines)
    assert any("RollPI.Kp" in line and "(4)" in line for line in lines)


def test_noise_in_gusts_does_not_count(judge: FirstOrder) -> None:
    gusty = [replace(judge.conditions[0]), Condition({}, 6.0, 0.0, 1.0, 2)]
    flown = judge.fly(GainSet(judge.present.rate_pid[None], judge.present.attitude_pi[None]))
    loud = FlownSteps(flown.answers, np.array([[0.002, 0.5]]))
    noise = next(o for o in objectives_of(Targets()) if o.name == "actuator_noise")
    assert figures_of(loud, None, gusty).worst(noise) == [0.002]
