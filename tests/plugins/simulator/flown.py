"""A simulated aircraft with its operator's console, a station and the panel, in one clock."""

from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QPushButton

from plugins.api import PanelContext
from plugins.simulator.controls_panel import SimulatorControlsPanel
from plugins.simulator.link import SimulatorLink
from plugins.testing import QuietCommands, catalogue
from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.serving.console import Console
from simulation.serving.real_time_flight import RealTimeFlight
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import Link
from telemetry.protocol.links.memory import pair
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.events import ObjectReceived
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.statistics import Counters
from telemetry.recording.recording import Recording
from telemetry.vehicle.link_meter import LinkMeter
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.immediate import ImmediateJobs
from widgets.theme import load_theme
from widgets.value_slider import ValueSlider

_LOOP_S = 0.02
_LOOPS_PER_LOOK = 10


class _Pipe:
    """The simulator's process, which is this one."""

    streams = None

    def __init__(self, station: Link, operator: Link) -> None:
        self.read, self.write, self.close = station.read, station.write, station.close
        self.console = operator


class FlownByOperator:
    """Simulator, controls panel and a station's session. `run` lets time pass for all of them."""

    def __init__(self) -> None:
        self.now_s = 0.0
        near, station = pair()
        hand, far = pair()
        self.radio = FaultyLink(near, Faults(), self.clock)
        self._console = console = Console(far, self.radio, self.clock)
        config = AutopilotConfig(load_preset("ar100b"))
        self.flight = RealTimeFlight(
            lambda: console.power_up(config, catalogue()), self.radio, self.clock
        )
        pipe: Any = _Pipe(station, hand)
        self.link = SimulatorLink("sim:ar100b", "AR100B", pipe, clock=self.clock)
        self.session = Session(Role.GCS, catalogue())
        self.session.start(0.0)
        self._meter = LinkMeter()
        recording = Recording("test")
        self.vehicle = Vehicle("sim:ar100b", recording, catalogue(), QuietCommands())
        self.vehicle.link = self.link
        self.context = PanelContext(Fleet(), load_theme("light"), ImmediateJobs())
        self.context.fleet.add(self.vehicle)
        self.panel = SimulatorControlsPanel(self.context)
        self.slider_counts: list[int] = []
        """How many sliders there were after each tick until all were built."""
        while len(set(self.slider_counts[-2:])) != 1 or len(self.slider_counts) < 2:
            self.panel.refresh(self.now_s)
            self.slider_counts.append(len(self.panel.findChildren(ValueSlider)))

    def clock(self) -> float:
        return self.now_s

    @property
    def simulator(self) -> Any:
        return self.flight.autopilot.simulator

    @property
    def counters(self) -> Counters:
        """What the station has counted about its link."""
        return self.session.status.counters

    def run(self, seconds: float) -> None:
        for loop in range(round(seconds / _LOOP_S)):
            self.now_s += _LOOP_S
            self._console.attend(self.flight)
            self.flight.catch_up()
            self.flight.autopilot.receive(self.radio.read(0.0))
            self._hear()
            if loop % _LOOPS_PER_LOOK == 0:
                self.panel.refresh(self.now_s)

    def _hear(self) -> None:
        events = self.session.receive(self.link.read(0.0), self.now_s)
        for event in (*events, *self.session.tick(self.now_s)):
            if isinstance(event, ObjectReceived):
                self.vehicle.recording.append(
                    self.now_s, event.definition, event.instance, event.payload
                )
        self.link.write(self.session.bytes_to_send())
        rates = self._meter.measure(self.now_s, self.counters)
        self.vehicle.status = LinkStatus(
            state=LinkState.CONNECTED,
            objects_per_s=rates.objects_per_s,
            quality_percent=rates.quality_percent,
        )

    # What the user touches --------------------------------------------------------------

    def press(self, text: str) -> None:
        (button,) = [b for b in self.panel.findChildren(QPushButton) if b.text() == text]
        assert button.isEnabled()
        button.click()
        self.run(1.0)

    def box(self, title: str) -> QDoubleSpinBox:
        boxes = self.panel.findChildren(QDoubleSpinBox)
        return next(box for box in boxes if box.accessibleName() == title)

    def put(self, title: str, value: float) -> None:
        """Set a number as its slider shows it."""
        self.box(title).setValue(value)
        self.run(1.0)

    def tick(self, title: str) -> None:
        """Tick a check box."""
        (check,) = [c for c in self.panel.findChildren(QCheckBox) if c.text() == title]
        check.click()
        self.run(1.0)

    def choose_speed(self, words: str) -> None:
        (speeds,) = self.panel.findChildren(QComboBox)
        speeds.setCurrentText(words)
        speeds.activated.emit(speeds.currentIndex())
        self.run(1.0)

    def close(self) -> None:
        self.context.close()
        self.link.close()
