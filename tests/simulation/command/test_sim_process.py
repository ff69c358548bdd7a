"""`lapwing sim --serve` as a process: it says where it is, and ends when it is told to."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from telemetry.base.clock import monotonic_s
from telemetry.base.installation import ROOT
from telemetry.protocol.links.link import Link
from telemetry.protocol.links.simulator_process import SimulatorProcess
from telemetry.protocol.links.tcp import open_tcp
from telemetry.protocol.links.udp import open_udp
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.session import Session
from telemetry.protocol.wire.decoder import FrameDecoder
from tests.waiting import PATIENCE_S

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX"),
]


@contextmanager
def serving(scheme: str, *options: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "main.py", "sim", "--serve", f"{scheme}:127.0.0.1:0", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_ends_on_request(number: signal.Signals) -> None:
    with serving("tcp") as process:
        assert line(process).startswith("Starting the simulator")
        ready = line(process)
        assert ready.startswith("AR100B quadrotor is ready: ground stations connect to tcp:127.")
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, out, err) == (0, "", "")


def test_json_is_one_object_and_a_duration_ends_it() -> None:
    with serving("tcp", "--json", "--duration", "0.3") as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert json.loads(out)["address"].startswith("tcp:127.0.0.1:")
    assert err.startswith("Starting the simulator")
    assert err.count("\n") == 1


def frames_heard(link: Link, catalogue: Catalogue, wanted: int) -> int:
    """Connect as a station does, speaking first, and count what comes back."""
    station = Session(Role.GCS, catalogue)
    decoder = FrameDecoder()
    started_s = monotonic_s()
    station.start(started_s)
    while decoder.frames < wanted and monotonic_s() - started_s < PATIENCE_S:
        link.write(station.bytes_to_send())
        data = link.read(0.05)
        decoder.feed(data)
        station.receive(data, monotonic_s())
        station.tick(monotonic_s())
    return decoder.frames


@pytest.mark.parametrize("scheme", ["tcp", "udp"])
def test_a_station_that_restarts_is_served_again(scheme: str, catalogue: Catalogue) -> None:
    with serving(scheme, "--json") as process:
        address = json.loads(line(process))["address"]
        for _ in range(2):
            with closing(open_udp(address) if scheme == "udp" else open_tcp(address)) as link:
                assert frames_heard(link, catalogue, 150) >= 150
        assert process.poll() is None


class _Pipe(SimulatorProcess):
    """As a script has it."""

    name = address = "sim:ar100b"
    can_write = True


def test_ctrl_c_in_the_terminal_of_a_script_leaves_its_aircraft_flying(
    catalogue: Catalogue,
) -> None:
    with closing(_Pipe([], monotonic_s)) as link:
        assert frames_heard(link, catalogue, 150) >= 150
        link.process.send_signal(signal.SIGINT)
        assert frames_heard(link, catalogue, 150) >= 150
