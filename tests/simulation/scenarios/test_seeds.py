"""Another seed is another flight, or the scenario says why not.

As a sample the cheap ones are flown for a moment; with LAPWING_ALL_WAYS=1 all are flown to their
end with two seeds, and what is measured of them differs.
"""

import math

import pytest

from simulation.hitl import experiments
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.report import ScenarioReport, as_lines, basis, judge, run_scenario
from simulation.scenarios.scenario import Band
from simulation.scenarios.scenario_file import load_scenario, scenario_names
from simulation.scenarios.several_seeds import drawn, fly_seeds, worst
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.scenarios.shortened import IN_FULL, once

_MOMENT_S = 1.0
_SHORTEST = {
    "corridor": {"seconds": 10},
    "coaxial-altitude": {"duration_s": 2},
    "hover-command": {"still_s": 1},
    "obstacle-avoidance": {"seconds": 10},
}
_CHEAP = {
    "coaxial-yaw",
    "flow-filter",
    "image-interpolation",
    "sonar-cone",
    "thrust-curve",
    "yaw-derotation",
    "yaw-stop",
    *_SHORTEST,
}
NAMES = [
    name
    for name in scenario_names()
    if IN_FULL or name in _CHEAP or not load_scenario(name).experiment
]


def outcome(name: str, seed: int, catalogue: Catalogue) -> RunOutcome:
    shorter = {} if IN_FULL else once(name, _SHORTEST.get(name, {}))
    scenario = load_scenario(name, shorter)
    limit_s = None if IN_FULL else _MOMENT_S
    experiment = Experiment(scenario, seed, scenario.aircraft, catalogue, limit_s=limit_s)
    return run_scenario(experiment, experiments).outcome


@pytest.mark.parametrize("name", scenario_names())
def test_a_scenario_says_what_its_seed_varies(name: str) -> None:
    scenario = load_scenario(name)
    assert bool(scenario.seed_varies) != bool(scenario.seed_changes_nothing)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_another_seed_is_another_flight(name: str, catalogue: Catalogue) -> None:
    one, other = (outcome(name, seed, catalogue) for seed in (11, 12))
    if load_scenario(name).seed_changes_nothing:
        assert one.log_hash == other.log_hash
        assert one.metrics == other.metrics
        return
    assert one.log_hash != other.log_hash
    if IN_FULL and name not in _SAME_FIGURES:
        assert one.metrics != other.metrics


_SAME_FIGURES = {"navdata", "speed-independence"}
"""Whose figures are counts, the same with every seed if all is well."""


def test_a_verdict_says_over_which_time_and_with_which_seeds(catalogue: Catalogue) -> None:
    scenario = load_scenario("coaxial-altitude", {"duration_s": 1, "seeds": 2})
    report = run_scenario(Experiment(scenario, 5, scenario.aircraft, catalogue))
    assert basis(report) == (
        "over 20.0 s of 6 flights with seeds 5 to 6, which varies height and climb at the "
        "beginning, and the noise of measured heights"
    )
    assert report.as_dict()["seeds"] == 2


def test_the_worst_of_several_flights_is_judged() -> None:
    """By hand: below a limit the largest, above one the least, between two the one farther from
    the middle; what one of them could not measure is not measured."""
    rows = [
        {"most": 1.0, "least": 5.0, "between": 2.4, "free": 1.0, "nowhere": 1.0},
        {"most": 3.0, "least": 4.0, "between": 1.2, "free": 2.0, "nowhere": float("nan")},
    ]
    bands = {"most": Band(high=9.0), "least": Band(low=1.0), "between": Band(1.0, 3.0)}
    found = worst(rows, bands)
    assert not Band().holds(found.pop("nowhere"))
    assert found == {"most": 3.0, "least": 4.0, "between": 1.2, "free": 1.5}


def test_what_goes_wrong_with_one_seed_is_told(catalogue: Catalogue) -> None:
    """The second of three flights does not get where it can be measured."""
    scenario = load_scenario("corridor", {"seeds": 3})
    experiment = Experiment(scenario, 5, scenario.aircraft, catalogue)
    bands = scenario.bands.items()
    good = {name: band.low if math.isfinite(band.low) else band.high for name, band in bands}

    def flown(each: Experiment) -> RunOutcome:
        if each.seed == 6:
            told = {
                "script": "It did not arm.",
                "diverged": "It is nowhere.",
                "note": "Near a wall.",
            }
            return RunOutcome({}, crashed=True, **told)
        return RunOutcome(good)

    outcome = fly_seeds(experiment, flown)
    assert outcome.script == "Seed 6: It did not arm."
    assert outcome.diverged == "Seed 6: It is nowhere."
    assert outcome.note == "Seed 6: It crashed. Near a wall."
    assert {failure.metric for failure in judge(scenario, outcome)} >= set(scenario.bands)
    assert not judge(scenario, fly_seeds(experiment, lambda _: RunOutcome(good)))
    lines = as_lines(ScenarioReport(experiment, outcome, ()), 1.0)
    assert any(line.startswith("Of each metric the worst flight's") for line in lines)


def test_what_a_seed_draws_is_spread_evenly() -> None:
    """Mean 0 and variance 1/3 of 2,000 numbers from -1 to 1, within five standard errors."""
    numbers = [drawn(seed, number) for seed in range(200) for number in range(10)]
    assert all(-1.0 <= number <= 1.0 for number in numbers)
    assert abs(sum(numbers) / 2000) < 5.0 * (1.0 / 3.0 / 2000) ** 0.5
    assert sum(n * n for n in numbers) / 2000 == pytest.approx(1.0 / 3.0, abs=5.0 * 0.298 / 44.7)
