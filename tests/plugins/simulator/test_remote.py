"""The station's hand on the simulator, with the process's end played by the test."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from plugins.simulator.remote import Remote
from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.tcp import TcpLink, open_tcp
from telemetry.protocol.links.tcp_server import serve_tcp

REPORT = {
    **dict.fromkeys(
        (
            *("time_s", "speed", "factor"),
            *("wind_north_mps", "wind_east_mps", "wind_down_mps"),
        ),
        0.0,
    ),
    "has_crashed": False,
    "trouble": "",
    "world": "office",
    "values": {},
    "link": {},
    "sensor_faults": {},
}


class Process:
    """The simulator's end: answers every request for a report."""

    def __init__(self, link: TcpLink) -> None:
        self.link = link
        self.heard: list[dict[str, Any]] = []

    def answer(self, **words: Any) -> None:
        for line in self.link.read(1.0).splitlines():
            self.heard.append(json.loads(line))
            self.link.write(json.dumps({**REPORT, **words}).encode() + b"\n")


@pytest.fixture
def remote() -> Iterator[Remote]:
    remote = Remote(serve_tcp("tcp:127.0.0.1:0", monotonic_s))
    yield remote
    remote.close()


def joined(remote: Remote) -> Process:
    """A process that has dialled in and been heard once."""
    process = Process(open_tcp(remote.address))
    for _ in range(50):
        remote.poll()
        if process.link.read(0.02):
            break
    process.link.write(json.dumps(REPORT).encode() + b"\n")
    for _ in range(50):
        remote.poll()
        if remote.report is not None:
            break
        process.link.read(0.01)
    assert remote.report is not None
    process.link.read(0.01)
    return process


def test_a_simulator_that_takes_long_to_start_is_asked_too(remote: Remote) -> None:
    """Nobody is there while it compiles, or loads a large world on a slow computer."""
    for _ in range(200):
        remote.poll()
    process = Process(open_tcp(remote.address))
    for _ in range(5):
        remote.poll()
        process.answer()
    remote.poll()
    assert remote.report is not None
    process.link.close()


def test_requests_wait_until_somebody_is_there(remote: Remote) -> None:
    remote.ask(speed=2.0, set={"wind_north_mps": 1.0})
    remote.poll()
    assert remote.report is None
    process = Process(open_tcp(remote.address))
    for _ in range(100):
        remote.poll()
        process.answer()
        if any("speed" in words for words in process.heard):
            break
    requested = next(words for words in process.heard if "speed" in words)
    assert requested == {"report": True, "speed": 2.0, "set": {"wind_north_mps": 1.0}}
    process.link.close()


def test_requests_of_one_moment_add_up_and_the_latest_counts(remote: Remote) -> None:
    process = joined(remote)
    remote.ask(set={"wind_north_mps": 1.0})
    remote.ask(set={"wind_east_mps": 2.0})
    remote.ask(set={"wind_north_mps": 3.0}, speed=0.0)
    remote.poll()
    process.answer()
    assert process.heard[-1]["set"] == {"wind_north_mps": 3.0, "wind_east_mps": 2.0}
    assert process.heard[-1]["speed"] == 0.0
    process.link.close()


def test_a_refusal_is_passed_on(remote: Remote) -> None:
    process = joined(remote)
    process.link.write(b'{"error": "There is no control."}\n')
    assert any(remote.poll() == "There is no control." for _ in range(100))
    process.link.close()


def test_a_silent_simulator_is_left_alone_in_time(remote: Remote) -> None:
    process = joined(remote)

    def asked() -> int:
        """How many requests arrive while somebody polls on."""
        for _ in range(100):
            remote.poll()
        return b"".join(iter(lambda: process.link.read(0.05), b"")).count(b"\n")

    assert 0 < asked() < 50
    assert asked() == 0
    process.link.close()


def test_who_only_looks_polls_while_the_controls_are_hidden() -> None:
    now_s = [0.0]
    remote = Remote(serve_tcp("tcp:127.0.0.1:0", monotonic_s), lambda: now_s[0])
    process = joined(remote)
    process.link.read(0.01)
    remote.look()
    assert process.link.read(0.02) == b"", "the panel has just polled"
    now_s[0] += 1.0
    remote.look()
    process.answer(wind_north_mps=-7.0)
    process.link.write(b'{"error": "There is no control."}\n')
    for _ in range(100):
        now_s[0] += 1.0
        report = remote.look()
    assert report is not None
    assert report.wind_north_mps == -7.0
    assert remote.poll() == "There is no control.", "kept for the panel"
    assert remote.poll() == ""
    process.link.close()
    remote.close()


@pytest.mark.parametrize(
    "line",
    [
        b"5",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 60_000,
        b'{"error": 5}',
        b'{"time_s": 1}',
        json.dumps({**REPORT, "speed": "fast"}).encode(),
        json.dumps({**REPORT, "values": {"a": []}}).encode(),
        json.dumps({**REPORT, "more": 1}).encode(),
        b'{"speed": ' + b"9" * 5000 + b"}",
    ],
    ids=lambda line: line[:16].decode("latin-1"),
)
def test_a_line_that_is_no_report_is_said_and_the_last_report_stays(
    remote: Remote, line: bytes
) -> None:
    process = joined(remote)
    process.link.write(line + b"\n")
    said = ""
    for _ in range(100):
        said = said or remote.poll()
    assert said.startswith("What the simulator says cannot be read: ")
    assert remote.report is not None
    assert remote.report.speed == 0.0
    process.link.close()
