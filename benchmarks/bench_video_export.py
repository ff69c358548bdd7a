"""Speed and memory of exporting a flight's film of 720 lines with instruments, by each template."""

import json
import math
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

from app.exporting.video_template import USUAL, VideoTemplates
from app.plugin_loading.loader import find_plugins
from app.run import make_application
from app.video.export import VideoExportRequest, export_video
from app.video.views import ViewSpace
from app.workspaces.workspace import WorkspaceStore
from benchmarks.result import BenchmarkResult, at_least, at_most
from plugins.testing import add
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.sync import Sync
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.vehicle import Fleet, Vehicle
from widgets.theme import apply_theme, load_theme

_SHORT_S, _LONG_S = 5.0, 20.0
_RATE_HZ = 30.0
_LOGGED_HZ = 50.0
_SIZE = (1280, 720)
_CORES = 2
"""Of the computer that the bar is for."""


def run() -> Iterator[BenchmarkResult]:
    """Export a short and a long stretch by each template, each in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.mp4"
        _write_film(film)
        for name in VideoTemplates(Path(folder) / "none").names():
            yield from _of_template(film, name)


def _of_template(film: Path, name: str) -> Iterator[BenchmarkResult]:
    short = _measured_apart(film, name, _SHORT_S)
    long = _measured_apart(film, name, _LONG_S)
    span_s = _LONG_S - _SHORT_S
    speed = span_s / (long["s"] - short["s"])
    cpu = (long["cpu_s"] - short["cpu_s"]) / span_s
    yield at_least(f"Export 720p, {name}", speed, "x real time", 1.0)
    yield at_most(f"Computing for a second of it, {name}", cpu, "s of all cores", _CORES)
    if name == USUAL:
        growth_mb = (long["peak_bytes"] - short["peak_bytes"]) / 1e6
        yield at_most("Memory of an export four times as long", growth_mb, "MB more", 50)


def measure(film: str, name: str, seconds: float) -> None:
    """Export the beginning of the film in this process and print what it took, as JSON."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = make_application()
    theme = load_theme("dark")
    apply_theme(app, theme)
    vehicle = Vehicle("flown", _restless_flight(), load_catalogue(), RefusedCommands("A log"))
    vehicle.timeline.end_live()
    vehicle.timeline.advance(0.0, 0.0, _LONG_S)
    fleet = Fleet()
    fleet.add(vehicle)
    folder = Path(film).parent
    places = {place.key: place for place in WorkspaceStore(folder).load("analyse").panels}
    video = FlightVideo("film.mp4", (Path(film),), Sync())
    template = VideoTemplates(folder / "none").load(name)
    views = [places[key] for key in template.views]
    request = VideoExportRequest(folder / "out.mp4", video, template, views, size=_SIZE)
    panels = find_plugins(folder / "none").panels
    with ThreadPoolExecutor(2) as jobs:
        space = ViewSpace(fleet, theme, jobs, panels)
        began_s = monotonic_s()
        export_video(replace(request, end_s=seconds), vehicle, space)
        taken_s = monotonic_s() - began_s
    usage = resource.getrusage(resource.RUSAGE_SELF)
    cpu_s = usage.ru_utime + usage.ru_stime
    print(json.dumps({"s": taken_s, "cpu_s": cpu_s, "peak_bytes": usage.ru_maxrss * 1024}))


def _measured_apart(film: Path, name: str, seconds: float) -> dict[str, float]:
    code = (
        "from benchmarks.bench_video_export import measure; "
        f"measure({str(film)!r}, {name!r}, {seconds})"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    taken: dict[str, float] = json.loads(output.splitlines()[-1])
    return taken


def _restless_flight() -> Recording:
    """One in which every value is another one in every picture."""
    recording = Recording(source="flown.opl")
    home = {"Set": "True", "Latitude": 489_460_000, "Longitude": 113_900_000}
    add(recording, 0.0, "HomeLocation", **home)
    for step in range(int((_LONG_S + 1.0) * _LOGGED_HZ)):
        t = step / _LOGGED_HZ
        swing, way = math.sin(2.0 * t), 5.0 * t
        add(
            recording, t, "AttitudeState", Roll=40.0 * swing, Pitch=20.0 * swing, Yaw=30.0 * t % 360
        )
        add(recording, t, "PositionState", North=way, East=20.0 * swing, Down=-way)
        add(recording, t, "VelocityState", North=5.0, East=40.0 * math.cos(2.0 * t), Down=-5.0)
        add(recording, t, "ManualControlCommand", Roll=swing, Pitch=-swing, Throttle=0.5)
        add(recording, t, "FlightBatteryState", Voltage=16.0 - 0.05 * t)
    return recording


def _write_film(path: Path) -> None:
    """Noise that moves, which is hard to encode, in H.264."""
    width, height = _SIZE
    ground = np.random.default_rng(1).integers(0, 255, (height // 8, width // 8, 3), np.uint8)
    ground = ground.repeat(8, 0).repeat(8, 1)
    with VideoWriter(path, VideoEncoding(_SIZE, _RATE_HZ)) as writer:
        for number in range(int(_LONG_S * _RATE_HZ) + 1):
            writer.frame(np.roll(ground, 3 * number, axis=1), number / _RATE_HZ)
