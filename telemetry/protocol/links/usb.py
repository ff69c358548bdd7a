"""USB boards: finding the one that is meant, and opening it for telemetry."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from serial.tools import list_ports

from telemetry.protocol.links.address import AddressError, SerialAddress, parse_usb
from telemetry.protocol.links.hid import HidAccess, load_hid
from telemetry.protocol.links.link import Link, LinkError, NotThere
from telemetry.protocol.links.serial import open_serial
from telemetry.protocol.links.usb_boards import (
    BoardMode,
    PortEntry,
    UsbBoard,
    address_of,
    bare_serial,
    present_boards,
)
from telemetry.protocol.links.usb_link import UsbLink
from telemetry.protocol.links.usb_search import UsbSearch

NO_HID: Final = "hidapi cannot be loaded. Run `python -m pip install hidapi`."


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
    serial = bare_serial(parse_usb(address))
    board = board_meant(serial, present_boards(hid, ports), NO_HID if hid is None else "")
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
    link = _open_hid(board, hid)
    return UsbSearch(board, link, lambda: open_port(port)) if board.port else link


def board_meant(serial: str, boards: Sequence[UsbBoard], why_none: str = "") -> UsbBoard:
    """The board of a serial number, or for "" the only one. Raises NotThere, with `why_none` it
    may not be seen, and AddressError where there are several."""
    meant = [board for board in boards if serial.casefold() in ("", board.serial.casefold())]
    if not meant:
        which = f"with the serial number {serial} " if serial else ""
        raise NotThere(f"No board {which}is plugged in by USB. {why_none or 'Plug it in.'}")
    if len(meant) > 1:
        named = " and ".join(f"{board.title} {address_of(board)}" for board in meant)
        raise AddressError(
            f"Several boards are plugged in: {named}. Say which one by its "
            "address, or unplug the others."
        )
    return meant[0]


def _open_hid(board: UsbBoard, hid: HidAccess) -> UsbLink:
    try:
        device = hid.open(board.hid_path)
    except OSError as error:
        raise LinkError(_opening_failed(board)) from error
    return UsbLink(board, device).start()


def _opening_failed(board: UsbBoard) -> str:
    path = board.hid_path.decode(errors="replace")
    if sys.platform == "linux" and Path(path).exists() and not may_open(board):
        return (
            f"{board.name} ({path}) may not be opened by this user. Run `lapwing doctor`: it "
            "prints the udev rule that allows it."
        )
    return f"{board.name} cannot be opened. Close other programs that use it, or plug it in again."


def may_open(board: UsbBoard) -> bool:
    """Whether this user may read and write the HID of a board, as far as the path tells."""
    return os.access(board.hid_path, os.R_OK | os.W_OK)
