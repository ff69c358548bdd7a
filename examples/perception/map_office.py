# %% [markdown]
# # A map of the office by lidar alone
#
# A UTM-30LX is carried through rooms that it does not know, level and turning all the while. Where
# it is has to come from the scans: each is matched by GICP (small_gicp) to the map of those
# before. What comes out is compared with the walls of the world, which took no part in it.

# %%
import math
from functools import partial

import numpy as np
import numpy.typing as npt
import small_gicp

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.floor_plan import distances, floor_plan
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world
from telemetry.protocol.streams.samples import ScanSample, ray_directions

Array = npt.NDArray[np.float64]

HEIGHT_M = 1.3
SPEED_MPS = 1.5
TURN = math.radians(30.0)  # a second
STOPS = np.array(  # north, east, through the doors
    [
        *[(-8.0, 0.0), (-7.7, 0.0), (-7.7, -3.0), (-7.7, 0.0), (-4.7, 0.0), (-4.7, 3.5)],
        *[(-4.7, 0.0), (-1.1, 0.0), (-1.1, -3.0), (-1.1, 0.0), (2.1, 0.0), (2.1, 3.0)],
        *[(2.1, 0.0), (2.9, 0.0), (2.9, -3.0), (2.9, 0.0), (7.0, 0.0)],
    ]
)
RESTS_S = 0.3  # at the beginning: the first scan is where the map begins
WAY_M = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(STOPS, axis=0).T))])
TIMES = RESTS_S + WAY_M / SPEED_MPS
LAYERS_M = (-0.2, 0.0, 0.2)  # so that lines of a scan are walls to the matching, which is spatial
NEW_PART_M, NEW_PART_RAD = 1.0, math.radians(15.0)  # of the map
NEAR_M = 0.1  # less than a wall is thick, or its two sides are taken for one


def pose(t: float) -> Pose:
    """Where the scanner is at a time: it gathers and loses speed between two stops."""
    part = min(max(int(np.searchsorted(TIMES, t)) - 1, 0), len(STOPS) - 2)
    share = min(max((t - TIMES[part]) / (TIMES[part + 1] - TIMES[part]), 0.0), 1.0)
    way = (3.0 - 2.0 * share) * share * share
    north, east = STOPS[part] + way * (STOPS[part + 1] - STOPS[part])
    half = 0.5 * TURN * max(t - RESTS_S, 0.0)
    return (north, east, -HEIGHT_M), (math.cos(half), 0.0, 0.0, math.sin(half))


# %% The scans, ten a second
scene = make_scene(load_world("office"))
path = GivenPath(pose)
suite = PerceptionSuite(path, scene, [SensorMount("lidar", "utm-30lx", changes={"rate_hz": 10.0})])
samples: list[SuiteSample] = []
suite.subscribe(samples.append)
path.advance(round(1000 * TIMES[-1]))

(description,) = suite.descriptions
rays = ray_directions(description)
swept = np.array(description.details["after_us"]) / (1e6 / description.rate_hz)  # of a period


# %% Where each scan was taken, north, east and heading, by matching
def moved(place: Array, by: Array, share: Array | float = 1.0) -> Array:
    """Places (n, 3) a share of a step further on; the step is in the place's own axes."""
    share = np.atleast_1d(np.asarray(share, np.float64))
    cos, sin = math.cos(place[2]), math.sin(place[2])
    step = np.array([by[0] * cos - by[1] * sin, by[0] * sin + by[1] * cos, by[2]])
    return np.asarray(place + share[:, None] * step)


def seen_from(place: Array, by: Array, ranges: Array) -> Array:
    """What a scan met, (n, 2), if the scanner began at a place and made a step in a period."""
    places = moved(place, by, swept)
    azimuth = np.arctan2(rays[:, 1], rays[:, 0]) + places[:, 2]
    met = places[:, :2] + ranges[:, None] * np.stack([np.cos(azimuth), np.sin(azimuth)], 1)
    return np.asarray(met[np.isfinite(met[:, 0])])


def as_walls(points: Array) -> Array:
    """The same points in every layer, (n, 3)."""
    layers = np.repeat(LAYERS_M, len(points))
    return np.column_stack([np.tile(points, (len(LAYERS_M), 1)), layers])


prepared = partial(small_gicp.preprocess_points, downsampling_resolution=0.1, num_neighbors=12)
place, step = np.array([-8.0, 0.0, 0.0]), np.zeros(3)
placed: list[Array] = []
mapped: list[Array] = []
target, tree, last_part = None, None, place
for sample in samples:
    assert isinstance(sample.sample, ScanSample)
    ranges = sample.sample.ranges_m.astype(np.float64)
    guess = moved(place, step)[0]
    source, _ = prepared(as_walls(seen_from(guess, step, ranges)))
    if target is not None:
        found = small_gicp.align(target, source, tree, max_correspondence_distance=NEAR_M)
        turn = found.T_target_source
        heading = guess[2] + math.atan2(turn[1, 0], turn[0, 0])
        after = np.array([*(turn[:2, :2] @ guess[:2] + turn[:2, 3]), heading])
        cos, sin = math.cos(place[2]), math.sin(place[2])
        north, east, turned = after - place
        step = np.array([north * cos + east * sin, east * cos - north * sin, turned])
        place = after
    else:
        place = guess
    placed.append(place)
    away = place - last_part
    if target is None or np.hypot(*away[:2]) > NEW_PART_M or abs(away[2]) > NEW_PART_RAD:
        mapped.append(seen_from(place, step, ranges))
        target, tree = prepared(as_walls(np.concatenate(mapped)))
        last_part = place

# %% How far it is off
true = np.array([[*pose(each.truth.time_us / 1e6)[0][:2]] for each in samples])
place_error_m = np.hypot(*(np.array(placed)[:, :2] - true).T)
every_tenth = np.concatenate(mapped)[::10]
wall_error_m = distances(every_tenth, floor_plan(scene, -HEIGHT_M))
print(f"{len(samples)} scans over {WAY_M[-1]:.0f} m")
print(f"place: off by {place_error_m.max():.3f} m at most, {place_error_m[-1]:.3f} m at the end")
print(f"walls: 95 % of the map within {np.percentile(wall_error_m, 95):.3f} m of one")
