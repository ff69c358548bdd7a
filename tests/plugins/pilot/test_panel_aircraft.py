"""The pilot's panel with several panels and aircraft: one controls each, one stick for one."""

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.pilot.panel import ControlsPanel
from telemetry.flying.controls import controls_of
from telemetry.vehicle.sticks import Sticks
from tests.plugins.pilot.panel_cockpit import Cockpit
from tests.telemetry.flying.fakes import POSITIONS, Ground
from widgets.theme import load_theme


@pytest.mark.slow
def test_two_panels_share_one_seat(cockpit: Cockpit, qtbot: QtBot) -> None:
    """Else one would stream the arming switch on and the other off, in the air."""
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    context = PanelContext(cockpit.fleet, load_theme("light"), cockpit.jobs)
    second = ControlsPanel(context)
    qtbot.addWidget(second)
    second.refresh(0.0)
    cockpit.arm()
    ground.status(1.0, "Armed", "PositionHold", thrust=0.5)
    second.refresh(1.0)
    (land,) = [b for b in second.findChildren(QPushButton) if b.text() == "Land"]
    land.click()
    position = POSITIONS.index("Land")
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=position, arm=True))
    del ground.commands.sticks[:]
    context.close()  # one pilot leaves, the other stays
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=position, arm=True))
    cockpit.context.close()
    assert ground.commands.sticks[-1] is None


@pytest.mark.slow
def test_choosing_another_aircraft_leaves_the_first_flying(cockpit: Cockpit) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    other = Ground()
    cockpit.fleet.add(other.vehicle)
    cockpit.fleet.choose(other.vehicle)
    cockpit.refresh(0.0)
    del ground.commands.sticks[:]
    cockpit.wait_for(Sticks(arm=True))
    assert other.commands.sticks == []
    cockpit.fleet.remove(ground.vehicle)
    cockpit.refresh(0.0)
    assert ground.commands.sticks[-1] is None


@pytest.mark.slow
def test_no_other_aircraft_while_flying_by_hand_and_no_stick_for_two(cockpit: Cockpit) -> None:
    ground, other = cockpit.ground, Ground()
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    cockpit.fleet.add(other.vehicle)
    ground.status(1.0, "Armed", "Stabilized1", thrust=0.5)
    cockpit.refresh(1.0)
    cockpit.button("Fly by hand").click()
    cockpit.refresh(1.0)
    assert "flown by hand" in cockpit.fleet.choose(other.vehicle)
    cockpit.button("Hold").click()
    controls = controls_of(ground.vehicle)
    controls.take_source("keyboard")
    controls.drag({"roll": 0.5, "pitch": 0.5})
    assert cockpit.fleet.choose(other.vehicle) == ""
    cockpit.refresh(1.0)
    assert controls.request.source == "screen", "the keys are the other aircraft's now"
    position = POSITIONS.index("PositionHold")
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=position, arm=True))
