"""What a board says of who flies it, in the releases that say it differently."""

import pytest

from plugins.testing import QuietCommands, catalogue
from telemetry.flying.transmitter.board_word import BoardListener
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Vehicle


@pytest.mark.parametrize("release", ["OpenPilot-13.06.04", "TauLabs-20151123", "dRonin-20180729"])
def test_a_board_without_an_alarm_of_its_receiver_is_known_by_its_command(release: str) -> None:
    """Its transmitter failed with the first SystemAlarms."""
    alarms = catalogue().find("SystemAlarms", release)
    command = catalogue().find("ManualControlCommand", release)
    recording = Recording("old")
    listener = BoardListener(Vehicle("old", recording, catalogue(), QuietCommands()))
    recording.append(1.0, alarms, 0, pack_values(alarms, {}))
    assert not listener.word().is_on_failsafe
    no, yes = command.field_named("Connected").options
    for t, connected in ((2.0, no), (3.0, yes)):
        recording.append(t, command, 0, pack_values(command, {"Connected": connected}))
        word = listener.word()
        assert (word.is_on_failsafe, word.receiver_age_s) == (connected == no, 0.0)
