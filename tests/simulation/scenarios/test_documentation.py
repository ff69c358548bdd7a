"""The manual of scenarios knows every word that a scenario may use."""

from dataclasses import fields
from pathlib import Path

import pytest

import simulation.scenarios.scenario as words
from simulation.scenarios.figures import FIGURES
from simulation.scenarios.flight_measures import MEASURES
from simulation.scenarios.scenario import ACTIONS, Scenario, ScenarioParameter, ScenarioStep
from simulation.simulator.controls import CONTROLS

MANUAL = Path(words.__file__).with_name("README.md").read_text(encoding="utf-8")
KNOWN = (
    *ACTIONS,
    *MEASURES,
    *FIGURES,
    *(control.name for control in CONTROLS),
    *(field.name for field in fields(Scenario) if field.name != "values"),
    *(field.name for field in fields(ScenarioStep)),
    *(field.name for field in fields(ScenarioParameter)),
)


@pytest.mark.parametrize("word", KNOWN)
def test_the_manual_lists(word: str) -> None:
    assert f"`{word}`" in MANUAL, f"add `{word}` to simulation/scenarios/README.md"
