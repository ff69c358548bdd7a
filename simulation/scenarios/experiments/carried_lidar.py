"""An office mapped by a scanner that is carried through it, from known places.

The scanner is a UTM-30LX, carried on a given path by hand, as it were: through the corridor and
into every room, turning all the while and swaying. Where it was is known, and nothing flies: that
does `lidar_map`. What is tried is whether stamps, the time between rays, mount and ranges fit
together, so that walls come out where they are. The walls are those of the world's triangles at
the same height, which the map knows nothing of.
"""

import hashlib
import math

import numpy as np
import numpy.typing as npt

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.mathematics.rotation import set_euler
from simulation.perception.floor_plan import (
    distances,
    floor_plan,
    nearest_distances,
    points_along,
)
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.suite import PerceptionSuite
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, Style, from_above
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world
from telemetry.base.rotations import matrices_of
from telemetry.protocol.streams.samples import ScanSample, ray_directions

Array = npt.NDArray[np.float64]

_STOPS = (
    *((-8.0, 0.0), (-7.7, 0.0), (-7.7, -4.0), (-7.7, 0.0), (-4.7, 0.0), (-4.7, 4.5), (-4.7, 0.0)),
    *((-1.1, 0.0), (-1.1, -4.0), (-1.1, 0.0), (2.1, 0.0), (2.1, 3.0), (2.1, 0.0)),
    *((2.9, 0.0), (2.9, -4.5), (2.9, 0.0), (6.0, 0.0), (8.5, 4.5), (8.5, -4.5)),
)
"""North and east, through the doors of the office."""
_HEIGHT_M = 1.3
_SWAY_DEG = 2.0
_RATE_HZ = 5.0
CELL_M = 0.05
_CELLS = 1000
_LEAST_HITS = 3
_SLICE_M = 0.25
"""What is so much above or below the scanner's height is no part of the map."""
_FAR_M = 12.0
FOUND_M = 0.1
_INSIDE_M = (10.0, 7.0)


class _Walk:
    """From stop to stop at a constant speed, level but for swaying, turning at a constant rate."""

    def __init__(self, speed_mps: float, turn_dps: float) -> None:
        stops = np.array(_STOPS)
        lengths = np.hypot(*np.diff(stops, axis=0).T)
        self._times = np.concatenate([[0.0], np.cumsum(lengths)]) / speed_mps
        self._stops = stops
        self._turn = math.radians(turn_dps)
        self.end_s = float(self._times[-1])

    def pose(self, t: float) -> Pose:
        """Position and attitude."""
        north, east = (float(np.interp(t, self._times, column)) for column in self._stops.T)
        sway = math.radians(_SWAY_DEG)
        attitude = [0.0] * 4
        set_euler(attitude, sway * math.sin(4.0 * t), sway * math.cos(5.0 * t), self._turn * t)
        return (north, east, -_HEIGHT_M), attitude


def run(experiment: Experiment) -> RunOutcome:
    """Carries it, draws the map, compares."""
    values = experiment.values
    walk = _Walk(values["speed_mps"], values["turn_dps"])
    scene = make_scene(load_world("office"), experiment.seed)
    changes = {"rate_hz": _RATE_HZ, "clock_offset_ms": values["clock_offset_ms"]}
    mount = SensorMount("lidar", "utm-30lx", (0.1, 0.0, 0.0), (0.0, 0.0, 0.0), changes)
    path = GivenPath(walk.pose, experiment.seed)
    suite = PerceptionSuite(path, scene, [mount])
    rays = ray_directions(suite.descriptions[0])
    after_s = np.array(suite.descriptions[0].details["after_us"]) / 1e6
    after_s *= values["sweep_share"]
    points: list[Array] = []
    digest = hashlib.sha256()

    def take(sample: ScanSample) -> None:
        digest.update(sample.ranges_m.tobytes())
        points.append(_seen(walk, sample, rays, sample.time_us / 1e6 + after_s))

    suite.subscribe(lambda each: take(each.sample) if isinstance(each.sample, ScanSample) else None)
    path.advance(round(walk.end_s * 1000))
    walls = mapped(np.concatenate(points))
    truth = floor_plan(scene, -_HEIGHT_M)
    off = distances(walls, truth)
    inside = points_along(within(truth), CELL_M)
    missed = nearest_distances(inside, walls)
    metrics = {
        "wall_error_m": float(np.percentile(off, 95.0)),
        "typical_error_m": float(np.median(off)),
        "found_share": float(np.mean(missed < FOUND_M)),
    }
    figure = _draw(walls, truth, walk)
    return RunOutcome(metrics, figure, digest.hexdigest(), duration_s=walk.end_s)


def _seen(walk: _Walk, sample: ScanSample, rays: Array, times_s: Array) -> Array:
    """North and east (n, 2) of what a scan met about the scanner's height, each ray from where the
    scanner was when it left."""
    knots = np.linspace(times_s[0], times_s[-1], 5)
    poses = [walk.pose(float(t)) for t in knots]
    turns = matrices_of(np.array([attitude for _, attitude in poses]))
    places = np.array([place for place, _ in poses]) + turns[:, :, 0] * 0.1
    share = np.linspace(0.0, 4.0, len(rays)) if times_s[-1] > times_s[0] else np.zeros(len(rays))
    low = np.minimum(share.astype(int), 3)
    share = (share - low)[:, None]
    way = np.einsum("nij,nj->ni", turns[low], rays) * (1.0 - share)
    way += np.einsum("nij,nj->ni", turns[low + 1], rays) * share
    place = places[low] * (1.0 - share) + places[low + 1] * share
    met = place + way * sample.ranges_m[:, None]
    is_level = np.abs(met[:, 2] + _HEIGHT_M) < _SLICE_M  # NaN is not
    return np.asarray(met[is_level & (sample.ranges_m < _FAR_M)][:, :2])


def mapped(points: Array) -> Array:
    """The middles (n, 2) of what lies in each cell in which enough was seen."""
    cells = np.floor(points / CELL_M).astype(np.int64) + _CELLS // 2
    number = cells[:, 0] * _CELLS + cells[:, 1]
    count = np.bincount(number)
    sums = np.stack([np.bincount(number, column) for column in points.T], 1)
    return np.asarray(sums[count >= _LEAST_HITS] / count[count >= _LEAST_HITS, None])


def within(lines: Array) -> Array:
    """The lines that can be seen from inside the outer walls."""
    size = np.abs(lines).max(axis=1)
    return np.asarray(lines[(size[:, 0] < _INSIDE_M[0]) & (size[:, 1] < _INSIDE_M[1])])


def _draw(walls: Array, truth: Array, walk: _Walk) -> Figure:
    gaps = np.full((len(truth), 1, 2), np.nan)
    ways = {
        "walls of the world": np.concatenate([truth, gaps], axis=1).reshape(-1, 2),
        "mapped": walls,
        "path of the scanner": np.array(
            [walk.pose(float(t))[0][:2] for t in np.arange(0.0, walk.end_s, 0.1)]
        ),
    }
    styles: dict[str, Style] = {"mapped": "dots", "path of the scanner": "dashed"}
    title = f"At {_HEIGHT_M:g} m above the floor"
    return Figure("An office, by lidar", (from_above(title, ways, styles),))
