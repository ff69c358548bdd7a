"""Selecting a flight mode and steering in it, by what the board says and nothing else."""

import math

import pytest

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.modes import Disarm, Land, SelectMode, Steer
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.fakes import POSITIONS, Ground

HOLD = POSITIONS.index("PositionHold")
BEFORE = PilotRequest()
STICKS = Sticks(roll=0.1, pitch=-0.2, yaw=0.3, throttle=0.6)


@pytest.fixture
def ground() -> Ground:
    """Armed, in Stabilized1."""
    ground = Ground()
    ground.settings()
    ground.status(0.0, "Armed")
    return ground


def seen(ground: Ground, manoeuvre: SelectMode | Land | Steer | Disarm) -> PilotRequest:
    """What it asks for after another look."""
    manoeuvre.update(AircraftView(ground.vehicle))
    return manoeuvre.request(BEFORE)


def test_a_mode_is_asked_for_by_its_position_until_the_board_says_it(ground: Ground) -> None:
    hold = SelectMode("PositionHold")
    assert hold.request(BEFORE) is BEFORE, "nothing before the first look"
    asked = seen(ground, hold)
    assert (asked.transmitting, asked.arm, asked.flight_mode_position, asked.throttle) == (
        True, True, HOLD, "middle",
    )  # fmt: skip
    assert not hold.is_done
    ground.status(1.0, "Armed", "PositionHold")
    assert seen(ground, hold) == asked
    assert hold.is_done
    assert not hold.problem


def test_a_mode_that_does_not_come_within_three_seconds_is_told(ground: Ground) -> None:
    hold = SelectMode("PositionHold")
    seen(ground, hold)
    ground.status(2.9, "Armed")
    seen(ground, hold)
    assert not hold.problem
    ground.status(3.1, "Armed")
    seen(ground, hold)
    assert "Something else moves the switch" in hold.problem


def test_selected_once_another_mode_is_no_problem(ground: Ground) -> None:
    hold = SelectMode("PositionHold")
    seen(ground, hold)
    ground.status(1.0, "Armed", "PositionHold")
    seen(ground, hold)
    ground.status(9.0, "Armed", "Stabilized1")
    seen(ground, hold)
    assert not hold.problem


def test_what_is_not_armed_or_has_no_position_is_refused(ground: Ground) -> None:
    missing = SelectMode("VelocityRoam")
    assert seen(ground, missing) is BEFORE
    assert missing.problem
    ground.status(1.0, "Disarmed")
    hold = SelectMode("PositionHold")
    seen(ground, hold)
    assert hold.problem == "It is not armed. Take off first."


def test_a_landing_is_done_when_it_has_disarmed_and_stays_disarmed(ground: Ground) -> None:
    land = Land()
    seen(ground, land)
    ground.status(1.0, "Armed", "Land")
    assert seen(ground, land).flight_mode_position == POSITIONS.index("Land")
    assert not land.is_done
    ground.status(2.0, "Disarmed", "Land")
    asked = seen(ground, land)
    assert (land.is_done, land.has_landed) == (True, True)
    assert asked.fixed is None
    assert not asked.arm
    ground.status(3.0, "Armed", "Land")
    seen(ground, land)
    assert land.is_done


def test_sticks_are_held_for_their_seconds_from_when_the_mode_is_in(ground: Ground) -> None:
    steer = Steer(STICKS, "PositionHold", 2.0)
    asked = seen(ground, steer)
    assert asked.fixed is not None
    held = (asked.fixed.roll, asked.fixed.pitch, asked.fixed.yaw, asked.fixed.throttle)
    assert held == (0.1, -0.2, 0.3, 0.6)
    assert (asked.fixed.flight_mode_position, asked.fixed.arm) == (HOLD, True)
    for t, done in ((1.0, False), (2.9, False), (3.0, True)):
        ground.status(t, "Armed", "PositionHold")
        seen(ground, steer)
        assert steer.is_done is done
    ground.status(4.0, "Disarmed", "PositionHold")
    assert seen(ground, steer).fixed is None


@pytest.mark.parametrize("axis", ["roll", "pitch", "yaw", "throttle", "seconds"])
def test_sticks_that_are_no_numbers_are_refused(axis: str, ground: Ground) -> None:
    values = {"roll": 0.0, "pitch": 0.0, "yaw": 0.0, "throttle": 0.5, "seconds": 1.0}
    values[axis] = math.nan
    seconds = values.pop("seconds")
    steer = Steer(Sticks(**values), "PositionHold", seconds)
    assert seen(ground, steer) is BEFORE
    assert steer.problem == "Sticks and seconds have to be numbers."


def test_disarming_stops_the_motors_until_it_is_disarmed(ground: Ground) -> None:
    disarm = Disarm(AircraftView(ground.vehicle))
    assert disarm.stops_motors
    asked = seen(ground, disarm)
    assert asked.transmitting
    assert not disarm.is_done
    ground.status(1.0, "Disarmed")
    assert seen(ground, disarm).fixed is None
    assert disarm.is_done
