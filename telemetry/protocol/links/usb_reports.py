"""HID reports of a board in firmware: bytes of telemetry behind the report's id and their number.

Facts: flight/pios/stm32f4xx/pios_usb_hid.c of LibrePilot. A bootloader has no number in between.
"""

from collections.abc import Sequence
from typing import Final

REPORT_BYTES: Final = 64
PAYLOAD_BYTES: Final = 62
TO_BOARD: Final = 2
FROM_BOARD: Final = 1


def report_of(payload: bytes) -> bytes:
    """The report that carries 1 to 62 bytes to a board."""
    return (bytes((TO_BOARD, len(payload))) + payload).ljust(REPORT_BYTES, b"\0")


def payload_of(report: Sequence[int]) -> bytes:
    """What a report from a board carries; nothing where it is one of its joystick, of no kind there
    is, cut short or says of itself that it is longer than it can be."""
    kind, length = report[:2] if len(report) > 1 else (0, 0)
    payload = bytes(report[2 : 2 + length])
    is_whole = kind == FROM_BOARD and len(payload) == length <= PAYLOAD_BYTES
    return payload if is_whole else b""
