"""`lapwing study`, in the process of the test."""

import json
import sys
from pathlib import Path

import pytest

from app.cli import main
from simulation.studies import cli
from tests.simulation.studies.functions import MODULE
from tests.simulation.studies.running_studies import ImmediateWorkers


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study's file; this process flies in the place of others."""
    monkeypatch.setattr(cli, "make_workers", lambda *_: ImmediateWorkers())
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "odd.toml"
    path.write_text(
        f'name = "odd"\nfunction = "{MODULE}:odd"\nflights = 30\n[vary]\nx.uniform = [0.0, 0.2]\n'
    )
    return path


def test_run_show_and_fly(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "run", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == "odd"  # by the name of the study
    assert told["flights"] == told["planned"] == 30
    assert told["ended"] is None
    assert main(["study", "show", "odd", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["digest"] == told["digest"]
    assert main(["study", "show", "odd"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("30 of 30 flights: ")
    failed = shown["reasons"][0]["first"][0]
    assert main(["study", "fly", "odd", str(failed), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["same"]
    passed = next(i for i in range(30) if i not in shown["reasons"][0]["first"])
    assert main(["study", "fly", "odd", str(passed)]) == 0
    assert capsys.readouterr().out.endswith("The same as in the study, to the bit.\n")


def test_running_again_flies_nothing_twice(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["study", "run", str(file), "--out", "here"]) == 0
    before = (Path("here") / "flights.jsonl").read_bytes()
    idle = ImmediateWorkers()
    monkeypatch.setattr(cli, "make_workers", lambda *_: idle)
    assert main(["study", "run", str(file), "--out", "here"]) == 0
    assert idle.submitted == 0
    assert (Path("here") / "flights.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "nothing"], "There is no study 'nothing'"),
        (["run", "nothing.toml"], "nothing.toml: The file cannot be read"),
        (["run", "odd.toml", "--workers", "0"], "'0' is no number of processes"),
        (["show", "."], "no study.toml in it"),
        (["fly", ".", "3"], "no study.toml in it"),
        (["run", "odd.toml", "--workers", "2", "--cluster", "tcp://a:1"], "not allowed with"),
    ],
)
def test_refusals(
    words: list[str], sentence: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", *words]) == 1
    assert sentence in capsys.readouterr().err


def test_a_study_that_gives_up_fails(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = file.read_text().replace(":odd", ":hopeless").replace("30", "100")
    file.write_text(text)
    assert main(["study", "run", str(file)]) == 1
    assert "None of the first 50 flights passed" in capsys.readouterr().out


def test_a_flight_that_is_not_there(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "run", str(file)]) == 0
    assert main(["study", "fly", "odd", "30"]) == 1
    assert "odd has no flight 30" in capsys.readouterr().err
    assert main(["study", "fly", "odd", "3", "--record", "a.opl"]) == 1
    assert "A function leaves no log" in capsys.readouterr().err


def test_shipped_studies_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "list", "--json"]) == 0
    for row in json.loads(capsys.readouterr().out)["studies"]:
        assert row["flights"] > 0
        assert row["varies"]


def test_without_pyarrow_it_flies_and_says_what_is_missing(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is after `make run`, which installs no extra."""
    with monkeypatch.context() as context:
        context.setitem(sys.modules, "pyarrow", None)
        assert main(["study", "run", str(file)]) == 0
    assert "There is no flights.parquet: A table takes pyarrow" in capsys.readouterr().err
    assert main(["study", "show", "odd"]) == 0
    assert main(["study", "run", str(file)]) == 0
    assert (Path("odd") / "flights.parquet").exists()
