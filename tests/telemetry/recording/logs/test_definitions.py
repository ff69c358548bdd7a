"""A custom firmware's log opens on a machine that has never seen its definitions."""

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from telemetry.protocol.objects.catalogue import Catalogue, DefinitionSet
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.definition_xml import parse_definition
from telemetry.recording.logs.definitions import definitions_path, write_definitions
from telemetry.recording.logs.reader import read_log
from telemetry.vehicle.log_companions import LogCompanions
from telemetry.vehicle.replay import replay_vehicle
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, frame, record, saved

KITE = """<xml><object name="KiteLine" singleinstance="true" settings="false">
<description>Tension of the line.</description>
<field name="Tension" units="N" type="float" elements="1"/>
</object></xml>"""


@pytest.fixture(scope="module")
def kite() -> ObjectDefinition:
    return parse_definition(KITE, "kite.xml")


@pytest.fixture(scope="module")
def own(kite: ObjectDefinition) -> Catalogue:
    """The catalogue of the machine that the kite is flown from."""
    return CATALOGUE.with_own(DefinitionSet("kites", [kite]))


@pytest.fixture
def log(tmp_path: Path, kite: ObjectDefinition) -> Path:
    pulls = [record(2000 + n * 100, frame(kite, struct.pack("<f", 5.0 + n))) for n in range(5)]
    return saved(tmp_path, *attitudes(20), *pulls)


def test_a_log_with_its_definitions_opens_on_any_machine(log: Path, own: Catalogue) -> None:
    there = read_log(log, own)
    LogCompanions(there.recording, own).finish(str(log))
    here = read_log(log, CATALOGUE)
    assert here.warnings == ()
    assert here.recording.series("KiteLine.Tension")[1].tolist() == [5, 6, 7, 8, 9]
    assert replay_vehicle(here, CATALOGUE).catalogue.find("KiteLine").fields[0].units == "N"


def test_without_them_it_does_not(log: Path) -> None:
    assert read_log(log, CATALOGUE).recording.names() == ("AttitudeState",)
    assert "5 frames were of objects" in read_log(log, CATALOGUE).warnings[0]


def test_what_is_shipped_is_not_kept(tmp_path: Path) -> None:
    log = saved(tmp_path, *attitudes(20))
    LogCompanions(read_log(log, CATALOGUE).recording, CATALOGUE).finish(str(log))
    assert not definitions_path(log).exists()


def test_the_shipped_ones_are_listed_by_id(log: Path, own: Catalogue) -> None:
    LogCompanions(read_log(log, own).recording, own).finish(str(log))
    text = definitions_path(log).read_text()
    assert f'"0x{CATALOGUE.find("AttitudeState").object_id:08X}": "AttitudeState"' in text
    assert text.count('"Tension"') == 1


def test_definitions_that_contradict_known_ones_are_told(tmp_path: Path) -> None:
    """An id says nothing of units: a file beside a log may not change them in silence."""
    known = CATALOGUE.find("AttitudeState")
    fields = tuple(replace(field, units="rad") for field in known.fields)
    log = saved(tmp_path, *attitudes(20))
    write_definitions(log, [replace(known, fields=fields)], CATALOGUE)
    reading = read_log(log, CATALOGUE)
    track = reading.recording.track("AttitudeState")
    assert track is not None
    assert track.definition.field_named("Roll").units == "rad"
    told = "flight.opl.definitions.json reads AttitudeState with other units"
    assert reading.warnings[0].startswith(told)
    assert read_log(log, reading.catalogue or CATALOGUE).warnings == ()


def test_a_recording_is_looked_at_now_and_then_and_at_its_end(
    log: Path, own: Catalogue, kite: ObjectDefinition
) -> None:
    recording = read_log(log.with_name("flight.opl"), CATALOGUE).recording
    keeper = LogCompanions(recording, own)
    keeper.keep(str(log), 10.0)
    recording.append(recording.last_s, kite, 0, struct.pack("<f", 1.0))
    keeper.keep(str(log), 10.1)
    assert not definitions_path(log).exists()
    keeper.keep(str(log), 11.1)
    assert definitions_path(log).exists()


@pytest.mark.parametrize("text", ["", "{}", '{"format": "lapwing-definitions", "version": 2}'])
def test_damaged_definitions_are_told_and_the_rest_opens(log: Path, text: str) -> None:
    definitions_path(log).write_text(text)
    reading = read_log(log, CATALOGUE)
    assert reading.warnings[0].startswith("flight.opl.definitions.json was left out: ")
    assert reading.recording.names() == ("AttitudeState",)


def test_a_definition_that_was_changed_by_hand_is_refused(
    log: Path, kite: ObjectDefinition
) -> None:
    write_definitions(log, [kite], CATALOGUE)
    path = definitions_path(log)
    path.write_text(path.read_text().replace('"float"', '"int16"'))
    assert "the id of KiteLine does not follow" in read_log(log, CATALOGUE).warnings[0]
