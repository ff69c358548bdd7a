"""Plots of many and of long curves: the time to show one more picture, offscreen, in the
processor time of the window's thread."""

import os
import time
from collections.abc import Callable, Iterator
from statistics import median, quantiles
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.result import BenchmarkResult, at_most

if TYPE_CHECKING:
    from telemetry.recording.recording import Recording
    from widgets.plot.view import PlotView

FRAMES = 150
CURVES, CURVE_POINTS, REFRESH_HZ, RATE_HZ = 12, 10_000, 30.0, 50.0
LONG_POINTS, LONG_S = 5_000_000, 3600.0
SIZE = (1280, 600)
COMPUTED = "=lowpass(derivative(AttitudeState.Roll), 5)"
NAMES = ("Roll", "Pitch", "Yaw", "q1", "q2", "q3", "q4")
GYROS = ("x", "y", "z", "temperature")


def run() -> Iterator[BenchmarkResult]:
    """Follow a live flight with twelve curves; pan and zoom five million samples; compute."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance() or QApplication([])
    yield from _many_curves()
    long = noisy_flight(LONG_POINTS, LONG_S)
    yield from _long_curve(long, "AttitudeState.Roll", "5 M samples")
    yield from _computed(long)
    del app


def noisy_flight(samples: int, length_s: float) -> "Recording":
    """Attitude, rates and accelerations of so many samples each."""
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.recording.recording import Recording

    catalogue, random = load_catalogue(), np.random.default_rng(1)
    recording, times = Recording(), np.linspace(0.0, length_s, samples)
    for object_name, fields in (("AttitudeState", NAMES), ("GyroState", GYROS[:3])):
        definition = catalogue.find(object_name)
        rows = np.zeros(samples, definition.dtype)
        for number, name in enumerate(fields[: 1 if samples > 1_000_000 else None]):
            rows[name] = 20 * np.sin(times / (3 + number)) + random.normal(0, 2, samples)
        recording.extend(definition, 0, times, rows)
    accelerations = catalogue.find("AccelState")
    rows = np.zeros(samples, accelerations.dtype)
    rows["x"], rows["y"] = random.normal(0, 2, (2, samples))
    recording.extend(accelerations, 0, times, rows)
    return recording


def _frames_ms(show: Callable[[int], None], frames: int = FRAMES) -> list[float]:
    """Milliseconds of the processor for each of so many pictures, after a few to warm up."""
    times_ms = []
    for frame in range(frames + 10):
        began = time.thread_time()
        show(frame)
        times_ms.append((time.thread_time() - began) * 1000.0)
    return times_ms[10:]


def _view(*paths: str) -> "PlotView":
    from concurrent.futures import ThreadPoolExecutor

    from widgets.plot.view import PlotView
    from widgets.theme import load_theme

    view = PlotView(load_theme("dark"), ThreadPoolExecutor(1))
    view.resize(*SIZE)
    view.show()
    view.add_paths(paths)
    return view


def _many_curves() -> Iterator[BenchmarkResult]:
    from widgets.plot.time_view import Moment
    from widgets.plot.window import Span

    window_s = CURVE_POINTS / RATE_HZ
    length_s = window_s + FRAMES / REFRESH_HZ + 10.0
    recording = noisy_flight(int(length_s * RATE_HZ), length_s)
    paths = [f"AttitudeState.{name}" for name in NAMES]
    paths += [f"GyroState.{name}" for name in GYROS[:3]] + ["AccelState.x", "AccelState.y"]
    view = _view(*paths[:CURVES])
    view.model.time.set_window(window_s)

    def show(frame: int) -> None:
        t = window_s + frame / REFRESH_HZ
        view.touch()
        view.show_moment(recording, Moment(t, Span(0.0, t), is_live=True, can_live=True))
        view.grab()

    times_ms = _frames_ms(show)
    assert len(view.canvas.traces) == CURVES
    view.deleteLater()
    name = f"{CURVES} curves x {CURVE_POINTS} points"
    yield at_most(f"{name}, median", median(times_ms), "ms/frame", 16.0)
    yield at_most(f"{name}, 99 %", quantiles(times_ms, n=100)[98], "ms/frame", 32.0)


def _long_curve(recording: "Recording", path: str, title: str) -> Iterator[BenchmarkResult]:
    from widgets.plot.time_view import Moment
    from widgets.plot.window import Span

    view = _view(path)
    moment = Moment(LONG_S / 2, Span(0.0, LONG_S))
    while not (view.model.curves[0].count == LONG_POINTS and view.model.is_complete):
        view.show_moment(recording, moment)

    def zoom(frame: int) -> None:
        view.model.time.zoom(0.9 if frame % 120 < 60 else 1 / 0.9, 700.0)
        view.show_moment(recording, moment)
        view.grab()

    def pan(frame: int) -> None:
        view.model.time.pan(10.0 if frame % 60 < 30 else -10.0)
        view.show_moment(recording, moment)
        view.grab()

    for action, show in (("zoom", zoom), ("pan", pan)):
        times_ms = _frames_ms(show)
        yield at_most(f"{action} {title}, median", median(times_ms), "ms/frame", 16.0)
        yield at_most(f"{action} {title}, 99 %", quantiles(times_ms, n=100)[98], "ms/frame", 33.0)
    view.deleteLater()


def _computed(recording: "Recording") -> Iterator[BenchmarkResult]:
    """A filtered derivative of five million samples: how long one picture waits for it, and how
    long it takes altogether."""
    from widgets.plot.time_view import Moment
    from widgets.plot.window import Span

    view = _view(COMPUTED)
    moment = Moment(LONG_S / 2, Span(0.0, LONG_S))
    times_ms: list[float] = []
    while not times_ms or not view.model.is_complete:
        began = time.thread_time()
        view.show_moment(recording, moment)
        times_ms.append((time.thread_time() - began) * 1000.0)
    yield at_most(
        "computing 5 M samples, one picture, 99 %", quantiles(times_ms, n=100)[98], "ms", 50.0
    )
    yield at_most("computing 5 M samples, altogether", sum(times_ms) / 1000.0, "s", 2.0)
    view.deleteLater()
