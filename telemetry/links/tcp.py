"""TCP: a client that connects to an aircraft, and a server that plays one."""

import contextlib
import select
import socket
import sys

from telemetry.links.address import NetworkAddress, parse_network
from telemetry.links.errors import listening_failed, opening_failed
from telemetry.links.link import LinkClosed, LinkError

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


def serve_tcp(address: str) -> "TcpServerLink":
    """Listen at "tcp:HOST:PORT" (port 0: any free one); raise LinkError if that is taken."""
    parsed = parse_network(address, "tcp")
    listener = socket.socket(_family(parsed), socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((parsed.host, parsed.port))
        listener.listen(1)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise LinkError(listening_failed(parsed, error)) from error
    port = int(listener.getsockname()[1])
    return TcpServerLink(NetworkAddress("tcp", parsed.host, port), listener)


class TcpLink:
    """An established connection."""

    can_write = True

    def __init__(self, address: NetworkAddress, connected: socket.socket) -> None:
        self.name = f"{address.host}:{address.port}"
        self.address = str(address)
        self.socket = connected
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def read(self, timeout_s: float) -> bytes:
        """See `Link.read`."""
        try:
            self.socket.settimeout(timeout_s)
            data = self.socket.recv(_READ_BYTES)
        except (TimeoutError, BlockingIOError):
            return b""
        except OSError as error:
            raise LinkClosed(f"The connection to {self.name} broke: {error.strerror}.") from error
        if not data:
            raise LinkClosed(f"{self.name} closed the connection.")
        return data

    def write(self, data: bytes) -> None:
        """See `Link.write`."""
        try:
            self.socket.settimeout(_WRITE_TIMEOUT_S)
            self.socket.sendall(data)
        except TimeoutError as error:
            raise LinkClosed(f"{self.name} takes no more data.") from error
        except OSError as error:
            raise LinkClosed(f"The connection to {self.name} broke: {error.strerror}.") from error

    def close(self) -> None:
        """Hang up."""
        self.socket.close()


class TcpServerLink:
    """Serves one client at a time, the newest. Without one, writing goes nowhere, as on a wire."""

    can_write = True

    def __init__(self, address: NetworkAddress, listener: socket.socket) -> None:
        self.name = f"{address.host}:{address.port}"
        self.address = str(address)
        self._listener = listener
        self._client: TcpLink | None = None
        self._is_closed = False

    def read(self, timeout_s: float) -> bytes:
        """What the client sends; b"" while there is none. See `Link.read`."""
        if self._is_closed:
            raise LinkClosed(f"{self.name} is closed.")
        sockets = [self._listener] + ([self._client.socket] if self._client else [])
        ready, _, _ = select.select(sockets, [], [], timeout_s)
        if self._listener in ready:
            self._accept()
            return b""
        if not ready or self._client is None:
            return b""
        try:
            return self._client.read(0.0)
        except LinkClosed:
            self._drop_client()
            return b""

    def write(self, data: bytes) -> None:
        """Send to the client, if there is one."""
        if self._client is None:
            return
        try:
            self._client.write(data)
        except LinkClosed:
            self._drop_client()

    def close(self) -> None:
        """Hang up and stop listening."""
        self._is_closed = True
        self._drop_client()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the caller may have gone again meanwhile
            connected, peer = self._listener.accept()
            self._drop_client()
            self._client = TcpLink(NetworkAddress("tcp", str(peer[0]), int(peer[1])), connected)

    def _drop_client(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _family(address: NetworkAddress) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address.host else socket.AF_INET
