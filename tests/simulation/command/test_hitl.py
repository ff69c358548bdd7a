"""`lapwing sim --hitl` as a user calls it, and what happens when it is killed."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.serving.real_time_flight import RealTimeFlight
from telemetry.base.clock import monotonic_s
from telemetry.base.installation import ROOT
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.tcp_server import TcpServerLink, serve_tcp
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.command.test_sim_command import call
from tests.simulation.hitl.wires import metadata_of
from tests.waiting import PATIENCE_S, wait_until


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--hitl", "tcp:127.0.0.1:1"), "take the propellers off and add --propellers-removed"),
        (("--hitl", "tcp:127.0.0.1:1", "--serve", "tcp:127.0.0.1:0"), "no --serve"),
        (("--hitl", "tcp:127.0.0.1:1", "--hitl-sensors", "nose"), "There is no sensor 'nose'"),
        (("--hitl", "tcp:127.0.0.1:1", "--hitl-rate", "0"), "0 Hz is no rate"),
        (("--hitl", "pigeon:1", "--restore"), "write usb:, serial:, tcp: or udp:"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: tuple[str, ...],
    reason: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert call(*arguments) == 1
    assert reason in capsys.readouterr().err


class RunningBoard:
    """Our own autopilot in real time at a TCP port."""

    def __init__(self, config: AutopilotConfig, catalogue: Catalogue) -> None:
        self.autopilot = Autopilot(config, catalogue)
        self.link: TcpServerLink = serve_tcp("tcp:127.0.0.1:0", monotonic_s)
        self._started_s = monotonic_s()
        self._flight = RealTimeFlight(lambda: self.autopilot, self.link, monotonic_s)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="board")
        self._thread.start()

    def close(self) -> None:
        """Power off."""
        self._end.set()
        self._thread.join()
        self.link.close()

    def wait_until_changed(self, before: dict[str, bytes]) -> None:
        """Until a station has changed metadata."""
        wait_until(lambda: metadata_of(self.autopilot) != before)

    def _run(self) -> None:
        try:
            while not self._end.is_set():
                self._flight.run(monotonic_s() - self._started_s + 0.1)
        except LinkClosed:
            return


@pytest.fixture
def board(preset: Preset, catalogue: Catalogue) -> Iterator[RunningBoard]:
    running = RunningBoard(AutopilotConfig(preset), catalogue)
    yield running
    running.close()


def _lapwing(board: RunningBoard, home: Path, *arguments: str) -> "subprocess.Popen[str]":
    address = board.link.address
    options = ("--hitl", address, "--json", "--propellers-removed", *arguments)
    return subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), "sim", *options],
        env={**os.environ, "LAPWING_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_after_kill_9_the_next_start_gives_back_from_disk(
    board: RunningBoard, tmp_path: Path
) -> None:
    before = metadata_of(board.autopilot)
    killed = _lapwing(board, tmp_path)
    try:
        board.wait_until_changed(before)
    finally:
        killed.kill()
        killed.communicate(timeout=PATIENCE_S)
    assert metadata_of(board.autopilot) != before
    restoring = _lapwing(board, tmp_path, "--restore")
    out, err = restoring.communicate(timeout=PATIENCE_S)
    assert restoring.returncode == 0, err
    assert "GyroSensor" in json.loads(out)["hitl"]["restored"]
    assert metadata_of(board.autopilot) == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended without notice there")
def test_a_request_to_end_gives_back_first(board: RunningBoard, tmp_path: Path) -> None:
    before = metadata_of(board.autopilot)
    flying = _lapwing(board, tmp_path)
    try:
        board.wait_until_changed(before)
    finally:
        flying.terminate()
        out, err = flying.communicate(timeout=PATIENCE_S)
    report = json.loads(out)["hitl"]
    assert report["interrupted"] is True, err
    assert report["owed"] == []
    assert metadata_of(board.autopilot) == before
