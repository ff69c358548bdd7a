"""Faulty link: a bad radio that loses, delays, damages and doubles what passes.

It wraps another link, may be slow, and is repeatable.

The simulator puts it between itself and the station, so that a user sees what a poor link does;
tests put it wherever bytes travel. Faults may be changed while the link is in use.
"""

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from telemetry.protocol.links.link import Link
from telemetry.protocol.links.send_queue import SendQueue, send_queue_of

_PACKET_BYTES = 64
"""What a telemetry radio sends at once, and therefore loses at once."""
_BUFFER_BYTES = 2048
"""What a slow radio keeps waiting; what comes on top of it is lost."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong, in both directions alike.

    `loss` and `doubling` are the shares of packets that vanish or come twice, `corruption` the
    share of bytes with one bit turned over. `latency_s` is how much later everything arrives.
    `bytes_per_s` is what a direction can carry, 0 without end: more waits, and in the end is lost.
    """

    loss: float = 0.0
    corruption: float = 0.0
    latency_s: float = 0.0
    doubling: float = 0.0
    bytes_per_s: float = 0.0

    @property
    def is_harmless(self) -> bool:
        """Whether all that is sent arrives as it was."""
        return not (self.loss or self.corruption or self.doubling)


NONE = Faults()


class _Direction:
    """What is under way in one direction, in packets, each with the time of its arrival."""

    def __init__(self) -> None:
        self.packets: deque[tuple[float, bytes]] = deque()
        self._free_s = 0.0

    def put(self, data: bytes, faults: Faults, now_s: float) -> None:
        """Send data, as far as it finds room."""
        speed = faults.bytes_per_s
        if not speed:
            self.packets.append((now_s + faults.latency_s, data))
            return
        for start in range(0, len(data), _PACKET_BYTES):
            packet = data[start : start + _PACKET_BYTES]
            begin_s = max(now_s, self._free_s)
            if (begin_s - now_s) * speed > _BUFFER_BYTES:
                return
            self._free_s = begin_s + len(packet) / speed
            self.packets.append((self._free_s + faults.latency_s, packet))

    def arrived(self, now_s: float) -> Iterator[bytes]:
        """Take what has arrived."""
        while self.packets and self.packets[0][0] <= now_s:
            yield self.packets.popleft()[1]


class FaultyLink:
    """Wraps a link. `faults` may be replaced at any time; what is under way keeps its delay.

    Delayed words go out when the link is next read or written, so it must be read regularly.
    """

    def __init__(
        self, inner: Link, faults: Faults, clock: Callable[[], float], seed: int = 1
    ) -> None:
        self.faults = faults
        self.name = inner.name
        self.address = inner.address
        self.can_write = inner.can_write
        self._inner = inner
        self._clock = clock
        self._random = random.Random(seed)
        self._incoming = _Direction()
        self._outgoing = _Direction()

    @property
    def queue(self) -> SendQueue | None:
        """What was written to the inner link and has not left yet."""
        return send_queue_of(self._inner)

    def read(self, timeout_s: float) -> bytes:
        """What the inner link delivered and the radio let through. See `Link.read`."""
        if self._is_clear:
            return self._inner.read(timeout_s)
        self._flush()
        data = self._inner.read(self._patience_s(timeout_s))
        if data:
            self._incoming.put(self._impair(data), self.faults, self._clock())
        self._flush()
        return b"".join(self._incoming.arrived(self._clock()))

    def write(self, data: bytes) -> None:
        """Send what the radio lets through, when it does. See `Link.write`."""
        if self._is_clear:
            self._inner.write(data)
            return
        self._outgoing.put(self._impair(data), self.faults, self._clock())
        self._flush()

    def close(self) -> None:
        """Close the inner link; what is still under way is lost."""
        self._inner.close()

    @property
    def _is_clear(self) -> bool:
        """Whether it is as if there were no radio between."""
        return self.faults == NONE and not (self._incoming.packets or self._outgoing.packets)

    def _flush(self) -> None:
        for data in self._outgoing.arrived(self._clock()):
            if data:
                self._inner.write(data)

    def _patience_s(self, timeout_s: float) -> float:
        """No longer than until the next delayed word is due."""
        queues = (self._incoming.packets, self._outgoing.packets)
        due = [queue[0][0] for queue in queues if queue]
        return min([timeout_s, *(max(at_s - self._clock(), 0.0) for at_s in due)])

    def _impair(self, data: bytes) -> bytes:
        if self.faults.is_harmless:
            return data
        packets = (data[i : i + _PACKET_BYTES] for i in range(0, len(data), _PACKET_BYTES))
        return b"".join(self._impair_packet(packet) for packet in packets)

    def _impair_packet(self, packet: bytes) -> bytes:
        faults, chance = self.faults, self._random.random
        if chance() < faults.loss:
            return b""
        if faults.corruption > 0.0:
            bits = self._random.randrange
            packet = bytes(
                byte ^ (1 << bits(8)) if chance() < faults.corruption else byte for byte in packet
            )
        return packet * 2 if chance() < faults.doubling else packet
