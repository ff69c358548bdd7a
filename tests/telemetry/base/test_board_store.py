"""What is kept of each board, in files as version 0.1.0 wrote them and as we do."""

from pathlib import Path

import pytest

from telemetry.base.board_store import BoardStore, board_key
from telemetry.base.folders import Folders
from telemetry.configuration.assistant.answers import Answers, answer_store
from telemetry.configuration.receiver.backup import backup_store
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.vehicle.original_metadata import OriginalMetadata, OriginalMetadataStore

BOARD = "3d0043000a51353338373634"
SIMULATED = "ffffffffffffffffffffffff-tcp-127-0-0-1-9000"

# As version 0.1.0 wrote them, to the letter.
_LOAN = '{"name": "GyroState", "id": "2F0E6E50", "metadata": "3600000028000000"}'
_BORROWED = '{"version": 1, "board": "%s", "loans": [' + _LOAN + "]}"
_DRAFT = """{"version": 1, "board": "3d0043000a51353338373634", "staged": [
  {"object": "StabilizationSettingsBank1", "instance": 0,
   "values": {"RollRatePID.Kp": 0.004, "RollMax": 42}},
  {"object": "SystemSettings", "instance": 0, "values": {"VehicleName": "Käuzchen"}}
]}"""
_MEMENTO = """{"version": 1, "board": "3d0043000a51353338373634", "values": {
  "ManualControlSettings": {"ChannelGroups.Roll": "GCS", "ChannelNumber.Roll": 2},
  "FlightModeSettings": {"Arming": "Roll Left"}
}}"""
_ANSWERS = """{"version": 1, "step": "outputs", "name": "K\\u00e4uzchen", "frame": "QuadX",
 "propellers_reversed": false, "outputs": {"Motor 1": 1}, "esc": "", "servo": "analog",
 "receiver": "", "channel_order": "TAER", "gps": "", "gps_port": "", "cells": 4,
 "capacity_mah": 0, "modes": ["stabilized", "hold"], "arming": "", "failsafe": "", "gains": ""}"""


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """A home folder that version 0.1.0 has used."""
    for place, text in {
        f"state/borrowed/{BOARD}.json": _BORROWED % BOARD,
        f"state/borrowed/{SIMULATED}.json": _BORROWED % SIMULATED,
        f"state/drafts/{BOARD}.json": _DRAFT,
        f"state/receiver-setup/{BOARD}.json": _MEMENTO,
        f"state/setup/{BOARD}.json": _ANSWERS,
    }.items():
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Folders.of_user({"LAPWING_HOME": str(tmp_path)})


def test_metadata_that_version_0_1_0_changed_is_restored(folders: Folders) -> None:
    store = OriginalMetadataStore(folders.original_metadata)
    gyro = OriginalMetadata(0x2F0E6E50, "GyroState", bytes.fromhex("3600000028000000"))
    for board in (BOARD, board_key(b"\xff" * 12, "tcp:127.0.0.1:9000")):
        assert store.of(board) == {gyro.object_id: gyro}


def test_drafts_of_version_0_1_0_are_staged_again(folders: Folders) -> None:
    assert DraftStore(folders.drafts).get(BOARD) == {
        ("StabilizationSettingsBank1", 0): {"RollRatePID.Kp": 0.004, "RollMax": 42},
        ("SystemSettings", 0): {"VehicleName": "Käuzchen"},
    }


def test_a_receiver_set_up_that_version_0_1_0_began_can_be_put_back(folders: Folders) -> None:
    assert backup_store(folders.receiver_setup).get(BOARD) == {
        "ManualControlSettings": {"ChannelGroups.Roll": "GCS", "ChannelNumber.Roll": 2},
        "FlightModeSettings": {"Arming": "Roll Left"},
    }


def test_what_was_answered_to_version_0_1_0_is_known(folders: Folders) -> None:
    assert answer_store(folders.setup_answers).get(BOARD) == Answers(
        step="outputs",
        name="Käuzchen",
        frame="QuadX",
        outputs={"Motor 1": 1},
        cells=4,
        modes=("stabilized", "hold"),
    )


def _store(folder: Path | None) -> BoardStore[int]:
    return BoardStore(folder, lambda n: {"n": n}, lambda content: int(content["n"]))


@pytest.mark.parametrize("is_on_disk", [True, False])
def test_what_is_put_is_kept_by_board(is_on_disk: bool, tmp_path: Path) -> None:
    store = _store(tmp_path / "deep" if is_on_disk else None)
    assert store.put("a", 1)
    assert store.put("b", 2)
    assert store.put("a", 3)
    assert (store.get("a"), store.get("b"), store.get("c")) == (3, 2, None)
    assert store.put("a", None)
    assert store.get("a") is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff\xfe", b'{"version": 1, "n": [[NaN]]}'])
def test_a_damaged_file_is_moved_aside_and_counts_as_the_one_before(
    damage: bytes, tmp_path: Path
) -> None:
    store = _store(tmp_path)
    store.put("a", 1)
    store.put("a", 2)
    (tmp_path / "a.json").write_bytes(damage)
    assert store.get("a") == 1
    assert str(tmp_path) in store.problem
    assert "a.json could not be read" in store.problem
    assert (tmp_path / "a.json.unreadable-1").read_bytes() == damage
    assert store.get("a") == 1
    assert store.problem == ""


def test_boards_without_a_serial_number_are_told_apart_by_their_address() -> None:
    assert board_key(bytes(range(12)), "tcp:a:1") == board_key(bytes(range(12)), "serial:b")
    blank = bytes([0xFF] * 12)
    assert board_key(blank, "tcp:127.0.0.1:9000") == "ff" * 12 + "-tcp-127-0-0-1-9000"
    assert board_key(blank, "tcp:a:1") != board_key(blank, "tcp:a:2")
    assert board_key(b"", "tcp:a:1") == "board-tcp-a-1"


def test_a_simulated_aircraft_is_its_whole_address() -> None:
    serial = bytes(range(12))
    addresses = (
        "sim:ar100b",
        "sim:ar100b?erased",
        "sim:ar100b#erased",
        "sim:ar100b@erased",
        "sim:ar100b#a",
        "sim:ar100b#A",
    )
    keys = [board_key(serial, address) for address in addresses]
    assert len({key.casefold() for key in keys}) == len(keys), "as file names"
    assert all(key.startswith(f"{serial.hex()}-sim-ar100b") for key in keys)
    assert keys[0] == board_key(serial, addresses[0])
    assert board_key(serial, "tcp:127.0.0.1:9000") == serial.hex()
