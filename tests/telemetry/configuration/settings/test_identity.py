"""Who an aircraft is, read from what it says."""

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

import pytest

from telemetry.configuration.settings.identity import Identity, identity_in, identity_of
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from tests.simulated_board import SimulatedBench
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.vehicle.test_release_definitions import LAST, board_of


def recorded(catalogue: Catalogue, **values: object) -> Recording:
    definition = catalogue.find("FirmwareIAPObj")
    recording = Recording("test")
    recording.append(1.0, definition, 0, pack_values(definition, values))
    return recording


@pytest.mark.slow
def test_the_flight_of_2014_was_flown_by_a_revolution(
    catalogue: Catalogue, shared_logs: Path
) -> None:
    log = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    who = identity_in(read_log(log, catalogue).recording)
    assert who == Identity(
        board=0x0903,
        serial="1b0035001147333231343239",
        firmware="RELEASE-14.06-RC3",
        firmware_date=datetime(2014, 7, 16, 20, 58, 15, tzinfo=UTC),
        firmware_hash="a72ef1a1",
        uavo_hash="bed2641e417be160de7926c86434223fb9535ac9",
    )
    assert who.has_serial
    assert who.board_name == "Revolution"
    assert who.firmware_text == "RELEASE-14.06-RC3, 2014-07-16, a72ef1a1"


def test_nobody_is_known_without_a_sample() -> None:
    assert identity_of(None) == Identity()
    assert not Identity().is_known
    assert identity_in(Recording("empty")) == Identity()


def test_a_description_without_firmware_leaves_board_and_serial(catalogue: Catalogue) -> None:
    who = identity_in(recorded(catalogue, BoardType=9, BoardRevision=3, CPUSerial=[7] * 11 + [8]))
    assert who == Identity(0x0903, "07" * 11 + "08")


def test_a_revision_that_repeats_the_type_counts_once(catalogue: Catalogue) -> None:
    assert identity_in(recorded(catalogue, BoardType=9, BoardRevision=0x0903)).board == 0x0903


@pytest.mark.parametrize(
    ("serial", "has"), [("", False), ("00" * 12, False), ("ff" * 12, False), ("0f" * 12, True)]
)
def test_serial_numbers_of_nobody(serial: str, has: bool) -> None:
    assert Identity(1, serial).has_serial is has


def test_a_simulated_board_says_so_by_whatever_link(catalogue: Catalogue) -> None:
    """The simulator's own board, where no address tells it; the control is another firmware."""
    bench = SimulatedBench(catalogue)
    assert not bench.vehicle.recording.source.startswith("sim:")
    assert bench.settings.aircraft.is_simulated
    other = Bench(catalogue, board_of(catalogue, LAST, tag="RELEASE-16.09"), source="sim:ar100b")
    assert not other.settings.aircraft.is_simulated


def test_a_board_without_a_name_is_called_by_its_number() -> None:
    assert dataclasses.replace(Identity(), board=0x7777).board_name == "board 0x7777"
