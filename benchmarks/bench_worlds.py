"""On-board camera: how fast it is drawn, on one core and without a graphics card.

Measured in processor time of all threads, of which the rasteriser has a single one, so that a frame
under 33.3 ms means 30 a second on one core.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.result import BenchmarkResult, at_least, at_most
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import run_scenario
from simulation.scenarios.scenario_file import load_scenario
from simulation.worlds.camera import CarriedCamera, FilmCamera
from simulation.worlds.field import make_field
from simulation.worlds.film import FilmMaker, FilmPlan
from simulation.worlds.renderer import CameraView, SceneRenderer
from simulation.worlds.triangle_grid import TriangleGrid
from simulation.worlds.video_faults import VideoFaults
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.simulation.worlds.boxes import corridor

SECONDS = 12.0
SKIPPED_S = 6.0
"""On the ground; seen from there, there is less to draw."""
BAR_MS = 33.3


def run() -> Iterator[BenchmarkResult]:
    """An aeroplane's circuits over the field."""
    os.environ["LP_NUM_THREADS"] = "1"
    import cv2

    cv2.setNumThreads(1)
    start_s = time.process_time()
    make_field(1)
    yield at_most("making the field", time.process_time() - start_s, "s", 2.0)
    yield at_least("rays in a corridor of boxes", _rays_per_s() / 1e6, "M/s", 4.0)
    yield at_most("drawing 640x480", _drawn_ms(), "ms/frame", BAR_MS)
    yield at_least("flight and film", SECONDS / _film_s({}), "x real time", 1.0)
    worst = {"rolling_shutter": 0.03, "exposure": 1.0, "vibration": 0.1, "broken": 0.033}
    name = "the same, rolling shutter, exposure, vibration"
    yield at_least(name, SECONDS / _film_s(worst), "x real time", 0.8)


def _rays_per_s() -> float:
    """Of a ring of eight cameras of 64x64, in compiled code and float64."""
    grid = TriangleGrid(*corridor())
    side = np.linspace(-1.0, 1.0, 64) * np.tan(np.radians(37.5))
    across, down = np.meshgrid(side, side)
    ways = []
    for yaw in np.radians(45.0 * np.arange(8)):
        ahead = np.stack((np.ones_like(across), across, down), axis=-1).reshape(-1, 3)
        ahead /= np.linalg.norm(ahead, axis=1)[:, None]
        turn = np.array([[np.cos(yaw), np.sin(yaw), 0], [-np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
        ways.append(ahead @ turn)
    rays = np.concatenate(ways)
    times = []
    for step in range(60):
        start_s = time.process_time()
        grid.cast((3.0 + 0.02 * step, 0.1, -1.2), rays)
        times.append(time.process_time() - start_s)
    return len(rays) / float(np.median(times))


def _drawn_ms() -> float:
    """Of every frame of a flight, without anything done to it."""
    with tempfile.TemporaryDirectory() as folder:
        path = _flown(Path(folder), {}).recorder.path()
    assert path is not None
    camera = FilmCamera()
    times = np.arange(SKIPPED_S, SECONDS, 0.1)
    views = [
        CameraView(*pose) for pose in zip(*CarriedCamera(camera, path).poses(times), strict=True)
    ]
    renderer = SceneRenderer(make_field(1), camera.size, camera.focal_px)
    for view in views[:3]:
        renderer.draw(view)
    start_s = time.process_time()
    for view in views:
        renderer.draw(view)
    return (time.process_time() - start_s) / len(views) * 1e3


def _film_s(faults: dict[str, float]) -> float:
    """From the start of the flight to the finished file."""
    with tempfile.TemporaryDirectory() as folder:
        start_s = time.process_time()
        _flown(Path(folder), faults).make()
        return time.process_time() - start_s


def _flown(folder: Path, faults: dict[str, float]) -> FilmMaker:
    scenario = load_scenario("guidance", {})
    maker = FilmMaker(FilmPlan(folder / "flight.avi", VideoFaults(**faults)))
    catalogue = load_catalogue()
    run_scenario(
        Experiment(scenario, 1, scenario.aircraft, catalogue, limit_s=SECONDS, path=maker.recorder)
    )
    return maker
