"""Running and judging: what passes, what fails, and how it is said."""

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from simulation.records.flight import VELOCITY
from simulation.records.interface import OUTPUT
from simulation.scenarios.experiment import Experiment, Run, RunOutcome
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.plot import PlotError, draw_axes, write_picture
from simulation.scenarios.report import ScenarioReport, as_lines, run_scenario
from simulation.scenarios.scenario import (
    Band,
    Measure,
    Scenario,
    ScenarioError,
    ScenarioStep,
    Until,
    Upload,
)
from simulation.simulator.simulator import Diverged
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.opl_writer import OplWriter
from telemetry.recording.logs.reader import read_log

BARE = Scenario(
    "bare",
    "Bare",
    experiment="bare",
    bands={"a": Band(1.0, 2.0), "b": Band(high=3.0)},
)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue) -> Any:
    """Runs an experiment that is only a function here."""

    def run(function: Run, scenario: Scenario = BARE, **more: Any) -> ScenarioReport:
        module = SimpleNamespace(run=function)
        monkeypatch.setitem(__import__("sys").modules, f"{_PLACE}.bare", module)
        return run_scenario(Experiment(scenario, 3, scenario.aircraft, catalogue, **more))

    return run


_PLACE = "simulation.scenarios.experiments"


def told(metrics: Mapping[str, float], **more: Any) -> Run:
    return lambda experiment: RunOutcome(metrics, log_hash="00", **more)


def test_all_bands_held_is_a_pass(ran: Any) -> None:
    report = ran(told({"a": 1.0, "b": -7.0, "c": math.inf}))
    assert report.passed
    content = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert content["bands"] == {"a": [1.0, 2.0], "b": [None, 3.0]}
    assert content["metrics"] == {"a": 1.0, "b": -7.0, "c": None}
    assert (content["scenario"], content["passed"], content["seed"]) == ("bare", True, 3)
    assert "reason" not in content
    assert as_lines(report, 1.0)[-1] == "PASSED over 0.0 s with seed 3"


@pytest.mark.parametrize(
    ("outcome", "failed", "words"),
    [
        (told({"a": 2.5, "b": 0.0}), ["a"], "a is 2.5, outside of 1 to 2 by 0.5."),
        (told({"a": 0.5, "b": 0.0}), ["a"], "a is 0.5, outside of 1 to 2 by 0.5."),
        (told({"a": math.nan, "b": 0.0}), ["a"], "a was not measured (1 to 2 is wanted)."),
        (told({"a": 1.0, "b": math.inf}), ["b"], "b was not measured"),
        (told({"b": 0.0}), ["a"], "a was not measured"),
        (told({"a": 1.0, "b": 0.0}, crashed=True), ["crashed"], "The aircraft crashed."),
        (told({"a": 1.0, "b": 0.0}, script="Step 2 failed."), ["script"], "Step 2 failed."),
        (told({"a": 0.0, "b": 4.0}, diverged="Gone."), ["diverged", "a", "b"], "Gone."),
    ],
)
def test_a_failure_says_what_missed_what_by_how_much(
    ran: Any, outcome: Run, failed: list[str], words: str
) -> None:
    report = ran(outcome)
    assert report.as_dict()["failed"] == failed
    assert words in report.as_dict()["reason"]
    assert as_lines(report, 1.0)[-1] == "FAILED over 0.0 s with seed 3"


def test_a_crash_may_be_what_is_wanted(ran: Any) -> None:
    allowed = replace(BARE, may_crash=True)
    assert ran(told({"a": 1.0, "b": 0.0}, crashed=True), allowed).passed


def test_a_diverging_experiment_is_reported_with_its_last_good_state(ran: Any) -> None:
    def run(experiment: Experiment) -> RunOutcome:
        simulator = experiment.simulator()
        simulator.advance(10)
        simulator.record["state"]["motion"][VELOCITY] = math.nan
        simulator.advance(10)
        raise AssertionError("it has not diverged")

    report = ran(run)
    assert report.as_dict()["failed"] == ["diverged", "a", "b"]
    assert "The simulation stopped at 0.010 s" in report.as_dict()["reason"]
    assert "last good state" in report.as_dict()["reason"]
    assert report.outcome.duration_s == pytest.approx(0.01)
    assert len(report.outcome.log_hash) == 64


def test_a_missing_experiment_is_the_scenarios_fault(catalogue: Catalogue) -> None:
    lost = replace(BARE, experiment="no_such")
    with pytest.raises(ScenarioError, match="There is no experiment 'no_such'"):
        run_scenario(Experiment(lost, 1, "ar100b", catalogue))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"HomeLocatoin": {}}, "HomeLocatoin"),
        ({"HomeLocation": {"Altitud": 3.0}}, "HomeLocation has no field 'Altitud'"),
        ({"HomeLocation": {"Set": "Perhaps"}}, "HomeLocation.Set"),
    ],
)
def test_settings_no_board_takes_are_refused(
    ran: Any, settings: Mapping[str, Any], words: str
) -> None:
    with pytest.raises(ScenarioError, match="correct its 'settings'") as caught:
        ran(told({}), replace(BARE, settings=settings))
    assert words in str(caught.value)


# Scripted flights ---------------------------------------------------------------------------


def script(*steps: ScenarioStep, **more: Any) -> Scenario:
    measures = (Measure("high_m", "max_altitude_m"),)
    return Scenario("s", "S", steps=steps, measures=measures, bands={"high_m": Band()}, **more)


def flown(scenario: Scenario, catalogue: Catalogue, **more: Any) -> ScenarioReport:
    return run_scenario(Experiment(scenario, 1, "ar100b", catalogue, **more))


def test_a_step_that_waits_in_vain_fails_the_script(catalogue: Catalogue) -> None:
    until = Until("FlightStatus", "Armed", "Armed")
    waiting = script(ScenarioStep("fly", until=until, timeout_s=1.0))
    report = flown(waiting, catalogue)
    assert report.as_dict()["failed"] == ["script"]
    assert "Step 1: fly took too long." in report.as_dict()["reason"]
    assert report.outcome.duration_s == pytest.approx(1.04, abs=0.05)


def test_a_step_ends_when_an_object_says_so(catalogue: Catalogue) -> None:
    until = Until("FlightStatus", "Armed", "Disarmed")
    report = flown(script(ScenarioStep("fly", until=until, timeout_s=10.0)), catalogue)
    assert report.passed
    assert report.outcome.duration_s < 3.0


def test_uploads_and_controls_reach_the_aircraft(catalogue: Catalogue) -> None:
    waypoint = Upload("Waypoint", {"Velocity": 3.0, "Position": [1.0, 2.0, -3.0]}, instance=2)
    steps = (
        ScenarioStep("upload", objects=(waypoint,)),
        ScenarioStep("set", values={"wind_east_mps": 4.0}),
        ScenarioStep("wait", seconds=1.0),
    )
    experiment = Experiment(script(*steps, world={"wind_north_mps": 2.0}), 1, "ar100b", catalogue)
    flight = experiment.fly()
    assert flight.autopilot.board["Waypoint"].rows[2]["Velocity"] == 3.0
    assert flight.autopilot.simulator.world["wind"][:2].tolist() == [2.0, 4.0]
    assert flight.track.script[-1] == 3  # the end of the script


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (ScenarioStep("fly", 1.0, mode="Acro+"), "'Acro+' of a step is not on the switch"),
        (ScenarioStep("upload", objects=(Upload("Waypiont"),)), "'Waypiont', which is not known"),
        (
            ScenarioStep("upload", objects=(Upload("Waypoint", {"Speed": 1}),)),
            "has no field 'Speed'",
        ),
        (ScenarioStep("fly", until=Until("FlightStatus", "Armd", 1)), "waits for what never comes"),
    ],
)
def test_a_script_that_cannot_be_flown_is_refused_before_it_is(
    step: ScenarioStep, words: str, catalogue: Catalogue
) -> None:
    with pytest.raises(ScenarioError) as caught:
        flown(script(step), catalogue)
    assert words in str(caught.value)


def test_a_limit_ends_a_flight_early(catalogue: Catalogue) -> None:
    report = flown(script(ScenarioStep("wait", seconds=100.0)), catalogue, limit_s=0.5)
    assert report.outcome.duration_s == 0.5
    assert report.as_dict()["failed"] == ["script"]


def test_an_unknown_figure_is_refused(catalogue: Catalogue) -> None:
    with pytest.raises(ScenarioError, match="There is no figure 'art'; there are: overview"):
        flown(script(ScenarioStep("wait", seconds=0.1), figure="art"), catalogue)


# Records and pictures -----------------------------------------------------------------------


def test_a_bare_flight_replays(ran: Any, catalogue: Catalogue, tmp_path: Path) -> None:
    """What drives the actuators from outside still leaves states that a station can show."""

    def run(experiment: Experiment) -> RunOutcome:
        simulator = experiment.simulator()
        simulator.command["external"] = 1
        simulator.output["actuator_command"][:4] = 1700.0
        flight = experiment.bare_flight(simulator, ("true_position",), sample_steps=7)
        flight.advance(2.0)
        again = experiment.bare_flight(experiment.simulator())
        again.advance(0.1)
        height = -float(flight.track["true_position"][-1, 2])
        return RunOutcome({"a": 1.5, "b": 0.0, "height": height}, log_hash=flight.track.digest())

    writer = OplWriter(tmp_path / "bare.opl")
    report = ran(run, record=writer.write)
    writer.close()
    recording = read_log(writer.path, catalogue).recording
    assert recording.last_s == pytest.approx(2.0, abs=0.03)
    truth = recording.latest("GroundTruth", 2.0)
    state = recording.latest("PositionState", 2.0)
    assert truth is not None
    assert state is not None
    assert report.outcome.metrics["height"] > 1.0
    assert state["Down"] == pytest.approx(-report.outcome.metrics["height"], abs=0.05)
    assert recording.latest("HomeLocation", 0.0) is not None
    time_s, _ = recording.series("AttitudeState.Roll")
    assert time_s.tolist() == pytest.approx(np.arange(0.02, 2.01, 0.02))


def test_equal_flights_have_equal_digests(ran: Any) -> None:
    def run(experiment: Experiment) -> RunOutcome:
        flight = experiment.bare_flight(experiment.simulator(), ("gyro",))
        flight.advance(0.5)
        assert set(flight.track["gyro"].shape) == {25, 3}
        return RunOutcome({}, log_hash=flight.track.digest())

    assert ran(run).outcome.log_hash == ran(run).outcome.log_hash
    other = replace(BARE, world={"wind_north_mps": 5.0})
    assert ran(run).outcome.log_hash != ran(run, other).outcome.log_hash


@pytest.mark.slow
def test_a_picture_is_drawn(tmp_path: Path) -> None:
    x = np.linspace(0.1, 10.0, 50)
    lines = (series("a", x, x), series("b", x, x**2, "dashed"), series("c", x, x, "dots"))
    axes = (
        Axes("Left", "x", "y", lines, equal=True, bands=(1.0, 2.0)),
        Axes("Right", "x", "y", lines[:1], log_y=True),
    )
    path = tmp_path / "picture.png"
    write_picture(Figure("Both, $5 and $x^$", axes), path)
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(PlotError, match="Cannot write the picture"):
        write_picture(Figure("Both", axes), tmp_path)


@pytest.mark.slow
def test_a_logarithmic_axis_has_numbers() -> None:
    """Where a $ is a dollar, matplotlib's own powers of ten would be its markup."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Sheet

    x = np.logspace(-3, 1, 50)
    diagram = Sheet().add_subplot()
    with rc_context({"text.parse_math": False}):
        draw_axes(diagram, Axes("Powers", "x", "y", (series("a", x, x),), log_y=True))
        diagram.figure.draw_without_rendering()
        labels = [label.get_text() for label in diagram.get_yticklabels()]
    assert {"0.001", "0.1", "10"} <= set(labels)
    assert not any("$" in label for label in labels)


def test_divergence_carries_a_row_of_output() -> None:
    assert Diverged("why", np.zeros(1, OUTPUT)[0]).output.dtype == OUTPUT
