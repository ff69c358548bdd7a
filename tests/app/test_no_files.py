"""Commands whose file is none say so in a sentence, and read nothing of it."""

import os
from pathlib import Path

import pytest

from app import cli
from telemetry.base.command_line import BAD_INPUT
from telemetry.base.installation import ROOT
from tests.no_files import NO_FILES

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")

_LOG = str(ROOT / "tests/fuzz/corpus/log/attitudes.opl")
_MISSION = str(ROOT / "tests/fuzz/corpus/mission/square.mission")
_FLY = "sim fly attitude-pulse"
_COMMANDS = [
    "log info @.opl",
    "log export @.opl --out out",
    "flight new new.lapwing @.opl",
    "flight report @.opl out.html",
    "settings diff @.uav defaults",
    "settings diff @.settings.toml defaults",
    "settings diff @.opl@3 defaults",
    "mission check @.mission",
    "mission check @.gpx",
    "fit-thrust @.csv",
    "tune @.opl --aircraft ar100b",
    "tune ar100b --identified @.json",
    "video export @.opl out.mp4",
    "sim fly @.json",
    f"{_FLY} --aircraft @.json",
    f"{_FLY} --wind @.csv",
    f"{_FLY} --force @.csv",
    f"{_FLY} --force @.py:act",
    f"{_FLY} --force @.so",
    f"{_FLY} --sil @.c",
]


@pytest.mark.parametrize("words", _COMMANDS)
@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_is_told_in_a_sentence(
    words: str,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))
    make, said = NO_FILES[kind]
    word = next(word for word in words.split() if word.startswith("@"))
    suffix, at, seconds = word[1:].partition("@")
    suffix, colon, name = suffix.partition(":")
    given = f"{make(tmp_path, suffix)}{at}{seconds}{colon}{name}"
    assert cli.main(words.replace(word, given).split()) == BAD_INPUT
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert said in told.err


@pytest.mark.parametrize("kind", [kind for kind in NO_FILES if kind != "sparse"])
@pytest.mark.parametrize("suffix", [".mp4", ".avi"])
def test_a_video_that_is_no_file_is_told_in_a_sentence(
    suffix: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, said = NO_FILES[kind]
    video = str(make(tmp_path, suffix))
    assert cli.main(["flight", "new", str(tmp_path / "new.lapwing"), _LOG, video]) == BAD_INPUT
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("kind", [kind for kind in NO_FILES if kind != "sparse"])
@pytest.mark.parametrize("suffix", [".tif", "N48E009.hgt"])
def test_a_terrain_that_is_no_file_is_told_in_a_sentence(
    suffix: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, said = NO_FILES[kind]
    terrain = make(tmp_path, suffix)
    terrain = terrain.rename(terrain.with_name(suffix)) if suffix.startswith("N") else terrain
    assert cli.main(["mission", "check", _MISSION, "--terrain", str(terrain)]) == BAD_INPUT
    assert said in capsys.readouterr().err
