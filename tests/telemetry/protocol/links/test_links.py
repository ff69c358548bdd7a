"""One suite for every kind of link: what goes in at one end comes out at the other."""

import os
import sys
from collections.abc import Callable, Iterator

import pytest

from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.link import Link, LinkClosed
from telemetry.protocol.links.memory import pair
from telemetry.protocol.links.serial import open_serial
from telemetry.protocol.links.tcp import open_tcp
from telemetry.protocol.links.tcp_server import serve_tcp
from telemetry.protocol.links.udp import open_udp, serve_udp

Ends = tuple[Link, Link]


class PtyEnd:
    """The far end of a pseudo terminal."""

    name = "pty"
    address = "pty"
    can_write = True

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def read(self, timeout_s: float) -> bytes:
        assert self._descriptor is not None
        return os.read(self._descriptor, 65_536)

    def write(self, data: bytes) -> None:
        assert self._descriptor is not None
        os.write(self._descriptor, data)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def memory_ends() -> Ends:
    return pair()


def tcp_ends() -> Ends:
    server = serve_tcp("tcp:127.0.0.1:0", monotonic_s)
    client = open_tcp(server.address)
    assert server.read(1.0) == b""  # lets the client in
    return client, server


def udp_ends() -> Ends:
    server = serve_udp("udp:127.0.0.1:0", monotonic_s)
    client = open_udp(server.address)
    client.write(b"hello")
    assert server.read(1.0) == b"hello"  # now the server knows whom to answer
    return client, server


def serial_ends() -> Ends:
    import pty
    import tty

    far, near = pty.openpty()
    tty.setraw(near)
    link = open_serial(f"serial:{os.ttyname(near)}@115200")
    os.close(near)
    return link, PtyEnd(far)


MAKERS = [memory_ends, tcp_ends, udp_ends]
if sys.platform != "win32":
    MAKERS.append(serial_ends)


@pytest.fixture(params=MAKERS, ids=lambda maker: maker.__name__)
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    make: Callable[[], Ends] = request.param
    near, far = make()
    yield near, far
    near.close()
    far.close()


def test_bytes_pass_in_both_directions(ends: Ends) -> None:
    near, far = ends
    near.write(b"\x3c up")
    assert far.read(1.0) == b"\x3c up"
    far.write(bytes(range(256)))
    received = b""
    while len(received) < 256:
        chunk = near.read(1.0)
        assert chunk
        received += chunk
    assert received == bytes(range(256))


def test_reading_ends_when_nothing_comes(ends: Ends) -> None:
    near, _ = ends
    assert near.read(0.01) == b""
    assert near.read(0.0) == b""


def test_a_link_tells_what_it_is(ends: Ends) -> None:
    near, _ = ends
    assert near.name
    assert ":" in near.address
    assert near.can_write


def test_closing_twice_is_fine_and_then_nothing_works(ends: Ends) -> None:
    near, _ = ends
    near.close()
    near.close()
    with pytest.raises(LinkClosed):
        near.read(0.01)
    with pytest.raises(LinkClosed):
        near.write(b"x")


@pytest.mark.parametrize("make", [memory_ends, tcp_ends])
def test_what_was_sent_before_closing_still_arrives(make: Callable[[], Ends]) -> None:
    near, far = make()
    near.write(b"last words")
    near.close()
    assert far.read(1.0) == b"last words"
    far.close()
