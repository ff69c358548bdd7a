"""The HID interface of a board in firmware, in stepped time: a report every 4 ms in each direction.

From the facts of boards.md alone: it frames by itself, so that it does not agree by sharing code.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from telemetry.protocol.links.hid import HidAccess, HidDevice
from tests.boards.hid_entries import hid_entries
from tests.telemetry.vehicle.fakes import Clock

SLOT_S = 0.004
KEPT_REPORTS = 64
"""What the system keeps of what nobody reads (HIDRAW_BUFFER_SIZE of Linux)."""


class Flight(Protocol):
    """What flies on the board."""

    def say(self, now_s: float) -> bytes:
        """Fly until now, and what is sent since the last time."""

    def hear(self, data: bytes, now_s: float) -> None:
        """Bytes from the station."""


class EmulatedHid:
    """A `HidDevice`, and the board behind it. Reading lets time pass, slot by slot. `writer` is
    called once in each slot, in the place of the thread that writes; without, nobody counts them.
    """

    def __init__(self, clock: Clock, flight: Flight) -> None:
        self.writer: Callable[[], object] | None = None
        self.is_plugged_in = True
        self.takes_reports = True
        self.is_closed = False
        self.loses_every = 0
        """Of so many reports to the station one is lost; 0: none."""
        self.lost_reports = self._sent_reports = 0
        self.sent_bytes = self.heard_bytes = 0
        self._clock = clock
        self._flight = flight
        self._next_slot_s = clock.now + SLOT_S
        self._said = bytearray()
        self._kept: deque[bytes] = deque()
        self._is_slot_free = True

    def read(self, max_length: int, timeout_ms: int = 0) -> Sequence[int]:
        """See `HidDevice`."""
        until_s = self._clock.now + timeout_ms / 1e3
        self._check()
        while not self._kept and self._next_slot_s <= until_s:
            self._clock.now = self._next_slot_s
            self._slot()
        if not self._kept:
            self._clock.now = max(self._clock.now, until_s)
            return []
        return list(self._kept.popleft()[:max_length])

    def write(self, data: bytes) -> int:
        """See `HidDevice`."""
        self._check()
        assert self._is_slot_free or self.writer is None, "two reports in one slot"
        assert len(data) == 64
        if not self.takes_reports:
            return -1
        self._is_slot_free = False
        assert data[0] == 2, "the id of what goes to a board"
        assert 1 <= data[1] <= 62
        self.heard_bytes += data[1]
        self._flight.hear(bytes(data[2 : 2 + data[1]]), self._clock.now)
        return len(data)

    def close(self) -> None:
        """See `HidDevice`."""
        self.is_closed = True

    def put(self, report: bytes) -> None:
        """The board sends this report, whatever it is."""
        self._sent_reports += 1
        is_lost = self.loses_every and not self._sent_reports % self.loses_every
        if is_lost or len(self._kept) == KEPT_REPORTS:
            self.lost_reports += 1
        else:
            self._kept.append(report)

    def _slot(self) -> None:
        """Four milliseconds: a report may go each way."""
        self._next_slot_s += SLOT_S
        self._is_slot_free = True
        if self.writer is not None:
            self.writer()
        self._said += self._flight.say(self._clock.now)
        if self._said:
            part = bytes(self._said[:62])
            del self._said[:62]
            self.sent_bytes += len(part)
            self.put(b"\x01" + bytes([len(part)]) + part + bytes(62 - len(part)))

    def _check(self) -> None:
        if not self.is_plugged_in or self.is_closed:
            raise OSError("read error")


class EmulatedUsb:
    """What is plugged in: devices by their paths, as hidapi lists them."""

    def __init__(self) -> None:
        self.devices: dict[bytes, tuple[EmulatedHid, str]] = {}
        self.refuses = False
        self.release_number: int | None = None
        """What all say of themselves, in the place of what fits their serial numbers."""

    def plug_in(self, device: EmulatedHid, serial: str, path: bytes = b"/dev/hidraw3") -> None:
        """`serial` with its end, +FW or +BL."""
        self.devices[path] = device, serial

    def unplug(self, path: bytes = b"/dev/hidraw3") -> None:
        """The cable is pulled."""
        device, _ = self.devices.pop(path)
        device.is_plugged_in = False

    @property
    def access(self) -> HidAccess:
        """The two functions of hidapi."""
        return HidAccess(self._enumerate, self._open)

    def _enumerate(self) -> Sequence[Mapping[str, Any]]:
        told: dict[str, Any] = (
            {} if self.release_number is None else {"release_number": self.release_number}
        )
        return [
            entry
            for path, (_, serial) in self.devices.items()
            for entry in hid_entries(serial, path, **told)
        ]

    def _open(self, path: bytes) -> HidDevice:
        if self.refuses or path not in self.devices:
            raise OSError("open failed")
        return self.devices[path][0]
