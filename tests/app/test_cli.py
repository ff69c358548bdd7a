"""The command line: what it accepts, refuses and prints."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app import cli

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str, environ: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    import os

    keep = {k: v for k, v in os.environ.items() if "DISPLAY" not in k and k != "QT_QPA_PLATFORM"}
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *words],
        env={**keep, **(environ or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.slow
def test_without_a_display_one_sentence_and_code_2() -> None:
    done = run()
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "no display" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["open"],
        ["open", "no-such-file.opl"],
        ["open", "/"],
        ["--size", "big", "open", "sim:x"],
        ["--size", "1x1"],
        ["--at", "noon"],
        ["--theme", "pink"],
        ["--screenshot", "picture.jpg"],
        ["--screenshot", "/no/such/folder/a.png"],
        ["dance"],
        ["log", "dance"],
    ],
)
def test_bad_input_is_one_sentence_and_code_1(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert "Traceback" not in output.err


def test_options_are_understood_before_and_after_open() -> None:
    parser = cli.make_parser(["open"])
    before = parser.parse_args(["--theme", "dark", "--size", "800x600", "open", "tcp:a:1"])
    after = parser.parse_args(["open", "tcp:a:1", "--theme", "dark", "--size", "800x600"])
    assert before == after
    assert (before.target, before.size, before.theme) == ("tcp:a:1", (800, 600), "dark")
    bare = cli.make_parser([]).parse_args(["--at", "12.5"])
    assert (bare.at, bare.screenshot, getattr(bare, "target", "")) == (12.5, None, "")


def test_doctor_prints_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["doctor", "--json"])
    report = json.loads(capsys.readouterr().out)
    names = {finding["name"] for finding in report["findings"]}
    assert {"Python", "PySide6", "numba", "System libraries", "Display", "Serial ports"} <= names
    assert all(finding["remedy"] for finding in report["findings"] if finding["state"] != "ok")


def test_doctor_speaks_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["doctor"])
    assert "Python" in capsys.readouterr().out


def test_a_sub_command_runs_without_qt() -> None:
    code = (
        "import sys; from app.cli import main; main(['objects', 'list']);"
        "sys.exit('PySide6' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0
    assert b"AttitudeState" in done.stdout
