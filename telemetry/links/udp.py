"""UDP: a client that talks to one address, and a server that answers whoever spoke last."""

import socket
import sys

from telemetry.links.address import NetworkAddress, parse_network
from telemetry.links.errors import listening_failed, opening_failed
from telemetry.links.link import LinkClosed, LinkError

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
    return UdpLink(parsed, connected, is_server=False)


def serve_udp(address: str) -> "UdpLink":
    """Wait at "udp:HOST:PORT" (port 0: any free one) for somebody who speaks."""
    parsed = parse_network(address, "udp")
    bound = _socket(parsed)
    try:
        bound.bind((parsed.host, parsed.port))
    except OSError as error:
        bound.close()
        raise LinkError(listening_failed(parsed, error)) from error
    port = int(bound.getsockname()[1])
    return UdpLink(NetworkAddress("udp", parsed.host, port), bound, is_server=True)


class UdpLink:
    """A datagram socket: a client has one peer, a server answers the one heard last."""

    can_write = True

    def __init__(self, address: NetworkAddress, datagrams: socket.socket, is_server: bool) -> None:
        self.name = f"{address.host}:{address.port}"
        self.address = str(address)
        self._socket = datagrams
        self._is_server = is_server
        self._heard_from: tuple[str, int] | None = None

    def read(self, timeout_s: float) -> bytes:
        """The datagrams that have arrived, joined; see `Link.read`."""
        chunks: list[bytes] = []
        wait_s = timeout_s
        try:
            while len(chunks) < _MOST_AT_ONCE:
                self._socket.settimeout(wait_s)
                data, sender = self._socket.recvfrom(_DATAGRAM_BYTES)
                self._heard_from = sender
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
        if not self._is_server:
            self._socket.send(datagram)
        elif self._heard_from is not None:
            self._socket.sendto(datagram, self._heard_from)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


def _socket(address: NetworkAddress) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    datagrams = socket.socket(family, socket.SOCK_DGRAM)
    if sys.platform != "win32":
        datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER_BYTES)
    return datagrams
