"""3-D view: the cost of opening it, of a picture without a graphics card, the window's share.

Measured in processor time: that of the GUI thread, and for pictures that of all threads, of which
the rasteriser has a single one, so that a picture under 33.3 ms means 30 a second on one core.
Sixty a second at 1920 x 1080 with a graphics card are not measured: this machine has none.
"""

import gc
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.bench_views import make_flight
from benchmarks.result import BenchmarkResult, at_most, beside

if TYPE_CHECKING:
    from plugins.api import VehicleContext
    from plugins.view3d.panel import SpacePanel
    from widgets.scene3d.draw_request import DrawRequest, SceneDrawing

FLIGHT_S, SAMPLES = 600.0, 20_000
SIZE, FULL_SCREEN = (1280, 720), (1920, 1080)
PICTURES = 60
BAR_MS = 33.3
LONGEST_S = 20.0


def run() -> Iterator[BenchmarkResult]:
    """A made-up flight over the field, with its track, chased."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["LP_NUM_THREADS"] = "1"
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance() or QApplication([])
    context = _context()
    _begin_as_a_station()
    panel, thread_ms, first_ms = _opened(context)
    yield at_most("opening, GUI thread", thread_ms, "ms", 150.0)
    yield beside("opening until the first picture shows", first_ms, "ms", "another thread's work")
    yield from _moments(panel)
    yield from _pictures(panel)
    context.close()
    del app


def _begin_as_a_station() -> None:
    """What any station has loaded, has drawn and does before a panel is opened."""
    import plugins.map.panel  # noqa: F401
    import telemetry.missions.draft
    import telemetry.missions.legs  # noqa: F401
    from widgets.fitted_text import FittedText

    FittedText("The first words load fonts and styles.").grab()
    gc.freeze()  # as app/run.py does


def _context() -> "VehicleContext":
    """A panel's, of a recorded flight."""
    from concurrent.futures import ThreadPoolExecutor

    from plugins.api import VehicleContext
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.vehicle.vehicle import Fleet, Vehicle
    from widgets.theme import load_theme

    class NoCommands:
        """Stands in for an aircraft's commands, which a view does not use."""

    fleet = Fleet()
    flight = make_flight(SAMPLES, FLIGHT_S)
    fleet.add(Vehicle("bench", flight, load_catalogue(), NoCommands()))  # type: ignore[arg-type]
    return VehicleContext(fleet, load_theme("dark"), ThreadPoolExecutor(1), {"world": ""})


def _opened(context: "VehicleContext") -> tuple["SpacePanel", float, float]:
    """The panel with its first picture; how many milliseconds of the GUI thread that took, and
    how many in all."""
    from PySide6.QtWidgets import QApplication

    from widgets.theme import hand_theme

    began_s, began_thread_s = time.perf_counter(), time.thread_time()
    from plugins.view3d.panel import SpacePanel

    panel = SpacePanel(context)
    hand_theme(panel, context.theme)
    panel.resize(*SIZE)
    panel.show()
    panel.refresh(300.0)
    while panel.view.picture is None:
        QApplication.processEvents()
        time.sleep(0.002)
    panel.grab()
    took = (time.thread_time() - began_thread_s) * 1e3, (time.perf_counter() - began_s) * 1e3
    return panel, *took


def _moments(panel: "SpacePanel") -> Iterator[BenchmarkResult]:
    """What the GUI thread has to do for a moment, drawing left out."""
    times_ms = []
    for number in range(PICTURES):
        began_s = time.thread_time()
        panel.refresh(300.0 + number / 30)
        panel.grab()
        times_ms.append((time.thread_time() - began_s) * 1e3)
    yield at_most("a moment at 1280x720, GUI thread", median(times_ms), "ms/frame", 8.0)


def _pictures(panel: "SpacePanel") -> Iterator[BenchmarkResult]:
    """Of the field, and on a level ground, by either way of drawing."""
    from widgets.scene3d.gl_drawing import GlDrawing
    from widgets.scene3d.painter_drawing import PainterDrawing

    level = _order(panel)
    panel.choose(panel.options.restored({"world": "field"}))
    end_s = time.monotonic() + LONGEST_S
    while len(_order(panel).scene.meshes[0].mesh.triangles) < 10_000 and time.monotonic() < end_s:
        time.sleep(0.05)
    field = _order(panel)
    drawing = GlDrawing()
    for name, order, size, bar in (
        ("the field at 1280x720", field, SIZE, BAR_MS),
        ("the field at 1920x1080", field, FULL_SCREEN, None),
        ("a level ground at 1280x720", level, SIZE, BAR_MS),
    ):
        took_ms = _took_ms(drawing, order, size)
        title = f"{name}, OpenGL in software"
        if bar is None:
            yield beside(title, took_ms, "ms/frame", "60 a second are asked of a graphics card")
        else:
            yield at_most(title, took_ms, "ms/frame", bar)
    drawing.close()
    painter = PainterDrawing()
    yield at_most(
        "a level ground at 1280x720, painter", _took_ms(painter, level, SIZE), "ms/frame", 66.7
    )
    field_ms = _took_ms(painter, field, SIZE)
    yield beside(
        "the field at 1280x720, painter", field_ms, "ms/frame", "what stands in for OpenGL"
    )


def _order(panel: "SpacePanel") -> "DrawRequest":
    """What is drawn of a moment."""
    from PySide6.QtWidgets import QApplication

    before = panel.view.picture
    panel.refresh(next(_instants))
    while panel.view.picture is before:
        QApplication.processEvents()
        time.sleep(0.002)
    assert panel.view.picture is not None
    return panel.view.picture.order


_instants = count(400.0, 0.1)


def _took_ms(drawing: "SceneDrawing", order: "DrawRequest", size: tuple[int, int]) -> float:
    """Processor time of a picture, while the eye turns all around."""

    def draw(number: int) -> None:
        eye = ViewCamera(order.eye.position, looking(number * 360.0 / PICTURES, 12.0))
        drawing.draw(replace(order, eye=eye, width=size[0], height=size[1]))

    from widgets.scene3d.camera import ViewCamera, looking

    for number in range(3):
        draw(number)
    began_s = time.process_time()
    for number in range(PICTURES):
        draw(number)
    return (time.process_time() - began_s) / PICTURES * 1e3
