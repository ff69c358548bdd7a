"""Settings files survive damage, other versions and full disks."""

import json
from pathlib import Path

import pytest

from app import store


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.json"
    store.save(path, {"a": [1, "ü"]}, 1)
    assert store.load(path) == store.Stored({"version": 1, "a": [1, "ü"]})


def test_the_version_before_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    store.save(path, {"a": 1}, 1)
    store.save(path, {"a": 2}, 1)
    assert json.loads(store.previous_of(path).read_text())["a"] == 1
    assert [entry.name for entry in tmp_path.glob("*.new")] == []


def test_saving_the_same_again_keeps_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    for value in (1, 2, 2):
        store.save(path, {"a": value}, 1)
    assert json.loads(store.previous_of(path).read_text())["a"] == 1


def test_a_missing_file_is_no_problem(tmp_path: Path) -> None:
    assert store.load(tmp_path / "none.json") == store.Stored(None)


@pytest.mark.parametrize("damage", ["", "{", "[1]", "\x00\xff", '{"a": 1}', '{"version": "x"}'])
def test_an_unreadable_file_is_kept_aside_and_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(damage, encoding="latin-1")
    stored = store.load(path)
    assert stored.value is None
    assert "file.json could not be read" in stored.problem
    kept = tmp_path / "file.json.unreadable-1"
    assert kept.read_text(encoding="latin-1") == damage
    assert kept.name in stored.problem
    assert not path.exists()


def test_the_version_before_replaces_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    store.save(path, {"a": 1}, 1)
    store.save(path, {"a": 2}, 1)
    path.write_text("half a fi")
    stored = store.load(path)
    assert stored.value == {"version": 1, "a": 1}
    assert "The version before it is used" in stored.problem


def test_a_newer_version_is_not_misread(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    store.save(path, {"a": 1}, 3)
    stored = store.load(path)
    assert stored.value is None
    assert "newer version" in stored.problem


def test_older_versions_are_migrated_step_by_step(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    store.save(path, {"speed": 3}, 1)
    migrations = (
        lambda value: {"speed_kmh": value["speed"]},
        lambda value: {"speed_mps": value["speed_kmh"] / 3.6},
    )
    stored = store.load(path, migrations)
    assert stored.value == {"version": 3, "speed_mps": 3 / 3.6}


def test_a_folder_that_cannot_be_written_raises_and_leaves_the_file(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("a file where a folder should be")
    with pytest.raises(OSError, match="blocked"):
        store.save(tmp_path / "blocked" / "file.json", {}, 1)
