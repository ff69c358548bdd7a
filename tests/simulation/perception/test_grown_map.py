"""Maps of known worlds, by simulated sensors on an aircraft that sways: as good as the sensors are,
and flown in again as a world. Truth is asked of the world's own triangles."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.mathematics.rotation import euler_of, set_euler
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.records.interface import STEP_S
from simulation.worlds.make_scene import make_scene
from simulation.worlds.rays import RayHits, SceneRays
from simulation.worlds.scene import WorldScene
from simulation.worlds.world_file import load_world
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from telemetry.review.mapping.builder import MapBuilder
from telemetry.review.mapping.files import MapOrigin, save_world
from telemetry.review.mapping.grown_map import GrownMap
from telemetry.review.mapping.heights import add_points
from telemetry.review.mapping.recorded_poses import RecordedPoses
from telemetry.review.mapping.space_pose import SpacePose
from tests.telemetry.review.mapping.mapped import add_pose

Array = npt.NDArray[np.float64]

DOWN = (0.0, -90.0, 0.0)
LIDAR = SensorMount("lidar", "utm-30lx", attitude_deg=DOWN, changes={"rate_hz": 20.0})
SONAR = SensorMount("sonar", "ardrone-sonar", attitude_deg=DOWN)
CAMERA = SensorMount("bottom", "ardrone-bottom", attitude_deg=DOWN, changes={"rate_hz": 5.0})
FLOWN_S = 2.5
pytestmark = pytest.mark.slow


@cache
def arena() -> WorldScene:
    return make_scene(load_world("arena"))


def over_the_steps(t: float) -> Pose:
    """East over steps and platform (see the world's file), swaying by 9 and 6 degrees."""
    q = [0.0] * 4
    roll, pitch = 0.15 * math.sin(2.0 * t), 0.1 * math.sin(3.0 * t + 1.0)
    set_euler(q, roll, pitch, math.radians(90.0) + 0.2 * math.sin(t))
    return (0.3 * math.sin(t), 6.0 + 5.0 * t, -3.0), q


@cache
def flight() -> tuple[Recording, dict[str, MediaTrack]]:
    """What the sensors sent, and the poses 50 times a second."""
    path, recording = GivenPath(over_the_steps), Recording("test")
    suite = PerceptionSuite(path, arena(), [LIDAR, SONAR, CAMERA])
    tracks = {one.name: MediaTrack(one) for one in suite.descriptions}

    def take(each: SuiteSample) -> None:
        tracks[each.description.name].append(1e-6 * each.sample.time_us, each.sample)

    def note(output: np.void) -> None:
        roll, pitch, yaw = (math.degrees(a) for a in euler_of(output["true_quaternion"].tolist()))
        north, east, down = output["true_position"].tolist()
        add_pose(recording, output["step"] * STEP_S, (north, east, down), (roll, pitch, yaw))

    suite.subscribe(take)
    path.watch(note, 20)
    path.advance(round(FLOWN_S / STEP_S))
    assert not suite.failures
    return recording, tracks


def grown_by(names: Sequence[str], attitude_q_wxyz: Sequence[float] | None = None) -> GrownMap:
    """The map by some of the sensors, believed to be mounted like this."""
    recording, tracks = flight()
    believed = Recording("test")
    for name in ("AttitudeState", "PositionState"):
        track = recording.track(name)
        assert track is not None
        believed.extend(track.definition, 0, track.times, track.rows)
    for name in names:
        description = tracks[name].description
        if attitude_q_wxyz is not None:
            w, x, y, z = attitude_q_wxyz
            description = replace(description, attitude_q_wxyz=(w, x, y, z))
        track = MediaTrack(description)
        for index, t in enumerate(tracks[name].times):
            sample = tracks[name].held(index)
            assert sample is not None
            track.append(float(t), sample)
        believed.add_media(track)
    builder = MapBuilder(believed, GrownMap(0.1), RecordedPoses(believed))
    while builder.advance(FLOWN_S):
        pass
    return builder.grown


def seen_from_above(scene: WorldScene, grown: GrownMap) -> tuple[SceneRays, RayHits]:
    """Straight down onto the middles of all cells that were measured and are not at the border."""
    north, east = np.meshgrid(*grown.centres_m(grown.window), indexing="ij")
    chosen = grown.is_known
    origins = np.column_stack([north[chosen], east[chosen], np.full(chosen.sum(), -60.0)])
    rays = SceneRays(scene)
    return rays, rays.cast(origins, np.tile([0.0, 0.0, 1.0], (len(origins), 1)), 100.0)


def height_errors(grown: GrownMap) -> Array:
    _, hits = seen_from_above(arena(), grown)
    return np.abs(grown.heights_m[grown.is_known] - (60.0 - hits.range_m))


def test_a_lidar_maps_the_steps_within_two_centimetres() -> None:
    """A UTM-30LX's noise is 1 cm at 3 m (its specification); 0.25 m steps stand out. At edges a
    cell of 0.1 m has two heights, one of which is the truth's."""
    errors = height_errors(grown_by(["lidar"]))
    assert len(errors) > 6000
    assert np.median(errors) < 0.01
    assert np.percentile(errors, 90) < 0.02


@pytest.mark.parametrize(
    "attitude",
    [(0.5**0.5, 0.0, 0.5**0.5, 0.0), (0.0, 0.5**0.5, 0.0, 0.5**0.5)],
    ids=["upwards", "left for right"],
)
def test_with_the_mount_turned_round_it_does_not(attitude: tuple[float, ...]) -> None:
    """So the bounds above tell a right map from a wrong one."""
    grown = grown_by(["lidar"], attitude)
    assert not grown.is_known.any() or np.percentile(height_errors(grown), 90) > 0.1


def test_a_sonar_maps_them_as_far_as_its_cone_can_tell() -> None:
    """AR.Drone: 2 cm of noise, 1 cm of resolution; beside an edge its cone of 12 degrees hears the
    higher side, up to 0.6 m away at 3 m."""
    errors = height_errors(grown_by(["sonar"]))
    assert len(errors) > 800
    assert np.median(errors) < 0.03
    assert np.percentile(errors, 80) < 0.15


def test_a_saved_map_is_a_world_to_fly_in(tmp_path: Path) -> None:
    """Rays down onto the saved world meet the ground of the map and the colours of the arena."""
    grown = grown_by(["lidar", "bottom"])
    folder = save_world(grown, tmp_path / "again", MapOrigin(48.9, 9.4, 270.0), (0.0, 8.0))
    world = load_world(folder)
    again = make_scene(world)
    rays, hits = seen_from_above(again, grown)
    true_rays, true_hits = seen_from_above(arena(), grown)
    is_met = (hits.triangle >= 0) & (hits.triangle < len(again.ground.triangles))
    assert is_met.mean() > 0.98, "the ground ends in the middle of the outer cells"
    known = grown.heights_m[grown.is_known]
    assert 60.0 - hits.range_m[is_met] == pytest.approx(known[is_met], abs=1e-3)
    seen = is_met & grown.is_seen[grown.is_known]
    assert seen.sum() > 1400, "the pad to start from covers 256 of them"
    found, true = rays.colours(hits)[seen], true_rays.colours(true_hits)[seen]
    assert _likeness(found, true) > 0.7
    assert _likeness(found[::-1], true) < 0.3
    far = rays.cast(np.array([[80.0, 80.0, -20.0]]), np.array([[0.0, 0.0, 1.0]]), 30.0)
    assert 20.0 < far.range_m[0] < 21.0, "one does not fall off its edge"
    north, east, down = world.start.position_m
    assert abs(north) < 0.3
    assert east == pytest.approx(8.0, abs=0.3)
    below = rays.cast(np.array([[north, east, down]]), np.array([[0.0, 0.0, 1.0]]), 5.0)
    assert 0.0 < below.range_m[0] < 0.2, "just above the ground"


def test_an_aircraft_starts_on_a_level_place_of_a_rough_map(tmp_path: Path) -> None:
    """As rough as a sonar makes it; elsewhere the ground is the map's."""
    grown, chance = GrownMap(0.1), np.random.default_rng(1)
    north, east = np.meshgrid(np.arange(-3.0, 3.0, 0.1), np.arange(-0.6, 0.6, 0.1))
    heights = chance.normal(0.0, 0.1, north.size)
    above = SpacePose(np.array([0.0, 0.0, -9.0]), np.eye(3))
    add_points(grown, np.column_stack([north.ravel(), east.ravel(), -heights]), above)
    world = load_world(save_world(grown, tmp_path / "rough", None, (0.0, 0.0)))
    rays = SceneRays(make_scene(world))

    def below(north_m: float) -> Array:
        places = [(north_m + x, y, -5.0) for x in (-0.5, 0.0, 0.5) for y in (-0.3, 0.3)]
        return 5.0 - rays.cast(np.array(places), np.tile([0.0, 0.0, 1.0], (6, 1)), 10.0).range_m

    at_start, elsewhere = below(world.start.position_m[0]), below(2.0)
    assert at_start == pytest.approx(np.full(6, at_start[0]), abs=1e-6)
    assert 0.0 < -world.start.position_m[2] - at_start[0] < 0.1, "just above it"
    assert np.ptp(elsewhere) > 0.05


def _likeness(found: Array, true: Array) -> float:
    return float(np.corrcoef(found.mean(axis=1), true.mean(axis=1))[0, 1])
