"""The example behaviour that sees, flown through the office's rooms without GPS.

Where things are is the world's file; how fast it flies and how near it comes is the simulation's
truth, of which the behaviour is told nothing.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

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
from plugins.pilot.behaviours.pose import read_pose
from plugins.pilot.behaviours.script import TOLD_EVERY_S, pose_numbers
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.flown_world import open_world
from simulation.perception.suite import PerceptionSuite, SuiteSample
from telemetry.objects.catalogue import Catalogue
from telemetry.robot.script_moment import MomentWriter, ScriptMoment, read_moments
from telemetry.streams.samples import ScanSample, StreamDescription, StreamKind
from telemetry.vehicle.sticks import Sticks
from tests.flown_bench import FlownBench

ARM_M = 0.402
"""From hector's middle to the end of its hull (resources/aircraft/hector.toml)."""
VARIO = 1
UPSIDE_DOWN = (0.0, 1.0, 0.0, 0.0)
AROUND = np.radians(np.arange(-179.5, 180.0))


@dataclass(frozen=True)
class Flown:
    """Per moment: the distance to what is nearest at its height, and the true place."""

    nearest_m: list[float]
    places_m: np.ndarray
    touched: bool


def fly(catalogue: Catalogue, seconds: float, mounted: tuple[float, ...] = UPSIDE_DOWN) -> Flown:
    """Arm and take off by hand in the hall, then leave it to the behaviour. `mounted` is how the
    behaviour is told that the lidar hangs."""
    world = open_world("office:start=hall")
    config = AutopilotConfig(load_preset("hector-indoor"), world=world)
    bench = FlownBench(catalogue, config)
    simulator = bench.autopilot.simulator
    suite = PerceptionSuite(simulator, world.scene, simulator.aircraft.mounts)
    newest: dict[str, SuiteSample] = {}
    suite.subscribe(lambda taken: newest.__setitem__(taken.description.name, taken))
    bench.fly(Sticks(), 3.0)
    bench.fly(Sticks(arm=True), 2.0)
    in_vario = Sticks(arm=True, flight_mode_position=VARIO, throttle=0.9)
    bench.fly(in_vario, 3.0)
    writer, behaviour = MomentWriter(), KeepClear()
    nearest, places, touched = [], [], False
    moments = read_moments(_lines(bench, writer, newest, seconds))
    directions = np.stack([np.cos(AROUND), np.sin(AROUND), np.zeros(360)], 1)
    for moment in moments:
        told = behaviour.steer(_mounted(moment, mounted))
        throttle = 0.5 + 0.5 * told.get("throttle", 0.0)
        sides = {
            axis: float(np.clip(told.get(axis, 0.0), -1, 1)) for axis in ("roll", "pitch", "yaw")
        }
        bench.fly(replace(in_vario, throttle=throttle, **sides), TOLD_EVERY_S)
        place = simulator.output["true_position"].tolist()
        ranges = world.grid.cast(tuple(place), directions).range_m
        nearest.append(float(np.nanmin(ranges)))
        places.append(place)
        touched = touched or bool(simulator.output["touches_ground"] or simulator.output["crashed"])
    return Flown(nearest, np.array(places), touched)


def _lines(
    bench: FlownBench, writer: MomentWriter, newest: dict[str, SuiteSample], seconds: float
) -> Iterator[str]:
    """What the station would tell."""
    end_s = bench.clock.now + seconds
    while bench.clock.now < end_s:
        pose = read_pose(bench.vehicle)
        assert pose is not None
        samples = [(taken.description, taken.sample) for taken in newest.values()]
        newest.clear()
        yield writer.line(pose_numbers(pose), samples).decode()


def _mounted(moment: ScriptMoment, attitude: tuple[float, ...]) -> ScriptMoment:
    lidar = replace(moment.descriptions["lidar"], attitude_q_wxyz=attitude)
    return replace(moment, descriptions={**moment.descriptions, "lidar": lidar})


@pytest.mark.slow
def test_it_wanders_through_rooms_and_touches_nothing(catalogue: Catalogue) -> None:
    flown = fly(catalogue, 60.0)
    assert not flown.touched
    assert min(flown.nearest_m) > ARM_M + 0.1
    way_m = np.linalg.norm(np.diff(flown.places_m[:, :2], axis=0), axis=1).sum()
    assert way_m > 15.0, "it goes somewhere"
    heights = -flown.places_m[200:, 2]
    assert 0.5 < heights.min() < heights.max() < 2.2
    assert abs(np.median(heights) - HEIGHT_M) < 0.4


@pytest.mark.slow
def test_told_a_wrong_mount_it_does_not_keep_clear(catalogue: Catalogue) -> None:
    """Negative control: left and right swapped."""
    flown = fly(catalogue, 60.0, (1.0, 0.0, 0.0, 0.0))
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
