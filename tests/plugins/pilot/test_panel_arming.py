"""Arming, taking off and landing by the pilot's panel."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from telemetry.configuration.settings.configuration import configuration_of
from telemetry.flying.manoeuvres.arming import OUT_OF_SIGHT
from telemetry.vehicle.sticks import Sticks
from tests.plugins.pilot.panel_cockpit import Cockpit
from tests.telemetry.flying.fakes import POSITIONS


def test_a_short_press_does_not_arm(cockpit: Cockpit, qtbot: QtBot) -> None:
    cockpit.ground.settings()
    cockpit.ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    qtbot.mouseClick(cockpit.button("Hold to arm"), Qt.MouseButton.LeftButton)
    cockpit.refresh(0.1)
    assert cockpit.ground.commands.sticks == []


@pytest.mark.slow
def test_take_off_hold_land(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    takeoff = POSITIONS.index("AutoTakeoff")
    cockpit.hold_and_wait_for_the_edge("Arm and take off", "AutoTakeoff", takeoff)
    assert {sticks.throttle for sticks in ground.commands.sticks if sticks} == {0.0}

    ground.status(1.0, "Armed", "AutoTakeoff")
    cockpit.refresh(1.0)
    cockpit.wait_for(Sticks(throttle=0.6, flight_mode_position=takeoff, arm=True))
    assert not cockpit.button("Land").isEnabled()  # still on the ground
    assert cockpit.button("Disarm").isEnabled()

    ground.say(2.0, "StatusVtolAutoTakeoff", {"State": "Takeoff"})
    ground.status(2.0, "Armed", "AutoTakeoff", thrust=0.5)
    cockpit.refresh(2.0)
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=takeoff, arm=True))
    cockpit.refresh(2.1)
    assert not cockpit.button("Arm and take off").isEnabled()
    assert not cockpit.button("Disarm").isEnabled()  # motors off in the air is Emergency stop
    qtbot.mouseClick(cockpit.button("Land"), Qt.MouseButton.LeftButton)
    land = POSITIONS.index("Land")
    cockpit.wait_for(Sticks(throttle=0.5, flight_mode_position=land, arm=True))

    ground.status(3.0, "Disarmed", "Land")
    cockpit.refresh(3.0)  # the switch follows, so that the next arming is a new decision
    qtbot.waitUntil(lambda: not ground.commands.sticks[-1].arm)  # type: ignore[union-attr]


@pytest.mark.slow
def test_another_mode_before_it_climbs_cuts_the_throttle_and_is_told(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    told: list[str] = []
    cockpit.context.show_message = told.append
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    takeoff = POSITIONS.index("AutoTakeoff")
    cockpit.hold_and_wait_for_the_edge("Arm and take off", "AutoTakeoff", takeoff)
    ground.status(1.0, "Armed", "AutoTakeoff")
    cockpit.refresh(1.0)
    cockpit.wait_for(Sticks(throttle=0.6, flight_mode_position=takeoff, arm=True))
    ground.status(4.5, "Armed", "Stabilized1")  # however long the window took to look
    cockpit.refresh(4.5)
    cockpit.wait_for(Sticks())
    (sentence,) = told
    assert sentence.startswith("Not taken off. The flight mode became Stabilized 1")


@pytest.mark.slow
def test_what_was_begun_can_be_cancelled(cockpit: Cockpit, qtbot: QtBot) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    cockpit.arm()
    cockpit.refresh(0.5)
    qtbot.mouseClick(cockpit.button("Cancel"), Qt.MouseButton.LeftButton)
    cockpit.wait_for(Sticks())
    cockpit.refresh(0.6)
    assert cockpit.button("Hold to arm").isVisible()


@pytest.mark.slow
def test_who_looks_away_while_it_is_asked_to_arm_does_not_arm_on_coming_back(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    told: list[str] = []
    cockpit.context.show_message = told.append
    ground = cockpit.ground
    ground.settings()
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    takeoff = POSITIONS.index("AutoTakeoff")
    cockpit.hold_and_wait_for_the_edge("Arm and take off", "AutoTakeoff", takeoff)
    ground.status(5.0, "Armed", "AutoTakeoff")  # nothing was refreshed meanwhile
    cockpit.refresh(5.0)
    cockpit.wait_for(Sticks())
    assert told == [OUT_OF_SIGHT]


def test_autotakeoff_can_be_staged_where_no_position_selects_it(
    cockpit: Cockpit, qtbot: QtBot
) -> None:
    ground = cockpit.ground
    ground.settings(
        positions=("Stabilized1", "Stabilized1", "PositionHold", "Land", "Land", "Manual")
    )
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    qtbot.mouseClick(cockpit.button("Set up take-off"), Qt.MouseButton.LeftButton)
    said = [label.text() for label in cockpit.panel.findChildren(QLabel)]
    assert any(
        "No position of the flight mode switch selects Automatic take-off" in s for s in said
    )
    (edit,) = configuration_of(ground.vehicle).staged()
    assert edit.after == {"FlightModePosition.4": "AutoTakeoff"}
    cockpit.refresh(0.1)
    assert not [
        b
        for b in cockpit.panel.findChildren(QPushButton)
        if b.text() == "Set up take-off" and b.isVisible()
    ]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"Arming": "Always Armed"}, "always armed"),
        ({"Arming": "Always Disarmed"}, "never to arm"),
        (
            {"FlightModePosition": ["Stabilized1"] * 6, "Arming": "Accessory 0"},
            "Automatic take-off",
        ),
    ],
)
def test_take_off_is_refused_where_it_cannot_work(
    cockpit: Cockpit, settings: dict[str, object], reason: str
) -> None:
    ground = cockpit.ground
    ground.settings()
    ground.say(0.0, "FlightModeSettings", {"FlightModePosition": list(POSITIONS), **settings})
    ground.status(0.0, "Disarmed")
    cockpit.refresh(0.0)
    button = cockpit.button("Arm and take off")
    assert not button.isEnabled()
    assert reason in button.toolTip()
