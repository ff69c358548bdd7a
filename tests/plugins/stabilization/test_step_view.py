"""The step test: which gains the simulator gets, what is read of its answer, what is said of it."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from plugins.stabilization.step_gains import aircraft_of, airframe_with, simulated_aircraft
from plugins.stabilization.step_run import result_of
from plugins.stabilization.step_view import StepTestView
from plugins.testing import catalogue
from telemetry.configuration.settings.stabilization_banks import BANKS, SHARED
from tests.immediate import ImmediateJobs
from tests.plugins.stabilization.driving import Driven
from tests.plugins.stabilization.test_page import board_with_banks
from tests.telemetry.configuration.settings.bench import Bench

ONE, TWO, _ = BANKS


@pytest.fixture
def bench() -> Bench:
    return Bench(catalogue(), board_with_banks(catalogue()))


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench) -> Iterator[Driven]:
    driven = Driven(qtbot, bench.vehicle, ImmediateJobs())
    driven.page.steps_fold.set_open(True)
    driven.refresh()
    yield driven
    driven.context.close()


def fly(driven: Driven) -> StepTestView:
    view = driven.page.steps
    view.fly.click()
    for _ in range(1200):  # each flight takes some seconds, the first one compiles
        if not view.is_flying:
            return view
        QTest.qWait(100)
        driven.refresh()
    raise AssertionError("it never came down")


def test_the_simulator_gets_the_gains_and_no_sticks() -> None:
    bank = {"RollRatePID.Kp": 0.004, "RollMax": 55, "StickExpo.Roll": 40, "Strange": 1}
    shared = {"GyroTau": 0.005, "CruiseControlMinThrust": 5, "FlightModeMap.0": "Bank2"}
    file = airframe_with("hector", bank, shared, catalogue())
    gains = file["objects"][ONE]
    assert file["base"] == "hector"
    assert gains["RollRatePID.Kp"] == 0.004
    assert (gains["RollMax"], gains["StickExpo"]) == (30, [0, 0, 0])
    assert "Strange" not in gains
    assert "StickExpo.Roll" not in gains
    assert file["objects"][SHARED] == {"GyroTau": 0.005}


def test_who_flies_for_whom() -> None:
    known = simulated_aircraft()
    assert "ar100b" in [aircraft.name for aircraft in known]
    assert "sea-vixen" not in [aircraft.name for aircraft in known]
    assert aircraft_of("sim:hector", known) == "hector"
    assert aircraft_of("sim:hector (2)", known) == "hector"
    assert aircraft_of("serial:/dev/ttyUSB0", known) == "ar100b"
    assert aircraft_of("sim:sea-vixen", known) == "ar100b"


def test_a_report_is_read() -> None:
    curves = [
        {"label": "desired", "x": [0.0, 0.1], "y": [15.0, 15.0], "style": "dashed"},
        {"label": "flown", "x": [0.0, 0.1], "y": [0.0, 3.0], "style": "solid"},
    ]
    figure: dict[str, Any] = {"axes": [{"title": "Roll", "series": curves}]}
    metrics = {"roll_rise_s": 0.3, "roll_overshoot": None}
    result = result_of({"metrics": metrics, "failed": ["crashed"]}, figure)
    answer = result.answers["Roll"]
    assert (answer.rise_s, answer.overshoot, answer.rest) == (0.3, None, None)
    assert answer.flown.tolist() == [0.0, 3.0]
    assert result.has_crashed
    assert result_of({"reason": "no arming"}, {"axes": []}).problem.endswith("no arming")


@pytest.mark.slow
@pytest.mark.starts_simulator
def test_present_and_staged_gains_are_flown_and_compared(driven: Driven, bench: Bench) -> None:
    bench.settings.stage(ONE, "RollPI.Kp", 2.5)  # with so much Ki it overshoots, slowly enough
    bench.settings.stage(ONE, "RollPI.Ki", 10.0)  # not to shake the pitch along
    view = fly(driven)
    assert set(view.results) == {"on board", "staged"}
    present, staged = (view.results[name].answers["Roll"] for name in ("on board", "staged"))
    assert present.overshoot is not None
    assert staged.overshoot is not None
    assert present.overshoot < 0.1 < staged.overshoot
    assert view.texts["Roll"].property("tone") == "caution"
    assert view.texts["Pitch"].property("tone") == "muted"
    assert [line.name for line in view.charts["Roll"].lines] == ["asked", "on board", "staged"]
    assert not bench.settings.history.undo_next, "nothing was sent"
    bench.settings.unstage(ONE)
    driven.refresh()
    assert "again" in view.fly.text()


@pytest.mark.slow
def test_another_bank_ends_the_flight(driven: Driven) -> None:
    view = driven.page.steps
    view.fly.click()
    assert view.is_flying
    driven.page.bar.show_bank(TWO)
    assert not view.is_flying
    assert view.fly.isEnabled()


@pytest.mark.slow
def test_closing_the_page_ends_the_flight(driven: Driven) -> None:
    driven.page.steps.fly.click()
    driven.context.close()
    assert not driven.page.steps.is_flying
