"""A receiver taken for flying from the station, shown, and given back.

receiver.c of LibrePilot: every assigned control has to be valid, or the failsafe acts; what is not
GCS does not hear a station. armhandler.c: low throttle is below neutral.
"""

from pathlib import Path

import pytest

from telemetry.configuration.arming.station_receiver import (
    StationReceiver,
    failsafe_warnings,
    station_changes,
    why_deaf,
)
from telemetry.configuration.settings.temporary_settings import TemporarySettings, store_in
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.sample import Value
from telemetry.vehicle.exclusive import exclusive_of
from tests.telemetry.configuration.receiver.radio import MODES, SETTINGS, Radio
from tests.telemetry.configuration.settings.bench import Bench

PPM = ("PPM",) * 5 + ("None", "PPM", "PPM", "None", "None", "PPM")
NUMBERS = (3, 1, 2, 4, 5, 0, 6, 7, 0, 0, 8)


class Field:
    """A real aircraft in the field: its radio on PPM, a camera on Accessory1, RSSI, armed by
    Accessory0."""

    def __init__(self, catalogue: Catalogue, folder: Path) -> None:
        self.radio = Radio(catalogue)
        self.bench: Bench = self.radio.bench
        self.radio.put(
            MODES, {"Arming": "Accessory 0", "FlightModePosition": ["Stabilized1", "Land"] * 3}
        )
        self.set(FlightModeNumber=2, FailsafeFlightModeSwitchPosition=1)
        self.open(folder)

    def set(self, **values: object) -> None:
        self.radio.put(
            SETTINGS,
            {
                "ChannelGroups": PPM,
                "ChannelNumber": NUMBERS,
                "ChannelMin": [988] * 11,
                "ChannelNeutral": [1500] * 11,
                "ChannelMax": [2012] * 11,
                **values,
            },
        )
        self.bench.pass_time(0.2)

    def open(self, folder: Path) -> None:
        """A station that has just started."""
        self.temporary = TemporarySettings(self.bench.vehicle, store_in(folder))
        self.receiver = StationReceiver(self.bench.vehicle, self.temporary)
        self.settle()

    def settle(self) -> None:
        self.bench.run(self._is_settled)

    def _is_settled(self) -> bool:
        self.temporary.poll()
        is_idle = all(entry.ticket is None for entry in self.temporary.entries)
        return bool(self.bench.settings.aircraft.serial) and is_idle

    def on_board(self, path: str) -> Value | tuple[Value, ...]:
        return self.bench.on_board(SETTINGS, path)

    def arm(self, armed: str = "Armed") -> None:
        self.bench.put("FlightStatus", "Armed", armed)


@pytest.fixture
def field(catalogue: Catalogue, tmp_path: Path) -> Field:
    return Field(catalogue, tmp_path)


def test_the_difference_is_complete_and_says_from_what_to_what(field: Field) -> None:
    changes = {c.path: (c.before, c.after) for c in field.receiver.changes()}
    assert changes["ChannelGroups.Throttle"] == ("PPM", "GCS")
    assert changes["ChannelNumber.Throttle"] == (3, 1)
    assert changes["ChannelNumber.Accessory0"] == (6, 7), "the arming switch"
    assert changes["ChannelNeutral.Throttle"] == (1500, 1040), "or it never is low"
    assert changes["ChannelGroups.Accessory1"] == ("PPM", "None")
    assert changes["ChannelGroups.Rssi"] == ("PPM", "None")
    assert "ChannelMin.Roll" not in changes, "12 µs mean nothing"
    assert "takes its sticks from the PPM receiver" in why_deaf(field.receiver.values)


def test_it_is_taken_in_memory_only_and_given_back(field: Field, tmp_path: Path) -> None:
    before = field.bench.held(SETTINGS)
    stored = field.bench.stored(SETTINGS)
    assert field.receiver.take() == ""
    assert list(tmp_path.glob("*.json")), "on disk before it is on board"
    assert field.bench.held(SETTINGS) == before
    field.settle()
    assert field.receiver.is_taken
    assert station_changes(field.receiver.values) == ()
    assert why_deaf(field.receiver.values) == ""
    assert field.on_board("ChannelGroups")[:5] == ("GCS",) * 5  # type: ignore[index]
    assert field.bench.stored(SETTINGS) == stored, "a power cycle brings the radio back"
    assert field.receiver.give_back() == ""
    field.settle()
    assert field.bench.held(SETTINGS) == before
    assert not list(tmp_path.glob("*.json"))


def test_without_asking_nothing_is_changed(field: Field) -> None:
    before = field.bench.held(SETTINGS)
    field.bench.pass_time(2.0)
    field.settle()
    assert field.bench.held(SETTINGS) == before


def test_leaving_gives_it_back(field: Field) -> None:
    before = field.bench.held(SETTINGS)
    field.receiver.take()
    field.settle()
    assert field.bench.held(SETTINGS) != before
    field.bench.leave()
    assert field.bench.held(SETTINGS) == before


def test_after_a_crash_the_next_connection_gives_it_back_on_the_ground(
    field: Field, tmp_path: Path
) -> None:
    before = field.bench.held(SETTINGS)
    field.receiver.take()
    field.settle()
    field.arm()
    field.open(tmp_path)
    assert field.bench.held(SETTINGS) != before, "not while it flies"
    assert not field.receiver.is_taken
    field.arm("Disarmed")
    field.settle()
    assert field.bench.held(SETTINGS) == before


@pytest.mark.parametrize("armed", ["Arming", "Armed"])
def test_nothing_is_taken_or_given_back_while_armed(field: Field, armed: str) -> None:
    field.arm(armed)
    assert "armed" in field.receiver.take()
    assert field.temporary.entries == ()
    field.arm("Disarmed")
    field.receiver.take()
    field.settle()
    held = field.bench.held(SETTINGS)
    field.arm(armed)
    assert "armed" in field.receiver.give_back()
    field.settle()
    assert field.bench.held(SETTINGS) == held


def test_who_has_the_aircraft_is_named(field: Field) -> None:
    exclusive_of(field.bench.vehicle).take("test", "The motor test")
    assert field.receiver.take() == "The motor test is under way. End it first."


def test_a_collective_cannot_be_flown_from_here(field: Field) -> None:
    field.radio.put("SystemSettings", {"ThrustControl": "Collective"})
    field.bench.pass_time(0.2)
    assert "collective" in field.receiver.take()


def test_sticks_of_the_station_on_other_channels_are_no_less_deaf(field: Field) -> None:
    """Roll would be taken for throttle."""
    field.set(ChannelGroups=("GCS",) * 5 + ("None", "GCS") + ("None",) * 4)
    assert "read the station's throttle as the station sends it" in why_deaf(field.receiver.values)


def test_a_failsafe_that_disarms_in_the_air_is_told_before(field: Field) -> None:
    assert failsafe_warnings(field.receiver.values) == ()
    field.set(FailsafeChannel=[-1, 0, 0, 0, 0, -1, 0, 0, 0], FailsafeFlightModeSwitchPosition=1)
    (found,) = failsafe_warnings(field.receiver.values)
    assert found.code == "failsafe-disarms"
    assert found.remedy == "Have the failsafe set accessory 0 to 0."
    assert found.settings == ("ManualControlSettings.FailsafeChannel.Accessory0",)


def test_after_a_power_cycle_it_can_be_taken_again(field: Field) -> None:
    before = field.bench.held(SETTINGS)
    field.receiver.take()
    field.settle()
    definition = field.bench.named(SETTINGS)
    field.bench.board.values[definition.object_id, 0] = before
    field.bench.aircraft.flight.publish(definition.object_id)
    field.bench.pass_time(0.2)
    assert field.receiver.changes()
    assert field.receiver.take() == ""
    field.settle()
    assert field.receiver.changes() == ()
    field.receiver.give_back()
    field.settle()
    assert field.bench.held(SETTINGS) == before, "what it was at first"
