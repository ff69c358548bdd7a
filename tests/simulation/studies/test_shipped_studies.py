"""Shipped studies: each asks something, finds what it varies, and flies."""

import pytest

from simulation.hitl import experiments
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.studies.flight import ERROR, LOST, Drawn
from simulation.studies.flying import ScenarioFlights, fly_one
from simulation.studies.sampling import draw_sample, flight_count
from simulation.studies.study import load_study, study_names
from telemetry.protocol.objects.catalogue import Catalogue

QUIET_DPS = load_scenario("quiet-hover").bands["rms_rate_dps"].high
SAMPLING_S = 0.01
"""Half of a period for the mean of the gyro, half of one for the command that is held."""


def test_there_are_five() -> None:
    assert len(study_names()) == 5


@pytest.mark.parametrize("name", study_names())
def test_a_shipped_study_asks_something_of_what_is_there(name: str, catalogue: Catalogue) -> None:
    study = load_study(name)
    assert study.name == name
    assert study.text.startswith("# ")
    assert study.text.partition("\n")[0].endswith("?")
    assert study.bind(catalogue).things.keys() == study.vary.distributions.keys()
    assert flight_count(study) <= 1000, "a few minutes on two cores"


@pytest.mark.slow
@pytest.mark.parametrize("name", study_names())
def test_a_shipped_study_flies(name: str) -> None:
    study = load_study(name)
    sample, fly = draw_sample(study), ScenarioFlights(study).fly
    for index in (0, len(sample) - 1):
        flown = fly_one(fly, Drawn(index, sample.values(index), sample.seeds[index]))
        assert flown.outcome not in (ERROR, LOST), flown.reason
        assert flown.metrics


def rms_rate_dps(gain_d: float, dead_time_ms: float, catalogue: Catalogue) -> float:
    changes = {"attitude_p": 50.0, "attitude_d": gain_d, "dead_time_ms": dead_time_ms}
    scenario = load_scenario("quiet-hover", changes)
    return run_scenario(
        Experiment(scenario, 1, scenario.aircraft, catalogue), experiments
    ).outcome.metrics["rms_rate_dps"]


@pytest.mark.slow
@pytest.mark.parametrize("dead_time_ms", [5.0, 20.0])
def test_the_greatest_gain_is_one_over_the_dead_time(
    dead_time_ms: float, catalogue: Catalogue
) -> None:
    """By hand: a gain D on the rate, a motor's lag tau and a dead time T oscillate where the phases
    of the integrator, the lag and the dead time are half a turn, atan(w tau) + w T = pi/2. Of a
    lag far longer than T that is w^2 = 1 / (tau T), and there D = w sqrt(1 + w^2 tau^2) = 1 / T.
    """
    greatest = 1.0 / (SAMPLING_S + dead_time_ms / 1000.0)
    assert rms_rate_dps(0.75 * greatest, dead_time_ms, catalogue) < QUIET_DPS
    assert rms_rate_dps(1.35 * greatest, dead_time_ms, catalogue) > QUIET_DPS


@pytest.mark.slow
def test_a_gain_of_a_shorter_dead_time_rings(catalogue: Catalogue) -> None:
    """The negative control: three quarters of what 5 ms allow is too much for 20 ms."""
    assert rms_rate_dps(50.0, 5.0, catalogue) < QUIET_DPS
    assert rms_rate_dps(50.0, 20.0, catalogue) > 5.0 * QUIET_DPS
