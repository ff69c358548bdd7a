"""`lapwing airframe` as another program would call it."""

import argparse
import json

import pytest

from telemetry.configuration.airframe.airframe import airframe_names
from telemetry.configuration.airframe.cli import add_commands


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers(required=True))
    args = parser.parse_args(["airframe", *words])
    code: int = args.run(args)
    return code


def test_json_is_what_programs_were_promised(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("QuadX", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert set(shown) == {"frame", "channels"}
    assert shown["frame"] == "QuadX"
    assert shown["channels"][0] == {
        "name": "NW",
        "type": "Motor",
        "vector": {"ThrottleCurve1": 127, "ThrottleCurve2": 0, "Roll": 64, "Pitch": 64, "Yaw": -64},
    }
    assert len(shown["channels"]) == 4


def test_levels_change_the_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("QuadX", "--levels", "100, 0,25", "--json") == 0
    vector = json.loads(capsys.readouterr().out)["channels"][0]["vector"]
    assert (vector["Roll"], vector["Pitch"], vector["Yaw"]) == (127, 0, -32)


@pytest.mark.parametrize("name", airframe_names())
def test_every_frame_can_be_shown_both_ways(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert run(name) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(f"{name}  ")
    assert captured.err == ""
    assert run(name, "--json") == 0
    assert json.loads(capsys.readouterr().out)["frame"] == name


def test_people_see_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("Tri") == 0
    out = capsys.readouterr().out
    assert "mix levels: roll 100 %, pitch 100 %, yaw 100 %\n" in out
    assert out.splitlines()[-1].split() == ["4", "YawServo", "Servo", "0", "0", "0", "0", "127"]
    assert max(map(len, out.splitlines())) <= 100


def test_levels_that_change_nothing_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("FixedWing", "--levels", "10,10,10") == 0
    assert capsys.readouterr().err == "FixedWing has no mix levels; they change nothing.\n"


@pytest.mark.parametrize(
    "levels",
    ["101,50,50", "=-1,50,50", "nan,50,50", "50,50", "50,50,50,50", "", "a,b,c", "5.5,5,5",
     "1e2,0,0", "9" * 5000 + ",0,0", "\u0663,0,0"],
)  # fmt: skip
def test_bad_levels_are_one_sentence_and_exit_code_1(
    capsys: pytest.CaptureFixture[str], levels: str
) -> None:
    assert run("QuadX", f"--levels={levels.lstrip('=')}") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert len(captured.err) < 200


def test_an_unknown_frame_is_answered_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("hexacoax", "--json") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert "did you mean HexaCoax?" in captured.err
    assert "GroundVehicleBoat" in captured.err
