"""What the system has not delivered over a real connection."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.send_queue import send_queue_of
from telemetry.protocol.links.serial import SerialLink, open_serial
from telemetry.protocol.links.tcp import TcpLink, open_tcp
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(
    sys.platform not in ("linux", "darwin"), reason="the system does not tell"
)


@pytest.fixture
def ends() -> Iterator[tuple[TcpLink, socket.socket]]:
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        link = open_tcp(f"tcp:127.0.0.1:{listening.getsockname()[1]}")
        peer, _ = listening.accept()
        with peer:
            yield link, peer
        link.close()


def fill(link: TcpLink) -> None:
    """Write until the other side, which does not read, takes no more."""
    queue = send_queue_of(link)
    assert queue is not None
    while queue.waiting_bytes() < 10_000:
        link.write(b"x" * 1000)


def arrived_at(peer: socket.socket) -> bytes:
    """All that comes until the connection ends."""
    arrived = b""
    with suppress(ConnectionResetError):
        while data := peer.recv(65_536):
            arrived += data
    return arrived


def test_what_was_taken_does_not_wait(ends: tuple[TcpLink, socket.socket]) -> None:
    link, peer = ends
    link.write(b"sticks")
    assert peer.recv(100) == b"sticks"
    queue = send_queue_of(link)
    assert queue is not None
    wait_until(lambda: queue.waiting_bytes() == 0)


@pytest.mark.skipif(sys.platform != "linux", reason="macOS does not tell what was sent")
def test_what_the_other_side_has_no_room_for_is_unsent(ends: tuple[TcpLink, socket.socket]) -> None:
    link, _ = ends
    queue = send_queue_of(link)
    assert queue is not None
    link.write(b"sticks")
    assert queue.unsent_bytes() == 0
    fill(link)
    before = queue.unsent_bytes()
    assert 0 < before <= queue.waiting_bytes()
    link.write(b"sticks")
    assert queue.unsent_bytes() == before + len(b"sticks")
    link.close()
    assert queue.unsent_bytes() == 0


def test_what_is_discarded_never_arrives(ends: tuple[TcpLink, socket.socket]) -> None:
    link, peer = ends
    fill(link)
    queue = send_queue_of(link)
    assert queue is not None
    link.write(b"stale")
    with pytest.raises(LinkClosed, match="has taken nothing"):
        queue.discard()
    assert b"stale" not in arrived_at(peer)
    assert queue.waiting_bytes() == 0


def test_without_discarding_it_does(ends: tuple[TcpLink, socket.socket]) -> None:
    link, peer = ends
    fill(link)
    link.write(b"stale")
    link.close()
    assert arrived_at(peer).endswith(b"stale")


@pytest.fixture
def terminal() -> Iterator[tuple[SerialLink, int]]:
    """A port and the end of the device behind it."""
    device, port = os.openpty()
    link = open_serial(f"serial:{os.ttyname(port)}@57600")
    yield link, device
    link.close()
    for end in (device, port):
        with suppress(OSError):
            os.close(end)


def test_a_serial_port_tells_too(terminal: tuple[SerialLink, int]) -> None:
    link, device = terminal
    queue = send_queue_of(link)
    assert queue is not None
    link.write(b"sticks")
    assert os.read(device, 100) == b"sticks"
    assert queue.waiting_bytes() == 0
    link.write(b"stale")
    queue.discard()
    link.write(b"fresh")
    seen = b""
    while not seen.endswith(b"fresh"):  # the port stays open; what had gone out already comes first
        seen += os.read(device, 100)
    assert seen in (b"fresh", b"stalefresh")


def test_a_port_that_is_gone_holds_nothing_back(terminal: tuple[SerialLink, int]) -> None:
    link, _ = terminal
    link.close()
    queue = send_queue_of(link)
    assert queue is not None
    assert queue.waiting_bytes() == 0
    queue.discard()
