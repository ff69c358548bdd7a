"""HID reports of a board in firmware: bytes of telemetry behind the report's id and their number.

Facts: flight/pios/stm32f4xx/pios_usb_hid.c of LibrePilot. A bootloader has no number in between.
"""

from collections.abc import Sequence
from typing import Final

REPORT_BYTES: Final = 64
PAYLOAD_BYTES: Final = 62
TO_BOARD: Final = 2
FROM_BOARD: Final = 1
JOYSTICK: Final = 3
"""The sticks that a board plays on the same interface; its report carries no telemetry."""


def report_of(payload: bytes) -> bytes:
    """The report that carries 1 to 62 bytes to a board."""
    return (bytes((TO_BOARD, len(payload))) + payload).ljust(REPORT_BYTES, b"\0")


def payload_of(report: Sequence[int]) -> bytes | None:
    """What a report from a board carries, b"" for one of its joystick; None for one that is of no
    kind there is, cut short or says of itself that it is longer than it can be."""
    head, body = bytes(report[:2]), bytes(report[2:])
    if len(head) < 2 or head[0] not in (FROM_BOARD, JOYSTICK):
        return None
    if head[0] == JOYSTICK:
        return b""
    length = head[1]
    return body[:length] if 1 <= length <= min(PAYLOAD_BYTES, len(body)) else None
