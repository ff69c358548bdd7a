"""The example behaviour that sees, flown through the office's rooms without GPS.

Where things are is the world's file; how fast it flies and how near it comes is the simulation's
truth, of which the behaviour is told nothing.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from examples.behaviour.keep_clear import (
    HEIGHT_M,
    KeepClear,
    Scan,
    climb_stick,
    flown_mps,
    free_ahead_m,
    in_body,
    pushed_mps,
)
from telemetry.flying.behaviours.script_moment import ScriptMoment
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.streams.samples import ScanSample, StreamDescription, StreamKind
from tests.telemetry.flying.behaviours.flown_behaviour import fly_behaviour

ARM_M = 0.402
"""From hector's middle to the end of its hull (resources/aircraft/hector.toml)."""
OFFICE = ("hector-indoor", "office:start=hall")
UPSIDE_DOWN = (0.0, 1.0, 0.0, 0.0)
AROUND = np.radians(np.arange(-179.5, 180.0))


def _mounted(moment: ScriptMoment, attitude: tuple[float, float, float, float]) -> ScriptMoment:
    """The lidar hangs otherwise than it does."""
    lidar = replace(moment.descriptions["lidar"], attitude_q_wxyz=attitude)
    return replace(moment, descriptions={**moment.descriptions, "lidar": lidar})


@pytest.mark.slow
def test_it_wanders_through_rooms_and_touches_nothing(catalogue: Catalogue) -> None:
    flown = fly_behaviour(catalogue, *OFFICE, KeepClear().steer, 30.0, from_height_m=0.8)
    assert not flown.touched
    assert min(flown.nearest_m) > ARM_M + 0.1
    places = np.array(flown.places_m)
    way_m = np.linalg.norm(np.diff(places[:, :2], axis=0), axis=1).sum()
    assert way_m > 7.0, "it goes somewhere"
    heights = -places[200:, 2]
    assert 0.5 < heights.min() < heights.max() < 2.2
    assert abs(np.median(heights) - HEIGHT_M) < 0.4


@pytest.mark.slow
def test_told_a_wrong_mount_it_does_not_keep_clear(catalogue: Catalogue) -> None:
    """Negative control: left and right swapped."""
    behaviour = KeepClear()

    def steer(moment: ScriptMoment) -> dict[str, float]:
        return behaviour.steer(_mounted(moment, (1.0, 0.0, 0.0, 0.0)))

    flown = fly_behaviour(catalogue, *OFFICE, steer, 30.0, from_height_m=0.8)
    assert flown.touched or min(flown.nearest_m) < ARM_M + 0.1


def room(north_m: float, east_m: float, yaw: float) -> Scan:
    """A scan in a room of 8 by 6 metres around the origin, without noise."""
    north, east = np.cos(AROUND + yaw), np.sin(AROUND + yaw)
    ahead = np.where(north > 0, 4.0 - north_m, -4.0 - north_m) / north
    aside = np.where(east > 0, 3.0 - east_m, -3.0 - east_m) / east
    return Scan(0.0, AROUND, np.minimum(ahead, aside))


@pytest.mark.parametrize("yaw_rate", [0.0, 0.5, -0.5])
@pytest.mark.parametrize("velocity", [(0.5, 0.0), (-0.3, 0.4), (0.0, 0.0)])
def test_it_sees_how_fast_it_flies(velocity: tuple[float, float], yaw_rate: float) -> None:
    """Ahead and right of a nose that turns; a room seen from two places 0.1 s apart."""
    ahead, right = (0.1 * v for v in velocity)
    before, now = room(0.3, -0.5, 0.0), room(0.3 + ahead, -0.5 + right, 0.1 * yaw_rate)
    now.time_s = 0.1
    assert flown_mps(before, now) == pytest.approx(velocity, abs=0.05)
    assert flown_mps(now, replace(before, time_s=0.2)) == pytest.approx(
        (-velocity[0], -velocity[1]), abs=0.05
    )


def test_a_lidar_that_hangs_upside_down_has_its_right_on_the_left() -> None:
    rays = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]
    lidar = StreamDescription("lidar", StreamKind.SCANS, "Lidar", details={"directions": rays})
    sample = ScanSample(0, 1, np.array([5.0, 2.0, 9.0], np.float32), None)
    upright = in_body(lidar, sample)
    assert dict(zip(upright.angle.round(2), upright.range_m, strict=True))[1.57] == 2.0
    hanging = in_body(replace(lidar, attitude_q_wxyz=UPSIDE_DOWN), sample)
    assert dict(zip(hanging.angle.round(2), hanging.range_m, strict=True))[1.57] == 9.0


def test_it_is_pushed_away_from_what_is_near_and_sees_how_far_it_can_go() -> None:
    near_the_east_wall = room(0.0, 2.4, 0.0)
    ahead, right = pushed_mps(near_the_east_wall)
    assert right < -0.2
    assert abs(ahead) < 0.05
    assert free_ahead_m(near_the_east_wall) < 1.0, "the wall is within the way it needs"
    assert free_ahead_m(room(0.0, 0.0, 0.0)) == pytest.approx(4.0, abs=0.01)
    assert np.all(pushed_mps(room(0.0, 0.0, 0.0)) == 0.0)


def test_a_sonar_that_hears_nothing_moves_no_stick() -> None:
    details = {"least_m": 0.03, "longest_m": 3.0}
    assert climb_stick(0.5, details) > 0.0 > climb_stick(2.0, details)
    assert [climb_stick(h, details) for h in (3.0, math.inf, math.nan, 0.0)] == [0.0] * 4
