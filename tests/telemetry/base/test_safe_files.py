"""Settings files survive damage, other versions and full disks."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from telemetry.base import safe_files
from telemetry.base.file_lock import locked

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
    assert {entry.name for entry in tmp_path.iterdir()} == {"file.json", "file.json.previous"}


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


_WRITER = """
import sys
from pathlib import Path
from telemetry.base import safe_files

own, count, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
for number in range(count):
    safe_files.change(path, lambda value: {**value, f"{own}-{number % 7}": number}, 1)
"""


@pytest.mark.slow
def test_several_processes_change_one_file_and_no_key_is_lost(tmp_path: Path) -> None:
    path, root = tmp_path / "file.json", Path(__file__).parents[3]
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, f"w{n}", "25", str(path)], cwd=root)
        for n in range(3)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    stored = safe_files.load(path).value or {}
    expected = {f"w{n}-{k % 7}": k for n in range(3) for k in range(18, 25)}
    assert {key: stored.get(key) for key in expected} == expected


def test_who_writes_without_what_another_wrote_would_lose_it(tmp_path: Path) -> None:
    """What `change` is for: `save` writes what its caller knows."""
    path = tmp_path / "file.json"
    safe_files.change(path, lambda value: {**value, "a": 1}, 1)
    safe_files.change(path, lambda value: {**value, "b": 2}, 1)
    assert safe_files.load(path).value == {"version": 1, "a": 1, "b": 2}
    safe_files.save(path, {"c": 3}, 1)
    assert safe_files.load(path).value == {"version": 1, "c": 3}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such errors")
@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO, errno.EACCES])
def test_a_passing_error_is_told_and_leaves_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "file.json"
    safe_files.save(path, {"a": 1}, 1)
    safe_files.save(path, {"a": 2}, 1)

    def refused(*_arguments: object) -> bytes:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as passing:
        passing.setattr(safe_files, "read_limited", refused)
        stored = safe_files.load(path)
        with pytest.raises(OSError, match=os.strerror(number)):
            safe_files.change(path, lambda value: {**value, "b": 1}, 1)
    assert stored.value is None
    assert os.strerror(number) in stored.problem
    assert "it stays as it is" in stored.problem
    assert safe_files.load(path).value == {"version": 1, "a": 2}


@pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")
def test_what_is_begun_follows_no_link_and_has_no_name_to_foresee(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "file", tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    for name in ("file.new", "file.part", ".file.part"):
        (tmp_path / name).symlink_to(elsewhere)
    safe_files.replace_file(path, b"content")
    names = set()
    for _ in range(2):
        with safe_files.whole_file(path) as fresh:
            names.add(fresh.name)
            fresh.write_bytes(b"content")
    assert len(names) == 2
    assert elsewhere.read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")
def test_settings_are_the_users_own_and_exports_follow_the_umask(tmp_path: Path) -> None:
    private, shared = tmp_path / "file.json", tmp_path / "export"
    before = os.umask(0o022)
    try:
        safe_files.save(private, {"a": 1}, 1)
        safe_files.change(private, lambda value: {**value, "b": 1}, 1)
        safe_files.replace_file(shared, b"")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes.pop("export") == 0o644
    assert modes == dict.fromkeys(("file.json", "file.json.previous", ".file.json.lock"), 0o600)


def test_what_is_there_stays_there_while_the_version_before_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another window that reads just then finds the present one, not the one before."""
    path = tmp_path / "file.json"
    safe_files.save(path, {"a": 1}, 1)
    seen: list[bool] = []
    real = Path.replace

    def looked_at(self: Path, target: Path) -> Path:
        seen.append(path.is_file())
        return real(self, target)

    monkeypatch.setattr(Path, "replace", looked_at)
    safe_files.save(path, {"a": 2}, 1)
    assert seen == [True, True]


def test_who_waits_for_a_file_in_vain_is_told(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    with (
        locked(path),
        pytest.raises(OSError, match="another window"),
        locked(path, longest_s=0.0),
    ):
        pass
    with locked(path, longest_s=0.0):
        pass


def test_what_an_ended_process_had_begun_is_removed(tmp_path: Path) -> None:
    mine = safe_files.begun_file(tmp_path / "film.mp4")
    others = tmp_path / mine.name.replace(str(os.getpid()), f"{os.getpid()}1")
    others.touch()
    safe_files.remove_begun(tmp_path, os.getpid())
    assert list(tmp_path.iterdir()) == [others]
