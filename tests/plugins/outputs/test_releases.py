"""The pages of outputs and receiver on firmwares of every family: what they lack is left out."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from pytestqt.qtbot import QtBot

from plugins.outputs.page import OutputsPage
from plugins.receiver.page import ReceiverPage
from plugins.testing import QuietCommands, catalogue
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.plugins.driven import Driven

_NAMES = (
    *("ActuatorSettings", "ManualControlSettings", "FlightModeSettings", "MixerSettings"),
    *("SystemSettings", "ActuatorCommand", "ManualControlCommand", "FlightStatus", "SystemAlarms"),
)
OLDEST = "OpenPilot-11.08"
RELEASES = (
    "LibrePilot-next-2019-02",
    "LibrePilot-15.09",
    "OpenPilot-14.10",
    "OpenPilot-13.06",
    OLDEST,
    "TauLabs-20151123",
    "dRonin-20180729",
)


def vehicle_of(release: str) -> Vehicle:
    """An aircraft of that release as it leaves the factory, with a link."""
    recording = Recording(release)
    for definition in catalogue().release(release):
        if definition.name in _NAMES:
            recording.append(0.0, definition, 0, definition.default_row().tobytes())
    vehicle = Vehicle(release, recording, catalogue(), QuietCommands())
    vehicle.status = LinkStatus(LinkState.CONNECTED)
    return vehicle


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_both_pages_show_what_a_release_has(qtbot: QtBot, release: str) -> None:
    fleet = Fleet()
    fleet.add(vehicle_of(release))
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        outputs, receiver = driven.page("outputs.outputs"), driven.page("receiver.sticks")
        assert isinstance(outputs, OutputsPage)
        assert isinstance(receiver, ReceiverPage)
        assert len(outputs.table.rows) >= 8
        assert outputs.banks.editors
        assert outputs.test.why_not(outputs) != ""  # nothing is assigned to a motor
        if release == OLDEST:
            assert "way of its own" in receiver.missing.text()
            assert not receiver.view.begin.isEnabled()
        else:
            row = receiver.table.rows["Roll"]
            assert len(receiver.table.rows) >= 7
            assert all(editor.editor is not None for editor in row.editors.values())
            assert receiver.setup.why_not() == ""
        driven.context.close()
