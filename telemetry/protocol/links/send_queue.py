"""Send queue: what was written to a link and has not left yet, where the system tells.

So nothing that was meant for an instant arrives much later."""

import socket
import struct
import sys
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from telemetry.protocol.links.link import Link, LinkClosed

_ACKNOWLEDGED_S: Final = 0.25
"""A good TCP connection has delivered what was written so long ago, delayed acknowledgements (up
to 0.2 s) included."""
_MACOS_SO_NWRITE: Final = 0x1024
_LINUX_SIOCOUTQNSD: Final = 0x894B


class SendQueue(Protocol):
    """The system's queue of one link. What is in it for longer than `delivery_s` is stuck."""

    delivery_s: float

    def waiting_bytes(self) -> int:
        """How much of what was written is not known to have arrived, or where nobody tells that, to
        have left."""

    def unsent_bytes(self) -> int:
        """How much of what was written has not left yet; 0 where nobody tells."""

    def discard(self) -> None:
        """Have nothing of it sent any more. Raises LinkClosed where that ends the link."""


def send_queue_of(link: Link) -> SendQueue | None:
    """A link's queue: its `queue`, where it has one."""
    queue: SendQueue | None = getattr(link, "queue", None)
    return queue


class TcpSendQueue:
    """What the other side of a TCP connection has not acknowledged."""

    delivery_s = _ACKNOWLEDGED_S

    def __init__(
        self,
        connected: socket.socket,
        name: str,
        waiting: Callable[[], int],
        unsent: Callable[[], int],
    ) -> None:
        self._socket = connected
        self._name = name
        self._waiting = waiting
        self._unsent = unsent

    def waiting_bytes(self) -> int:
        """See `SendQueue.waiting_bytes`."""
        return self._waiting()

    def unsent_bytes(self) -> int:
        """See `SendQueue.unsent_bytes`. What is under way over a long connection counts as sent:
        at 50 Hz and 60 ms of round trip that is four readings of the sticks, of a link that works.
        """
        return self._unsent()

    def discard(self) -> None:
        """Break the connection off: there is no other way to take back what was written."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()
        raise LinkClosed(f"{self._name} has taken nothing for {self.delivery_s} s.")


def tcp_send_queue(connected: socket.socket, name: str) -> TcpSendQueue | None:
    """The queue of a connection; None where the system does not tell (Windows).

    A small SO_SNDBUF does not do instead: the smallest that Linux gives (4608) still takes five
    readings of the sticks, 0.1 s of them, from a writer who can take none of them back.
    """
    ask = _ASK.get(sys.platform)
    if ask is None:
        return None
    waiting, unsent = ask
    return TcpSendQueue(connected, name, partial(waiting, connected), partial(unsent, connected))


def _linux_waiting(connected: socket.socket) -> int:
    """Bytes that are not acknowledged (SIOCOUTQ); none once the connection is gone."""
    import termios  # there is none on Windows

    return _linux_told(connected, termios.TIOCOUTQ)


def _linux_unsent(connected: socket.socket) -> int:
    """Bytes that have not been sent for the first time (SIOCOUTQNSD)."""
    return _linux_told(connected, _LINUX_SIOCOUTQNSD)


def _linux_told(connected: socket.socket, question: int) -> int:
    import fcntl  # there is none on Windows

    try:
        told = fcntl.ioctl(connected.fileno(), question, b"\0" * 4)
    except (OSError, ValueError):
        return 0
    (waiting,) = struct.unpack("i", told)
    return int(waiting)


def _macos_waiting(connected: socket.socket) -> int:
    try:
        return connected.getsockopt(socket.SOL_SOCKET, _MACOS_SO_NWRITE)
    except OSError:
        return 0


def _macos_unsent(_connected: socket.socket) -> int:
    """It tells only what is not acknowledged, sent or not."""
    return 0


_Ask = Callable[[socket.socket], int]
_ASK: Final[dict[str, tuple[_Ask, _Ask]]] = {
    "linux": (_linux_waiting, _linux_unsent),
    "darwin": (_macos_waiting, _macos_unsent),
}
