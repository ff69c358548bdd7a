"""The ways of a value through the product, counted: files and functions on each, and calls.

`python -m benchmarks walks` shows them; a walk is counted in the thread that walks it. What is
compiled is not seen, and neither is what the other end of the link does.
"""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from telemetry.base.folders import HOME_VARIABLE
from telemetry.configuration.settings.slots import slots_of
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.telemetry.configuration.settings.bench import Bench

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

    from plugins.api import VehicleContext

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("app", "plugins", "widgets", "telemetry", "simulation")
BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"
_DOUBLES = ROOT / "tests" / "telemetry"
_OTHER_END = tuple(str(_DOUBLES / of / "fakes.py") for of in ("vehicle", "protocol/session"))


@dataclass
class Walk:
    """One way of a value. `calls` counts every Python call, also those within libraries."""

    name: str
    calls: int = 0
    stations: set[tuple[str, str]] = field(default_factory=set)

    @property
    def functions(self) -> int:
        """How many functions of the product it enters."""
        return len(self.stations)

    @property
    def files(self) -> int:
        """How many files of the product they stand in."""
        return len({file for file, _ in self.stations})

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is called within. The double of an aircraft stands for the world outside:
        whatever it calls is not counted."""
        rooms = tuple(str(ROOT / room) for room in ROOMS)
        driver = str(ROOT / "tests"), str(ROOT / "benchmarks"), contextlib.__file__
        outside = 0

        def note(frame: FrameType, event: str, _argument: object) -> None:
            nonlocal outside
            file = frame.f_code.co_filename
            if event == "return" and outside:
                outside -= 1
            elif event == "call" and (outside or file.startswith(_OTHER_END)):
                outside += 1
            elif event == "call" and file.startswith(driver):
                return
            elif event == "call":
                self.calls += 1
                if file.startswith(rooms):
                    self.stations.add((file, frame.f_code.co_qualname))

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)


def spin_box_to_draft() -> Walk:
    """From the signal of a gain's box to the staged value, and its mark on screen."""
    _application()
    from widgets.forms.editors import NumberEditor
    from widgets.settings.editor import SettingEditor

    slots_of.cache_clear()  # equal definitions of another catalogue are compared field by field
    bench = Bench(load_catalogue())
    shown = SettingEditor(bench.settings, BANK, GAIN)
    shown.show()
    box = shown.editor
    assert isinstance(box, NumberEditor)
    box.blockSignals(True)
    box.setValue(0.004)
    box.blockSignals(False)
    walk = Walk("spin box to draft")
    with walk.counted():
        box.valueChanged.emit(0.004)
    assert bench.settings.is_staged(BANK, GAIN)
    return walk


def packet_to_recording() -> Walk:
    """One round of the worker in which one object arrives."""
    bench = Bench(load_catalogue())
    bench.pass_time(0.5)
    track = bench.vehicle.recording.track("AttitudeState")
    assert track is not None
    count = track.count
    walk = Walk("packet to recording")
    with walk.counted():
        bench.step()
    assert track.count > count
    return walk


def recording_to_pixel() -> Walk:
    """One refresh of the flight display after a new sample, painting included."""
    application = _application()
    from plugins.flight_display.panel import FlightDisplayPanel
    from plugins.testing import add

    with _panel_context() as context:
        panel = FlightDisplayPanel(context)
        panel.resize(600, 400)
        panel.show()
        recording = context.fleet.vehicles[0].recording
        panel.refresh(recording.last_s)
        application.processEvents()
        add(recording, recording.last_s + 0.02, "AttitudeState", Roll=7.0)
        walk = Walk("recording to pixel")
        with walk.counted():
            panel.refresh(recording.last_s)
            panel.grab()
    return walk


def stick_to_wire() -> Walk:
    """From one period of the transmitter to the bytes on the link; nothing arrives meanwhile."""
    from telemetry.flying.transmitter.order import PilotRequest
    from telemetry.flying.transmitter.transmitter import StickOutlet, Transmitter

    bench = Bench(load_catalogue())
    commands = bench.vehicle.commands
    transmitter = Transmitter(StickOutlet(commands.set_sticks, commands.stop_sticks), bench.clock)
    request = PilotRequest(transmitting=True, throttle="stick")
    transmitter.carry_out(replace(transmitter.order, request=request))
    bench.aircraft.is_silent = True
    bench.pass_time(0.5)
    transmitter.beat()
    written = len(bench.aircraft.written)
    walk = Walk("stick to wire")
    with walk.counted():
        transmitter.step(0.02, None)
        bench.step()
    assert len(bench.aircraft.written) > written
    return walk


def apply_to_outcome() -> Walk:
    """From a press on Apply to the sentence that says what became of it."""
    _application()
    from widgets.settings.drawer import Drawer

    bench = Bench(load_catalogue())
    bench.settings.stage(BANK, GAIN, 0.004)
    drawer = Drawer(bench.settings)
    walk = Walk("apply to outcome")
    with walk.counted():
        drawer.apply.click()
        while bench.settings.is_busy:
            bench.step()
            bench.settings.poll()
            drawer.refresh()
    assert drawer.text.text() == "1 object on board, not saved there yet."
    return walk


def simulated_sample_to_object() -> Walk:
    """One loop of the simulated aircraft in Python, from its sensors to frames on its link."""
    from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
    from simulation.autopilot.preset import load_preset

    autopilot = Autopilot(AutopilotConfig(load_preset("ar100b")), load_catalogue())
    for _ in range(500):
        autopilot.run_loop()
    autopilot.bytes_to_send()
    walk = Walk("simulated sample to UAVObject")
    with walk.counted():
        for _ in range(10):
            autopilot.run_loop()
        autopilot.bytes_to_send()
    return walk


def log_to_curve() -> Walk:
    """From a log file to the curve of one of its fields on screen."""
    _application()
    from plugins.plots.panel import PlotPanel
    from plugins.testing import QuietCommands, catalogue
    from telemetry.recording.logs.reader import read_log
    from telemetry.vehicle.vehicle import Vehicle
    from tests.telemetry.recording.logs.books import attitudes, saved

    with tempfile.TemporaryDirectory() as folder, _panel_context() as context:
        path = saved(Path(folder), *attitudes(200))
        walk = Walk("log to curve")
        with walk.counted():
            reading = read_log(path, catalogue())
            vehicle = Vehicle(path.name, reading.recording, catalogue(), QuietCommands())
            vehicle.timeline.end_live()
            context.fleet.add(vehicle)
            panel = PlotPanel(context)
            panel.resize(600, 400)
            panel.view.add_paths(["AttitudeState.Roll"])
            panel.refresh(reading.recording.last_s)
            panel.grab()
    return walk


def mission_to_board() -> Walk:
    """From a press on Upload to a plan of four waypoints that was read back as it was written: its
    check, its rows and every turn of the conversation in which they go."""
    _application()
    from plugins.api import PanelContext
    from plugins.plan.shared_plan import shared_plan_of
    from plugins.plan.waypoints_panel import WaypointsPanel
    from telemetry.missions.draft import mission_draft_of
    from telemetry.vehicle.vehicle import Fleet
    from tests.immediate import ImmediateJobs
    from tests.telemetry.missions.made import square
    from tests.telemetry.missions.plan_bench import plan_bench
    from widgets.theme import load_theme

    bench = plan_bench(load_catalogue())
    bench.vehicle.commands.request("HomeLocation")
    bench.run(lambda: bench.vehicle.recording.latest("HomeLocation", 1e9) is not None)
    with _own_home():
        context = PanelContext(Fleet(), load_theme("light"), ImmediateJobs())
        context.fleet.add(bench.vehicle)
        panel, carrying = WaypointsPanel(context), shared_plan_of(context).carrying
        mission_draft_of(context.fleet).edit("Draw", square())
        for _ in range(2):  # what a job found shows in the second
            panel.refresh(0.0)
        walk = Walk("mission to board")
        with walk.counted():
            panel.board.upload.click()
            while carrying.is_busy:
                bench.step()
                carrying.poll()
            panel.refresh(0.0)
        assert panel.board.status.text().startswith("4 waypoints on board of bench as here")
        context.close()
    return walk


def world_to_picture() -> Walk:
    """From a world's file to the first picture of a camera that an aircraft carries in it: file,
    triangles and their pictures, the camera's file, drawing, lens and noise. This way rather than
    that to the station's 3-D view, which is the first half of it. What other threads draw is not
    seen."""
    from simulation.aircraft.parameters.mounts import SensorMount
    from simulation.perception.given_path import GivenPath
    from simulation.perception.mounted_sensor import SuiteSample
    from simulation.perception.suite import PerceptionSuite
    from simulation.worlds.make_scene import make_scene
    from simulation.worlds.world_file import load_world

    motion = GivenPath(lambda _t: ((0.0, 0.0, -1.5), (1.0, 0.0, 0.0, 0.0)))
    size = {"width_px": 96, "height_px": 72}
    pictures: list[SuiteSample] = []
    walk = Walk("world to picture")
    with walk.counted():
        scene = make_scene(load_world("corridor"), seed=23)  # of which nothing is kept
        suite = PerceptionSuite(motion, scene, [SensorMount("nose", "price-camera", changes=size)])
        suite.subscribe(pictures.append)
        while not pictures:
            motion.advance(10)
    assert not suite.failures
    return walk


WALKS: tuple[Callable[[], Walk], ...] = (
    packet_to_recording,
    recording_to_pixel,
    stick_to_wire,
    spin_box_to_draft,
    apply_to_outcome,
    simulated_sample_to_object,
    log_to_curve,
    mission_to_board,
    world_to_picture,
)


def _application() -> "QCoreApplication":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    return QApplication.instance() or QApplication([])


@contextmanager
def _own_home() -> Iterator[None]:
    """What is kept for boards goes into a folder that is removed again."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get(HOME_VARIABLE)
        os.environ[HOME_VARIABLE] = folder
        try:
            yield
        finally:
            os.environ.pop(HOME_VARIABLE)
            if before is not None:
                os.environ[HOME_VARIABLE] = before


@contextmanager
def _panel_context() -> "Iterator[VehicleContext]":
    from plugins.api import VehicleContext
    from plugins.testing import live_vehicle
    from telemetry.vehicle.vehicle import Fleet
    from widgets.theme import load_theme

    fleet = Fleet()
    fleet.add(live_vehicle())
    with ThreadPoolExecutor(1) as jobs:
        context = VehicleContext(fleet, load_theme("light"), jobs)
        yield context
        context.close()
