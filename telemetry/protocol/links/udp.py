"""UDP link: a client that talks to one address, and a server that answers who speaks to it."""

import socket
import sys
from collections.abc import Callable

from telemetry.protocol.links.address import NetworkAddress, parse_network
from telemetry.protocol.links.errors import listening_failed, opening_failed
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.links.tcp_server import SILENT_S

_DATAGRAM_BYTES = 65_536
_SEND_BYTES = 1_200  # fits every usual network without being cut
_RECEIVE_BUFFER_BYTES = 1 << 20
_MOST_AT_ONCE = 256  # a flood must not keep a read from ending


def open_udp(address: str) -> "UdpLink":
    """Talk to "udp:HOST:PORT". Nobody need listen there yet."""
    parsed = parse_network(address, "udp")
    connected = _socket(parsed)
    try:
        connected.connect((parsed.host, parsed.port))
    except OSError as error:
        connected.close()
        raise LinkError(opening_failed(parsed, error)) from error
    return UdpLink(parsed, connected)


def serve_udp(address: str, clock: Callable[[], float]) -> "UdpLink":
    """Wait at "udp:HOST:PORT" (port 0: any free one) for somebody who speaks."""
    parsed = parse_network(address, "udp")
    bound = _socket(parsed)
    try:
        bound.bind((parsed.host, parsed.port))
    except OSError as error:
        bound.close()
        raise LinkError(listening_failed(parsed, error)) from error
    port = int(bound.getsockname()[1])
    return UdpLink(NetworkAddress("udp", parsed.host, port), bound, clock)


class UdpLink:
    """A datagram socket. A client has one peer; a server, which has a clock, takes the first one
    who speaks, and another one only once that was silent for SILENT_S."""

    can_write = True

    def __init__(
        self,
        address: NetworkAddress,
        datagrams: socket.socket,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.name = f"{address.host}:{address.port}"
        self.address = str(address)
        self._socket = datagrams
        self._clock = clock
        self._peer: tuple[str, int] | None = None
        self._heard_s = 0.0

    def read(self, timeout_s: float) -> bytes:
        """The datagrams that have arrived, joined; see `Link.read`."""
        chunks: list[bytes] = []
        wait_s = timeout_s
        try:
            for _ in range(_MOST_AT_ONCE):
                self._socket.settimeout(wait_s)
                data, sender = self._socket.recvfrom(_DATAGRAM_BYTES)
                if self._listens_to(sender):
                    chunks.append(data)
                wait_s = 0.0
        except (TimeoutError, BlockingIOError, ConnectionError):
            pass  # a refusal means that nobody listens there yet, which may change
        except OSError as error:
            raise LinkClosed(f"{self.name} cannot be read: {error.strerror}.") from error
        return b"".join(chunks)

    def write(self, data: bytes) -> None:
        """Send to the other side, if there is one; see `Link.write`."""
        try:
            for start in range(0, len(data), _SEND_BYTES):
                self._send(data[start : start + _SEND_BYTES])
        except (TimeoutError, BlockingIOError, ConnectionError):
            return  # lost, as datagrams may be
        except OSError as error:
            raise LinkClosed(f"{self.name} cannot be reached: {error.strerror}.") from error

    def _send(self, datagram: bytes) -> None:
        if self._clock is None:
            self._socket.send(datagram)
        elif self._peer is not None:
            self._socket.sendto(datagram, self._peer)

    def _listens_to(self, sender: tuple[str, int]) -> bool:
        if self._clock is None:
            return True
        now_s = self._clock()
        if sender != self._peer and self._peer is not None and now_s - self._heard_s < SILENT_S:
            return False
        self._peer, self._heard_s = sender, now_s
        return True

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def _socket(address: NetworkAddress) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    datagrams = socket.socket(family, socket.SOCK_DGRAM)
    if sys.platform != "win32":
        datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER_BYTES)
    return datagrams
