"""Alarms of every release are explained, ranked by severity and read from real recordings."""

import json
from pathlib import Path

import pytest

from telemetry.base.finding import Level
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording import alarm_texts
from telemetry.recording.alarm_texts import ALARM_TEXTS, alarm_text
from telemetry.recording.alarms import active_alarms, all_alarms
from telemetry.recording.recording import Recording


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def recorded(
    catalogue: Catalogue, values: dict[str, object], release: str | None = None
) -> Recording:
    definition = catalogue.find("SystemAlarms", release)
    recording = Recording()
    recording.append(1.0, definition, 0, pack_values(definition, values))
    return recording


@pytest.mark.slow
def test_every_alarm_of_every_release_has_words(catalogue: Catalogue) -> None:
    named = set()
    for release in catalogue.release_names:
        for definition in catalogue.release(release):
            if definition.name == "SystemAlarms":
                named.update(definition.field_named("Alarm").element_names)
    assert len(named) == 33
    assert named == set(ALARM_TEXTS)


def test_every_cause_a_board_can_name_has_words(shared_facts: Path) -> None:
    facts = json.loads(shared_facts.read_text(encoding="utf-8"))
    known = {
        "ExtendedAlarmStatus": alarm_texts.EXTENDED_TEXTS,
        "ConfigError": alarm_texts.CONFIG_ERROR_TEXTS,
        "ManualControl": alarm_texts.MANUAL_CONTROL_TEXTS,
        "StateEstimation": alarm_texts.STATE_ESTIMATION_TEXTS,
        "RebootCause": alarm_texts.REBOOT_CAUSE_TEXTS,
    }
    missing = {
        (field["name"], option)
        for definition in facts["objects"]
        if definition["name"] == "SystemAlarms"
        for field in definition["fields"]
        if field["name"] in known
        for option in field["options"]
        if option != "None" and option not in known[field["name"]]
    }
    assert not missing


@pytest.mark.parametrize("name", ALARM_TEXTS)
def test_words_are_sentences(name: str) -> None:
    text = ALARM_TEXTS[name]
    for sentence in (text.meaning, text.remedy):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "!" not in sentence


def test_an_unknown_alarm_is_still_explained() -> None:
    text = alarm_text("Parachute")
    assert text.title == "Parachute"
    assert text.meaning
    assert text.remedy


def test_before_the_first_sample_there_are_none(catalogue: Catalogue) -> None:
    recording = recorded(catalogue, {"Alarm.GPS": "Error"})
    assert all_alarms(recording, 0.5) == ()
    assert active_alarms(recording, 0.5) is None
    assert len(all_alarms(recording, 1.0)) == 22


def test_no_active_alarm_is_not_the_same_as_no_report(catalogue: Catalogue) -> None:
    assert active_alarms(recorded(catalogue, {"Alarm.GPS": "OK"}), 2.0) == ()


def test_worst_first_and_quiet_ones_left_out(catalogue: Catalogue) -> None:
    values = {"Alarm.Battery": "Warning", "Alarm.GPS": "Error", "Alarm.Receiver": "Critical"}
    values |= {"Alarm.Attitude": "OK"}
    alarms = active_alarms(recorded(catalogue, values), 2.0) or ()
    assert [alarm.name for alarm in alarms] == ["GPS", "Receiver", "Battery"]
    assert [alarm.level for alarm in alarms] == [Level.ERROR, Level.ERROR, Level.WARNING]


@pytest.mark.parametrize(
    ("release", "worst"), [("OpenPilot-13.06", "Critical"), ("LibrePilot-16.09", "Error")]
)
def test_the_worst_severity_is_that_of_the_release(
    catalogue: Catalogue, release: str, worst: str
) -> None:
    other = {"Critical": "Error", "Error": "Critical"}[worst]
    values = {"Alarm.Actuator": other, "Alarm.GPS": worst}
    alarms = active_alarms(recorded(catalogue, values, release), 2.0) or ()
    assert [alarm.severity for alarm in alarms] == [worst, other]


def test_the_board_names_the_flight_mode_position_that_is_wrong(catalogue: Catalogue) -> None:
    values = {
        "Alarm.SystemConfiguration": "Critical",
        "ExtendedAlarmStatus.SystemConfiguration": "FlightMode",
        "ExtendedAlarmSubStatus.SystemConfiguration": 2,
    }
    (alarm,) = active_alarms(recorded(catalogue, values), 2.0) or ()
    assert alarm.detail.endswith("(position 3).")


def test_a_quiet_alarm_has_no_cause(catalogue: Catalogue) -> None:
    values = {
        "Alarm.SystemConfiguration": "OK",
        "ExtendedAlarmStatus.SystemConfiguration": "RebootRequired",
    }
    alarms = {alarm.name: alarm for alarm in all_alarms(recorded(catalogue, values), 2.0)}
    assert alarms["SystemConfiguration"].detail == ""


def test_dronin_causes_are_told(catalogue: Catalogue) -> None:
    values = {"Alarm.Attitude": "Critical", "StateEstimation": "No home"}
    (alarm,) = active_alarms(recorded(catalogue, values, "dRonin-20180729"), 2.0) or ()
    assert alarm.detail == "The home location is not set."


def test_no_transmitter_is_asked_for_where_the_station_has_the_sticks(catalogue: Catalogue) -> None:
    recording = recorded(catalogue, {"Alarm.Receiver": "Warning"})
    (alarm,) = active_alarms(recording, 2.0) or ()
    assert "transmitter" in alarm.remedy
    settings = catalogue.find("ManualControlSettings")
    payload = pack_values(settings, {"ChannelGroups.Throttle": "GCS"})
    recording.append(2.0, settings, 0, payload)
    (alarm,) = active_alarms(recording, 2.0) or ()
    assert "transmitter" not in alarm.remedy
    assert alarm.severity == "Warning"
