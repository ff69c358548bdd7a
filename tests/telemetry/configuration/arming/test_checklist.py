"""Why it does not arm, by what is wrong with an aircraft that would."""

from collections.abc import Mapping
from typing import Any

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.arming.checklist import (
    Checklist,
    Read,
    RememberedChecklist,
    arming_checklist,
)
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from tests.firmware_rules import ARMING, FORBIDDING, TOLERATED, ArmingCase

QUIET = {f"Alarm.{name}": "OK" for name in ("Attitude", "Receiver", "SystemConfiguration")}
READY: dict[str, dict[str, Any]] = {
    "FlightStatus": {"FlightMode": "Stabilized1"},
    "ManualControlCommand": {"Connected": "True", "Throttle": -1.0},
    "FlightModeSettings": {"Arming": "Yaw Right"},
    "ManualControlSettings": {"ChannelGroups.Throttle": "PPM"},
    "SystemAlarms": QUIET,
    "SystemSettings": {"AirframeType": "QuadX"},
    "VtolPathFollowerSettings": {},
    "MixerSettings": {"Mixer1Type": "Motor"},
    "ActuatorSettings": {"ChannelMax.0": 1900},
}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def said(catalogue: Catalogue, absent: tuple[str, ...] = (), **changed: Mapping[str, Any]) -> Read:
    recording = Recording("test")
    for name, ready in READY.items():
        if name in absent:
            continue
        definition = catalogue.find(name, DEFAULT_RELEASE)
        values = {**ready, **changed.get(name, {})}
        payload = pack_values(definition, values, definition.default_row())
        recording.append(1.0, definition, 0, payload)
    return lambda name: recording.latest(name, 2.0)


def judged(
    catalogue: Catalogue, absent: tuple[str, ...] = (), **changed: Mapping[str, Any]
) -> Checklist:
    return arming_checklist(said(catalogue, absent, **changed))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SystemAlarms", "ManualControlCommand", "MixerSettings"])
def test_a_remembered_checklist_is_judged_anew_when_anything_has_changed(
    catalogue: Catalogue, name: str
) -> None:
    remembered = RememberedChecklist()
    unknown = remembered.judged(said(catalogue, (name,)))
    ready = remembered.judged(said(catalogue))
    assert unknown == judged(catalogue, (name,)) != ready == judged(catalogue)
    assert remembered.judged(said(catalogue)) is ready
    changes: dict[str, dict[str, Any]] = {
        "SystemAlarms": {"Alarm.Attitude": "Critical"},
        "ManualControlCommand": {"Throttle": 0.1},
        "MixerSettings": {"Mixer1Type": "Disabled"},
    }
    changed = {name: changes[name]}
    assert remembered.judged(said(catalogue, **changed)) == judged(catalogue, **changed) != ready


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


@pytest.mark.parametrize(("treated", "is_ready"), [("Ground", True), ("VTOL", False)])
def test_a_custom_airframe_is_what_it_is_treated_as(
    catalogue: Catalogue, treated: str, is_ready: bool
) -> None:
    found = judged(
        catalogue,
        SystemSettings={"AirframeType": "Custom"},
        VtolPathFollowerSettings={"TreatCustomCraftAs": treated},
        ManualControlCommand={"Throttle": 0.0},
    )
    assert found.is_ready is is_ready


# The rows of "Arming" of design/firmware-rules.md, from armhandler.c of LibrePilot.


@pytest.mark.parametrize("alarm", [*FORBIDDING, *TOLERATED])
@pytest.mark.parametrize("severity", ["Warning", "Critical", "Error"])
def test_alarms_that_forbid_arming(catalogue: Catalogue, alarm: str, severity: str) -> None:
    forbids = severity != "Warning" and alarm in FORBIDDING
    found = judged(catalogue, SystemAlarms={f"Alarm.{alarm}": severity})
    assert found.is_ready is not forbids


@pytest.mark.parametrize("case", ARMING, ids=lambda case: "-".join(map(str, case)))
def test_a_mode_to_arm_in(catalogue: Catalogue, case: ArmingCase) -> None:
    sets = {f"Stabilization{n}Settings.Thrust": case.thrust for n in range(1, 7)}
    found = judged(
        catalogue,
        FlightModeSettings=sets,
        FlightStatus={
            "FlightMode": case.mode,
            "FlightModeAssist": case.assist,
            "AlwaysStabilizeWhenArmed": str(case.is_always_stabilized),
        },
    )
    assert found.is_ready is case.may_arm


@pytest.mark.parametrize(
    ("throttle", "is_low"), [(-1.0, True), (-0.001, True), (0.0, False), (0.5, False)]
)
def test_low_throttle(catalogue: Catalogue, throttle: float, is_low: bool) -> None:
    found = judged(catalogue, ManualControlCommand={"Throttle": throttle})
    assert found.is_ready is is_low


@pytest.mark.parametrize(
    ("throttle", "is_low"),
    [(0.0, True), (0.009, True), (-0.009, True), (0.011, False), (-1.0, False)],
)
def test_low_throttle_of_a_car(catalogue: Catalogue, throttle: float, is_low: bool) -> None:
    car = {"AirframeType": "GroundVehicleCar"}
    found = judged(catalogue, SystemSettings=car, ManualControlCommand={"Throttle": throttle})
    assert found.is_ready is is_low


@pytest.mark.parametrize(
    ("arming", "sticks", "is_on"),
    [
        ("Yaw Right", {"Yaw": 0.8}, True),
        ("Yaw Right", {"Yaw": 0.79}, False),
        ("Yaw Right", {"Yaw": -1.0}, False),
        ("Yaw Left", {"Yaw": -0.9}, True),
        ("Roll Left", {"Roll": -0.9}, True),
        ("Roll Right", {"Roll": 0.9}, True),
        ("Pitch Forward", {"Pitch": -0.9}, True),
        ("Pitch Aft", {"Pitch": 0.9}, True),
        ("Accessory 2", {"Channel.8": 1600}, True),  # 0.2 of the way up
        ("Accessory 2", {"Channel.8": 1599}, False),
        ("Accessory 2", {"Channel.8": 1000}, False),
    ],
)
def test_arming_needs_an_edge(
    catalogue: Catalogue, arming: str, sticks: dict[str, float], is_on: bool
) -> None:
    """What is on already while it is disarmed has to be let go first."""
    found = judged(
        catalogue,
        FlightModeSettings={"Arming": arming},
        ManualControlSettings={
            "ChannelGroups.Accessory2": "PPM",
            "ChannelNumber.Accessory2": 6,
        },
        ManualControlCommand=sticks,
    )
    assert [check.code for check in found.blocking] == (["switch"] if is_on else [])


def test_while_it_arms_the_switch_is_meant_to_be_on(catalogue: Catalogue) -> None:
    found = judged(catalogue, FlightStatus={"Armed": "Arming"}, ManualControlCommand={"Yaw": 1.0})
    assert not found.blocking
    assert found.summary == "Arming: keep holding."


ALL_CHANNELS = {
    **{f"ChannelGroups.{name}": "S.Bus" for name in ("Throttle", "Roll", "Pitch", "Yaw")},
    **{f"ChannelNumber.{name}": 1 for name in ("Throttle", "Roll", "Pitch", "Yaw")},
    "FlightModeNumber": 1,
    "ChannelGroups.Accessory1": "S.Bus",
    "ChannelNumber.Accessory1": 9,
}
GOOD_PULSES = {f"Channel.{i}": 1500 for i in range(11)}


@pytest.mark.parametrize(
    ("settings", "pulse", "text"),
    [
        ({}, 2251, "Accessory1 reads 2251 µs"),
        ({}, 749, "Accessory1 reads 749 µs"),
        ({}, 65533, "Accessory1: No port is set up"),
        ({}, 2250, "The board gets no valid signal"),
        ({"ChannelGroups.Accessory1": "None"}, 2251, "The board gets no valid signal"),
        ({"FlightModeNumber": 0}, 1500, "The switch is said to have 0 positions"),
        ({"FlightModeNumber": 7}, 1500, "The switch is said to have 7 positions"),
    ],
)
def test_why_the_receiver_is_not_connected(
    catalogue: Catalogue, settings: dict[str, Any], pulse: int, text: str
) -> None:
    """receiver.c: one assigned control outside its range is enough."""
    found = judged(
        catalogue,
        ManualControlSettings={**ALL_CHANNELS, **settings},
        ManualControlCommand={"Connected": "False", **GOOD_PULSES, "Channel.7": pulse},
    )
    assert found.blocking[0].text.startswith(text)


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
