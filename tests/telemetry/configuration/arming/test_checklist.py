"""Why it does not arm, by what is wrong with an aircraft that would."""

from collections.abc import Mapping
from typing import Any

import pytest

from telemetry.configuration.arming.checklist import Checklist, arming_checklist
from telemetry.finding import Level
from telemetry.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.objects.values import pack_values
from telemetry.recording.recording import Recording

QUIET = {f"Alarm.{name}": "OK" for name in ("Attitude", "Receiver", "SystemConfiguration")}
READY: dict[str, dict[str, Any]] = {
    "FlightStatus": {"FlightMode": "Stabilized1"},
    "ManualControlCommand": {"Connected": "True", "Throttle": -1.0},
    "FlightModeSettings": {"Arming": "Yaw Right"},
    "ManualControlSettings": {"ChannelGroups.Throttle": "PPM"},
    "SystemAlarms": QUIET,
    "SystemSettings": {"AirframeType": "QuadX"},
    "MixerSettings": {"Mixer1Type": "Motor"},
    "ActuatorSettings": {"ChannelMax.0": 1900},
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def judged(
    catalogue: Catalogue, absent: tuple[str, ...] = (), **changed: Mapping[str, Any]
) -> Checklist:
    recording = Recording("test")
    for name, ready in READY.items():
        if name in absent:
            continue
        definition = catalogue.find(name, DEFAULT_RELEASE)
        values = {**ready, **changed.get(name, {})}
        payload = pack_values(definition, values, definition.default_row())
        recording.append(1.0, definition, 0, payload)
    return arming_checklist(lambda name: recording.latest(name, 2.0))


@pytest.mark.slow
def test_ready_says_what_to_do(catalogue: Catalogue) -> None:
    found = judged(catalogue)
    assert found.is_ready
    assert found.summary == ("Ready to arm. Throttle at its lowest, then hold yaw to the right.")
    assert {check.level for check in found.checks} == {Level.OK}


WRONG = [
    ("FlightModeSettings", {"Arming": "Always Disarmed"}, "method"),
    ("FlightModeSettings", {"Arming": "Accessory 0"}, "method"),
    ("ManualControlCommand", {"Connected": "False"}, "receiver"),
    ("ManualControlCommand", {"Throttle": 0.1}, "throttle"),
    ("FlightStatus", {"FlightMode": "PositionHold"}, "mode"),
    ("FlightStatus", {"FlightModeAssist": "GPSAssist"}, "mode"),
    ("FlightModeSettings", {"Stabilization1Settings.Thrust": "AltitudeHold"}, "mode"),
    ("SystemAlarms", {"Alarm.Attitude": "Critical"}, "alarm Attitude"),
]


@pytest.mark.parametrize(("name", "changed", "key"), WRONG)
def test_one_thing_in_the_way_is_named(
    catalogue: Catalogue, name: str, changed: dict[str, Any], key: str
) -> None:
    found = judged(catalogue, **{name: changed})
    assert [check.code for check in found.blocking] == [key]
    assert found.blocking[0].remedy
    assert found.summary == "It will not arm: one thing stands in the way."


def test_the_cause_of_a_configuration_alarm_is_told(catalogue: Catalogue) -> None:
    alarms = {
        "Alarm.SystemConfiguration": "Critical",
        "ExtendedAlarmStatus.SystemConfiguration": "FlightMode",
        "ExtendedAlarmSubStatus.SystemConfiguration": 2,
    }
    (blocking,) = judged(catalogue, SystemAlarms=alarms).blocking
    assert "position 3" in blocking.text


def test_gps_and_telemetry_do_not_forbid_it(catalogue: Catalogue) -> None:
    alarms = {"Alarm.GPS": "Critical", "Alarm.Telemetry": "Error"}
    assert judged(catalogue, SystemAlarms=alarms).is_ready


def test_a_lost_receiver_is_told_once(catalogue: Catalogue) -> None:
    found = judged(
        catalogue,
        ManualControlCommand={"Connected": "False"},
        SystemAlarms={"Alarm.Receiver": "Critical"},
    )
    assert [check.code for check in found.blocking] == ["receiver"]


def test_motors_that_cannot_turn_are_noted_but_do_not_block(catalogue: Catalogue) -> None:
    found = judged(catalogue, ActuatorSettings={"ChannelMax.0": 1000})
    assert found.is_ready
    assert [check.code for check in found.checks if check.level is Level.WARNING] == ["outputs"]


def test_a_throttle_that_ends_at_neutral_turns_no_motor(catalogue: Catalogue) -> None:
    found = judged(catalogue, ActuatorSettings={"ChannelMin.0": 900, "ChannelMax.0": 1000})
    assert [check.code for check in found.checks if check.level is Level.WARNING] == ["outputs"]


def test_always_armed_is_told_but_does_not_block(catalogue: Catalogue) -> None:
    found = judged(catalogue, FlightModeSettings={"Arming": "Always Armed"})
    assert found.is_ready
    assert [check.code for check in found.checks if check.level is Level.WARNING] == ["method"]


CHANNELS = {
    **{f"ChannelGroups.{name}": "S.Bus" for name in ("Throttle", "Roll", "Pitch", "FlightMode")},
    **{f"ChannelNumber.{name}": 1 for name in ("Throttle", "Roll", "Pitch", "Yaw", "FlightMode")},
}


@pytest.mark.parametrize(
    ("yaw", "text"),
    [("None", "Yaw: not on any channel"), ("S.Bus", "The board gets no valid signal")],
)
def test_a_receiver_without_a_needed_channel_is_not_a_lost_signal(
    catalogue: Catalogue, yaw: str, text: str
) -> None:
    found = judged(
        catalogue,
        ManualControlCommand={"Connected": "False"},
        ManualControlSettings={**CHANNELS, "ChannelGroups.Yaw": yaw},
    )
    assert found.blocking[0].text.startswith(text)


def test_a_ground_vehicle_arms_with_the_throttle_in_its_middle(catalogue: Catalogue) -> None:
    car = {"AirframeType": "GroundVehicleCar"}
    assert not judged(catalogue, SystemSettings=car).is_ready
    found = judged(catalogue, SystemSettings=car, ManualControlCommand={"Throttle": 0.0})
    assert found.is_ready


def test_what_is_not_known_is_not_claimed(catalogue: Catalogue) -> None:
    found = judged(catalogue, absent=("SystemAlarms", "ManualControlCommand"))
    assert not found.is_ready
    assert not found.blocking
    unknown = [check.code for check in found.checks if check.level is Level.UNKNOWN]
    assert unknown == ["receiver", "throttle", "alarms"]


def test_armed_has_nothing_to_check(catalogue: Catalogue) -> None:
    found = judged(catalogue, FlightStatus={"Armed": "Armed"})
    assert found.is_armed
    assert found.checks == ()
