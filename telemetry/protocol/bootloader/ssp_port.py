"""Serial port of a bootloader without USB: packets in SSP frames, each acknowledged.

Source: flight/libraries/ssp.c and ground/gcs/src/plugins/uploader/SSP/qssp.cpp of LibrePilot. The
line runs at 57600 baud. A board sends each answer once: one that is lost is asked for again.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.protocol.bootloader.packets import PACKET_BYTES
from telemetry.protocol.bootloader.ssp_frame import FrameReader, make_frame
from telemetry.protocol.links.link import Link, LinkClosed

BAUD: Final = 57600
LINE: Final = "ssp:"
"""What the address of a bootloader on a serial line begins with; those by USB are as for links."""

_SYNCHRONISE: Final = 0
_ACKNOWLEDGED: Final = 0x80
_LAST_SEQUENCE: Final = 0x7F
_RETRY_S: Final = 1.0
_TRIES_TO_FIND: Final = 10
_TRIES: Final = 45
"""As long as a board may be busy with erasing: it acknowledges nothing meanwhile."""


class SspPort:
    """A bootloader on a serial line, which is closed with it. Raises LinkClosed where none answers
    there."""

    def __init__(self, link: Link, clock: Callable[[], float] = monotonic_s) -> None:
        self.name = link.name
        self._link = link
        self._clock = clock
        self._frames = FrameReader()
        self._arrived: deque[bytes] = deque()
        self._sent = 0
        self._seen = -1
        self._acknowledged = -1
        try:
            self._deliver(_SYNCHRONISE, b"", _TRIES_TO_FIND)
        except LinkClosed:
            link.close()
            raise

    def send(self, packet: bytes) -> None:
        """See `PacketPort.send`; it returns once the board has acknowledged the packet."""
        self._sent = self._sent % _LAST_SEQUENCE + 1
        self._deliver(self._sent, packet)

    def receive(self, timeout_s: float) -> bytes | None:
        """See `PacketPort.receive`."""
        until_s = self._clock() + timeout_s
        while not self._arrived:
            left_s = until_s - self._clock()
            self._read(max(0.0, left_s))
            if left_s <= 0.0:
                break
        return self._arrived.popleft() if self._arrived else None

    def close(self) -> None:
        """See `PacketPort.close`."""
        self._link.close()

    def _deliver(self, sequence: int, data: bytes, tries: int = _TRIES) -> None:
        self._acknowledged = -1
        for _ in range(tries):
            self._link.write(make_frame(sequence, data))
            until_s = self._clock() + _RETRY_S
            while (left_s := until_s - self._clock()) > 0.0:
                self._read(left_s)
                if self._acknowledged == sequence:
                    return
        raise LinkClosed(
            f"No bootloader answers at {self.name}. Check the cable, and restart the board."
        )

    def _read(self, timeout_s: float) -> None:
        for sequence, data in self._frames.feed(self._link.read(timeout_s)):
            if sequence & _ACKNOWLEDGED:
                self._acknowledged = sequence & ~_ACKNOWLEDGED
                continue
            self._link.write(make_frame(sequence | _ACKNOWLEDGED))
            if sequence not in (self._seen, _SYNCHRONISE) and len(data) == PACKET_BYTES:
                self._arrived.append(data)
            self._seen = sequence
