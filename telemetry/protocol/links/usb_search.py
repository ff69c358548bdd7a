"""Search for telemetry on a board that shows HID and a serial port: a setting on board says where.

HID carries nothing else, so it is spoken to from the beginning. The serial port may be bridged to
a GPS, or be another program's: it is left alone while HID may still answer, and nothing is written
to it before a whole frame came from it. A board that has nobody to talk to sends one every 4 s
(STATS_UPDATE_PERIOD_MS of flight/modules/Telemetry/telemetry.c).
"""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from telemetry.protocol.links.link import Link, LinkClosed, LinkError, progress_of
from telemetry.protocol.links.send_queue import SendQueue, send_queue_of
from telemetry.protocol.links.usb_boards import UsbBoard, address_of
from telemetry.protocol.wire.decoder import FrameDecoder

HID_ALONE_S: Final = 2.0
"""What a board that has just started may take before it answers."""


@dataclass(slots=True)
class _Candidate:
    link: Link
    decoder: FrameDecoder = field(default_factory=FrameDecoder)

    def hear(self, timeout_s: float) -> tuple[bytes, bool]:
        """What arrived, and whether a whole frame is among it."""
        data = self.link.read(timeout_s)
        return data, bool(self.decoder.feed(data))


class UsbSearch:
    """The link to a board by the first of its two ways that a whole frame is heard on."""

    can_write = True

    def __init__(
        self,
        board: UsbBoard,
        hid: Link | None,
        open_port: Callable[[], Link],
    ) -> None:
        self.board = board
        self.name = board.name
        self.address = address_of(board)
        self.queue = _CarrierQueue(self)
        self.carrier: Link | None = None
        self.progress = progress_of(hid) if hid else ""
        self._hid = _Candidate(hid) if hid else None
        self._port: _Candidate | None = None
        self._open_port = open_port
        self._port_in_s = HID_ALONE_S if hid else 0.0

    def read(self, timeout_s: float) -> bytes:
        """What the carrier delivers; before there is one, what HID does; see `Link.read`."""
        if self.carrier is not None:
            return self.carrier.read(timeout_s)
        if self._port_in_s <= 0.0:
            self._listen_to_port()
        if self._port is not None:
            said, is_telemetry = self._port.hear(0.0 if self._hid else timeout_s)
            if is_telemetry:
                self._settle(self._port)
                return said
        if self._hid is None:
            return b""
        data, is_telemetry = self._hid.hear(timeout_s)
        self._port_in_s -= timeout_s  # as long as nothing comes, so long was waited
        if is_telemetry:
            self._settle(self._hid)
        return data

    def write(self, data: bytes) -> None:
        """Send to the carrier; before there is one, to HID, which need not take it."""
        if self.carrier is not None:
            self.carrier.write(data)
        elif self._hid is not None:
            with suppress(LinkClosed):
                self._hid.link.write(data)

    def close(self) -> None:
        """Close both."""
        for candidate in (self._hid, self._port):
            if candidate is not None:
                candidate.link.close()

    def _listen_to_port(self) -> None:
        """Once: a port that another program holds is none of ours."""
        self._port_in_s = math.inf
        try:
            self._port = _Candidate(self._open_port())
            self.progress = f"Waiting for telemetry by HID, and on {self.board.port}."
        except LinkError as error:
            self.progress = f"No telemetry has come by HID so far. {error}"

    def _settle(self, found: _Candidate) -> None:
        self.carrier, self.progress = found.link, ""
        for other in (self._hid, self._port):
            if other is not None and other is not found:
                other.link.close()


class _CarrierQueue:
    """The queue of the link that carries telemetry, once that is known."""

    def __init__(self, search: UsbSearch) -> None:
        self._search = search

    @property
    def delivery_s(self) -> float:
        queue = self._queue()
        return queue.delivery_s if queue else 0.0

    def waiting_bytes(self) -> int:
        queue = self._queue()
        return queue.waiting_bytes() if queue else 0

    def unsent_bytes(self) -> int:
        queue = self._queue()
        return queue.unsent_bytes() if queue else 0

    def discard(self) -> None:
        if queue := self._queue():
            queue.discard()

    def _queue(self) -> SendQueue | None:
        carrier = self._search.carrier
        return send_queue_of(carrier) if carrier else None
