"""The main job, end to end: the real window flies the real simulator process, then replays it.

Everything a pilot does is done by pressing buttons; everything checked is what the aircraft
reports over UAVTalk. It runs in real time, so it takes about half a minute.
"""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.station import StartOptions, Station
from telemetry.flight_state import FlightState, read_flight_state
from telemetry.logs.reader import read_log
from telemetry.objects.catalogue import load_catalogue
from telemetry.vehicle.vehicle import LinkState, Vehicle
from tests.gui.conftest import MakeStation


class Pilot:
    """Presses buttons in the window and watches what the aircraft reports."""

    def __init__(self, station: Station, vehicle: Vehicle, qtbot: QtBot) -> None:
        self._station = station
        self._vehicle = vehicle
        self._qtbot = qtbot

    def state(self) -> FlightState:
        return read_flight_state(self._vehicle.recording, self._vehicle.recording.last_s)

    def wait(self, condition: object) -> None:
        self._qtbot.waitUntil(condition)

    def button(self, text: str) -> QPushButton:
        buttons = self._station.window.findChildren(QPushButton)
        (found,) = [b for b in buttons if b.text() == text and b.isVisible()]
        return found

    def press(self, text: str) -> None:
        self.wait(lambda: self.button(text).isEnabled())
        self._qtbot.mouseClick(self.button(text), Qt.MouseButton.LeftButton)

    def hold_to_arm(self) -> None:
        self.wait(lambda: self.button("Hold to arm").isEnabled())
        arm = self.button("Hold to arm")
        QTest.mousePress(arm, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        self.wait(lambda: self.state().is_armed)
        QTest.mouseRelease(arm, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))


@pytest.mark.slow
@pytest.mark.starts_simulator
def test_arm_take_off_hold_land_and_replay(
    make_station: MakeStation, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # the aircraft's flash
    station = make_station(StartOptions(target="sim:ar100b", size=(1366, 768)))
    vehicle = station.fleet.active
    assert vehicle is not None
    qtbot.waitUntil(lambda: vehicle.status.state is LinkState.CONNECTED)
    pilot = Pilot(station, vehicle, qtbot)

    pilot.hold_to_arm()
    pilot.press("Take off")
    pilot.wait(lambda: (pilot.state().height_m or 0.0) > 2.0)
    pilot.press("Hold")
    pilot.wait(lambda: pilot.state().flight_mode == "PositionHold")
    pilot.press("Land")
    pilot.wait(lambda: pilot.state().armed == "Disarmed")

    kinds = [event.kind for event in vehicle.recording.events()]
    assert kinds.count("arming") >= 2
    assert (pilot.state().distance_home_m or 0.0) < 3.0

    flown = Path(vehicle.status.recording_file)
    seen = vehicle.recording.series("PositionState.Down")[1].min()
    vehicle.close()
    replayed = read_log(flown, load_catalogue())
    assert replayed.info.crc_errors == 0
    assert replayed.recording.series("PositionState.Down")[1].min() == seen
