"""The panel of figures."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.summary.panel import SummaryPanel
from plugins.testing import add
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.immediate import ImmediateJobs
from tests.telemetry.review.analysis.summary.test_flight_summary import flown
from widgets.theme import load_theme


def texts(panel: SummaryPanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel)]


def test_figures_are_shown_with_what_they_mean(qtbot: QtBot) -> None:
    recording = flown(9)
    fleet = Fleet()
    fleet.add(Vehicle("a", recording, load_catalogue(), RefusedCommands("A log")))
    panel = SummaryPanel(VehicleContext(fleet, load_theme("light"), ImmediateJobs()))
    qtbot.addWidget(panel)
    assert texts(panel) == ["Working it out…"]
    panel.refresh(0.0)
    panel.refresh(0.0)
    shown = texts(panel)
    assert "8.0 Wh" in shown
    assert "▲ not for certain" in shown
    add(recording, 300.0, "FlightBatteryState", Voltage=11.0, Current=10.0)
    panel.refresh(0.0)
    assert texts(panel) == shown, "a flight that goes on is not summed up with every sample"
