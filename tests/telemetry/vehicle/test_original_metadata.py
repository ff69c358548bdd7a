"""What metadata was before it is changed is on disk, whatever happens."""

from pathlib import Path

import pytest

from telemetry.vehicle.original_metadata import (
    OriginalMetadata,
    OriginalMetadataError,
    OriginalMetadataStore,
)

BOARD = "0102030405060708090a0b0c"
GYRO = OriginalMetadata(0x12345678, "GyroSensor", bytes(8))
BARO = OriginalMetadata(0x9ABCDEF0, "BaroSensor", bytes(range(7)))


def test_what_one_process_changed_another_restores(tmp_path: Path) -> None:
    OriginalMetadataStore(tmp_path).add(BOARD, GYRO)
    OriginalMetadataStore(tmp_path).add(BOARD, BARO)
    store = OriginalMetadataStore(tmp_path)
    assert store.of(BOARD) == {GYRO.object_id: GYRO, BARO.object_id: BARO}
    assert store.of("another") == {}


def test_the_first_state_is_the_one_kept(tmp_path: Path) -> None:
    store = OriginalMetadataStore(tmp_path)
    store.add(BOARD, GYRO)
    store.add(BOARD, OriginalMetadata(GYRO.object_id, "GyroSensor", b"our change"))
    assert store.of(BOARD)[GYRO.object_id] == GYRO


@pytest.mark.parametrize("is_on_disk", [True, False])
def test_nothing_is_left_when_all_is_restored(is_on_disk: bool, tmp_path: Path) -> None:
    store = OriginalMetadataStore(tmp_path if is_on_disk else None)
    store.add(BOARD, GYRO)
    store.add(BOARD, BARO)
    store.remove(BOARD, GYRO.object_id)
    assert store.of(BOARD) == {BARO.object_id: BARO}
    store.remove(BOARD, BARO.object_id)
    store.remove(BOARD, BARO.object_id)
    assert store.of(BOARD) == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["", "{", '{"version": 1, "loans": [{}]}', '{"version": 1, "loans": 3}', '["loans"]']
)
def test_a_file_that_cannot_be_understood_is_not_taken_for_nothing(
    text: str, tmp_path: Path
) -> None:
    store, path = OriginalMetadataStore(tmp_path), tmp_path / f"{BOARD}.json"
    path.write_text(text)
    with pytest.raises(OriginalMetadataError, match=r"json could not .* Load its settings"):
        store.add(BOARD, GYRO)
    assert (tmp_path / f"{BOARD}.json.unreadable-1").read_text() == text


def test_the_file_before_a_damaged_one_is_taken_up_at_the_next_connection(tmp_path: Path) -> None:
    store = OriginalMetadataStore(tmp_path)
    store.add(BOARD, GYRO)
    store.add(BOARD, BARO)
    (tmp_path / f"{BOARD}.json").write_text("half a fi")
    with pytest.raises(OriginalMetadataError, match="The version before it is used"):
        store.of(BOARD)
    assert OriginalMetadataStore(tmp_path).of(BOARD) == {GYRO.object_id: GYRO}


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(OriginalMetadataError, match=r"cannot be kept on disk.*cannot be written"):
        OriginalMetadataStore(blocked / "folder").add(BOARD, GYRO)
