"""C4: the AR.Drone's navdata every 5 ms, its bottom camera, and pictures dropped while one is
processed.

Seed 002: sensors are read every 5 ms instead of every 200 as is usual there; the camera has 176 x
144 pixels and 64 degrees; a picture takes 60 ms, one that comes meanwhile is dropped, and navdata
waits until the picture is done.
"""

import hashlib
import math
from dataclasses import replace
from functools import cache

import numpy as np

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.frame_pipeline import FramePipeline
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.perception.surroundings import Surroundings
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.experiments.commanded import command, hovering
from simulation.scenarios.figure import Figure, curves
from simulation.simulator.simulator import Simulator
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world
from telemetry.protocol.streams.samples import PictureSample

_FLOWN_S = 0.6
_STAMP_US = 5000


class _Computer:
    """Notes what is processed when, and what of it was late or out of order."""

    def __init__(self, simulator: Simulator, frame_us: int) -> None:
        self.stamps_us: list[int] = []
        self.late_ms: list[float] = []
        self.out_of_order = 0
        self.seen = hashlib.sha256()
        self._simulator = simulator
        self._arrived: dict[int, int] = {}
        self.pipeline = FramePipeline(self._process, lambda: simulator.time_us, frame_us)

    def add(self, sample: SuiteSample) -> None:
        """What arrives."""
        if not isinstance(sample.sample, PictureSample):
            self._arrived[sample.sample.number] = self._simulator.time_us
        self.pipeline.add(sample)

    def _process(self, sample: SuiteSample, ends_us: int) -> None:
        taken = sample.sample
        if isinstance(taken, PictureSample):
            self.seen.update(taken.pixels.tobytes())
            return
        self.out_of_order += bool(self.stamps_us) and taken.time_us <= self.stamps_us[-1]
        self.stamps_us.append(taken.time_us)
        self.late_ms.append(1e-3 * (self._simulator.time_us - self._arrived[taken.number]))
        self.seen.update(np.int64(taken.time_us).tobytes())


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: how far stamps are from 5 ms apart, how many come a second, size and field of the
    picture, how many of the pictures are dropped, how long navdata waits, and out of order."""
    flight = hovering(experiment, 20)
    simulator = flight.simulator
    suite = PerceptionSuite(simulator, _arena(), _mounts(experiment, simulator))
    computer = _Computer(simulator, round(1e3 * experiment.values["frame_ms"]))
    suite.subscribe(computer.add)
    command(simulator, (0.0, -0.2, 0.4, 0.0))
    flight.advance(_FLOWN_S)
    stamps_us, pipeline = np.array(computer.stamps_us), computer.pipeline
    width, height, field_deg = _camera(suite)
    metrics = {
        "stamp_error_us": float(np.abs(np.diff(stamps_us) - _STAMP_US).max()),
        "navdata": float(len(stamps_us)),
        "width_px": width,
        "height_px": height,
        "field_of_view_deg": field_deg,
        "processed": float(pipeline.processed),
        "dropped_share": pipeline.dropped / max(pipeline.processed + pipeline.dropped, 1),
        "longest_wait_ms": max(computer.late_ms),
        "out_of_order": float(computer.out_of_order),
        "failures": float(len(suite.failures)),
    }
    time, title = ("time, s", 1e-6 * stamps_us), "How long navdata waits for a picture"
    axes = curves(title, time, "ms", {"waited": computer.late_ms})
    has_crashed = bool(simulator.output["crashed"])
    figure = Figure(experiment.scenario.title, (axes,))
    return RunOutcome(metrics, figure, computer.seen.hexdigest(), has_crashed)


@cache
def _arena() -> Surroundings:
    return Surroundings(make_scene(load_world("arena")))


def _mounts(experiment: Experiment, simulator: Simulator) -> list[SensorMount]:
    """Navdata, at the interval asked for, and the camera below."""
    rate_hz = 1e3 / experiment.values["interval_ms"]
    mounts = {mount.name: mount for mount in simulator.aircraft.mounts}
    navdata = replace(mounts["navdata"], changes={"rate_hz": rate_hz})
    return [navdata, mounts["bottom"]]


def _camera(suite: PerceptionSuite) -> tuple[float, float, float]:
    """Width and height in pixels, and the horizontal field of view in degrees."""
    details = next(each.details for each in suite.descriptions if each.name == "bottom")
    width, height = details["size_px"]
    focal_px = details["lens"]["focal_px"][0]
    return float(width), float(height), math.degrees(2.0 * math.atan(0.5 * width / focal_px))
