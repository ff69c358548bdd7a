"""HID port: packets to a bootloader in USB reports, whose id stands in front of the 63 bytes."""

from collections import deque
from typing import Final

from telemetry.protocol.links.hid import HidDevice
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.usb_reports import FROM_BOARD, REPORT_BYTES, TO_BOARD

_BUSY_READS: Final = 450
_BUSY_READ_MS: Final = 100
"""While it erases, a board takes no report: tried again for 45 s, between reading what comes."""


class HidPort:
    """A bootloader on USB. No byte tells a length, unlike the reports of firmware."""

    def __init__(self, device: HidDevice, name: str) -> None:
        self.name = name
        self._device = device
        self._waiting: deque[bytes] = deque()

    def send(self, packet: bytes) -> None:
        """See `PacketPort.send`."""
        for _ in range(_BUSY_READS):
            if self._write(bytes((TO_BOARD,)) + packet):
                return
            if (came := self._read(_BUSY_READ_MS)) is not None:
                self._waiting.append(came)
        raise LinkClosed(f"{self.name} takes no more data. Unplug it and plug it in again.")

    def receive(self, timeout_s: float) -> bytes | None:
        """See `PacketPort.receive`."""
        if self._waiting:
            return self._waiting.popleft()
        return self._read(int(timeout_s * 1000))

    def close(self) -> None:
        """See `PacketPort.close`."""
        self._device.close()

    def _write(self, report: bytes) -> bool:
        try:
            return self._device.write(report) >= 0
        except (OSError, ValueError) as error:
            raise self._gone() from error

    def _read(self, timeout_ms: int) -> bytes | None:
        try:
            report = bytes(self._device.read(REPORT_BYTES, timeout_ms))
        except (OSError, ValueError) as error:
            raise self._gone() from error
        is_whole = len(report) == REPORT_BYTES and report[0] == FROM_BOARD
        return report[1:] if is_whole else None

    def _gone(self) -> LinkClosed:
        return LinkClosed(f"{self.name} was unplugged. Plug it in again.")
