"""`lapwing settings` against simulators in processes of their own, and as a process itself."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

from app import cli
from tests.end_to_end.test_two_aircraft import served
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.starts_simulator

ROOT = Path(__file__).resolve().parents[2]


class Command(Protocol):
    """Runs `lapwing settings` with these words; gives back what it printed."""

    def __call__(self, *words: str) -> str: ...


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        code = cli.main(["settings", *words])
        said = capsys.readouterr()
        assert code == 0, said.err
        return said.out

    return run


@pytest.mark.slow
def test_from_export_over_a_change_back_to_what_it_was(command: Command) -> None:
    with served("tcp:127.0.0.1:0", 1) as address:
        command("export", address, "--out", "before.uav")
        command("set", address, "StabilizationSettingsBank1.RollMax=41", "--save")
        found = json.loads(command("diff", "before.uav", address, "--json"))
        assert [(c["object"], c["field"], c["b"]) for c in found["changed"]] == [
            ("StabilizationSettingsBank1", "RollMax", 41)
        ]
        applied = command("apply", "before.uav", address, "--save", "--json")
        assert json.loads(applied)["verified"]
        found = json.loads(command("diff", "before.uav", address, "--json"))
        assert found["changed"] == []


@pytest.mark.slow
def test_the_embedded_simulator_keeps_what_is_saved(command: Command) -> None:
    path = "StabilizationSettingsBank1.RollMax"
    command("set", "sim:ar100b", f"{path}=41", "--save")
    assert command("get", "sim:ar100b", path) == "41\n"


@pytest.mark.slow
def test_an_address_of_no_kind_is_one_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            str(ROOT / "main.py"),
            "settings",
            "get",
            "smoke:signals",
            "SystemSettings",
        ],
        env={**os.environ, "LAPWING_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "sim:" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        silent.settimeout(PATIENCE_S)
        address = f"udp:127.0.0.1:{silent.getsockname()[1]}"
        words = [sys.executable, str(ROOT / "main.py"), "settings", "get", address]
        with subprocess.Popen(
            [*words, "SystemSettings", "--timeout", "600"],
            env={**os.environ, "LAPWING_HOME": str(tmp_path)},
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            silent.recv(4096)  # it has started, speaks first, and gets no answer
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_S) == 130
            assert process.stderr is not None
            assert "Traceback" not in process.stderr.read()
