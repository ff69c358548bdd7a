"""What the system lists of a board: entries as hidapi and pyserial give them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SERIAL = "32FFD805484D363215702043"


def hid_entries(
    serial: str = f"{SERIAL}+FW",
    path: bytes = b"/dev/hidraw3",
    product: str = "Revolution",
    **changes: Any,
) -> list[Mapping[str, Any]]:
    """Both collections of a Revolution's HID interface: data, and the joystick that it plays."""
    data = {
        "path": path,
        "vendor_id": 0x20A0,
        "product_id": 0x415E,
        "serial_number": serial,
        "release_number": 0x0501 if serial.endswith("+BL") else 0x0502,
        "product_string": product,
        "usage_page": 0xFF9C,
        "usage": 1,
        "interface_number": 2,
        **changes,
    }
    return [data, {**data, "usage_page": 1, "usage": 4}]


@dataclass(slots=True)
class SerialEntry:
    """What pyserial lists of a board's serial port."""

    device: str = "/dev/ttyACM0"
    serial_number: str | None = f"{SERIAL}+FW"
    vid: int | None = 0x20A0
    pid: int | None = 0x415E
    product: str | None = "Revolution"
    description: str = "Revolution"
