"""Rays into worlds: how many Embree casts a second, on one core, and what is made of the hits."""

import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from benchmarks.result import BenchmarkResult, at_least, at_most
from simulation.worlds.make_scene import make_scene
from simulation.worlds.rays import SceneRays
from simulation.worlds.world_file import load_world
from telemetry.base.rotations import matrix_by_angles

Array = npt.NDArray[np.float64]

SIZE, FOCAL = (640, 480), 554.0
LIDAR_RAYS, LIDAR_DEG = 1081, 270.0
LIDAR_SCANS_PER_S = 40 * 50
"""A UTM-30LX's at fifty times real time."""


def run() -> Iterator[BenchmarkResult]:
    """The village from above its strip, as a camera sees it, and a lidar in the office."""
    start_s = time.process_time()
    village = make_scene(load_world("village"))
    yield at_most("making the village", time.process_time() - start_s, "s", 4.0)
    start_s = time.process_time()
    rays = SceneRays(village)
    yield at_most("making it ready for rays", time.process_time() - start_s, "s", 1.0)
    above = np.array((120.0, 0.0, -60.0))
    per_s = _rays_per_s(rays, above, _camera_ways(), 15_000.0)
    yield at_least("rays into the village", per_s / 1e6, "M/s", 2.0)
    office = SceneRays(make_scene(load_world("office")))
    per_s = _rays_per_s(office, np.array((-8.0, 0.1, -1.2)), _lidar_ways(), 30.0)
    yield at_least("lidar scans in the office", per_s / LIDAR_RAYS, "1/s", LIDAR_SCANS_PER_S)


def _camera_ways() -> Array:
    width, height = SIZE
    column, row = np.meshgrid(np.arange(width) - width / 2, np.arange(height) - height / 2)
    ways = np.stack([np.full_like(column, FOCAL), column, row], -1).reshape(-1, 3)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return np.asarray(ways @ matrix_by_angles(0.0, -8.0, 0.0).T)


def _lidar_ways() -> Array:
    angle = np.radians(np.linspace(-LIDAR_DEG / 2, LIDAR_DEG / 2, LIDAR_RAYS))
    return np.column_stack([np.cos(angle), np.sin(angle), np.zeros(LIDAR_RAYS)])


def _rays_per_s(rays: SceneRays, place: Array, ways: Array, longest_m: float) -> float:
    origins = np.tile(place, (len(ways), 1))
    count = max(1_000_000 // len(ways), 3)
    rays.cast(origins, ways, longest_m)
    start_s = time.process_time()
    for _ in range(count):
        rays.cast(origins, ways, longest_m)
    return count * len(ways) / (time.process_time() - start_s)
