"""Streams from who makes them into a recording over a real connection, and what a reader that
stops, a stranger and an end mean for both."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.tcp import open_tcp
from telemetry.protocol.links.tcp_server import TcpServerLink, serve_tcp
from telemetry.protocol.streams.samples import PictureSample
from telemetry.protocol.streams.sender import StreamSender
from telemetry.recording.recording import Recording
from telemetry.vehicle.live_streams import LiveStreams
from telemetry.vehicle.stream_recorder import StreamRecorder
from tests.telemetry.protocol.streams.samples import CAMERA, LIDAR, picture, same, scan
from tests.waiting import wait_for, wait_until

TOKEN = "0123456789abcdef"


@pytest.fixture
def listening() -> Iterator[TcpServerLink]:
    link = serve_tcp("tcp:127.0.0.1:0", monotonic_s, TOKEN)
    yield link
    link.close()


def _dialled(address: str, token: str = TOKEN) -> socket.socket:
    link = open_tcp(address)
    link.write(f"{token}\n".encode())
    return link.socket


def _streams(link: TcpServerLink, recording: Recording, folder: Path) -> LiveStreams:
    recorder = StreamRecorder(recording, lambda: str(folder / "a.opl"), lambda folder: 1 << 40)
    return LiveStreams(link, recording, lambda: 1.0, recorder)


def _count(recording: Recording, name: str) -> Callable[[], bool]:
    return lambda: (track := recording.media(name)) is not None and track.count == 20


def test_streams_arrive_over_loopback_and_are_on_disk_when_they_end(
    listening: TcpServerLink, tmp_path: Path
) -> None:
    recording = Recording()
    streams = _streams(listening, recording, tmp_path)
    sender = StreamSender(_dialled(listening.address))
    sender.announce([CAMERA, LIDAR])
    sender.tell_clock(0, 1.0)
    for number in range(20):
        sender.put(CAMERA, picture(number))
        sender.put(LIDAR, scan(number))
        wait_until(lambda: not sender.waiting)
    wait_until(_count(recording, "front"))
    wait_until(_count(recording, "lidar"))
    sender.close()
    streams.close()
    lidar = recording.media("lidar")
    assert lidar is not None
    last = lidar.newest
    assert last is not None
    assert same(last, scan(19))
    assert not lidar.is_live
    assert lidar.dropped == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["a_front.mkv", "a_front.npz", "a_lidar.npz"]


def test_a_reader_that_has_stopped_costs_samples_and_nobody_waits(
    listening: TcpServerLink, tmp_path: Path
) -> None:
    sender = StreamSender(_dialled(listening.address))
    sender.announce([CAMERA])
    pixels = np.zeros((1000, 1000, 3), np.uint8)
    for number in range(200):
        sender.put(CAMERA, PictureSample(number, number, pixels))
    assert sender.dropped["front"] > 100
    recording = Recording()
    streams = _streams(listening, recording, tmp_path)
    sender.tell_clock(0, 1.0)
    wait_until(lambda: not sender.waiting)
    track = wait_for(lambda: recording.media("front"))
    wait_until(lambda: track.count and track.numbers[-1] == 199)
    sender.close()
    streams.close()
    assert track.dropped == sender.dropped["front"]
    assert track.dropped + track.count == 200


def test_a_stranger_is_hung_up_on_and_what_came_before_stays(
    listening: TcpServerLink, tmp_path: Path
) -> None:
    recording = Recording()
    streams = _streams(listening, recording, tmp_path)
    connected = _dialled(listening.address)
    connected.sendall(b"GET / HTTP/1.1\r\n\r\n")
    wait_until(lambda: bool(streams.problem))
    assert "no message of a stream" in streams.problem
    assert connected.recv(1) == b""
    connected.close()
    streams.close()


def test_who_has_no_token_is_not_listened_to(listening: TcpServerLink, tmp_path: Path) -> None:
    recording = Recording()
    streams = _streams(listening, recording, tmp_path)
    stranger = _dialled(listening.address, "f" * len(TOKEN))
    assert stranger.recv(1) == b""
    stranger.close()
    sender = StreamSender(_dialled(listening.address))
    sender.announce([CAMERA])
    wait_until(lambda: recording.media("front") is not None)
    sender.close()
    streams.close()
    assert streams.problem == ""


def test_a_sender_whose_reader_has_gone_goes_on_without(listening: TcpServerLink) -> None:
    sender = StreamSender(_dialled(listening.address))
    listening.close()
    sender.announce([CAMERA])

    def is_broken() -> bool:
        sender.put(CAMERA, picture(1))
        return sender.is_broken

    wait_until(is_broken)
    sender.put(CAMERA, picture(2))
    assert not sender.waiting
    sender.close()
    sender.close()
