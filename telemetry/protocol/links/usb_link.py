"""USB link: telemetry in the HID reports of one board."""

import math
from typing import Final

from telemetry.protocol.links.hid import HidDevice
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.report_queue import ReportQueue
from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard, address_of
from telemetry.protocol.links.usb_reports import REPORT_BYTES, payload_of

_MOST_REPORTS: Final = 256
"""A flood must not keep a read from ending."""

_UNKNOWN_MODE: Final = (
    "The board does not say whether its firmware or its bootloader runs. If nothing comes, look at "
    "the page Firmware in Configure."
)


class UsbLink:
    """An open HID interface. Reports that cannot be are left out: what a frame lost by it, its
    checksum says."""

    can_write = True

    def __init__(self, board: UsbBoard, device: HidDevice) -> None:
        self.board = board
        self.name = board.name
        self.address = address_of(board)
        self.progress = _UNKNOWN_MODE if board.mode is BoardMode.UNKNOWN else ""
        self.queue = ReportQueue(device, board.name)
        self._device = device
        self._is_closed = False

    def start(self) -> "UsbLink":
        """Send what is written, in a thread of its own: without, whoever steps the queue does."""
        self.queue.start()
        return self

    def read(self, timeout_s: float) -> bytes:
        """Wait for the first report, then take all that are there; see `Link.read`."""
        payloads = []
        wait_ms = math.ceil(timeout_s * 1e3)
        for _ in range(_MOST_REPORTS):
            report = self._report(wait_ms)
            if not report:
                break
            payloads.append(payload_of(report))
            wait_ms = 0
        return b"".join(payloads)

    def write(self, data: bytes) -> None:
        """Have `data` sent as soon as the board takes it; see `Link.write`."""
        if self._is_closed:
            raise self._gone()
        self.queue.put(data)

    def close(self) -> None:
        """Let go of the board."""
        if not self._is_closed:
            self._is_closed = True
            self.queue.end()

    def _report(self, wait_ms: int) -> bytes:
        if self._is_closed:
            raise self._gone()
        try:
            return bytes(self._device.read(REPORT_BYTES, wait_ms))
        except (OSError, ValueError) as error:
            raise self._gone() from error

    def _gone(self) -> LinkClosed:
        return LinkClosed(f"{self.name} was unplugged. Plug it in again to reconnect.")
