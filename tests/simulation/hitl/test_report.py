"""A flight on a board is judged as a simulated one is, and the report says why it did not pass."""

from dataclasses import replace

import pytest

from simulation.hitl.flight import HitlPhase
from simulation.hitl.report import HitlReport
from simulation.scenarios.scenario import Band, Scenario
from simulation.scenarios.scenario_file import load_scenario
from tests.simulation.hitl.wires import Wires

pytestmark = pytest.mark.slow


def flown(wires: Wires, scenario: Scenario) -> HitlReport:
    """The whole scenario, by our own autopilot as the board."""
    flight = wires.connect(scenario.steps, scenario=scenario)
    wires.run_until(HitlPhase.DONE, 200.0)
    return HitlReport("ar100b", 1, flight.result, scenario, flight.pilot)


def test_a_scenario_is_measured_and_passes(wires: Wires) -> None:
    whole = load_scenario("takeoff-hold-land")
    steps = [replace(s, seconds=10.0) if s.do == "hold" else s for s in whole.steps]
    scenario = replace(whole, steps=tuple(steps))
    report = flown(wires, scenario)
    assert report.passed, report.failures
    told = report.as_dict()
    assert set(told["metrics"]) == set(scenario.bands) == set(told["bands"])
    assert 2.0 < told["metrics"]["max_altitude_m"] < 4.0
    assert not {"Attitude", "Stabilization"} & {a["name"] for a in told["hitl"]["alarms"]}
    assert report.as_lines()[-1] == "PASSED"
    assert "in the way" not in "\n".join(report.as_lines())
    spoilt = replace(report, scenario=replace(scenario, bands={"max_altitude_m": Band(5.0)}))
    assert not spoilt.passed, "what stays up passed before, whatever it did"
    assert spoilt.as_dict()["failed"] == ["max_altitude_m"]


def test_a_board_that_does_not_arm_says_why(wires: Wires) -> None:
    scenario = load_scenario("takeoff-hold-land")
    wires.board.simulator.alarms_clear_s = 120.0
    steps = tuple(replace(step, timeout_s=5.0) for step in scenario.steps[:2])
    report = flown(wires, replace(scenario, steps=steps))
    assert not report.passed
    told = report.as_dict()["hitl"]
    severities = {alarm["name"]: alarm["severity"] for alarm in told["alarms"]}
    assert severities["Attitude"] == "Critical"
    assert told["checklist"]["summary"].startswith("It will not arm")
    (problem,) = told["problems"]
    assert problem.startswith("Step 2: arm took too long. Attitude: The attitude estimate is ")
    text = "\n".join(report.as_lines())
    assert "Stabilization: Critical" in text
    assert "It will not arm" in text
    assert text.count(problem) == 1
    assert text.endswith("FAILED")


def test_a_flight_that_is_stopped_does_not_leave_the_motors_turning(wires: Wires) -> None:
    """Seen on running LibrePilot: after a script that had failed the board stayed armed."""
    scenario = load_scenario("takeoff-hold-land")
    flight = wires.connect(scenario.steps, scenario=scenario)
    wires.run_until(HitlPhase.FLYING)
    assert flight.pilot is not None
    while not flight.pilot.is_armed:
        wires.run(0.1)
    flight.stop(wires.now_s, "Enough.")
    assert flight.phase is HitlPhase.DISARMING
    wires.run_until(HitlPhase.DONE)
    assert not flight.result.still_armed
    report = HitlReport("ar100b", 1, flight.result, scenario, flight.pilot)
    assert "script" in {failure.metric for failure in report.failures}


def test_what_was_not_flown_has_not_passed(wires: Wires) -> None:
    scenario = load_scenario("takeoff-hold-land")
    flight = wires.connect(scenario.steps, scenario=scenario)
    wires.run_until(HitlPhase.TAKING_OVER)
    flight.end(wires.now_s, "The cable is out.")
    report = HitlReport("ar100b", 1, flight.result, scenario, flight.pilot)
    assert not report.passed
    assert {failure.metric for failure in report.failures} == {"script", *scenario.bands}
    assert "It was not flown." in "\n".join(report.as_lines())
