"""Velocities that a script renews: flown without asking the board each time, ended by silence.

Judged by the truth of the simulation. That PathDesired's velocity and the sticks are taken over
while they are flown is read in ObjectiveUpdated and UpdateStabilizationDesired of LibrePilot's
vtolvelocitycontroller.cpp. A flight in lock-step is the same to the bit each time.
"""

import math

import numpy as np
import pytest

from simulation.robots.connecting import SteppedRobot, connect_in_step
from telemetry.flying.robot.errors import RobotError


def yaw_deg(robot: SteppedRobot) -> float:
    w, x, y, z = robot.simulator.output["true_quaternion"].tolist()
    return math.degrees(math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))


def speed_mps(robot: SteppedRobot) -> float:
    return math.hypot(*robot.simulator.output["true_velocity"].tolist())


def turned_deg(robot: SteppedRobot, renew_s: float, seconds: float, turn_degps: float) -> float:
    """By how much the nose truly turns while a velocity is renewed so often."""
    total, before = 0.0, yaw_deg(robot)
    for _ in range(round(seconds / renew_s)):
        robot.set_velocity(0.0, 0.0, turn_degps=turn_degps)
        robot.step(renew_s)
        total += (yaw_deg(robot) - before + 180.0) % 360.0 - 180.0
        before = yaw_deg(robot)
    return total


@pytest.fixture(scope="module")
def flying() -> SteppedRobot:
    robot = connect_in_step("sim:ar100b?seed=3")
    robot.take_off(6.0)
    return robot


@pytest.mark.slow
@pytest.mark.parametrize("renew_s", [0.02, 0.15])
def test_what_is_renewed_is_flown_on(flying: SteppedRobot, renew_s: float) -> None:
    """24 deg/s for 7 s are 168 degrees."""
    turned = turned_deg(flying, renew_s, 7.0, 24.0)
    assert turned == pytest.approx(168.0, abs=0.05 * 168.0)
    flying.step(2.0)


@pytest.mark.slow
def test_a_body_velocity_turns_with_the_nose(flying: SteppedRobot) -> None:
    """Ahead and to the right, over one turn of 18 s: what GPS drifts meanwhile points everywhere as
    seen from the nose. As seen from the north, the control, the velocity does."""
    seen, ned = [], []
    for _ in range(240):
        flying.set_body_velocity(0.8, 0.6, height_m=6.0, turn_degps=20.0)
        flying.step(0.1)
        north, east, _down = flying.simulator.output["true_velocity"].tolist()
        yaw = math.radians(yaw_deg(flying))
        ned.append((north, east))
        seen.append(
            (
                north * math.cos(yaw) + east * math.sin(yaw),
                east * math.cos(yaw) - north * math.sin(yaw),
            )
        )
    assert np.mean(seen[-180:], axis=0) == pytest.approx([0.8, 0.6], abs=0.3)
    assert np.linalg.norm(np.mean(ned[-180:], axis=0)) < 0.3


@pytest.mark.slow
def test_silence_ends_it_after_the_stated_time(flying: SteppedRobot) -> None:
    """It flies on for so long, then holds. A longer time is the control."""
    speeds = []
    for flying.silence_s in (0.5, 3.0):
        for _ in range(40):
            flying.set_velocity(1.5, 0.0, height_m=6.0)
            flying.step(0.1)
        flying.step(2.5)
        speeds.append(speed_mps(flying))
        flying.step(6.0)
    flying.silence_s = 0.5
    assert speeds[0] < 0.75
    assert speeds[1] == pytest.approx(1.5, abs=0.3)
    assert speed_mps(flying) < 0.3


@pytest.mark.slow
def test_the_nose_looks_where_it_is_told_while_it_flies_elsewhere(flying: SteppedRobot) -> None:
    here = flying.state
    assert here.north_m is not None
    assert here.east_m is not None
    flying.go_to(here.north_m, here.east_m + 4.0, 6.0, heading=200.0, within_m=0.6)
    assert yaw_deg(flying) % 360.0 == pytest.approx(200.0, abs=6.0)
    flying.go_to(here.north_m, here.east_m, 6.0, heading=(here.north_m + 20.0, here.east_m))
    assert (yaw_deg(flying) + 180.0) % 360.0 - 180.0 == pytest.approx(0.0, abs=8.0)
    flying.turn_to(90.0)
    assert yaw_deg(flying) == pytest.approx(90.0, abs=6.0)


@pytest.mark.slow
def test_what_is_asked_for_instead_ends_it_and_it_begins_anew(flying: SteppedRobot) -> None:
    flying.set_velocity(1.0, 0.0)
    flying.hold()
    flying.set_velocity(0.0, 1.0)
    flying.step(0.4)
    assert flying.state.flight_mode == "PositionHold"
    flying.silence_s = 0.0
    with pytest.raises(RobotError, match="silence_s has to be above 0"):
        flying.set_velocity(0.0, 1.0)
    flying.silence_s = 0.5


@pytest.mark.slow
def test_what_is_wrong_is_refused_by_its_name_and_the_rest_flies_on(flying: SteppedRobot) -> None:
    with pytest.raises(RobotError, match="up_mps and height_m do not go together"):
        flying.set_velocity(0.0, 0.0, 1.0, height_m=6.0)
    with pytest.raises(RobotError, match=r"radius_m: that circle is up to 1000000.0 km away"):
        flying.orbit((0.0, 0.0, 6.0), 1e9, 1.0)
    with pytest.raises(RobotError, match=r"radius_m: that circle is up to \d+\.\d km away"):
        flying.orbit((5000.0, 0.0, 6.0), 8.0, 1.0)
    with pytest.raises(RobotError, match="no object has the name or id 'PositionStat'"):
        flying.latest("PositionStat")
    flying.lowest_m = math.nan  # which no height is below
    with pytest.raises(RobotError, match="lowest_m has to be a number of metres; it is nan"):
        flying.go_to(0.0, 0.0, -50.0)
    with pytest.raises(RobotError, match="lowest_m has to be a number of metres; it is nan"):
        flying.orbit((0.0, 0.0, -50.0), 8.0, 1.0)
    flying.lowest_m = 2.0
    flying.set_velocity(0.0, 0.0, height_m=6.0)
    assert flying.state.is_armed


@pytest.mark.slow
@pytest.mark.parametrize("speed_mps", [1.5, -1.5])
def test_an_orbit_faces_its_centre_by_the_aircrafts_own_estimate(
    flying: SteppedRobot, speed_mps: float
) -> None:
    """What it knows of itself, against a circle on paper: its radius, its speed, and the way."""
    robot = flying
    here = robot.state
    assert here.north_m is not None
    assert here.east_m is not None
    centre = here.north_m + 8.0, here.east_m, 6.0
    action = robot.orbit(centre, 8.0, speed_mps, turns=0.5, wait=False)
    away_m, off_deg, began_s = [], [], robot.time_s
    while not action.is_finished and robot.time_s < began_s + 40.0:
        robot.step(0.1)
        now = robot.state
        assert now.north_m is not None
        assert now.east_m is not None
        north, east = centre[0] - now.north_m, centre[1] - now.east_m
        if robot.time_s > began_s + 6.0:
            away_m.append(math.hypot(north, east))
            bearing = math.degrees(math.atan2(east, north))
            off_deg.append(abs((bearing - (now.yaw_deg or 0.0) + 180.0) % 360.0 - 180.0))
    assert action.is_finished
    action.wait()
    assert robot.time_s - began_s == pytest.approx(math.pi * 8.0 / 1.5, rel=0.3)
    assert max(abs(away - 8.0) for away in away_m) < 1.0
    assert max(off_deg) < 5.0
    assert east < 0.0 or north < 0.0, "it has gone round"


def flight(seed: int) -> bytes:
    """A short flight, as the simulation has it at its end."""
    robot = connect_in_step(f"sim:ar100b?seed={seed}")
    robot.take_off(wait=False)
    robot.step(12.0)
    told = robot.latest("PositionState")
    assert told is not None
    robot.close()
    return robot.simulator.output.tobytes() + told.row.tobytes()


@pytest.mark.slow
def test_a_script_flies_the_same_to_the_bit_each_time() -> None:
    assert flight(5) == flight(5)
    assert flight(5) != flight(6), "another seed"


def test_time_passes_only_while_the_script_waits() -> None:
    robot = connect_in_step("sim:ar100b")
    before_s = robot.time_s
    for _ in range(7):
        robot.step(0.01)
    assert robot.time_s - before_s == pytest.approx(0.08), "in whole loops of 20 ms"
    with pytest.raises(RobotError, match=r"seconds has to be a number of seconds; it is nan"):
        robot.step(math.nan)
    robot.close()
