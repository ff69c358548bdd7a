"""Every shipped scenario passes as it is, and fails as its negative controls say: one for each
figure that they make fail, with LAPWING_ALL_WAYS=1 each of them. Behaviours of minutes are flown
for some seconds, see `shortened.py`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from simulation.hitl import experiments
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import ScenarioReport, run_scenario
from simulation.scenarios.scenario import NegativeControl, Scenario, overlaid
from simulation.scenarios.scenario_file import load_scenario, scenario_names
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.scenarios.shortened import IN_FULL, once, shortened


def controls() -> Iterator[Any]:
    """Those to be flown, each a scenario and a number."""
    for name in scenario_names():
        flown: set[str] = set()
        for number, control in enumerate(load_scenario(name).controls):
            if control.fails not in flown or IN_FULL:
                yield pytest.param(name, number, id=f"{name}-{control.fails}-{number}")
            flown.add(control.fails)


LONG = {"endurance", "estimation", "sensor-statistics", "speed-independence"}
NAMES = [
    pytest.param(name, marks=[pytest.mark.long] if name in LONG else [])
    for name in scenario_names()
]
_spoilt: dict[str, ScenarioReport] = {}


def run(scenario: Scenario, catalogue: Catalogue, *, without_link: bool = False) -> ScenarioReport:
    experiment = Experiment(scenario, 1, scenario.aircraft, catalogue, without_link=without_link)
    return run_scenario(experiment, experiments)


def spoilt(name: str, control: NegativeControl, catalogue: Catalogue) -> ScenarioReport:
    """The scenario flown with that change; controls with the same change share a run."""
    key = f"{name} {control.set} {control.settings}"
    if key not in _spoilt:
        scenario = load_scenario(name, once(name, control.set))
        settings = overlaid(scenario.settings, control.settings)
        changed = replace(scenario, settings=settings)
        _spoilt[key] = run(changed, catalogue, without_link=True)
    return _spoilt[key]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_scenario_passes(name: str, catalogue: Catalogue) -> None:
    report = run(load_scenario(name, shortened(name)), catalogue)
    assert report.passed, report.failures
    assert len(report.outcome.log_hash) == 64


@pytest.mark.parametrize("name", scenario_names())
def test_a_shipped_scenario_can_fail(name: str) -> None:
    assert load_scenario(name).controls, "a test that cannot fail says nothing"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), list(controls()))
def test_a_negative_control_fails_as_it_should(
    name: str, number: int, catalogue: Catalogue
) -> None:
    control = load_scenario(name).controls[number]
    report = spoilt(name, control, catalogue)
    assert control.fails in [failure.metric for failure in report.failures], report.as_dict()
