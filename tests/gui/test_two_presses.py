"""The first flight without reading anything: two presses from the ground to flying by hand."""

import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.station import StartOptions
from plugins.pilot.actions_panel import ActionsPanel
from telemetry.base.folders import Folders
from telemetry.vehicle.vehicle import LinkState
from tests.gui.conftest import MakeStation
from tests.gui.hands import Hands

SPEED = 4.0
CARDS: dict[str, Any] = {
    "version": 1,
    "title": "Cards",
    "layout": {"split": "vertical", "sizes": [4, 1], "children": ["sticks", "actions"]},
    "panels": {
        "sticks": {"panel": "pilot.sticks", "settings": {}},
        "actions": {"panel": "pilot.actions", "settings": {}},
    },
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.starts_simulator
@pytest.mark.usefixtures("few_frames")
def test_one_press_hovers_and_another_flies_by_arrow_keys(
    folders: Folders,
    make_station: MakeStation,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folders.data))  # the aircraft's flash
    monkeypatch.setenv("LAPWING_HOME", str(folders.config))  # profiles of input devices
    folders.workspaces.mkdir(parents=True, exist_ok=True)
    (folders.workspaces / "cards.json").write_text(json.dumps(CARDS))
    options = StartOptions(target="sim:ar100b", workspace="cards", size=(1366, 768))
    station = make_station(options)
    vehicle = station.fleet.active
    assert vehicle is not None
    qtbot.waitUntil(lambda: vehicle.status.state is LinkState.CONNECTED)
    hands = Hands(station, vehicle, qtbot)
    hands.hurry(SPEED)
    presses: list[str] = []
    panel = hands.find(ActionsPanel, lambda _panel: True)
    for button in panel.findChildren(QPushButton):
        button.pressed.connect(lambda button=button: presses.append(button.text()))

    hands.hold("Arm and take off", lambda: hands.state().is_armed)
    hands.wait(lambda: is_hovering(hands))
    hands.hurry(1.0)  # or a key that is let go after a look has flown it far
    hands.press("Fly by hand")
    QTest.keyPress(station.window, Qt.Key.Key_Right)
    hands.wait(lambda: (hands.state().roll_deg or 0.0) > 5.0)
    QTest.keyRelease(station.window, Qt.Key.Key_Right)
    hands.wait(lambda: abs(hands.state().roll_deg or 0.0) < 3.0)
    assert presses == ["Arm and take off", "Fly by hand"]


def is_hovering(hands: Hands) -> bool:
    state = hands.state()
    return (state.height_m or 0.0) > 1.5 and abs(state.climb_mps or 0.0) < 0.2
