"""Maps that grow: the time for a scan and for a picture, on one core."""

import math
import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.result import BenchmarkResult, at_most
from telemetry.base.rotations import matrix_by_angles
from telemetry.review.cameras.lens import Lens
from telemetry.review.mapping.colours import add_picture
from telemetry.review.mapping.grown_map import GrownMap
from telemetry.review.mapping.heights import add_points, add_range
from telemetry.review.mapping.space_pose import SpacePose

RAYS, SPREAD_DEG = 1081, 135.0
HEIGHT_M, SPEED_MPS = 3.0, 5.0
CELL_M = 0.1


def run() -> Iterator[BenchmarkResult]:
    """Flying east at 3 m and 5 m/s over cells of 0.1 m, which grow on the way."""
    angle = np.radians(np.linspace(-SPREAD_DEG / 2, SPREAD_DEG / 2, RAYS))
    rays = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(RAYS)])
    scan = rays * (HEIGHT_M / np.cos(angle))[:, None]
    grown = GrownMap(CELL_M)
    spent = _ms_each(400, 0.025, lambda pose: add_points(grown, pose.points(scan), pose))
    yield at_most("scan of a UTM-30LX onto the map", spent, "ms", 2.0)
    cone = math.radians(12.0)
    spent = _ms_each(400, 0.04, lambda pose: add_range(grown, HEIGHT_M, pose, cone))
    yield at_most("distance of a sonar onto the map", spent, "ms", 1.0)
    for width, height, most_ms in ((176, 144, 5.0), (640, 480, 10.0)):
        focal = width / 2 / math.tan(math.radians(32.0))
        lens = Lens((focal, focal), (width / 2 - 0.5, height / 2 - 0.5), (-0.1, 0.01))
        pixels = np.random.default_rng(1).integers(0, 255, (height, width, 3)).astype(np.uint8)
        spent = _ms_each(100, 0.2, _laying(grown, pixels, lens))
        yield at_most(f"picture of {width}x{height} onto the map", spent, "ms", most_ms)


def _laying(grown: GrownMap, pixels: np.ndarray, lens: Lens) -> Callable[[SpacePose], object]:
    return lambda pose: add_picture(grown, pixels, lens, pose)


def _ms_each(count: int, every_s: float, take: Callable[[SpacePose], object]) -> float:
    down = matrix_by_angles(0.0, -90.0, 0.0)
    take(SpacePose(np.array([0.0, 0.0, -HEIGHT_M]), down))  # loads what it needs
    start_s = time.process_time()
    for number in range(count):
        east = SPEED_MPS * (number * every_s % 10.0)
        take(SpacePose(np.array([0.0, east, -HEIGHT_M]), down))
    return 1e3 * (time.process_time() - start_s) / count
