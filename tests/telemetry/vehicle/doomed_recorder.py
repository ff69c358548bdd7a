"""A process that records a flight from an address, until somebody kills it.

Each time its worker asks the link for more it adds a line to `NOTES` in the second folder: how many
bytes it had been handed before, and how much processor time that thread had taken.
"""

import sys
import threading
import time
from pathlib import Path
from typing import TextIO

from telemetry.protocol.links.link import Link
from telemetry.protocol.links.opening import open_link
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.vehicle.connection import connect

NOTES = "handed over.txt"


class NotingLink:
    """A link that notes what it has handed over."""

    def __init__(self, inner: Link, notes: TextIO) -> None:
        self.name, self.address, self.can_write = inner.name, inner.address, inner.can_write
        self._inner = inner
        self._notes = notes
        self._handed_over = 0

    def read(self, timeout_s: float) -> bytes:
        self._notes.write(f"{self._handed_over} {time.thread_time()}\n")
        self._notes.flush()
        data = self._inner.read(timeout_s)
        self._handed_over += len(data)
        return data

    def write(self, data: bytes) -> None:
        self._inner.write(data)

    def close(self) -> None:
        self._inner.close()


def main() -> None:
    notes = (Path(sys.argv[3]) / NOTES).open("w", encoding="utf-8")
    vehicle = connect(
        sys.argv[1],
        lambda address: NotingLink(open_link(address), notes),
        load_catalogue(),
        Path(sys.argv[2]),
    )
    threading.Event().wait()
    vehicle.close()


if __name__ == "__main__":
    main()
