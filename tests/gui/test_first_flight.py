"""The main job, end to end: the real window flies the real simulator process, then replays it.

Everything a pilot does is done by pressing buttons; everything checked is what the aircraft
reports over UAVTalk. Time passes twice as fast as it does, so it takes about a quarter of a minute.
"""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.station import StartOptions
from telemetry.logs.reader import read_log
from telemetry.objects.catalogue import load_catalogue
from telemetry.vehicle.vehicle import LinkState
from tests.gui.conftest import MakeStation
from tests.gui.hands import Hands


@pytest.mark.slow
@pytest.mark.starts_simulator
@pytest.mark.usefixtures("few_frames")
def test_arm_take_off_hold_land_and_replay(
    make_station: MakeStation, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # the aircraft's flash
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
