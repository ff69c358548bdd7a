"""USB boards: finding the one that is meant, and opening it for telemetry."""

from collections.abc import Callable, Iterable

from serial.tools import list_ports

from telemetry.protocol.links.address import SerialAddress, parse_usb
from telemetry.protocol.links.hid import HidAccess, load_hid
from telemetry.protocol.links.link import Link, NotThere
from telemetry.protocol.links.serial import open_serial
from telemetry.protocol.links.usb_boards import (
    BoardMode,
    PortEntry,
    address_of,
    board_meant,
    present_boards,
)
from telemetry.protocol.links.usb_hid import NO_HID, open_hid
from telemetry.protocol.links.usb_link import UsbLink
from telemetry.protocol.links.usb_search import UsbSearch


def open_usb(address: str) -> Link:
    """Open "usb:SERIAL", or by "usb:" the only board there is, for telemetry.

    Raises NotThere while it is away or in its bootloader, AddressError where it is not clear which
    board is meant, and LinkError where it may not be opened; each names the remedy.
    """
    return open_among(address, load_hid(), list_ports.comports())


def open_among(
    address: str,
    hid: HidAccess | None,
    ports: Iterable[PortEntry],
    open_port: Callable[[str], Link] = open_serial,
) -> Link:
    """Open the board that an address means, of those that are listed. Raises as `open_usb`."""
    why_none = NO_HID if hid is None else ""
    board = board_meant(parse_usb(address), present_boards(hid, ports), why_none)
    if board.mode is BoardMode.BOOTLOADER:
        raise NotThere(
            f"{board.name} is in its bootloader, which has no telemetry. Open the page Firmware "
            f"in Configure, or run `lapwing firmware info {address_of(board)}`: there it is "
            "started, or gets firmware."
        )
    port = str(SerialAddress(board.port))
    if hid is None or not board.hid_path:
        opened = open_port(port)
        return UsbSearch(board, None, lambda: opened)
    link = UsbLink(board, open_hid(board, hid)).start()
    return UsbSearch(board, link, lambda: open_port(port)) if board.port else link
