"""A flight that was late is not judged. The limits are the firmware's: TIMEOUT_MS 10 of
flight/modules/StateEstimation/stateestimation.c, FAILSAFE_TIMEOUT_MS 30 of
flight/modules/Stabilization/inc/stabilization.h and 100 of flight/modules/Actuator/actuator.c."""

from dataclasses import replace

import pytest

from simulation.hitl.flight import HitlFlight, HitlPhase
from simulation.hitl.lateness import Lateness
from simulation.hitl.report import HitlReport
from simulation.scenarios.scenario import Scenario
from simulation.scenarios.scenario_file import load_scenario
from tests.simulation.hitl.wires import Wires


def _late(late_ms: float, of_hundred: int) -> Lateness:
    lateness = Lateness(0.002)
    for number in range(1000):
        lateness.tick(1e-3 * late_ms if number % 100 < of_hundred else 0.0)
    return lateness


def test_worst_and_usual_lateness_are_told() -> None:
    lateness = _late(25.0, 1)
    assert lateness.as_dict()["worst_ms"] == 25.0
    assert lateness.usual_s < 1e-3, "one in a hundred is not what is usual"
    assert _late(25.0, 2).usual_s == pytest.approx(0.025, abs=1e-4)
    assert "worst 25.0 ms, 99 % within 0.1 ms, 0.00 s given up" in str(lateness)


@pytest.mark.parametrize(
    ("lateness", "reason"),
    [
        (_late(31.0, 1), "a tick came 31.0 ms late"),
        (_late(12.0, 2), "one tick in a hundred came more than 12.0 ms late"),
        (Lateness(0.002, given_up_s=0.3), "0.30 s were given up"),
        (Lateness(0.002, apart_s=0.11), "commands came 110.0 ms apart"),
    ],
)
def test_what_is_beyond_the_firmwares_time_outs_is_late(lateness: Lateness, reason: str) -> None:
    assert lateness.reasons == (reason,)
    assert reason in lateness.sentence
    assert "--rate" in lateness.sentence


@pytest.mark.parametrize(
    "lateness",
    [
        _late(29.0, 1),
        _late(9.0, 50),
        Lateness(0.002, apart_s=0.09),
        Lateness(0.05, apart_s=0.14),  # 20 Hz, as over a slow line
    ],
)
def test_what_is_within_them_is_in_time(lateness: Lateness) -> None:
    assert lateness.reasons == ()
    assert lateness.sentence == ""


def _turn_gyro(wires: Wires) -> None:
    """No board flies with that."""
    physics = wires.physics
    advance = physics.advance

    def advance_turned(steps: int) -> None:
        advance(steps)
        physics.output["gyro"] *= -1.0

    physics.advance = advance_turned  # type: ignore[method-assign]


def _brief() -> Scenario:
    """Up, and down again: to be late takes no long hold, nor a long wait for what has crashed."""
    scenario = load_scenario("takeoff-hold-land")
    wait, arm, take_off, hold, land = scenario.steps
    take_off, land = (replace(step, timeout_s=15.0) for step in (take_off, land))
    steps = (wait, arm, take_off, replace(hold, seconds=2.0), land)
    return replace(scenario, steps=steps)


def _crash(wires: Wires, hang_s: float) -> HitlReport:
    scenario = _brief()
    flight = wires.connect(scenario.steps, scenario=scenario)
    wires.run_until(HitlPhase.FLYING)
    _turn_gyro(wires)
    wires.run(2.0)
    wires.hang(hang_s)
    wires.run_until(HitlPhase.DONE, 200.0)
    assert wires.physics.output["crashed"] == 1
    return _report(flight, scenario)


def _report(flight: HitlFlight, scenario: Scenario) -> HitlReport:
    return HitlReport("ar100b", 1, flight.result, scenario, flight.pilot)


@pytest.mark.slow
def test_a_late_flight_that_crashes_is_not_judged(wires: Wires) -> None:
    hang_s = 0.4
    report = _crash(wires, hang_s)
    told = report.as_dict()
    assert told["verdict"] == "not judged"
    assert not told["passed"]
    assert told["hitl"]["crashed"] is None
    assert told["hitl"]["lateness"]["worst_ms"] == pytest.approx(1e3 * hang_s, abs=21.0)
    assert told["hitl"]["lateness"]["given_up_s"] == pytest.approx(hang_s, abs=0.05)
    assert told["reason"].startswith("This computer or the link was late: ")
    lines = report.as_lines()
    assert lines[-1] == "NOT JUDGED"
    assert "crashed" not in "\n".join(lines)
    assert "MISSED" not in "\n".join(lines)


@pytest.mark.slow
def test_a_crash_in_time_is_called_one(wires: Wires) -> None:
    """Negative control."""
    report = _crash(wires, 0.0)
    assert report.verdict == "FAILED"
    assert report.as_dict()["hitl"]["crashed"] is True
    assert "The aircraft crashed." in report.as_lines()
    assert "lateness              worst 0.0 ms" in "\n".join(report.as_lines())


@pytest.mark.slow
@pytest.mark.parametrize("hang_s", [0.3, 0.0])
def test_an_arming_time_out_is_not_judged_in_a_late_flight(wires: Wires, hang_s: float) -> None:
    scenario = load_scenario("takeoff-hold-land")
    wires.board.simulator.alarms_clear_s = 120.0
    steps = tuple(replace(step, timeout_s=5.0) for step in scenario.steps[:2])
    flight = wires.connect(steps, scenario=replace(scenario, steps=steps))
    wires.run_until(HitlPhase.FLYING)
    wires.hang(hang_s)
    wires.run_until(HitlPhase.DONE, 200.0)
    report = _report(flight, scenario)
    told = report.as_dict()["hitl"]
    (step,) = told["not_judged" if hang_s else "problems"]
    assert step.startswith("Step 2: arm took too long.")
    assert report.verdict == ("NOT JUDGED" if hang_s else "FAILED")


@pytest.mark.slow
def test_a_good_flight_that_was_late_has_not_passed_either(wires: Wires) -> None:
    scenario = _brief()
    flight = wires.connect(scenario.steps, scenario=scenario)
    wires.run_until(HitlPhase.FLYING)
    wires.hang(0.06)
    wires.run_until(HitlPhase.DONE, 200.0)
    assert not wires.physics.output["crashed"]
    assert _report(flight, scenario).verdict == "NOT JUDGED"
