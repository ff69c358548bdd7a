"""What tests of the whole window do with it."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QWidget,
)

from app.station import Station
from app.workspaces.workspace_page import WorkspacePage
from plugins.testing import replayed_vehicle
from telemetry.vehicle.vehicle import Vehicle
from widgets.visible_first import VisibleFirst


def told(station: Station) -> str:
    """What the toolbar says in passing."""
    return " ".join(label.toolTip() for label in station.window.toolbar.findChildren(QLabel))


def text_button(parent: QWidget, text: str) -> QAbstractButton:
    (found,) = [b for b in parent.findChildren(QAbstractButton) if b.text() == text]
    return found


def page_of(station: Station) -> WorkspacePage:
    page = station.window.stack.current_page
    assert page is not None
    return page


def run_ticks(station: Station, count: int = 10) -> None:
    for _ in range(count):
        station.tick.run()
        QCoreApplication.processEvents()


def run_until_painted(station: Station) -> None:
    """Until a new look has reached all that shows."""
    walk = station.app.findChild(VisibleFirst)
    assert walk is not None
    while walk.is_busy:
        QCoreApplication.processEvents()
    run_ticks(station)


def replay(station: Station) -> Vehicle:
    vehicle = replayed_vehicle()
    station.fleet.add(vehicle)
    run_ticks(station)
    return vehicle
