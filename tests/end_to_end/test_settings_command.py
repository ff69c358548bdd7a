"""`lapwing settings` as a process, against the simulator that a plugin brings and over TCP."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.test_two_aircraft import served
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.starts_simulator

ROOT = Path(__file__).resolve().parents[2]


def run(home: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "settings", *words],
        env={**os.environ, "LAPWING_HOME": str(home)},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.slow
def test_from_export_over_a_change_back_to_what_it_was(tmp_path: Path) -> None:
    with served("tcp:127.0.0.1:0", 1) as address:
        assert run(tmp_path, "export", address, "--out", "before.uav").returncode == 0
        changed = run(tmp_path, "set", address, "StabilizationSettingsBank1.RollMax=41", "--save")
        assert changed.returncode == 0, changed.stderr
        found = json.loads(run(tmp_path, "diff", "before.uav", address, "--json").stdout)
        assert [(c["object"], c["field"], c["b"]) for c in found["changed"]] == [
            ("StabilizationSettingsBank1", "RollMax", 41)
        ]
        applied = run(tmp_path, "apply", "before.uav", address, "--save", "--json")
        assert applied.returncode == 0, applied.stderr
        assert json.loads(applied.stdout)["verified"]
        found = json.loads(run(tmp_path, "diff", "before.uav", address, "--json").stdout)
        assert found["changed"] == []


@pytest.mark.slow
def test_the_embedded_simulator_keeps_what_is_saved(tmp_path: Path) -> None:
    path = "StabilizationSettingsBank1.RollMax"
    assert run(tmp_path, "set", "sim:ar100b", f"{path}=41", "--save").returncode == 0
    assert run(tmp_path, "get", "sim:ar100b", path).stdout == "41\n"


@pytest.mark.slow
def test_an_address_of_no_kind_is_one_sentence(tmp_path: Path) -> None:
    done = run(tmp_path, "get", "smoke:signals", "SystemSettings")
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
