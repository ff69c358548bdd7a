"""`lapwing identify`: what it refuses, in a sentence."""

from pathlib import Path

import pytest

from app.cli import main


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
