"""Bootloaders within reach: what is plugged in, and what is asked of one, its port open only
meanwhile. All of it may take long.

    LinkError          a board cannot be reached, or is gone; NotThere: it may come
    BootloaderError    it did not do what it was asked
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from telemetry.configuration.firmware.board_check import FlashContent, read_content
from telemetry.configuration.firmware.claims import Claims
from telemetry.configuration.firmware.upload import Connect, HeldBoard
from telemetry.configuration.firmware.waiting import BoardWait, the_bootloader
from telemetry.protocol.bootloader.client import Bootloader
from telemetry.protocol.bootloader.hid_port import HidPort
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.bootloader.packets import State
from telemetry.protocol.bootloader.ssp_port import BAUD, SspPort
from telemetry.protocol.links.hid import load_hid
from telemetry.protocol.links.link import LinkError, NotThere
from telemetry.protocol.links.serial import open_serial
from telemetry.protocol.links.usb_boards import UsbBoard, present_boards

LINE: Final = "ssp:"
"""What the address of a bootloader on a serial line begins with; those by USB are as for links."""
USB: Final = "usb:"


@dataclass(frozen=True, slots=True)
class BoardReading:
    """What a bootloader told. Unless `is_held` it starts its firmware within 6 s of being plugged
    in. What stands behind the code was read where it was ready."""

    content: FlashContent
    is_held: bool


@dataclass(frozen=True, slots=True)
class Bootloaders:
    """`look` lists the boards that are plugged in by USB and the serial ports; `open_usb` and
    `open_line` open the port of a bootloader, and raise LinkError. While one is open `claims`
    keep other programs from the board."""

    look: Callable[[], tuple[tuple[UsbBoard, ...], tuple[str, ...]]]
    open_usb: Callable[[UsbBoard], PacketPort]
    open_line: Callable[[str], PacketPort]
    claims: Claims

    def open(self, address: str) -> HeldBoard:
        """The bootloader at "usb:" (the only one there is), "usb:SERIAL" or "ssp:DEVICE". Raises
        LinkError, saying which there are."""
        if address.startswith(LINE):
            line = address.removeprefix(LINE)
            return HeldBoard(self.claims.open(address, lambda: self.open_line(line)), address)
        board = self._board(address.removeprefix(USB))
        return HeldBoard(self._open_claimed(board), board.serial)

    def awaiting(self, address: str, wait: Callable[[float], object]) -> Connect:
        """What brings an upload the bootloader at an address as soon as it is there; `wait` pauses
        for some seconds."""
        if address.startswith(LINE):
            return lambda _serial, _is_stopped: self.open(address)
        serial = address.removeprefix(USB)
        return BoardWait(lambda: self.look()[0], self._open_claimed, wait, serial)

    def read(self, address: str, *, holds: bool = False) -> BoardReading:
        """What a bootloader says of its board; it is held by that only if it `holds` or was before.
        Raises LinkError, BootloaderError."""
        with closing(self.open(address).port) as port:
            bootloader = Bootloader(port)
            device = bootloader.capabilities()
            state = State.READY if holds else bootloader.state()
            if state is State.READY:
                return BoardReading(read_content(bootloader), is_held=True)
            is_held = state is not State.NOT_ENTERED
            return BoardReading(FlashContent(device, None, None), is_held)

    def _open_claimed(self, board: UsbBoard) -> PacketPort:
        return self.claims.open(board.serial, lambda: self.open_usb(board))

    def _board(self, serial: str) -> UsbBoard:
        boards, _ = self.look()
        if (found := the_bootloader(boards, serial)) is None:
            named = f"The board {serial}" if serial else "A board"
            raise NotThere(f"{named} in its bootloader is not there. Plug it in by USB.")
        return found


def system_bootloaders(claims: Claims) -> Bootloaders:
    """Those of this computer."""

    def look() -> tuple[tuple[UsbBoard, ...], tuple[str, ...]]:
        from serial.tools import list_ports

        ports = list_ports.comports()
        boards = present_boards(load_hid(), ports)
        by_usb = {board.port for board in boards}
        return boards, tuple(port.device for port in ports if port.device not in by_usb)

    def open_line(line: str) -> PacketPort:
        return SspPort(open_serial(f"serial:{line}@{BAUD}"))

    return Bootloaders(look, _open_hid, open_line, claims)


def _open_hid(board: UsbBoard) -> PacketPort:
    hid = load_hid()
    if hid is None:
        raise LinkError("USB boards cannot be reached here: the library hidapi cannot be loaded.")
    try:
        return HidPort(hid.open(board.hid_path), board.title)
    except OSError as error:
        raise NotThere(
            f"{board.title} cannot be opened: {error}. `lapwing doctor` says what is missing."
        ) from error
