"""Whatever the toolbar says, its controls stand where they stood."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QRect
from PySide6.QtWidgets import QApplication, QMenu, QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from app.window.toolbar import Toolbar
from plugins.testing import live_vehicle
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from widgets.theme import apply_theme, load_theme

TITLES = ("Fly", "Plan", "Analyse", "Configure", "Objects", "Simulator")
CONNECTED = LinkStatus(LinkState.CONNECTED, fetched=188, total=188, objects_per_s=1234.0)
STATES = {
    "disconnected": LinkStatus(),
    "connecting": LinkStatus(LinkState.CONNECTING),
    "fetching": LinkStatus(LinkState.FETCHING, fetched=8, total=188),
    "connected": CONNECTED,
    "incomplete": replace(CONNECTED, fetched=187),
    "recorded": replace(CONNECTED, recording_file="a.opl"),
    "not recorded": replace(CONNECTED, recording_error="disk full"),
    "lost": LinkStatus(LinkState.LOST),
    "late": replace(CONNECTED, silent_s=12.0, objects_per_s=0.0),
}


@pytest.fixture
def toolbar(qapp: QApplication, kept_look: None, qtbot: QtBot) -> Toolbar:
    apply_theme(qapp, load_theme("light"))
    toolbar = Toolbar(load_theme("light"), QMenu())
    qtbot.addWidget(toolbar)
    toolbar.show_workspaces(TITLES, 0)
    toolbar.show()
    return toolbar


def places(toolbar: Toolbar) -> list[QRect]:
    QCoreApplication.processEvents()
    parts = (*toolbar.findChildren(QToolButton), *toolbar.findChildren(QTabBar))
    return [part.geometry() for part in parts if part.isVisible() and part.parent() is toolbar]


@pytest.mark.parametrize("width", [960, 1024, 1366])
def test_no_state_moves_a_control(toolbar: Toolbar, width: int) -> None:
    toolbar.resize(width, 40)
    vehicle: Vehicle = live_vehicle("Meadow quad of the north")
    toolbar.show_vehicle(vehicle)
    before = places(toolbar)
    for name, status in STATES.items():
        vehicle.status = status
        toolbar.show_vehicle(vehicle)
        assert places(toolbar) == before, name
        toolbar.show_muted(name == "lost")
    toolbar.show_vehicle(live_vehicle("Q"))
    assert places(toolbar) != before, "the negative control: a shorter name"


@pytest.mark.parametrize("width", [960, 1024, 1366])
def test_nothing_is_cut_off_and_no_tab_is_scrolled_away(toolbar: Toolbar, width: int) -> None:
    toolbar.resize(width, 40)
    vehicle = live_vehicle("Meadow quad of the north")
    vehicle.status = STATES["not recorded"]
    toolbar.show_vehicle(vehicle)
    boxes = places(toolbar)
    for number, box in enumerate(boxes):
        assert toolbar.rect().contains(box)
        assert not any(box.intersects(other) for other in boxes[:number])
    (tabs,) = toolbar.findChildren(QTabBar)
    assert tabs.tabRect(len(TITLES) - 1).right() <= tabs.width()
    room_px = toolbar.link_button.width()
    assert toolbar.link_button.fontMetrics().horizontalAdvance("188 of 188 objects") < room_px
