"""HID of a USB board: whether this user may open it, opening it, and in words why that failed."""

import os
import sys
from pathlib import Path
from typing import Final

from telemetry.protocol.links.hid import HidAccess, HidDevice
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.links.usb_boards import UsbBoard

NO_HID: Final = "hidapi cannot be loaded. Run `python -m pip install hidapi`."


def open_hid(board: UsbBoard, hid: HidAccess | None) -> HidDevice:
    """Open the interface for data. Raises LinkError, which names the remedy."""
    if hid is None:
        raise LinkError(NO_HID)
    try:
        return hid.open(board.hid_path)
    except OSError as error:
        raise LinkError(_why_not(board)) from error


def may_open(board: UsbBoard) -> bool:
    """Whether this user may read and write it, as far as its path tells."""
    return os.access(board.hid_path, os.R_OK | os.W_OK)


def _why_not(board: UsbBoard) -> str:
    path = board.hid_path.decode(errors="replace")
    if sys.platform == "linux" and Path(path).exists() and not may_open(board):
        return (
            f"{board.name} ({path}) may not be opened by this user. Run `lapwing doctor`: it "
            "prints the udev rule that allows it."
        )
    return f"{board.name} cannot be opened. Close other programs that use it, or plug it in again."
