"""`lapwing objects` as another program would call it."""

import argparse
import json

import pytest

from telemetry.protocol.objects.cli import add_commands


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers(required=True))
    args = parser.parse_args(["objects", *words])
    code: int = args.run(args)
    return code


def test_list_prints_a_line_per_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 122
    assert any(line.startswith("7421C7BA") and line.endswith("AttitudeState") for line in lines)


def test_list_of_a_release_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "--release", "OpenPilot-15.02", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["release"] == "OpenPilot-15.02"
    assert len(listed["objects"]) == 104
    assert len(listed["releases"]) == 35


@pytest.mark.slow
@pytest.mark.parametrize("word", ["AttitudeState", "7421C7BA", "0x7421c7ba"])
def test_show_as_json_tells_all(capsys: pytest.CaptureFixture[str], word: str) -> None:
    assert run("show", word, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["name"], shown["id"], shown["size"]) == ("AttitudeState", "7421C7BA", 32)
    assert [f["offset"] for f in shown["fields"]] == [0, 4, 8, 12, 16, 20, 24, 28]
    assert "LibrePilot-next-2019-02" in shown["releases"]


@pytest.mark.slow
def test_show_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "FlightStatus") == 0
    out = capsys.readouterr().out
    assert "FlightStatus  24D25E28" in out
    assert "options: Disarmed, Arming, Armed" in out


@pytest.mark.parametrize(
    "words", [("show", "Nope"), ("show", "FlightStatus", "--release", "1"), ("list", "--release=1")]
)
def test_bad_input_is_one_sentence_and_exit_code_1(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert run(*words) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert captured.err.startswith("No ")
