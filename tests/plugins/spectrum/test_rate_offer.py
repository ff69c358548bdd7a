"""A panel that lacks a rate offers it, and with it the flight is judged."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.spectrum.panel import SpectrumPanel
from plugins.spectrum.step_panel import StepResponsePanel
from plugins.testing import replayed_vehicle
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.immediate import ImmediateJobs
from tests.plugins.stabilization.flown import HANDS_ON, Flown
from widgets.settings.rate_offer import RateOffer
from widgets.theme import load_theme


@pytest.fixture
def flown(tmp_path: Path) -> Iterator[Flown]:
    return Flown(tmp_path)


def context_of(vehicle: Vehicle) -> VehicleContext:
    fleet = Fleet()
    fleet.add(vehicle)
    return VehicleContext(fleet, load_theme("light"), ImmediateJobs())


def wiggle(flown: Flown) -> None:
    for _ in range(8):
        for side in (0.5, -0.5):
            flown.fly(0.7, Sticks(side, throttle=0.5, flight_mode_position=HANDS_ON, arm=True))


@pytest.mark.slow
def test_what_is_too_slow_is_staged_applied_and_judged(qtbot: QtBot, flown: Flown) -> None:
    context = context_of(flown.vehicle)
    panel = StepResponsePanel(context)
    qtbot.addWidget(panel)
    panel.show()
    flown.take_off()
    wiggle(flown)
    flown.vehicle.timeline.advance(0.0, 0.0, flown.clock.now)
    work(panel)
    assert "too slow" in panel.charts["Roll"].notice
    assert panel.rates.isVisible()
    assert not flown.settings.draft.count
    panel.rates.button.click()
    staged = flown.settings.draft.count
    assert f"{staged} values are staged in Configure" in panel.rates.text.text()
    flown.fly(1.0, Sticks(throttle=0.5, flight_mode_position=HANDS_ON, arm=True))
    assert flown.period_ms("StabilizationDesired") == 1000  # nobody sends it by itself
    flown.settings.apply()
    flown.fly(3.0, Sticks(throttle=0.5, flight_mode_position=HANDS_ON, arm=True))
    assert flown.period_ms("StabilizationDesired") == 20
    begin_s = flown.clock.now
    wiggle(flown)
    flown.vehicle.timeline.advance(0.0, 0.0, flown.clock.now)
    flown.vehicle.timeline.select(begin_s, flown.clock.now)
    work(panel)
    assert len(panel.charts["Roll"].lines) == 1
    assert not panel.rates.isVisible()
    context.close()


@pytest.mark.slow
def test_a_log_says_what_to_do_for_the_next_flight(qtbot: QtBot) -> None:
    context = context_of(replayed_vehicle())
    panel = SpectrumPanel(context)
    qtbot.addWidget(panel)
    panel.show()
    panel.set_paths(("AttitudeState.Roll",))  # recorded ten times a second
    for _ in range(3):
        panel.refresh(0.0)
    assert panel.rates.isVisible()
    assert not panel.rates.button.isVisible()
    assert panel.rates.text.text().startswith("For the next flight: connect the aircraft")
    panel.set_paths(("PositionState.North",))  # as seldom, but nothing that shakes
    for _ in range(3):
        panel.refresh(0.0)
    assert not panel.rates.isVisible()
    context.close()


def work(panel: StepResponsePanel) -> None:
    for _ in range(2):
        panel.refresh(0.0)


def test_where_no_rate_lacks_nothing_is_offered(qtbot: QtBot) -> None:
    vehicle = replayed_vehicle()
    offer = RateOffer()
    qtbot.addWidget(offer)
    context = context_of(vehicle)
    offer.refresh(context.configuration, lacks_rate=False)
    assert not offer.isVisible()
