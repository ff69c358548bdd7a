"""What tests of the whole window do with it."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QPushButton,
    QWidget,
)

from app.station import Station
from app.workspaces.workspace_page import WorkspacePage
from plugins.testing import replayed_vehicle
from telemetry.vehicle.vehicle import Vehicle
from widgets.visible_first import VisibleFirst


def told(station: Station) -> str:
    """What is told at the right end of the strip."""
    return station.window.message_place.text


def listed(station: Station) -> list[str]:
    """What stands in the message list and was not told in passing."""
    messages = [line.message for line in station.window.messages.lines()]
    return [message.text for message in messages if not message.is_passing]


def answer(station: Station, text: str) -> None:
    """Press a button of the message list."""
    station.window.take_messages(station.messages.take())
    station.window.message_card.open()
    buttons = station.window.message_card.findChildren(QPushButton)
    next(b for b in buttons if b.text() == text and not b.isHidden()).click()


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
