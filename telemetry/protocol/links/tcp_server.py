"""TCP server: plays an aircraft, or takes a call from a process of our own.

Any program of this computer can connect to a loopback port, and a web page can have a browser do
so. A port for everybody therefore hangs up on HTTP; one for a process of our own wants a token
first, which only that process was given. Nobody who is hung up on disturbs the client.
"""

import contextlib
import hmac
import select
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from telemetry.protocol.links.address import NetworkAddress, parse_network
from telemetry.protocol.links.errors import listening_failed
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.links.tcp import TcpLink

TOKEN_VARIABLE: Final = "LAPWING_SIMULATOR_TOKEN"
"""Where a process of our own finds its token: no other user can read its environment."""
SILENT_S: Final = 6.0
"""A client that has said nothing for so long makes room for another one. A station that is left to
itself sends its statistics every four seconds (STATS_UPDATE_PERIOD_MS in LibrePilot's
ground/gcs/src/plugins/uavtalk/telemetrymonitor.cpp)."""
_MOST_CALLERS: Final = 8
_METHODS: Final = (
    *(b"GET ", b"HEAD ", b"POST ", b"PUT ", b"DELETE "),
    *(b"CONNECT ", b"OPTIONS ", b"TRACE ", b"PATCH ", b"PRI "),
)
"""How a request of HTTP begins."""


def serve_tcp(address: str, clock: Callable[[], float], token: str = "") -> "TcpServerLink":
    """Listen at "tcp:HOST:PORT" (port 0: any free one); raise LinkError if that is taken.

    With a `token`, only who begins with it and a line's end is listened to.
    """
    parsed = parse_network(address, "tcp")
    family = socket.AF_INET6 if ":" in parsed.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((parsed.host, parsed.port))
        listener.listen(_MOST_CALLERS)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise LinkError(listening_failed(parsed, error)) from error
    port = int(listener.getsockname()[1])
    return TcpServerLink(NetworkAddress("tcp", parsed.host, port), listener, clock, token)


@dataclass(slots=True)
class _Caller:
    """Somebody who has connected and is not served yet, or waits because another one is."""

    link: TcpLink
    since_s: float
    said: bytes = b""
    begins_rightly: bool = False


class TcpServerLink:
    """Serves one client at a time. Without one, writing goes nowhere, as on a wire.

    Another one is served once the first has gone or was silent for SILENT_S, and is hung up on
    after waiting for as long.
    """

    can_write = True

    def __init__(
        self,
        address: NetworkAddress,
        listener: socket.socket,
        clock: Callable[[], float],
        token: str = "",
    ) -> None:
        self.name = f"{address.host}:{address.port}"
        self.address = str(address)
        self._listener = listener
        self._clock = clock
        self._token = f"{token}\n".encode() if token else b""
        self._client: TcpLink | None = None
        self._heard_s = 0.0
        self._callers: list[_Caller] = []
        self._is_closed = False

    def read(self, timeout_s: float) -> bytes:
        """What the client sends; b"" while there is none. See `Link.read`."""
        if self._is_closed:
            raise LinkClosed(f"{self.name} is closed.")
        ready = self._ready(timeout_s)
        data = self._read_client(ready)
        if self._listener in ready:
            self._accept()
            ready = self._ready(0.0)
        for caller in [c for c in self._callers if c.link.socket in ready]:
            self._hear(caller)
        return data or self._serve_next()

    @property
    def has_listener(self) -> bool:
        """Whether what is written now goes to anybody."""
        return self._client is not None or (not self._token and bool(self._callers))

    def write(self, data: bytes) -> None:
        """Send to the client, if there is one, or to who may become it."""
        if self._client is not None:
            try:
                self._client.write(data)
            except LinkClosed:
                self._drop_client()
        elif not self._token:
            for caller in list(self._callers):
                self._write_to_caller(caller, data)

    def close(self) -> None:
        """Hang up and stop listening."""
        self._is_closed = True
        self._drop_client()
        for caller in list(self._callers):
            self._hang_up(caller)
        self._listener.close()

    # Who calls

    def _ready(self, timeout_s: float) -> list[socket.socket]:
        unheard = [c.link.socket for c in self._callers if not c.begins_rightly]
        sockets = [self._listener, *unheard]
        if self._client is not None:
            sockets.append(self._client.socket)
        return select.select(sockets, [], [], timeout_s)[0]

    def _read_client(self, ready: list[socket.socket]) -> bytes:
        if self._client is None or self._client.socket not in ready:
            return b""
        try:
            data = self._client.read(0.0)
        except LinkClosed:
            self._drop_client()
            return b""
        self._heard_s = self._clock()
        return data

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the caller may have gone again meanwhile
            connected, peer = self._listener.accept()
            link = TcpLink(NetworkAddress("tcp", str(peer[0]), int(peer[1])), connected)
            self._callers.append(_Caller(link, self._clock()))
            if len(self._callers) > _MOST_CALLERS:
                self._hang_up(self._callers[0])

    def _hear(self, caller: _Caller) -> None:
        """Hear how a caller begins."""
        try:
            caller.said += caller.link.read(0.0)
        except LinkClosed:
            self._hang_up(caller)
            return
        verdict = self._judge(caller.said)
        if verdict is False:
            self._hang_up(caller)
        caller.begins_rightly = verdict is True

    def _serve_next(self) -> bytes:
        """Give the place of the client to who waits for it, if it is free; return what he said."""
        now_s = self._clock()
        is_taken = self._client is not None and now_s - self._heard_s < SILENT_S
        for caller in [c for c in self._callers if c.begins_rightly and not is_taken]:
            self._callers.remove(caller)
            self._drop_client()
            self._client, self._heard_s = caller.link, now_s
            return caller.said.removeprefix(self._token)
        if self._token or self._client is not None:  # else who says nothing may listen
            for caller in [c for c in self._callers if now_s - c.since_s > SILENT_S]:
                self._hang_up(caller)
        return b""

    def _judge(self, said: bytes) -> bool | None:
        """Whether somebody who begins so may be the client; None while that cannot be told."""
        if self._token:
            if len(said) < len(self._token):
                return None if self._token.startswith(said) else False
            return hmac.compare_digest(said[: len(self._token)], self._token)
        if said.startswith(_METHODS):
            return False
        return None if any(method.startswith(said) for method in _METHODS) else True

    def _write_to_caller(self, caller: _Caller, data: bytes) -> None:
        try:
            caller.link.write(data)
        except LinkClosed:
            self._hang_up(caller)

    def _hang_up(self, caller: _Caller) -> None:
        caller.link.close()
        self._callers.remove(caller)

    def _drop_client(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
