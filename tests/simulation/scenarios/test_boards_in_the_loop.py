"""Every shipped scenario is flown by a firmware, or says why it has no board in its loop."""

import pytest

from simulation.autopilot.autopilot import AutopilotConfig, PoweredAircraft
from simulation.hitl import experiments
from simulation.hitl.lockstep.comparison import EmbeddedBoard
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.listing import as_lines, as_rows
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario import ScenarioError
from simulation.scenarios.scenario_file import load_scenario, scenario_names
from telemetry.protocol.objects.catalogue import Catalogue

FLOWN = [name for name in scenario_names() if not load_scenario(name).without_board]


class AskedError(Exception):
    """A firmware was to fly."""


class AskedFirmware:
    """Flies nothing, and says that it was asked."""

    failure = ""

    def power_up(self, config: AutopilotConfig, catalogue: Catalogue) -> PoweredAircraft:
        raise AskedError(config.preset.name)


def run(name: str, catalogue: Catalogue) -> None:
    scenario = load_scenario(name)
    experiment = Experiment(scenario, 1, scenario.aircraft, catalogue, firmware=AskedFirmware())
    run_scenario(experiment, experiments)


@pytest.mark.parametrize("name", scenario_names())
def test_a_firmware_flies_it_or_the_reason_is_told(name: str, catalogue: Catalogue) -> None:
    reason = load_scenario(name).without_board
    if reason:
        with pytest.raises(ScenarioError, match="has no board in its loop") as caught:
            run(name, catalogue)
        assert f"it {reason}. Fly it without --firmware." in str(caught.value)
    else:
        with pytest.raises(AskedError):
            run(name, catalogue)


def test_what_has_a_pilot_is_flown() -> None:
    """Whatever is scripted has one."""
    scripted = {n for n in scenario_names() if not load_scenario(n).experiment}
    assert scripted
    assert scripted <= set(FLOWN)
    assert {"position-hold-wind", "waypoints", "guidance", "step-test", "wind-limit"} <= set(FLOWN)
    assert {"platforms", "attitude-pulse", "launch-and-land"} <= set(FLOWN)


def test_the_list_says_it_of_each() -> None:
    rows = as_rows()
    assert len(rows) == len(scenario_names())
    for row in rows:
        assert row["lockstep"] is (row["without_board"] is None)
    text = "\n".join(as_lines())
    assert text.count("not by --firmware: it ") == len(rows) - len(FLOWN)


@pytest.mark.slow
def test_a_board_launches_cruises_and_lands_an_aeroplane(catalogue: Catalogue) -> None:
    """By modes and a plan. A board's Land has no flare, so that it comes down harder than the
    guidance alone: all other bands hold."""
    scenario = load_scenario("launch-and-land")
    board = EmbeddedBoard()
    report = run_scenario(Experiment(scenario, 1, scenario.aircraft, catalogue, firmware=board))
    assert {failure.metric for failure in report.failures} <= {"touchdown_mps"}
    assert report.outcome.metrics["touchdown_mps"] < 2.5
