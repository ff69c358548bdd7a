"""A damaged or hostile file of the user's is moved aside and told; nothing else suffers from it."""

import errno
import json
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from app.preferences import Preferences, PreferenceStore
from app.workspaces.workspace import WorkspaceStore
from simulation.autopilot.storage import Storage
from telemetry.configuration.assistant.answers import answer_store
from telemetry.configuration.receiver.backup import backup_store
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.configuration.settings.toml_file import SUFFIX
from telemetry.vehicle.original_metadata import OriginalMetadataError, OriginalMetadataStore
from tests.hostile import DEEP, DIGITS, HOSTILE_JSON, MORE_DIGITS

Start = Callable[[Path], str]
"""Reads a file, as the station does, and returns what its user is told."""


def preferences(path: Path) -> str:
    store = PreferenceStore(path)
    assert store.current == Preferences()
    assert store.change(theme="dark") == ""
    return store.problem


def workspaces(path: Path) -> str:
    store = WorkspaceStore(path.parent)
    loaded = store.load(path.stem)
    store.save(loaded)
    return " ".join(store.problems)


def drafts(path: Path) -> str:
    store = DraftStore(path.parent)
    assert store.get(path.stem) == {}
    return store.problem


def loans(path: Path) -> str:
    with pytest.raises(OriginalMetadataError) as refused:
        OriginalMetadataStore(path.parent).of(path.stem)
    assert OriginalMetadataStore(path.parent).of(path.stem) == {}
    return str(refused.value)


def backups(path: Path) -> str:
    store = backup_store(path.parent)
    assert store.get(path.stem) is None
    return store.problem


def answers(path: Path) -> str:
    store = answer_store(path.parent)
    assert store.get(path.stem) is None
    return store.problem


def simulated_flash(path: Path) -> str:
    storage = Storage(path)
    assert storage.saved() == ()
    assert storage.save(1, 0, b"x")
    return storage.problem


STARTS: dict[str, Start] = {
    start.__name__: start
    for start in (preferences, workspaces, drafts, loans, backups, answers, simulated_flash)
}


@pytest.mark.parametrize("damage", HOSTILE_JSON)
@pytest.mark.parametrize("kind", STARTS)
def test_it_is_moved_aside_and_told(tmp_path: Path, kind: str, damage: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(HOSTILE_JSON[damage], encoding="latin-1")
    told = STARTS[kind](path)
    kept = tmp_path / "mine.json.unreadable-1"
    assert kept.read_text(encoding="latin-1") == HOSTILE_JSON[damage]
    assert "mine.json" in told
    assert kept.name in told


def _unread_preferences(path: Path) -> str:
    store = PreferenceStore(path)
    assert "Too many open files" in store.change(theme="dark")
    return store.problem


def _unread_workspace(path: Path) -> str:
    store = WorkspaceStore(path.parent)
    store.load(path.stem)
    return " ".join(store.problems)


def _unread_answers(path: Path) -> str:
    store = answer_store(path.parent)
    assert store.get(path.stem) is None
    return store.problem


def _unread_flash(path: Path) -> str:
    storage = Storage(path)
    assert not storage.save(1, 0, b"x")
    return storage.problem


UNREAD: tuple[Start, ...] = (_unread_preferences, _unread_workspace, _unread_answers, _unread_flash)


@pytest.mark.parametrize("start", UNREAD)
def test_what_cannot_be_opened_just_now_stays_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Start
) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"version": 1}')
    (tmp_path / "mine.json.previous").write_text('{"version": 1, "theme": "older"}')

    def refused(*_words: object, **_options: object) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as passing:
        passing.setattr(os, "open", refused)
        told = start(path)
    assert "could not be read now (Too many open files)" in told
    assert path.read_text() == '{"version": 1}'
    assert len(list(tmp_path.iterdir())) == 2


NONSENSE: dict[str, tuple[Start, object]] = {
    "area without children": (workspaces, {"layout": {"split": "vertical", "children": 5}}),
    "window beyond all screens": (
        workspaces,
        {"panels": {"a": {"panel": "map.map"}}, "floating": {"a": [0, 0, 10**15, 10**15]}},
    ),
    "ratio beyond all screens": (
        workspaces,
        {
            "panels": {"a": {"panel": "x"}, "b": {"panel": "x"}},
            "layout": {"split": "vertical", "sizes": [1e308, 1e308], "children": ["a", "b"]},
        },
    ),
    "ten thousand panels": (
        workspaces,
        {"panels": {str(n): {"panel": "map.map"} for n in range(10_000)}},
    ),
    "metadata of no board": (
        loans,
        {"loans": [{"id": "2F0E6E50", "name": "GyroState", "metadata": "360000"}]},
    ),
    "object without an id": (simulated_flash, {"AttitudeState:0": "00"}),
    "instance without end": (simulated_flash, {"2F0E6E50:" + "9" * 4000: "00"}),
    "draft of a list": (drafts, {"staged": [{"object": "A", "instance": 0, "values": [1]}]}),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_what_makes_no_sense_is_moved_aside_too(tmp_path: Path, case: str) -> None:
    start, content = NONSENSE[case]
    assert isinstance(content, dict)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"version": 1, **content}))
    assert "unreadable-1" in start(path)


HEAD = '[lapwing]\nformat = "settings"\nversion = 1\n'
HOSTILE_SETS = {
    "brackets": HEAD + "a = " + DEEP,
    "digits": HEAD + "a = " + DIGITS,
    "more digits": HEAD + "a = " + MORE_DIGITS,
    "more than a number": HEAD + "a = 1e999",
    "keys in keys": HEAD + "a." * 20_000 + "b = 1",
    "objects are a number": "objects = 5\n" + HEAD,
    "no text": "\xff\xfe",
}


@pytest.mark.parametrize("damage", HOSTILE_SETS)
def test_one_bad_set_never_hides_the_others(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "3d0043000a51353338373634"
    folder.mkdir()
    (folder / f"bad{SUFFIX}").write_text(HOSTILE_SETS[damage], encoding="latin-1")
    (folder / f"good{SUFFIX}").write_text(HEAD + "[objects.A]\nb = 1\n")
    bad, good = ConfigurationSets(tmp_path).entries()
    assert (bad.name, good.name) == ("bad", "good")
    assert bad.problem.startswith(f"bad{SUFFIX}")
    assert (good.problem, good.objects) == ("", 1)


def test_a_number_that_is_none_is_written_so_that_it_is_read_again(tmp_path: Path) -> None:
    """A panel may show one (an object that never was valid), and keeps what it shows."""
    path = tmp_path / "mine.json"
    preferences = PreferenceStore(path)
    infinite = struct.unpack("<f", b"\0\0\x80\x7f")[0]
    assert preferences.change(link_loss_s=infinite) == ""
    again = PreferenceStore(path)
    assert again.problem == ""
    assert again.current == Preferences()


def test_a_path_that_is_no_text_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    assert PreferenceStore(path).remember_log("/logs/caf\udce9.opl") == ""
    again = PreferenceStore(path)
    assert (again.problem, again.current.recent_logs) == ("", ("/logs/caf\udce9.opl",))
