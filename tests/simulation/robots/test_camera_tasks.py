"""Scripts that fly by what a camera sees: a landing on a marker, a circle around a box; in wind.

They are examples, written from docs/scripts.md. The truth of the simulation judges them, which they
do not know: where it stands, and the angle between the lens's axis and the box. With
LAPWING_ALL_WAYS=1 they fly with 20 seeds.
"""

import os

import pytest

from examples.robot import land_on_marker, orbit_box
from simulation.robots.connecting import connect_in_step
from telemetry.flying.robot.errors import RobotError

ALL_WAYS = "LAPWING_ALL_WAYS" in os.environ
LANDED_WITHIN_M, OFF_AT_MOST_DEG = 0.15, 5.0
CIRCLED_S = orbit_box.SECONDS if ALL_WAYS else 4.0


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 21) if ALL_WAYS else (2,))
def test_it_lands_on_the_marker(seed: int) -> None:
    address = f"sim:ardrone-rotors@{land_on_marker.YARD}?seed={seed}"
    robot = connect_in_step(address, rates_hz={"bottom": land_on_marker.RATE_HZ})
    land_on_marker.blow(robot)
    land_on_marker.fly_to_pad(robot)
    by_gps_m = land_on_marker.off_pad_m(robot)
    land_on_marker.land_on_pad(robot)
    robot.close()
    assert land_on_marker.off_pad_m(robot) < LANDED_WITHIN_M
    if not ALL_WAYS:  # negative control: from where GPS had it, straight down
        assert by_gps_m > 2.0 * LANDED_WITHIN_M


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 21) if ALL_WAYS else (1,))
def test_it_keeps_the_box_in_the_middle_of_its_picture(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sim:ardrone-rotors@{orbit_box.YARD}?seed={seed}"
    robot = connect_in_step(address, rates_hz={"front": orbit_box.RATE_HZ})
    orbit_box.blow(robot)
    robot.take_off()
    assert orbit_box.most_off_deg(robot, CIRCLED_S) < OFF_AT_MOST_DEG
    # --- negative control: the sign of what the picture says ---
    monkeypatch.setattr(orbit_box, "TURN_PER_S", -orbit_box.TURN_PER_S)
    monkeypatch.setattr(orbit_box, "LOST_S", 0.5)
    with pytest.raises(RobotError, match="lost from sight"):
        list(orbit_box.circle(robot, orbit_box.SETTLED_S))
    robot.close()
