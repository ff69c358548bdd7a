"""`lapwing board-log` against an emulated board, over a real connection with its worker thread."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from telemetry.configuration.board_logs import cli
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import read_log
from tests.boards.emulated_log_flash import LogBoard
from tests.telemetry.configuration.board_logs.flown import flown
from tests.telemetry.configuration.settings.test_cli import AT, BoardLink

Run = Callable[..., int]


@pytest.fixture
def board(catalogue: Catalogue) -> LogBoard:
    board = LogBoard(catalogue, flown(catalogue, 6, 4))
    board.erases_for_s = 0.0
    return board


@pytest.fixture
def run(
    catalogue: Catalogue, board: LogBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "catalogue_for", lambda _arguments: catalogue)

    def run(*words: str) -> int:
        parser = argparse.ArgumentParser()
        cli.add_commands(parser.add_subparsers())
        arguments = parser.parse_args(["board-log", words[0], AT, *words[1:]])
        arguments.open_link = lambda _: BoardLink(catalogue, board)
        code: int = arguments.run(arguments)
        return code

    return run


@pytest.mark.slow
def test_flights_are_listed_fetched_and_erased(
    run: Run,
    board: LogBoard,
    catalogue: Catalogue,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("list", "--json") == 0
    flights = json.loads(capsys.readouterr().out)["flights"]
    assert [flight["number"] for flight in flights] == [0, 1]
    assert run("erase", "--yes") == 1
    assert "flights 0, 1 are not downloaded" in capsys.readouterr().err
    assert run("download", "--flight", "1", "--out", "flights", "--json") == 0
    captured = capsys.readouterr()
    assert "Downloading flight 1" in captured.err
    (fetched,) = json.loads(captured.out)["flights"]
    recording = read_log(Path(fetched["file"]), catalogue).recording
    assert recording.track("AttitudeState") is not None
    assert fetched["texts"] == 2
    assert run("erase") == 1
    assert "--yes" in capsys.readouterr().err
    assert run("erase", "--yes", "--flight", "0") == 0
    assert not board.flash.slots
    assert run("list") == 0
    assert "No flight is on board." in capsys.readouterr().out
    assert run("download", "--flight", "7") == 1
    assert "no flight 7" in capsys.readouterr().err


@pytest.mark.slow
def test_what_is_logged_is_chosen_and_saved(
    run: Run, board: LogBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("configure", "--preset", "tuning") == 0
    assert "the log is OnlyWhenArmed" in capsys.readouterr().out
    settings = board.named("DebugLogSettings").object_id, 0
    assert board.stored[settings] == board.values[settings] == b"\x01"
    assert run("configure", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["log"] == "OnlyWhenArmed"
    assert told["objects"]["SystemStats"]["mode"] == "Periodically"
