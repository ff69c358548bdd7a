"""Map and plots: the time to show one more moment of a long flight, in software."""

import os
import time
from collections.abc import Callable, Iterator
from statistics import median, quantiles
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.result import BenchmarkResult, at_most

if TYPE_CHECKING:
    from telemetry.recording.recording import Recording

FRAMES = 200
FLIGHT_S = 1800.0
ATTITUDE_HZ = 50
TRACK_POINTS = 20_000
PLOT_SIZE, WIDE_PLOT_SIZE, MAP_SIZE = (400, 240), (1280, 500), (800, 500)
FULL_SCREEN = (1920, 1080)
PAN_PX = (17, 9)


def run() -> Iterator[BenchmarkResult]:
    """Play and scrub a made-up 30 min flight in a plot and on a map, offscreen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance() or QApplication([])
    flight = make_flight(int(FLIGHT_S * ATTITUDE_HZ), FLIGHT_S)
    million = make_flight(1_000_000, FLIGHT_S)
    yield from _plot_results(flight)
    yield from _zoom_results(million)
    yield from _map_results(flight)
    del app


def make_flight(samples: int, length_s: float) -> "Recording":
    """Noisy attitude of so many samples, and a wandering position of `TRACK_POINTS`."""
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.protocol.objects.values import pack_values
    from telemetry.recording.recording import Recording

    catalogue, random = load_catalogue(), np.random.default_rng(1)
    recording = Recording()
    home = catalogue.find("HomeLocation")
    place = {"Set": "True", "Latitude": 489_466_000, "Longitude": 94_300_000}
    recording.append(0.0, home, 0, pack_values(home, place))
    attitude, position = catalogue.find("AttitudeState"), catalogue.find("PositionState")
    times = np.linspace(0.0, length_s, samples)
    rows = np.zeros(samples, attitude.dtype)
    for number, name in enumerate(("Roll", "Pitch", "Yaw", "q1")):
        rows[name] = 20 * np.sin(times / (3 + number)) + random.normal(0, 2, samples)
    recording.extend(attitude, 0, times, rows)
    times = np.linspace(0.0, length_s, TRACK_POINTS)
    rows = np.zeros(TRACK_POINTS, position.dtype)
    rows["North"] = np.cumsum(random.normal(0, 0.4, TRACK_POINTS)) + 80 * np.sin(times / 20)
    rows["East"] = np.cumsum(random.normal(0, 0.4, TRACK_POINTS)) + 80 * np.cos(times / 33)
    recording.extend(position, 0, times, rows)
    return recording


def _timed(show: Callable[[int], None], frames: int = FRAMES) -> list[float]:
    """Milliseconds of each of so many frames, after a few to warm up."""
    times_ms = []
    for frame in range(frames + 10):
        began = time.perf_counter()
        show(frame)
        times_ms.append((time.perf_counter() - began) * 1000.0)
    return times_ms[10:]


def _plot_results(flight: "Recording") -> list[BenchmarkResult]:
    from concurrent.futures import ThreadPoolExecutor

    from widgets.plot.time_view import Moment
    from widgets.plot.view import PlotView
    from widgets.plot.window import Span
    from widgets.theme import load_theme

    results = []
    for title, window_s in (("one minute", 60.0), ("all of 30 min", None)):
        view = PlotView(load_theme("dark"), ThreadPoolExecutor(1))
        view.resize(*PLOT_SIZE)
        view.show()
        view.add_paths([f"AttitudeState.{name}" for name in ("Roll", "Pitch", "Yaw")])
        view.model.time.set_window(window_s)

        def show(frame: int, view: PlotView = view) -> None:
            t = 100.0 + frame * 0.05
            view.touch()
            view.show_moment(flight, Moment(t, Span(0.0, t), is_live=True, can_live=True))
            view.grab()

        times_ms = _timed(show)
        results.append(at_most(f"plot, 3 curves, {title}", median(times_ms), "ms/frame", 4.0))
        view.deleteLater()
    return results


def _zoom_results(million: "Recording") -> list[BenchmarkResult]:
    from concurrent.futures import ThreadPoolExecutor

    from widgets.plot.time_view import Moment
    from widgets.plot.view import PlotView
    from widgets.plot.window import Span
    from widgets.theme import load_theme

    view = PlotView(load_theme("dark"), ThreadPoolExecutor(1))
    view.resize(*WIDE_PLOT_SIZE)
    view.show()
    view.add_paths([f"AttitudeState.{name}" for name in ("Roll", "Pitch", "Yaw", "q1")])
    moment = Moment(900.0, Span(0.0, FLIGHT_S))

    def show(frame: int) -> None:
        view.model.time.zoom(0.9 if frame % 120 < 60 else 1 / 0.9, 700.0)
        view.show_moment(million, moment)
        view.grab()

    times_ms = _timed(show)
    view.deleteLater()
    return [
        at_most("zoom 4 x 1 M samples, median", median(times_ms), "ms/frame", 20.0),
        at_most("zoom 4 x 1 M samples, 99 %", quantiles(times_ms, n=100)[98], "ms/frame", 40.0),
    ]


def _map_results(flight: "Recording") -> list[BenchmarkResult]:
    from concurrent.futures import ThreadPoolExecutor

    from plugins.api import PanelContext
    from plugins.map.panel import MapPanel
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.vehicle.vehicle import Fleet, Vehicle
    from widgets.theme import hand_theme, load_theme

    class NoCommands:
        """Stands in for an aircraft's commands, which a map does not use."""

    fleet = Fleet()
    fleet.add(Vehicle("bench", flight, load_catalogue(), NoCommands()))  # type: ignore[arg-type]
    panel = MapPanel(PanelContext(fleet, load_theme("dark"), ThreadPoolExecutor(1)))
    panel.resize(*MAP_SIZE)
    panel.show()

    def follow(frame: int) -> None:
        panel.refresh(900.0 + frame / 30)
        panel.grab()

    def zoom(frame: int) -> None:
        panel.canvas.zoom_by(0.05 if frame % 40 < 20 else -0.05)
        panel.refresh(900.0)
        panel.grab()

    def anew(_frame: int) -> None:
        hand_theme(panel, load_theme("dark"))
        panel.grab()

    panel.refresh(900.0)
    panel.canvas.fit()
    following, painting, zooming = _timed(follow), _timed(anew, 20), _timed(zoom)
    panel.resize(*FULL_SCREEN)
    panel.canvas.fit()
    panel.canvas.zoom_by(1.0)
    panel.grab()

    def pan(frame: int) -> None:
        forth = 1 if frame % 80 < 40 else -1
        panel.canvas.drag(forth * PAN_PX[0], forth * PAN_PX[1])
        panel.refresh(900.0)
        panel.grab()

    panning = _timed(pan)
    panel.canvas.set_following(True)
    following_wide = _timed(follow)
    panel.deleteLater()
    return [
        at_most("map 800x500, 20k points, playing", median(following), "ms/frame", 4.0),
        at_most("map 800x500, 20k points, zooming", median(zooming), "ms/frame", 16.0),
        at_most("map 800x500, 20k points, anew", median(painting), "ms/frame", 25.0),
        at_most("map 1920x1080, 20k points, following", median(following_wide), "ms/frame", 8.0),
        at_most("map 1920x1080, 20k points, panning", median(panning), "ms/frame", 16.7),
        at_most(
            "map 1920x1080, 20k points, panning, 95 %",
            quantiles(panning, n=20)[18],
            "ms/frame",
            16.7,
        ),
    ]
