"""Speed and memory of exporting a flight as a video of 720 lines with instruments."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.plugin_loading.loader import find_plugins
from app.run import make_application
from app.video.export import VideoExportRequest, export_video
from app.video.views import ViewSpace
from app.workspaces.workspace import WorkspaceStore
from benchmarks.flight_logs import write_flight
from benchmarks.result import BenchmarkResult, at_least, at_most
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import Sync
from telemetry.vehicle.replay import replay_vehicle
from telemetry.vehicle.vehicle import Fleet
from widgets.theme import apply_theme, load_theme

_SHORT_S, _LONG_S = 10.0, 40.0
_RATE_HZ = 30.0
_SIZE = (640, 480)
_VIEWS = ("display", "map", "attitude")


def run() -> Iterator[BenchmarkResult]:
    """Export a short and a long stretch, each in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        log, film = Path(folder) / "flight.opl", Path(folder) / "film.avi"
        write_flight(log, load_catalogue())
        _write_film(film)
        short = _measured_apart(log, film, _SHORT_S)
        long = _measured_apart(log, film, _LONG_S)
    speed = (_LONG_S - _SHORT_S) / (long["s"] - short["s"])
    yield at_least("Export 720p with instruments", speed, "x real time", 1.0)
    growth_mb = (long["peak_bytes"] - short["peak_bytes"]) / 1e6
    yield at_most("Memory of an export four times as long", growth_mb, "MB more", 50)


def measure(log: str, film: str, seconds: float) -> None:
    """Export the beginning of the film in this process and print what it took, as JSON."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = make_application()
    theme = load_theme("dark")
    apply_theme(app, theme)
    catalogue = load_catalogue()
    vehicle = replay_vehicle(read_log(Path(log), catalogue), catalogue)
    fleet = Fleet()
    fleet.add(vehicle)
    places = {place.key: place for place in WorkspaceStore(Path(log).parent).load("analyse").panels}
    video = FlightVideo("film.avi", (Path(film),), Sync())
    views = [places[name] for name in _VIEWS]
    request = VideoExportRequest(Path(log).with_suffix(".mp4"), video, views)
    panels = find_plugins(Path(log).parent / "none").panels
    with ThreadPoolExecutor(2) as jobs:
        space = ViewSpace(fleet, theme, jobs, panels)
        began_s = monotonic_s()
        export_video(replace(request, end_s=seconds), vehicle, space)
        taken_s = monotonic_s() - began_s
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"s": taken_s, "peak_bytes": peak_bytes}))


def _measured_apart(log: Path, film: Path, seconds: float) -> dict[str, float]:
    code = (
        "from benchmarks.bench_video_export import measure; "
        f"measure({str(log)!r}, {str(film)!r}, {seconds})"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    taken: dict[str, float] = json.loads(output.splitlines()[-1])
    return taken


def _write_film(path: Path) -> None:
    """Noise that moves, which is hard to encode, as seen by a small camera."""
    width, height = _SIZE
    ground = np.random.default_rng(1).integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    ground = ground.repeat(8, 0).repeat(8, 1)
    with VideoWriter(path, VideoEncoding(_SIZE, _RATE_HZ)) as writer:
        for number in range(int(_LONG_S * _RATE_HZ) + 1):
            writer.frame(np.roll(ground, 3 * number, axis=1), number / _RATE_HZ)
