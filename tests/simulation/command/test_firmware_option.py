"""`lapwing sim fly --firmware` as a user calls it."""

import json
from pathlib import Path

import pytest

from tests.simulation.command.test_sim_command import call
from tests.simulation.hitl.lockstep.programs import emulated, needs_posix, python_program

pytestmark = needs_posix


@pytest.mark.slow
def test_a_firmware_is_flown_judged_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By both ways to name a scenario, the report once for programs and once for people."""
    scenario = tmp_path / "hop.json"
    steps = [{"do": "wait", "seconds": 2.0}, {"do": "arm"}, {"do": "takeoff"}]
    told = {
        "name": "hop",
        "title": "A hop",
        "steps": steps,
        "measures": ["max_altitude_m"],
        "bands": {"max_altitude_m": [2.0, 4.0]},
        "controls": [],
    }
    scenario.write_text(json.dumps(told), encoding="utf-8")
    firmware = emulated(tmp_path)
    assert call("fly", str(scenario), "--firmware", str(firmware), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["passed"] is True
    assert report["firmware"]["program"] == "emulated"
    assert report["firmware"]["start_up_s"] > 1.0
    assert report["embedded"]["metrics"].keys() == report["metrics"].keys()
    assert call("--scenario", str(scenario), "--firmware", str(firmware)) == 0
    text = capsys.readouterr().out
    assert "flown by Lapwing simulator (" in text
    assert "The embedded board passed with the same seed." in text
    assert "One flight each, by other noise: figures differ by chance, too." in text
    assert text.rstrip().splitlines()[-1].startswith("PASSED over ")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("fly", "--firmware", "nowhere"), "There is no program nowhere"),
        (("--firmware", "nowhere"), "There is no program nowhere"),
        (("serve", "tcp:127.0.0.1:0", "--firmware", "nowhere"), "There is no program nowhere"),
        (("fly", "--firmware", "x", "--sil", "y.c"), "exclude each other"),
        (("fly", "sonar-cone", "--firmware", "x"), "has no board in its loop"),
    ],
)
def test_bad_input_is_one_sentence(
    words: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*words) == 1
    told = capsys.readouterr().err.strip().splitlines()
    assert reason in told[-1]
    assert "Traceback" not in "".join(told)


def test_what_is_no_firmware_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = python_program(tmp_path, "print('Hello')")
    assert call("fly", "--firmware", str(program)) == 1
    assert "controller is no program for lockstep: it ended by" in capsys.readouterr().err
