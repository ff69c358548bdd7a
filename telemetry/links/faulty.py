"""A bad link, for tests: damages, loses and doubles what another link delivers. Repeatable."""

import random
from dataclasses import dataclass

from telemetry.links.link import Link


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong while receiving.

    `flip_every` inverts one byte in so many (0: none); `loss` and `doubling` are the shares of
    reads that vanish or come twice.
    """

    flip_every: int = 0
    loss: float = 0.0
    doubling: float = 0.0
    seed: int = 1


class FaultyLink:
    """Wraps a link; what is written passes unharmed."""

    def __init__(self, inner: Link, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults
        self._random = random.Random(faults.seed)
        self._passed = 0
        self.name = inner.name
        self.address = inner.address
        self.can_write = inner.can_write

    def read(self, timeout_s: float) -> bytes:
        """What the inner link delivers, damaged."""
        data = self._inner.read(timeout_s)
        if not data or self._random.random() < self._faults.loss:
            return b""
        data = self._flipped(data)
        return data * 2 if self._random.random() < self._faults.doubling else data

    def write(self, data: bytes) -> None:
        """Pass on."""
        self._inner.write(data)

    def close(self) -> None:
        """Close the inner link."""
        self._inner.close()

    def _flipped(self, data: bytes) -> bytes:
        every = self._faults.flip_every
        if not every:
            return data
        damaged = bytearray(data)
        for index in range(every - 1 - self._passed % every, len(damaged), every):
            damaged[index] ^= 0xFF
        self._passed += len(damaged)
        return bytes(damaged)
