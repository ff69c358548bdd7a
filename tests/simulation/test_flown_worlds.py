"""Flights in worlds, as users ask for them."""

import argparse
import json
from pathlib import Path

import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.command.cli import add_commands
from simulation.records.flight import VELOCITY
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario import ScenarioError
from simulation.scenarios.scenario_file import load_scenario
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.flown_world import FlownWorld, open_world
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.simulation.worlds.flown import box, world_of

_WORLD = """
title = "A table in Zurich"
[ground]
colour = [0.5, 0.5, 0.5]
reach_m = 50.0
[boxes.table]
position_m = [3.0, 4.0, 0.0]
size_m = [4.0, 4.0, 0.8]
[starts.table]
position_m = [3.0, 4.0, -0.8]
heading_deg = 90.0
[place]
latitude_deg = 47.4
longitude_deg = 8.5
altitude_m = 500.0
"""
_SCENARIO = {
    "name": "stand",
    "title": "Stand",
    "steps": [{"do": "wait", "seconds": 1.0}],
    "measures": ["max_altitude_m"],
    "bands": {"max_altitude_m": [0.5, 1.5]},
}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The folder of a world."""
    folder = tmp_path / "table"
    folder.mkdir()
    (folder / "world.toml").write_text(_WORLD)
    return folder


def _scenario(folder: Path, world: object) -> Path:
    path = folder / "stand.json"
    path.write_text(json.dumps({**_SCENARIO, "world_file": world}))
    return path


def call(*arguments: str) -> int:
    """`lapwing sim`."""
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    options = parser.parse_args(["sim", *arguments])
    return int(options.run(options))


def test_it_stands_at_the_start_of_the_world_and_has_home_at_its_origin(table: Path) -> None:
    world = open_world(str(table))
    autopilot = Autopilot(AutopilotConfig(load_preset("ar100b"), world=world), load_catalogue())
    for _ in range(10):
        autopilot.run_loop()
    home = autopilot.board["HomeLocation"].row
    assert (home["Latitude"], home["Longitude"], home["Altitude"]) == (474000000, 85000000, 500.0)
    assert autopilot.simulator.settings["home_latitude_deg"] == pytest.approx(47.4)
    output = autopilot.simulator.output
    assert output["true_position"].tolist() == pytest.approx([3.0, 4.0, -0.955], abs=1e-3)
    assert output["true_latitude_deg"] == pytest.approx(47.4 + 3.0 / 111_178.0, abs=1e-7)
    assert autopilot.simulator.flown_world is world


def test_the_same_world_is_made_once(table: Path) -> None:
    assert open_world(str(table)) is open_world(str(table))
    assert isinstance(open_world(str(table)), FlownWorld)


def test_a_scenario_says_its_world_beside_it(table: Path) -> None:
    scenario = load_scenario(str(_scenario(table.parent, "table")))
    experiment = Experiment(scenario, 1, "ar100b", load_catalogue(), without_link=True)
    assert experiment.simulator().output["true_position"][2] < -0.9
    assert experiment.flight().autopilot.simulator.output["true_position"][2] < -0.9
    level = Experiment(
        load_scenario("takeoff-hold-land"), 1, "ar100b", load_catalogue(), without_link=True
    )
    assert level.simulator().flown_world is None


@pytest.mark.parametrize("world", ["nowhere", 5])
def test_a_scenario_in_a_world_that_is_none_is_refused_with_its_line(
    tmp_path: Path, world: object
) -> None:
    with pytest.raises(ScenarioError, match=r"stand\.json, line 1: .*world"):
        load_scenario(str(_scenario(tmp_path, world)))


@pytest.mark.slow
def test_it_takes_off_from_a_table_and_lands_on_it(table: Path) -> None:
    """Away from home it waits for its position before it arms: else it would fly home first."""
    scenario, world = load_scenario("takeoff-hold-land"), open_world(str(table))
    experiment = Experiment(scenario, 1, "ar100b", load_catalogue(), world=world)
    assert run_scenario(experiment).passed
    output = experiment.made[0].output
    assert output["true_position"][2] == pytest.approx(-0.955, abs=1e-3)
    assert output["touches_ground"] == 1


def test_the_command_flies_in_a_world(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    assert call("--world", str(table), "--duration", "0.2", "--json") == 0
    there = json.loads(capsys.readouterr().out)["log_hash"]
    assert call("--duration", "0.2", "--json") == 0
    assert there != json.loads(capsys.readouterr().out)["log_hash"]


def test_a_fleet_in_one_world_flies_as_each_would_alone() -> None:
    """Thrown at a wall, in two threads."""
    world = world_of(box((1.5, 0.0, 0.0), (0.02, 20.0, 9.0)))
    kind = load_aircraft("crazyflie")
    with SimulatedFleet([kind] * 4, seed=3, threads=2) as fleet:
        alone = Simulator(kind, 5)
        for simulator in (*fleet.simulators, alone):
            simulator.enter(world)
            simulator.record["state"]["motion"][VELOCITY : VELOCITY + 3] = (5.0, 1.0, -3.0)
        for _ in range(6):
            fleet.advance(100)
        alone.advance(600)
        assert alone.output["crashed"] == 1
        assert fleet.simulators[2].snapshot() == alone.snapshot()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--world", "nowhere"), "nowhere"),
        (("--world", "office", "--sheet", "ar100b"), "--sheet"),
        (("--world", "office", "--hitl", "tcp:127.0.0.1:1"), "--world"),
    ],
)
def test_what_cannot_be_is_told(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    assert call(*arguments) == 1
    assert words in capsys.readouterr().err
