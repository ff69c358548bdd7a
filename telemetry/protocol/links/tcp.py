"""TCP link: a client that connects to an aircraft; `tcp_server` plays one."""

import socket

from telemetry.protocol.links.address import NetworkAddress, parse_network
from telemetry.protocol.links.errors import opening_failed
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.links.send_queue import tcp_send_queue

_CONNECT_TIMEOUT_S = 0.9  # a worker that is told to end while it connects ends within a second
_WRITE_TIMEOUT_S = 0.8
_READ_BYTES = 65_536


def open_tcp(address: str) -> "TcpLink":
    """Connect to "tcp:HOST:PORT"; raise LinkError if nobody answers there."""
    parsed = parse_network(address, "tcp")
    try:
        connected = socket.create_connection((parsed.host, parsed.port), _CONNECT_TIMEOUT_S)
    except OSError as error:
        raise LinkError(opening_failed(parsed, error)) from error
    return TcpLink(parsed, connected)


class TcpLink:
    """An established connection."""

    can_write = True

    def __init__(self, address: NetworkAddress, connected: socket.socket) -> None:
        self.name = f"{address.host}:{address.port}"
        self.address = str(address)
        self.socket = connected
        self._was_heard = False
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.queue = tcp_send_queue(connected, self.name)

    def read(self, timeout_s: float) -> bytes:
        """See `Link.read`."""
        try:
            self.socket.settimeout(timeout_s)
            data = self.socket.recv(_READ_BYTES)
        except (TimeoutError, BlockingIOError):
            return b""
        except OSError as error:
            raise self._broken(error) from error
        if not data:
            raise self._ended(f"{self.name} closed the connection.")
        self._was_heard = True
        return data

    def write(self, data: bytes) -> None:
        """See `Link.write`."""
        try:
            self.socket.settimeout(_WRITE_TIMEOUT_S)
            self.socket.sendall(data)
        except TimeoutError as error:
            raise LinkClosed(f"{self.name} takes no more data.") from error
        except OSError as error:
            raise self._broken(error) from error

    def _broken(self, error: OSError) -> LinkClosed:
        return self._ended(f"The connection to {self.name} broke: {error.strerror}.")

    def _ended(self, how: str) -> LinkClosed:
        """Nothing can come any more. Who serves one station alone hangs up on another one."""
        silent = (
            f"{self.name} took the call and hung up without a word. "
            "Another program may be connected to it already."
        )
        return LinkClosed(how if self._was_heard else silent)

    def close(self) -> None:
        """Hang up."""
        self.socket.close()
