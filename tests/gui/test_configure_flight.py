"""From a board as bought to a steady hover, by clicking: the proof that setting up works.

The real window sets up the simulator's process, which starts without any settings, flies it,
spoils its gains in flight and brings them back, and at last flips one axis of its mixer, which
must end badly. In the air time passes faster than it does.
"""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from app.station import StartOptions
from plugins.airframe.mixer_table import MixerTable
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import LinkState
from tests.gui.conftest import MakeStation
from tests.gui.hands import Hands
from widgets.collapsible import CollapsibleGroup

HOVER_S = 10.0
HOVER_SPEED = 4.0
TUNING_SPEED = 2.0
"""Swinging faster than so it would not be seen in the live chart: it knows the station's clock."""
SPOILT = "60"
"""An attitude gain with which the AR100B swings by some degrees, and still flies."""
BANK = "StabilizationSettingsBank1"


def spread(recording: Recording, field: str, since_s: float) -> float:
    """Largest less smallest value since then."""
    times, values = recording.series(field)
    return float(np.ptp(values[times > since_s]))


def set_up(hands: Hands) -> None:
    """Go through the assistant with the answers that fit the AR100B."""
    hands.open_workspace("Configure")
    hands.open_page("Set-up assistant")
    hands.choose("Airframe", "Quad X")
    hands.press("Next")
    hands.choose("Speed controllers", "PWM, 490 Hz")
    hands.press("Next")
    hands.choose("Receiver", "This station's virtual transmitter")
    hands.press("Next")
    hands.choose("GPS receiver", "UBX")
    for _ in ("power", "modes", "calibration"):
        hands.press("Next")
    hands.choose("Gains", "Quadrotor of 1 m")
    hands.press("Next")
    assert configuration_of(hands.vehicle).staged() == (), "nothing before it is accepted"
    hands.press("Accept and save on board")
    settings = configuration_of(hands.vehicle)
    hands.wait(lambda: settings.transfer is not None and settings.transfer.is_finished)
    assert settings.transfer is not None
    assert settings.transfer.is_verified, [(i.edit.name, i.reason) for i in settings.transfer.items]
    assert settings.staged() == ()


def take_off(hands: Hands) -> None:
    hands.open_workspace("Fly")
    ground_m = hands.state().height_m or 0.0  # by its own height, which is what GPS was off
    hands.hold("Arm and take off", lambda: hands.state().is_armed)
    hands.wait(lambda: (hands.state().height_m or 0.0) > ground_m + 2.0)


def spoil_gains_and_bring_them_back(hands: Hands) -> None:
    """In flight, with the live chart open: it must see the swing begin, and see it end."""
    hands.open_workspace("Configure")
    hands.open_page("Stabilization")
    tuning = hands.find(CollapsibleGroup, lambda fold: fold.title == "Live tuning")
    tuning.set_open(True)
    settings = configuration_of(hands.vehicle)
    good = settings.on_board(BANK, "RollPI.Kp")
    hands.enter(BANK, "RollPI.Kp", SPOILT)
    sending = f"Send {BANK}.RollPI.Kp"  # it is beyond the firmware's limits
    hands.find(QCheckBox, lambda box: box.accessibleName() == sending).click()
    hands.press("Apply")
    hands.wait(lambda: settings.on_board(BANK, "RollPI.Kp") == float(SPOILT))
    hands.wait(lambda: tuning.note == "Roll oscillates")
    hands.press("Back to the last good set")
    hands.wait(lambda: settings.on_board(BANK, "RollPI.Kp") == good)
    hands.wait(lambda: tuning.note == "")
    since_s = hands.stay(4.0)
    assert spread(hands.vehicle.recording, "AttitudeState.Roll", since_s) < 12.0
    assert tuning.note == ""
    assert hands.state().is_armed


def flip_roll(hands: Hands) -> None:
    """Turn the sign of roll over for every motor, in the table of the airframe page."""
    hands.open_page("Airframe and mixer")
    table = hands.find(MixerTable, lambda table: table.cells.rowCount() > 0)
    for row, weight in enumerate(("-64", "64", "64", "-64")):
        index = table.cells.index_of(f"Mixer{row + 1}Vector.Roll")
        hands.enter_cell(table, index, weight)
    hands.press("Apply")


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.starts_simulator
@pytest.mark.usefixtures("few_frames")
def test_from_an_erased_board_to_a_hover_and_to_a_crash(
    make_station: MakeStation, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))  # the assistant's answers
    station = make_station(StartOptions(target="sim:ar100b?erased", size=(1366, 768)))
    vehicle = station.fleet.active
    assert vehicle is not None
    qtbot.waitUntil(lambda: vehicle.status.state is LinkState.CONNECTED)
    hands = Hands(station, vehicle, qtbot)
    recording = vehicle.recording

    set_up(hands)
    hands.hurry(HOVER_SPEED)
    take_off(hands)
    hands.press("Hold")
    hands.wait(lambda: hands.state().flight_mode == "PositionHold")
    hands.stay(3.0)
    since_s = hands.stay(HOVER_S)
    assert hands.state().is_armed
    assert spread(recording, "PositionState.Down", since_s) < 0.6
    assert spread(recording, "PositionState.North", since_s) < 1.5
    assert spread(recording, "AttitudeState.Roll", since_s) < 6.0
    assert spread(recording, "AttitudeState.Pitch", since_s) < 6.0

    hands.hurry(TUNING_SPEED)
    spoil_gains_and_bring_them_back(hands)
    since_s = recording.last_s
    hover_m = hands.state().height_m or 0.0
    flip_roll(hands)
    hands.wait(lambda: np.abs(recording.series("AttitudeState.Roll", since_s)[1]).max() > 60.0)
    hands.wait(lambda: (hands.state().height_m or 9.0) < hover_m - 1.5)
