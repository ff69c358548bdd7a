"""Capacity of a link: what it carries in one direction at most, as its address tells."""

import math
import re
from typing import Final

from telemetry.protocol.links.address import parse_serial, scheme_of
from telemetry.protocol.links.usb_reports import PAYLOAD_BYTES

_REPORT_EVERY_S: Final = 0.004
"""The interval of a board's HID endpoints (pios_usb_desc_hid_cdc.c)."""
_BITS_PER_BYTE: Final = 10
_USB_SERIAL: Final = re.compile(r"ttyACM\d+$|usbmodem")
"""A board's own serial port by USB, whose baud rate means nothing."""


def line_bytes_per_s(address: str) -> float:
    """Bytes per second each way; infinite where the address does not tell, as of networks, or
    there is none. Raises AddressError."""
    scheme = scheme_of(address) if address else ""
    if scheme == "usb":
        return PAYLOAD_BYTES / _REPORT_EVERY_S
    if scheme != "serial":
        return math.inf
    serial = parse_serial(address)
    return math.inf if _USB_SERIAL.search(serial.device) else serial.baud / _BITS_PER_BYTE
