"""The list of all aircraft, and what a group of them is asked to do."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtWidgets import QPushButton, QTreeWidget
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.pilot.aircraft_panel import AircraftPanel
from plugins.testing import replayed_vehicle
from telemetry.flying.controls import controls_of
from telemetry.flying.orders.aircraft import STOP, why_not_order
from telemetry.flying.orders.groups import GroupOrders, question
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus
from tests.telemetry.flying.fakes import POSITIONS, Ground
from widgets.confirm_card import ConfirmCard
from widgets.theme import load_theme


def flying(name: str) -> Ground:
    ground = Ground()
    ground.vehicle.name = name
    ground.settings()
    ground.status(1.0, "Armed", "PositionHold", thrust=0.5)
    return ground


class Hangar:
    """Two aircraft in the air, one on the ground and a log."""

    def __init__(self) -> None:
        self.first, self.second = flying("first"), flying("second")
        self.parked = Ground()
        self.parked.vehicle.name = "parked"
        self.parked.settings()
        self.parked.status(1.0, "Disarmed")
        self.log = replayed_vehicle("old.opl")
        self.fleet = Fleet()
        grounds = (self.first, self.second, self.parked)
        self.all = (*(ground.vehicle for ground in grounds), self.log)
        for vehicle in self.all:
            self.fleet.add(vehicle)


@pytest.fixture
def hangar() -> Iterator[Hangar]:
    made = Hangar()
    yield made
    for vehicle in made.all:
        controls_of(vehicle).close()


def test_each_of_a_group_is_asked_or_refuses_for_its_own_reason(
    hangar: Hangar, qtbot: QtBot
) -> None:
    orders = GroupOrders()
    orders.give("Land", hangar.all, hangar.fleet.active)
    land = Sticks(throttle=0.5, flight_mode_position=POSITIONS.index("Land"), arm=True)
    for ground in (hangar.first, hangar.second):
        qtbot.waitUntil(lambda g=ground: g.commands.sticks[-1:] == [land])
    assert (hangar.parked.commands.sticks, hangar.parked.recording.last_s) == ([], 1.0)
    told = orders.follow(hangar.all)
    assert told[hangar.first.vehicle] == "Land: asked for"
    assert told[hangar.parked.vehicle] == "Land refused: Arm the aircraft first."
    assert told[hangar.log] == "Land refused: It is a log."
    hangar.first.status(1.5, "Armed", "Land", thrust=0.4)
    hangar.second.status(6.0, "Armed", "PositionHold", thrust=0.5)
    told = orders.follow(hangar.all)
    assert told[hangar.first.vehicle] == "Land: done"
    assert told[hangar.second.vehicle] == "Land not done: Armed, flight mode Position hold"
    orders.leave()
    assert hangar.first.commands.sticks[-1] is None, "its failsafe acts"


def test_motors_off_names_who_falls(hangar: Hangar) -> None:
    asked = question(STOP, hangar.all).splitlines()
    assert asked == [
        "Motors off for:",
        "first (flies, and FALLS)",
        "second (flies, and FALLS)",
        "parked (not asked: It is not armed.)",
        "old.opl (not asked: It is a log.)",
    ]
    hangar.first.commands.why_not = "Not sent: link lost."
    assert why_not_order(STOP, hangar.first.vehicle) == "Not sent: link lost."


def test_the_list_shows_all_chooses_on_purpose_and_asks_before_a_group_is_told(
    hangar: Hangar, qtbot: QtBot
) -> None:
    jobs = ThreadPoolExecutor(1)
    context = PanelContext(hangar.fleet, load_theme("light"), jobs)
    panel = AircraftPanel(context)
    qtbot.addWidget(panel)
    panel.show()
    panel.refresh(1.0)
    tree = panel.findChild(QTreeWidget)
    assert tree is not None
    rows = [[tree.topLevelItem(i).text(c) for c in range(8)] for i in range(4)]
    assert rows[0][:4] == ["first (active)", "Connected", "Position hold", "Armed"]
    assert [row[0] for row in rows[1:]] == ["second", "parked", "old.opl"]
    assert rows[3][7] == "A log"

    hangar.second.vehicle.status = LinkStatus(LinkState.LOST, reason="gone")
    tree.topLevelItem(1).setSelected(True)
    panel.refresh(1.0)
    assert tree.topLevelItem(1).text(3) == "was Armed", "what it said is old"
    assert hangar.fleet.active is hangar.first.vehicle, "to choose a row changes nothing"
    buttons = {b.text(): b for b in panel.findChildren(QPushButton)}
    buttons["Make active"].click()
    assert hangar.fleet.active is hangar.second.vehicle

    tree.topLevelItem(0).setSelected(True)
    panel.refresh(1.0)
    buttons["Hold …"].click()
    card = panel.findChild(ConfirmCard)
    assert card is not None
    card.close()
    assert hangar.first.commands.sticks == [], "a card that closes means no"
    buttons["Hold …"].click()
    card = next(c for c in panel.findChildren(ConfirmCard) if c.isVisible())
    card.button.held.emit()
    assert controls_of(hangar.first.vehicle).request.transmitting
    context.close()
    jobs.shutdown()
