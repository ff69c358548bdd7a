"""`lapwing sim --sil` as a user calls it."""

import json
from pathlib import Path

import pytest

from tests.simulation.command.test_sim_command import call
from tests.simulation.sil.flying import EXAMPLES, HOVER_C, HOVER_PY, needs_compiler
from tests.waiting import PATIENCE_S

SCENARIO = str(EXAMPLES / "hover.json")
PATIENT = ("--sil-timeout", str(PATIENCE_S))


@pytest.mark.slow
@needs_compiler
def test_a_scenario_is_flown_by_the_controller(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--sil", HOVER_C, *PATIENT, "--scenario", SCENARIO, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["passed"] is True
    assert report["sil"]["controller"] == "hover.c"
    assert report["sil"]["steps"] == round(report["duration_s"] * 500)
    assert report["sil"]["failed"] is None


@pytest.mark.slow
def test_a_controller_that_fails_fails_the_scenario(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "dies.py"
    file.write_text(
        "from hover import Hover\n"
        "class Dies(Hover):\n"
        "    def step(self, sensors, command):\n"
        "        1 / int(sensors['time_us'] < 9_000_000)\n"
        "        return super().step(sensors, command)\n"
    )
    (tmp_path / "hover.py").write_text((EXAMPLES / "hover.py").read_text())
    flown = ("--scenario", SCENARIO, "--duration", "11", "--json")
    code = call("--sil", f"{file}:Dies", *PATIENT, *flown)
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert code == 1
    assert report["passed"] is False
    assert report["sil"]["at_s"] == 9.0
    assert "ZeroDivisionError (division by zero) at dies.py:4" in report["sil"]["failed"]
    assert report["sil"]["failed"] in printed.err
    assert {"sil", "crashed"} <= set(report["failed"])


@pytest.mark.slow
def test_the_rate_is_the_users(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--sil", HOVER_PY, *PATIENT, "--sil-rate", "250", "--duration", "2", "--json") == 0
    assert '"passed": true' in capsys.readouterr().out


def test_bad_input_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--sil", "nowhere.so", "--duration", "1") == 1
    assert capsys.readouterr().err == (
        "lapwing sim: There is no file nowhere.so; check the path given to --sil.\n"
    )
