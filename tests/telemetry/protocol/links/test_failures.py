"""Every failure of a link is a sentence that says what to do."""

import os
import sys

import pytest

from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.links.serial import open_serial
from telemetry.protocol.links.tcp import open_tcp
from telemetry.protocol.links.tcp_server import serve_tcp
from telemetry.protocol.links.udp import open_udp, serve_udp

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo terminals")


def test_nobody_listens() -> None:
    server = serve_tcp("tcp:127.0.0.1:0", monotonic_s)
    address = server.address
    server.close()
    with pytest.raises(LinkError, match="Nothing listens at"):
        open_tcp(address)


@pytest.mark.parametrize(("serve", "scheme"), [(serve_tcp, "tcp"), (serve_udp, "udp")])
def test_a_port_in_use(serve: object, scheme: str) -> None:
    make = serve_tcp if scheme == "tcp" else serve_udp
    first = make(f"{scheme}:127.0.0.1:0", monotonic_s)
    with pytest.raises(LinkError, match=r"already in use at 127\.0\.0\.1\. Close the program"):
        make(first.address, monotonic_s)
    first.close()


def test_an_address_of_another_computer_cannot_be_served() -> None:
    with pytest.raises(LinkError, match="not an address of this computer"):
        serve_tcp("tcp:192.0.2.1:9000", monotonic_s)


def test_the_other_side_hangs_up() -> None:
    server = serve_tcp("tcp:127.0.0.1:0", monotonic_s)
    client = open_tcp(server.address)
    server.read(1.0)
    server.write(b"telemetry")
    assert client.read(1.0) == b"telemetry"
    server.close()
    with pytest.raises(LinkClosed, match="closed the connection"):
        client.read(1.0)
    client.close()


@pytest.mark.parametrize("says", [b"", b"<hello"])
def test_who_is_hung_up_on_without_a_word_learns_that_another_may_be_there(says: bytes) -> None:
    """What was said and not read makes of the end a break."""
    server = serve_tcp("tcp:127.0.0.1:0", monotonic_s)
    client = open_tcp(server.address)
    client.write(says)
    server.close()
    with pytest.raises(LinkClosed, match="Another program may be connected to it already"):
        client.read(1.0)
    client.close()


def test_a_server_outlives_its_clients() -> None:
    server = serve_tcp("tcp:127.0.0.1:0", monotonic_s)
    server.write(b"nobody is there")
    for greeting in (b"first", b"second"):
        client = open_tcp(server.address)
        server.read(1.0)
        client.write(greeting)
        assert server.read(1.0) == greeting
        client.close()
        assert server.read(1.0) == b""
    server.close()


def test_udp_waits_for_somebody_to_listen() -> None:
    server = serve_udp("udp:127.0.0.1:0", monotonic_s)
    address = server.address
    server.close()
    client = open_udp(address)
    client.write(b"anybody?")
    client.write(b"anybody?")
    assert client.read(0.01) == b""
    client.close()


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(LinkError, match=r"is not there\. Plug in"):
        open_serial("serial:/dev/no-such-device@57600")


@posix_only
def test_a_serial_device_unplugged_while_reading_and_writing() -> None:
    import pty

    far, near = pty.openpty()
    link = open_serial(f"serial:{os.ttyname(near)}")
    os.close(near)
    link.write(b"still there")
    os.close(far)
    with pytest.raises(LinkClosed, match="was unplugged"):
        link.write(b"gone")
    with pytest.raises(LinkClosed, match="was unplugged"):
        link.read(0.05)
    link.close()
