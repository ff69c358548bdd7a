"""Report queue: bytes on their way to a board by HID, sent by a thread of its own.

The system keeps a writer waiting until the board takes a report, and fails after 1 s (Windows) or
5 s (Linux) where it does not: neither holds up who reads.
"""

import threading
from typing import Final

from telemetry.protocol.links.hid import HidDevice
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.usb_reports import PAYLOAD_BYTES, report_of

_FAREWELL_S: Final = 0.2


class ReportQueue:
    """Takes bytes at once, and says what of them has not left yet. Also the link's `SendQueue`."""

    delivery_s = 0.1

    def __init__(self, device: HidDevice, name: str) -> None:
        self._device = device
        self._name = name
        self._changed = threading.Condition()
        self._waiting = bytearray()
        self._leaving = 0
        self._has_failed = False
        self._is_ended = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Send what is put in, in a thread."""
        self._thread = threading.Thread(target=self._run, name=f"usb {self._name}", daemon=True)
        self._thread.start()

    def put(self, data: bytes) -> None:
        """Have bytes sent. Raises LinkClosed once the board takes none any more."""
        if self._has_failed:
            raise LinkClosed(
                f"{self._name} takes no more data. Plug it in again; if that does not help, "
                "telemetry may be switched off on its HID port (HwSettings.USB_HIDPort)."
            )
        with self._changed:
            self._waiting += data
            self._changed.notify()

    def send_next(self) -> bool:
        """Send a report, waiting until the board takes it; False if there is nothing to send."""
        with self._changed:
            payload = bytes(self._waiting[:PAYLOAD_BYTES])
            del self._waiting[:PAYLOAD_BYTES]
            self._leaving = len(payload)
        if not payload:
            return False
        try:
            has_left = self._device.write(report_of(payload)) > 0
        except (OSError, ValueError):
            has_left = False
        with self._changed:
            self._leaving = 0
            self._has_failed = self._has_failed or not has_left
        return True

    def waiting_bytes(self) -> int:
        """See `SendQueue.waiting_bytes`."""
        return self.unsent_bytes()

    def unsent_bytes(self) -> int:
        """See `SendQueue.unsent_bytes`."""
        return len(self._waiting) + self._leaving

    def discard(self) -> None:
        """Drop what has not begun to leave; the device stays open."""
        with self._changed:
            self._waiting.clear()

    def end(self) -> None:
        """Send what is still in it, a farewell, and no more; then the device is closed. What a
        board does not take soon is not waited for."""
        with self._changed:
            self._is_ended = True
            self._changed.notify()
        if self._thread is None:
            self._device.close()
        else:
            self._thread.join(_FAREWELL_S)

    def _run(self) -> None:
        while self._is_wanted():
            self.send_next()
        self._device.close()

    def _is_wanted(self) -> bool:
        """Wait for something to send; False once there is nothing, and never will be."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_ended or self._can_send())
            return self._can_send()

    def _can_send(self) -> bool:
        return bool(self._waiting) and not self._has_failed
