"""What experiments are given to work with."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulation.records.sensor_table import GPS
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.experiments.speed_independence import digest_of_process
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario import Scenario, ScenarioError
from simulation.scenarios.scenario_file import load_scenario
from telemetry.protocol.objects.catalogue import Catalogue


def test_a_changed_aircraft_meets_the_world_of_the_scenario(catalogue: Catalogue) -> None:
    def change(parameters: np.void) -> None:
        parameters["sensor_period"][GPS] = 1000

    windy = Scenario("windy", "Windy", world={"wind_north_mps": 5.0, "gps_noise": 3.0})
    experiment = Experiment(windy, 1, "ar100b", catalogue)
    simulator, other = experiment.simulator(change=change), experiment.simulator()
    simulator.advance(1000)
    assert simulator.output["true_wind"][0] > 1.0
    assert simulator.world["sensor_noise"][GPS] == 3.0
    assert simulator.output["gps_count"] == 1
    assert other.aircraft.parameters["sensor_period"][GPS] == 200


@pytest.mark.slow
@pytest.mark.parametrize("aircraft", ["hector", "sea-vixen", "crazyflie"])
def test_every_receiver_forgets_its_position_error_as_its_file_says(
    aircraft: str, catalogue: Catalogue
) -> None:
    """B5 with each aircraft's own time constant: 200 s, and 60 s at 10 and at 20 Hz."""
    scenario = load_scenario("gps-coupling", {"seconds": 900.0})
    report = run_scenario(Experiment(scenario, 1, aircraft, catalogue))
    assert report.passed, report.failures


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("gps-coupling", {"seconds": 60.0}),
        ("baro-offset", {"days": 10.0}),
        ("estimation", {"runs": 1.0, "seconds": 5.0}),
    ],
)
def test_the_world_is_not_lost_in_an_experiment(
    name: str, values: dict[str, float], catalogue: Catalogue
) -> None:
    scenario = load_scenario(name, values)
    noisy = replace(scenario, world={"gps_noise": 3.0, "wind_north_mps": 3.0})
    hashes = {
        run_scenario(Experiment(each, 1, scenario.aircraft, catalogue)).outcome.log_hash
        for each in (scenario, noisy)
    }
    assert len(hashes) == 2


@pytest.mark.slow
def test_a_flight_that_cannot_be_compared_is_said_in_a_sentence(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Python without its library: the second process of F1 cannot even begin."""
    monkeypatch.setenv("PYTHONHOME", str(tmp_path))
    experiment = Experiment(load_scenario("speed-independence"), 1, "ar100b", catalogue)
    with pytest.raises(ScenarioError, match="flew in pure Python to compare with has failed"):
        digest_of_process(experiment, is_compiled=False, seed_offset=0)
