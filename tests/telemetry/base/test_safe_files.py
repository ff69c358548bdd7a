"""Settings files survive damage, other versions and full disks."""

import json
import os
import stat
from pathlib import Path

import pytest

from telemetry.base import safe_files

DAMAGE = [
    "",
    "{",
    "[1]",
    "\x00\xff",
    '{"a": 1}',
    '{"version": "x"}',
    '{"version": NaN}',
    "[" * 100_000,
    '{"version": 1, "a": ' + "9" * 5000 + "}",
]


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.json"
    safe_files.save(path, {"a": [1, "ü"]}, 1)
    assert safe_files.load(path) == safe_files.Stored({"version": 1, "a": [1, "ü"]})


def test_the_version_before_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    safe_files.save(path, {"a": 1}, 1)
    safe_files.save(path, {"a": 2}, 1)
    assert json.loads(safe_files.previous_of(path).read_text())["a"] == 1
    assert [entry.name for entry in tmp_path.glob("*.new")] == []


def test_saving_the_same_again_keeps_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for value in (1, 2, 2):
        safe_files.save(path, {"a": value}, 1)
    assert json.loads(safe_files.previous_of(path).read_text())["a"] == 1


def test_a_missing_file_is_no_problem(tmp_path: Path) -> None:
    assert safe_files.load(tmp_path / "none.json") == safe_files.Stored(None)


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_unreadable_file_is_kept_aside_and_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(damage, encoding="latin-1")
    stored = safe_files.load(path)
    assert stored.value is None
    assert "file.json could not be read" in stored.problem
    kept = tmp_path / "file.json.unreadable-1"
    assert kept.read_text(encoding="latin-1") == damage
    assert kept.name in stored.problem
    assert not path.exists()


def test_the_version_before_replaces_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    safe_files.save(path, {"a": 1}, 1)
    safe_files.save(path, {"a": 2}, 1)
    path.write_text("half a fi")
    stored = safe_files.load(path)
    assert stored.value == {"version": 1, "a": 1}
    assert "The version before it is used" in stored.problem


def test_a_newer_version_is_not_misread(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    safe_files.save(path, {"a": 1}, 3)
    stored = safe_files.load(path)
    assert stored.value is None
    assert "newer version" in stored.problem


def test_older_versions_are_migrated_step_by_step(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    safe_files.save(path, {"speed": 3}, 1)
    migrations = (
        lambda value: {"speed_kmh": value["speed"]},
        lambda value: {"speed_mps": value["speed_kmh"] / 3.6},
    )
    stored = safe_files.load(path, migrations)
    assert stored.value == {"version": 3, "speed_mps": 3 / 3.6}


def test_a_folder_that_cannot_be_written_raises_and_leaves_the_file(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("a file where a folder should be")
    with pytest.raises(OSError, match="blocked"):
        safe_files.save(tmp_path / "blocked" / "file.json", {}, 1)


def test_a_huge_file_is_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.json"
    safe_files.save(path, {"a": "x" * 100}, 1)
    monkeypatch.setattr(safe_files, "LARGEST_BYTES", 100)
    stored = safe_files.load(path)
    assert stored.value is None
    assert "larger than" in stored.problem


def test_what_is_deleted_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    safe_files.save(path, {"a": 1}, 1)
    safe_files.save(path, {"a": 2}, 1)
    safe_files.delete(path)
    safe_files.delete(path)
    assert safe_files.load(path) == safe_files.Stored(None)
    assert list(tmp_path.iterdir()) == []


def test_a_crash_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    safe_files.save(path, {"a": 1}, 1)
    path.rename(safe_files.previous_of(path))
    assert safe_files.load(path).value == {"version": 1, "a": 1}


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot open folders")
def test_file_and_folder_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    monkeypatch.setattr(
        "telemetry.base.safe_files.os.fsync",
        lambda handle: synced.append(stat.S_ISDIR(os.fstat(handle).st_mode)),
    )
    safe_files.replace_file(tmp_path / "file", b"content")
    assert synced == [False, True]
