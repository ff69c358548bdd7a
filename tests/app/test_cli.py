"""The command line: what it accepts, refuses and prints."""

import io
import json
import os
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest
from PySide6.QtWidgets import QApplication

from app import cli
from telemetry.base.installation import ROOT
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.usefixtures("kept_look")


def run(*words: str, environ: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    keep = {k: v for k, v in os.environ.items() if "DISPLAY" not in k and k != "QT_QPA_PLATFORM"}
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *words],
        env={**keep, **(environ or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.slow
def test_without_a_display_one_sentence_and_code_2() -> None:
    done = run()
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "no display" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X11 is of Linux")
def test_a_display_that_does_not_answer_is_one_sentence_and_code_2() -> None:
    done = run(environ={"DISPLAY": ":64077"})
    if "Qt needs system libraries" not in done.stderr:
        assert "could not connect to display :64077" in done.stderr
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["open"],
        ["open", "no-such-file.opl"],
        ["open", "/"],
        ["open", "tests/app/test_cli.py", "no-such-video.avi"],
        ["--size", "big", "open", "sim:x"],
        ["--size", "1x1"],
        ["--at", "noon"],
        ["--at", "-5"],
        ["--at", "nan"],
        ["--theme", "pink"],
        ["--screenshot", "picture.jpg"],
        ["--screenshot", "/no/such/folder/a.png"],
        ["dance"],
        ["log", "dance"],
        ["log"],
        ["log", "info"],
        ["log", "info", "no-such-file.opl"],
        ["log", "info", "/"],
        ["log", "export", "x.opl"],
        ["log", "export", "x.opl", "--format", "xml", "--out", "y"],
        ["objects"],
        ["objects", "show"],
        ["objects", "show", "Nope", "--json"],
        ["objects", "list", "--release", "nope"],
        ["sim", "--aircraft", "nope"],
        ["sim", "--scenario", "nope"],
        ["sim", "--scenario", "nope.json"],
        ["sim", "--set", "wind_mps"],
        ["sim", "--set", "wind_mps=fast"],
        ["sim", "--set", "nope=1"],
        ["sim", "--duration", "-5"],
        ["sim", "--duration", "0"],
        ["sim", "--duration", "nan"],
        ["sim", "--seed", "99999999999999999999"],
        ["sim", "--seed", "-1"],
        ["sim", "--serve", "nonsense"],
        ["sim", "--serve", "tcp:127.0.0.1:99999"],
        ["sim", "--serve", "serial:/dev/ttyUSB0"],
        ["sim", "--fast", "--duration", "1", "--record", "/no/such/folder/a.opl"],
        ["doctor", "now"],
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


@pytest.mark.parametrize("scheme", ["tcp", "udp"])
def test_a_port_in_use_is_one_sentence_and_code_2(
    scheme: str, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = socket.SOCK_STREAM if scheme == "tcp" else socket.SOCK_DGRAM
    with socket.socket(socket.AF_INET, kind) as taken:
        taken.bind(("127.0.0.1", 0))
        if scheme == "tcp":
            taken.listen()
        port = taken.getsockname()[1]
        assert cli.main(["sim", "--serve", f"{scheme}:127.0.0.1:{port}"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert f"Port {port} is already in use" in output.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["objects", "list"],
        ["objects", "show", "AttitudeState"],
        ["doctor"],
        ["sim", "--fast", "--duration", "1"],
        ["sim", "--serve", "tcp:127.0.0.1:0", "--duration", "0.1"],
    ],
)
def test_json_is_one_object_and_nothing_else(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main([*words, "--json"])
    assert isinstance(json.loads(capsys.readouterr().out), dict)


_OWN = """<xml><object name="KiteLine" singleinstance="true" settings="false">
<description>Tension of the line.</description>
<access gcs="readwrite" flight="readwrite"/>
<telemetrygcs acked="false" updatemode="manual" period="0"/>
<telemetryflight acked="false" updatemode="periodic" period="500"/>
<logging updatemode="manual" period="0"/>
<field name="Tension" units="N" type="float" elements="1"/>
</object></xml>"""


@pytest.mark.slow
def test_the_users_own_definitions_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    folder = tmp_path / "config" / "definitions"
    folder.mkdir(parents=True)
    (folder / "kite.xml").write_text(_OWN, encoding="utf-8")
    (folder / "wrong.xml").write_text(_OWN.replace("float", "floot"), encoding="utf-8")
    assert cli.main(["objects", "show", "KiteLine", "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["fields"][0]["name"] == "Tension"
    assert "wrong.xml, line 7: " in output.err
    assert "A definition file was left out: " in output.err


@pytest.mark.slow
def test_a_picture_of_a_time_in_a_flight_needs_no_display(
    shared_logs: Path, tmp_path: Path
) -> None:
    log, picture = shared_logs / "librepilot-next-session.opl", tmp_path / "picture.png"
    words = ["open", str(log), "--screenshot", str(picture), "--size", "640x480"]
    home = {"LAPWING_HOME": str(tmp_path / "home")}
    done = run(*words, "--workspace", "Objects", "--at", "3", environ=home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    head = picture.read_bytes()[:24]
    assert (head[:8], struct.unpack(">II", head[16:])) == (b"\x89PNG\r\n\x1a\n", (640, 480))


class Cannot(Protocol):
    """Asks for a picture of what cannot be shown; gives back the sentence."""

    def __call__(self, *words: str) -> str: ...


@pytest.fixture
def cannot(
    qapp: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Cannot:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("app.run.make_application", lambda: qapp)
    picture = tmp_path / "picture.png"

    def ask(*words: str) -> str:
        assert cli.main(["open", *words, "--screenshot", str(picture)]) == 1
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert not picture.exists()
        return said.err

    return ask


@pytest.mark.slow
def test_a_time_beyond_the_flight_is_refused(cannot: Cannot, shared_logs: Path) -> None:
    log = str(shared_logs / "librepilot-next-session.opl")
    assert "before the 99999 s asked for" in cannot(log, "--at", "99999")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "word"),
    [
        ("nonsense:abc", "nonsense"),
        ("tcp:127.0.0.1", "lacks a host or a port"),
        ("ftp:host", "not an address"),
    ],
)
def test_a_picture_of_no_place_is_refused(target: str, word: str, cannot: Cannot) -> None:
    assert word in cannot(target)


@pytest.mark.slow
def test_what_is_no_log_gives_no_picture(tmp_path: Path, cannot: Cannot) -> None:
    (tmp_path / "broken.opl").write_bytes(b"\xff\xd8\xff\xe0")
    assert "broken.opl" in cannot(str(tmp_path / "broken.opl"))


def test_options_are_understood_before_and_after_open() -> None:
    parser = cli.make_parser(["open"])
    before = parser.parse_args(["--theme", "dark", "--size", "800x600", "open", "tcp:a:1"])
    after = parser.parse_args(["open", "tcp:a:1", "--theme", "dark", "--size", "800x600"])
    assert before == after
    assert (before.target, before.size, before.theme) == ("tcp:a:1", (800, 600), "dark")
    several = parser.parse_args(["open", "a.opl", "b.avi", "c.avi"])
    assert (several.target, several.others) == ("a.opl", [Path("b.avi"), Path("c.avi")])
    bare = cli.make_parser([]).parse_args(["--at", "12.5"])
    assert (bare.at, bare.screenshot, getattr(bare, "target", "")) == (12.5, None, "")


def test_doctor_prints_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["doctor", "--json"])
    report = json.loads(capsys.readouterr().out)
    names = {finding["name"] for finding in report["findings"]}
    assert {"Python", "PySide6", "llvmlite", "System libraries", "Display", "Serial ports"} <= names
    assert all(finding["remedy"] for finding in report["findings"] if finding["state"] != "ok")


def test_doctor_speaks_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["doctor"])
    assert "Python" in capsys.readouterr().out


@pytest.mark.slow
def test_a_sub_command_runs_without_qt() -> None:
    code = (
        "import sys; from app.cli import main; main(['objects', 'list']);"
        "sys.exit('PySide6' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0
    assert b"AttitudeState" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("environ", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_output_that_finds_no_room_is_one_sentence_and_code_2(environ: dict[str, str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, str(ROOT / "main.py"), "sim", "--list"],
            env={**os.environ, **environ},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
    assert done.returncode == 2
    sentence = "lapwing: the output cannot be written or read: No space left on device.\n"
    assert done.stderr == sentence


def test_what_the_terminal_cannot_show_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", shown)
    told = ["Gr\N{LATIN SMALL LETTER O WITH DIAERESIS}n"]
    monkeypatch.setattr("simulation.scenarios.listing.as_lines", lambda: told)
    assert cli.main(["sim", "--list"]) == 0
    shown.seek(0)
    assert shown.read() == "Gr\\xf6n\n"
