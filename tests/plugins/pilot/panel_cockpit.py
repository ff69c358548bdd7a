"""The pilot's panel as a user drives it, on a vehicle that notes what it is told."""

from concurrent.futures import ThreadPoolExecutor

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.pilot.panel import ControlsPanel
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.flying.fakes import Ground
from widgets.hold_button import HoldButton
from widgets.theme import load_theme


class Cockpit:
    def __init__(self, qtbot: QtBot) -> None:
        self.ground = Ground()
        self.fleet = Fleet()
        self.fleet.add(self.ground.vehicle)
        self.jobs = ThreadPoolExecutor(1)
        self.context = PanelContext(self.fleet, load_theme("light"), self.jobs)
        self.panel = ControlsPanel(self.context)
        self.qtbot = qtbot
        qtbot.addWidget(self.panel)
        self.panel.resize(540, 240)
        self.panel.show()

    def button(self, text: str) -> QPushButton:
        found = [b for b in self.panel.findChildren(QPushButton) if b.text() == text]
        assert len(found) == 1, f"one button '{text}'"
        return found[0]

    def refresh(self, t: float) -> None:
        self.panel.refresh(t)

    def hold(self, text: str) -> None:
        button = self.button(text)
        assert isinstance(button, HoldButton)
        with self.qtbot.waitSignal(button.held):
            QTest.mousePress(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))

    def hold_and_wait_for_the_edge(self, text: str, mode: str, position: int) -> None:
        """Hold a button that arms; the aircraft selects `mode` and stands there disarmed."""
        self.hold(text)
        self.refresh(0.0)
        for t in (0.1, 0.2, 0.4):
            self.ground.status(t, "Disarmed", mode)
            self.refresh(t)
        self.wait_for(Sticks(arm=True, flight_mode_position=position))

    def arm(self) -> None:
        """Until the arming switch is on."""
        self.hold_and_wait_for_the_edge("Hold to arm", "Stabilized1", 0)

    def wait_for(self, wanted: Sticks) -> None:
        self.qtbot.waitUntil(lambda: self.ground.commands.sticks[-1:] == [wanted])
