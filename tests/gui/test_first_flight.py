"""The main job, end to end: the real window flies the real simulator process, then replays it.

Everything a pilot does is done by pressing buttons; everything checked is what the aircraft
reports over UAVTalk. Time passes twice as fast as it does, so it takes about a quarter of a minute.
"""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.station import StartOptions, Station
from plugins.pilot.devices.hub import HUB
from plugins.pilot.seat import seat_of
from telemetry.logs.reader import read_log
from telemetry.objects.catalogue import load_catalogue
from telemetry.vehicle.vehicle import LinkState
from tests.gui.conftest import MakeStation
from tests.gui.hands import Hands
from tests.gui.virtual_joystick import VirtualJoystick

INPUT = "Input for flying by hand"


FAILSAFE_MODE = "Land"
"""Where the simulated aircraft's FailsafeFlightModeSwitchPosition leads (resources/airframes)."""


def fly_by_joystick(hands: Hands, station: Station) -> None:
    """By hand, unplugged in flight, and taken from its failsafe again."""
    joystick = VirtualJoystick()
    HUB.add(joystick)
    try:
        source = hands.find(QComboBox, lambda box: box.accessibleName() == INPUT)
        source.setCurrentIndex(source.findData("gamepad"))
        hands.wait(lambda: seat_of(hands.vehicle).state.device == joystick.kind.name)
        assert hands.state().flight_mode == "PositionHold", "a device that is not there yet"
        hands.press("Fly by hand")
        hands.wait(lambda: hands.state().flight_mode == "Stabilized2")
        joystick.axes = (0.3, 0.0, 0.0, 0.0)
        hands.wait(lambda: (hands.state().roll_deg or 0.0) > 5.0)
        joystick.is_plugged_in = False
        hands.wait(lambda: hands.state().flight_mode == FAILSAFE_MODE)
        hands.wait(lambda: station.window.alarm_strip.headline().startswith("No sticks"))
        joystick.axes, joystick.is_plugged_in = (0.0, 0.0, 0.0, 0.0), True
        hands.stay(1.0)
        assert hands.state().flight_mode == FAILSAFE_MODE, "nobody has asked for it again"
        hands.press("Hold")
        hands.wait(lambda: hands.state().flight_mode == "PositionHold")
    finally:
        HUB.remove(joystick)


@pytest.mark.slow
@pytest.mark.starts_simulator
@pytest.mark.usefixtures("few_frames")
def test_arm_take_off_hold_land_and_replay(
    make_station: MakeStation, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # the aircraft's flash
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))  # profiles of input devices
    station = make_station(StartOptions(target="sim:ar100b", size=(1366, 768)))
    vehicle = station.fleet.active
    assert vehicle is not None
    qtbot.waitUntil(lambda: vehicle.status.state is LinkState.CONNECTED)
    hands = Hands(station, vehicle, qtbot)
    hands.hurry(2.0)

    hands.hold("Arm and take off", lambda: hands.state().is_armed)
    hands.wait(lambda: (hands.state().height_m or 0.0) > 2.0)
    hands.press("Hold")
    hands.wait(lambda: hands.state().flight_mode == "PositionHold")
    fly_by_joystick(hands, station)
    hands.press("Land")
    hands.wait(lambda: hands.state().armed == "Disarmed")

    kinds = [event.kind for event in vehicle.recording.events()]
    assert kinds.count("arming") >= 2
    assert (hands.state().distance_home_m or 0.0) < 3.0

    flown = Path(vehicle.status.recording_file)
    seen = vehicle.recording.series("PositionState.Down")[1].min()
    vehicle.close()
    replayed = read_log(flown, load_catalogue())
    assert replayed.info.crc_errors == 0
    assert replayed.recording.series("PositionState.Down")[1].min() == seen
