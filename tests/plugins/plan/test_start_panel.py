"""Start mission: the button, or why it cannot be pressed."""

import pytest
from pytestqt.qtbot import QtBot

from plugins.plan.start_panel import StartPanel
from plugins.testing import live_vehicle
from telemetry.flying.controls import controls_of
from telemetry.flying.mission_start import UPLOAD_FIRST
from telemetry.missions.steps import LandStep, TakeOffStep
from telemetry.recording.recording import Recording
from tests.plugins.plan.shared_plan_bench import PlanBench
from tests.telemetry.flying.guided_cockpit import GuidedCockpit
from tests.telemetry.missions.made import mission, square, waypoint


def test_its_reason_stands_beside_the_button(bench: PlanBench) -> None:
    panel = bench.open(StartPanel, (330, 56))
    place = panel.start.geometry()
    assert place.height() >= 40
    assert (panel.start.isEnabled(), panel.told.text()) == (False, "No aircraft is connected.")
    vehicle = live_vehicle(recording=Recording())
    bench.fleet.add(vehicle)
    bench.tick()
    assert panel.told.text() == "There is nothing to fly: add waypoints first."
    bench.draft.open("Open", square())
    bench.tick()
    assert (panel.start.isEnabled(), panel.told.text()) == (False, UPLOAD_FIRST)
    assert panel.start.geometry() == place
    assert not controls_of(vehicle).is_in_use, "looking at a plan sends no sticks"


@pytest.mark.slow
def test_a_held_button_takes_off_and_the_controls_are_left_on_the_ground(
    bench: PlanBench, qtbot: QtBot
) -> None:
    """By the simulated board, whose plan is the one here after the upload."""
    cockpit = GuidedCockpit("ar100b")
    vehicle, controls = cockpit.vehicle, cockpit.controls
    vehicle.attachment("flying.guided", lambda: cockpit.guided)
    vehicle.attachment("flying.controls", lambda: controls)
    cockpit.stay(8.0)
    bench.fleet.add(vehicle)
    panel = bench.open(StartPanel, (330, 56))
    near = waypoint(12.0, 0.0, 6.0, 3.0, mode="GoToEndpoint", end_condition="None")
    bench.draft.open("Open", mission(near, take_off=TakeOffStep(4.0), ending=LandStep()))
    bench.tick()
    bench.plan.upload_when_checked()
    while bench.plan.carrying.is_busy:
        cockpit.run()
        bench.plan.carrying.poll()
    bench.tick()
    assert panel.start.isEnabled(), panel.told.text()
    assert panel.told.text().startswith("Hold it to fly")
    panel.start.held.emit()
    cockpit.wait(lambda flight: flight.is_armed, 10.0)
    bench.tick()
    assert not panel.start.isEnabled()
    assert controls.is_in_use
    controls.leave()
    assert controls.is_in_use, "the panel has joined them itself"
    controls.disarm(cockpit.look()[1])
    cockpit.wait(lambda flight: not flight.is_armed, 10.0)
    qtbot.waitUntil(lambda: not controls.is_in_use)
