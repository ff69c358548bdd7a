"""Live tuning with the simulated aircraft: rates raised and restored, what is drawn and said."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.stabilization.tuning_view import TuningView
from telemetry.configuration.settings.stabilization_banks import BANKS
from telemetry.review.analysis.step_response import StepResponse
from telemetry.vehicle.sticks import Sticks
from tests.immediate import ImmediateJobs
from tests.plugins.stabilization.driving import Driven
from tests.plugins.stabilization.flown import HANDS_ON, Flown

ONE = BANKS[0]
GAIN = "RollRatePID.Kp"
LEVEL = Sticks(throttle=0.5, flight_mode_position=HANDS_ON, arm=True)


@pytest.fixture
def flown(tmp_path: Path) -> Flown:
    return Flown(tmp_path / "borrowed")


@pytest.fixture
def driven(qtbot: QtBot, flown: Flown) -> Iterator[Driven]:
    driven = Driven(qtbot, flown.vehicle, ImmediateJobs())
    driven.page.tuning_fold.set_open(True)
    flown.look = driven.page.refresh
    yield driven
    driven.context.close()


def wiggle(
    flown: Flown, seconds: float, roll: float = 0.5, until: Callable[[], bool] = lambda: False
) -> None:
    """Move the roll stick to and fro, 0.7 s each, at most so long."""
    end_s = flown.clock.now + seconds
    side = 1.0
    while flown.clock.now < end_s and not until():
        sticks = Sticks(roll=side * roll, throttle=0.5, flight_mode_position=HANDS_ON, arm=True)
        flown.fly(0.7, sticks)
        side = -side


def view_of(driven: Driven) -> TuningView:
    return driven.page.tuning


@pytest.mark.slow
def test_rates_are_raised_while_it_shows_and_given_back(
    driven: Driven, flown: Flown, tmp_path: Path
) -> None:
    usual = {name: flown.period_ms(name) for name in ("AttitudeState", "StabilizationDesired")}
    flown.fly(2.0, Sticks())
    assert flown.period_ms("StabilizationDesired") == 40
    assert flown.period_ms("AttitudeState") == 20  # it was sent more often than needed
    view_of(driven).loop.setCurrentText("Rate")
    flown.fly(2.0, Sticks())
    assert flown.period_ms("GyroState") == 40
    assert flown.period_ms("RateDesired") == 40
    driven.page.tuning_fold.set_open(False)
    flown.fly(2.0, Sticks())
    assert {name: flown.period_ms(name) for name in usual} == usual
    assert flown.period_ms("GyroState") == 1000
    assert not list((tmp_path / "borrowed").glob("*.json"))


@pytest.mark.slow
def test_closing_the_page_gives_back(driven: Driven, flown: Flown) -> None:
    flown.fly(2.0, Sticks())
    assert flown.period_ms("StabilizationDesired") == 40
    flown.look = lambda t: None
    driven.context.close()
    flown.fly(2.0, Sticks())
    assert flown.period_ms("StabilizationDesired") == 1000


@pytest.mark.slow
def test_what_is_flown_is_drawn_and_judged(driven: Driven, flown: Flown) -> None:
    flown.take_off()
    wiggle(flown, 14.0)
    view = view_of(driven)
    row = view.rows["Roll"]
    desired, actual = row.chart.lines
    assert len(actual.x) >= 10 * 20
    assert len(desired.x) >= 10 * 20
    report = view.analysis.reports["Roll"]
    assert isinstance(report.step, StepResponse)
    assert report.step.gain == pytest.approx(1.0, abs=0.15)
    assert 0.03 < report.step.rise_s < 0.5
    assert len(row.step.lines) == 1
    assert row.text.text().startswith("Roll: Rises in")
    assert "Move it quickly" in view.rows["Pitch"].text.text()
    assert not report.is_oscillating


@pytest.mark.slow
def test_detuned_it_says_that_it_oscillates_and_the_way_back_cures_it(
    driven: Driven, flown: Flown
) -> None:
    flown.take_off()
    view = view_of(driven)
    good = dict(flown.settings.aircraft.values(ONE))
    assert dict(view.tuning.good) == good
    view.instant.click()
    flown.settings.stage(ONE, "RollPI.Kp", 20.0)
    flown.settings.confirm([(ONE, 0, "RollPI.Kp")])
    flown.fly(1.0, LEVEL)
    flown.settings.stage(ONE, "RollRatePID.Kd", 0.0)
    wiggle(flown, 8.0, roll=0.15, until=lambda: driven.page.tuning_fold.note != "")
    assert flown.settings.on_board(ONE, "RollPI.Kp") == 20.0
    assert flown.settings.on_board(ONE, "RollRatePID.Kd") == 0.0
    assert view.analysis.reports["Roll"].is_oscillating
    assert "Oscillates at" in view.rows["Roll"].text.text()
    assert view.rows["Roll"].text.property("tone") == "caution"
    assert not view.analysis.reports["Pitch"].is_oscillating
    assert driven.page.tuning_fold.note == "Roll oscillates"
    view.back.click()
    assert not view.instant.isChecked()
    wiggle(flown, 12.0, roll=0.15, until=lambda: driven.page.tuning_fold.note == "")
    assert flown.settings.aircraft.values(ONE) == good
    assert driven.page.tuning_fold.note == ""
    assert not view.analysis.reports["Roll"].is_oscillating
    assert not flown.autopilot.simulator.output["crashed"]


@pytest.mark.slow
def test_a_session_is_one_step_for_undo(driven: Driven, flown: Flown) -> None:
    before = flown.settings.on_board(ONE, GAIN)
    driven.page.tuning.instant.click()
    for gain in (0.0031, 0.0032, 0.0033):
        flown.settings.stage(ONE, GAIN, gain)
        flown.fly(1.2, Sticks())
        assert flown.settings.on_board(ONE, GAIN) == pytest.approx(gain)
    flown.settings.undo()
    flown.fly(1.0, Sticks())
    assert flown.settings.on_board(ONE, GAIN) == before
    assert flown.settings.history.undo_next is None


@pytest.mark.slow
def test_kept_gains_are_the_way_back(driven: Driven, flown: Flown) -> None:
    view = view_of(driven)
    view.instant.click()
    flown.settings.stage(ONE, GAIN, 0.0035)
    flown.fly(1.2, Sticks())
    assert view.back.isEnabled()
    view.keep.click()
    flown.fly(0.2, Sticks())
    assert not view.back.isEnabled()
    flown.settings.stage(ONE, GAIN, 0.005)
    flown.fly(1.2, Sticks())
    view.back.click()
    flown.fly(1.0, Sticks())
    assert flown.settings.on_board(ONE, GAIN) == pytest.approx(0.0035)


@pytest.mark.slow
def test_instant_sending_ends_when_the_bank_changes_or_it_is_hidden(
    driven: Driven, flown: Flown
) -> None:
    view = view_of(driven)
    view.instant.click()
    driven.page.bar.show_bank(BANKS[1])
    assert not view.instant.isChecked()
    view.instant.click()
    driven.page.tuning_fold.set_open(False)
    assert not view.instant.isChecked()
    flown.settings.stage(BANKS[1], GAIN, 0.005)
    flown.fly(1.5, Sticks())
    assert flown.settings.on_board(BANKS[1], GAIN) != pytest.approx(0.005)
