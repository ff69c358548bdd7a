"""`lapwing identify`: what it refuses, in a sentence."""

from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import load_preset
from simulation.autopilot.snapshot import settings_frames
from simulation.identification.identification import Identification
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.wire.dialect import Dialect
from telemetry.recording.logs.opl_writer import OplWriter


def _refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["identify", *words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "none.opl" in _refused([str(tmp_path / "none.opl")], capsys)


def test_unknown_things_to_find(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = _refused([str(tmp_path / "a.opl"), "--what", "wind,colour"], capsys)
    assert "'colour' cannot be found; give some of wind, drag" in said


def test_saving_needs_a_file_to_compare_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = _refused([str(tmp_path / "a.opl"), "--save", str(tmp_path / "b.toml")], capsys)
    assert "add --aircraft FILE" in said


def test_an_aircraft_file_is_named_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(tmp_path / "a.opl"), "--aircraft", "ar100b", "--save", str(tmp_path / "b.txt")]
    assert "b.txt must end with .toml" in _refused(words, capsys)


def test_what_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Identification("shooting", {}, np.zeros((0, 0)), {}, {}, (0.0, 1.0), 1)
    monkeypatch.setattr("simulation.identification.cli._found", lambda options: found)
    file = tmp_path / "none" / "b.toml"
    assert main(["identify", "a.opl", "--aircraft", "ar100b", "--save", str(file)]) == 2
    err = capsys.readouterr().err
    assert "cannot be written: No such file or directory." in err
    assert err.count("\n") == 1


def test_an_airframe_is_no_aircraft(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = _refused([str(tmp_path / "a.opl"), "--aircraft", "my.json"], capsys)
    assert "my.json describes an airframe; give the name or the .toml file" in said


def test_spans_in_which_nothing_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "a.opl"
    writer = OplWriter(log)
    preset, dialect = load_preset("ar100b"), Dialect()
    frames = settings_frames(SimulatedBoard(load_catalogue(), preset), dialect)
    writer.write(0.0, frames)
    writer.write(9.0, frames)
    writer.close()
    words = [str(log), "--aircraft", "ar100b"]
    assert "exchange them" in _refused([*words, "--from", "8", "--to", "2"], capsys)
    assert "the log goes from" in _refused([*words, "--from", "100"], capsys)
