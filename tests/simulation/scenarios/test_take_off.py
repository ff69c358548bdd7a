"""Arming and taking off by a script, as a board that follows firmware's rules demands it."""

from dataclasses import replace
from typing import Any

import pytest

from simulation.autopilot.preset import Preset, Start
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario import ScenarioStep
from simulation.scenarios.scenario_file import load_scenario
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.scenarios.test_flight import changed, flown

pytestmark = pytest.mark.slow
WAIT = ScenarioStep("wait", seconds=4.0)
BY_HAND = ScenarioStep("fly", seconds=1.0, mode="Stabilized1")


def test_it_takes_off_when_the_boards_alarms_have_cleared(catalogue: Catalogue) -> None:
    """22 s from power-up were seen on real firmware; what forbids arming does so until then."""
    scenario = load_scenario("takeoff-hold-land", {"alarms_clear_s": 22.0})
    report = run_scenario(Experiment(scenario, 1, scenario.aircraft, catalogue, without_link=True))
    assert report.passed, report.failures
    assert report.outcome.duration_s > 60.0


@pytest.mark.parametrize(("start", "least_s", "most_s"), [("real", 8.5, 10.5), ("quick", 0.0, 0.1)])
def test_a_scenario_that_asks_for_it_waits_for_a_real_start(
    start: Start, least_s: float, most_s: float, catalogue: Catalogue
) -> None:
    """14.2 s, of firmware in lockstep (`../shared/data/firmware-flights`); quick is 5 s."""
    quick = load_scenario("takeoff-hold-land")
    quick = replace(quick, steps=quick.steps[:2])  # until it has armed
    durations_s = []
    for scenario in (quick, replace(quick, start=start)):
        report = run_scenario(
            Experiment(scenario, 1, scenario.aircraft, catalogue, without_link=True)
        )
        assert "script" not in {failure.metric for failure in report.failures}
        durations_s.append(report.outcome.duration_s)
    assert least_s <= durations_s[1] - durations_s[0] <= most_s


def test_armed_in_another_mode_it_is_refused_and_stays_on_the_ground(
    preset: Preset, catalogue: Catalogue
) -> None:
    """Firmware ignores a change to AutoTakeoff while armed (manualcontrol.c)."""
    steps = (WAIT, ScenarioStep("arm"), BY_HAND, ScenarioStep("takeoff"))
    flight = flown(preset, catalogue, *steps, ScenarioStep("hold", seconds=5.0))
    assert flight.metrics()["max_altitude_m"] < 0.1
    assert flight.script_failure().startswith("Step 4: takeoff was refused. It is armed already")


def test_autotakeoff_chosen_after_arming_does_not_take_off(
    preset: Preset, catalogue: Catalogue
) -> None:
    """Negative control: what scripts did before. The board stays in the mode it was armed in,
    where a raised throttle runs the motors up."""
    chosen = ScenarioStep("fly", seconds=10.0, mode="AutoTakeoff", throttle=0.6)
    late = flown(preset, catalogue, WAIT, ScenarioStep("arm"), BY_HAND, chosen)
    assert late.pilot is not None
    assert late.pilot.armed == "Armed"
    assert late.pilot.mode == "Stabilized1"
    before = flown(preset, catalogue, WAIT, ScenarioStep("arm", mode="AutoTakeoff"), chosen)
    assert before.pilot is not None
    assert before.pilot.mode == "AutoTakeoff"
    assert before.metrics()["max_altitude_m"] > 1.0


@pytest.mark.parametrize("arming", ["Yaw Right", "Roll Left", "Pitch Forward"])
def test_a_stick_gesture_arms_and_takes_off(
    preset: Preset, catalogue: Catalogue, arming: str
) -> None:
    gesture = changed(preset, FlightModeSettings={"Arming": arming})
    flight = flown(gesture, catalogue, WAIT, ScenarioStep("takeoff"), ScenarioStep("land"))
    assert flight.script_failure() == ""
    assert flight.metrics()["max_altitude_m"] > 2.0
    assert not flight.has_crashed


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"Arming": "Always Disarmed"}, "It is set never to arm"),
        ({"Arming": "Always Armed"}, "It is always armed: motors may start"),
        ({"FlightModePosition": ["Stabilized1"] * 6}, "No position of the flight mode switch"),
    ],
)
def test_where_it_cannot_work_the_report_says_why(
    preset: Preset, catalogue: Catalogue, settings: dict[str, Any], reason: str
) -> None:
    spoilt = changed(preset, FlightModeSettings=settings)
    flight = flown(spoilt, catalogue, WAIT, replace(ScenarioStep("takeoff"), timeout_s=5.0))
    assert f"Step 2: takeoff was refused. {reason}" in flight.script_failure()
    assert flight.metrics()["max_altitude_m"] < 0.1
