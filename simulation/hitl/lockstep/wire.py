"""Lockstep messages as bytes: what `simulation/hitl/lapwing_lockstep.h` says, on our side.

A message is a head (kind, size of what follows, tick) and as many bytes.
"""

import socket
import struct
from dataclasses import dataclass
from typing import Final

VERSION: Final = 1
LONGEST: Final = 65_536
"""Bytes behind a head, at most."""
FD_VARIABLE: Final = "LAPWING_LOCKSTEP_FD"
"""Where the program finds the number of its socket."""
HELLO, ADVANCE, DONE = 1, 2, 3

_HEAD = struct.Struct("<IIQ")
_HELLO = struct.Struct("<IIII")


class WireError(Exception):
    """No message came, or none that is one; the reason as words that follow the program's name.

    `has_ended`: the other end is closed.
    """

    def __init__(self, reason: str, has_ended: bool = False) -> None:
        super().__init__(reason)
        self.has_ended = has_ended


@dataclass(frozen=True, slots=True)
class Hello:
    """What a program says of itself: its ticks in us, and at every how many its sensor task runs;
    `reserved` is 0."""

    version: int
    tick_us: int
    sensor_ticks: int
    reserved: int = 0

    @property
    def sensor_us(self) -> int:
        """How often its sensor task runs, in us."""
        return self.tick_us * self.sensor_ticks


def send_hello(end: socket.socket, hello: Hello) -> None:
    """The program's first message."""
    parts = (hello.version, hello.tick_us, hello.sensor_ticks, hello.reserved)
    end.sendall(_HEAD.pack(HELLO, _HELLO.size, 0) + _HELLO.pack(*parts))


def send(end: socket.socket, kind: int, tick: int, data: bytes) -> None:
    """One message. Raises OSError; `data` has at most LONGEST bytes."""
    end.sendall(_HEAD.pack(kind, len(data), tick) + data)


def receive_hello(end: socket.socket) -> Hello:
    """The program's first message. Raises WireError."""
    kind, _, data = receive(end)
    if kind != HELLO or len(data) != _HELLO.size:
        raise WireError("does not begin with HELLO")
    return Hello(*_HELLO.unpack(data))


def receive(end: socket.socket) -> tuple[int, int, bytes]:
    """The next message: kind, tick, and what follows its head. Raises WireError."""
    kind, size, tick = _HEAD.unpack(_exactly(end, _HEAD.size))
    if size > LONGEST:
        raise WireError(f"sends {size} bytes at once, which is more than {LONGEST}")
    return kind, tick, _exactly(end, size) if size else b""


def _exactly(end: socket.socket, size: int) -> bytes:
    try:
        data = end.recv(size, socket.MSG_WAITALL)
    except BlockingIOError:  # the socket's time-out
        raise WireError("does not answer") from None
    except OSError:
        data = b""
    if len(data) == size:
        return data
    if data:
        return _rest(end, data, size)
    raise WireError("hangs up", has_ended=True)


def _rest(end: socket.socket, data: bytes, size: int) -> bytes:
    """What a signal or a time-out has cut off."""
    while len(data) < size:
        try:
            more = end.recv(size - len(data))
        except OSError:
            raise WireError("does not finish what it sends") from None
        if not more:
            raise WireError("hangs up in the middle of a message", has_ended=True)
        data += more
    return data
