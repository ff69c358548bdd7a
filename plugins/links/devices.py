"""Boards and serial ports that are plugged in now."""

from collections.abc import Sequence

from serial.tools import list_ports

from plugins.api import Device
from telemetry.protocol.links.address import SerialAddress
from telemetry.protocol.links.hid import load_hid
from telemetry.protocol.links.serial import present_devices
from telemetry.protocol.links.usb_boards import address_of, present_boards


def usb_devices() -> Sequence[Device]:
    """The boards, each once, with what runs on it."""
    boards = present_boards(load_hid(), list_ports.comports())
    return [Device(address_of(board), board.title) for board in boards]


def serial_devices() -> Sequence[Device]:
    """The serial ports that are no board's own, at the usual speed of telemetry."""
    return [Device(str(SerialAddress(port.device)), port.title) for port in present_devices()]
