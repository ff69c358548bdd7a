"""Bootloaders within reach: what is plugged in, and what is asked of one, its port open only
meanwhile. All of it may take long.

    LinkError          a board cannot be reached, or is gone
    BootloaderError    it did not do what it was asked
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from telemetry.base.clock import monotonic_s
from telemetry.configuration.firmware.board_check import FlashContent, read_content
from telemetry.configuration.firmware.claimed_port import ClaimedPort
from telemetry.configuration.firmware.upload import Connect, HeldBoard
from telemetry.configuration.firmware.waiting import BoardWait, the_bootloader
from telemetry.protocol.bootloader.client import Bootloader
from telemetry.protocol.bootloader.hid_port import HidPort
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.bootloader.packets import State
from telemetry.protocol.bootloader.ssp_port import BAUD, LINE, SspPort
from telemetry.protocol.links.hid import load_hid
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.links.usb_boards import USB, UsbBoard, present_boards
from telemetry.protocol.links.usb_hid import open_hid


@dataclass(frozen=True, slots=True)
class BoardReading:
    """What a bootloader told, and what it was doing, None if not known. What stands behind the code
    was read where it was ready."""

    content: FlashContent
    state: State | None

    @property
    def is_held(self) -> bool:
        """Whether it is known to start nothing by itself."""
        return self.state not in (None, State.NOT_ENTERED)


@dataclass(frozen=True, slots=True)
class Bootloaders:
    """`look` lists the boards that are plugged in by USB and the serial ports; `open_usb` and
    `open_line` open the port of a bootloader, and raise LinkError. In the folder `claims` programs
    keep each other off a board."""

    look: Callable[[], tuple[tuple[UsbBoard, ...], tuple[str, ...]]]
    open_usb: Callable[[UsbBoard], PacketPort]
    open_line: Callable[[str], PacketPort]
    claims: Path

    def open(self, address: str) -> HeldBoard:
        """The bootloader at "usb:" (the only one there is), "usb:SERIAL" or "ssp:DEVICE". Raises
        LinkError, saying which there are."""
        if address.startswith(LINE):
            open_line = partial(self.open_line, address.removeprefix(LINE))
            return HeldBoard(ClaimedPort(self.claims, address, open_line), address)
        serial = address.removeprefix(USB)
        if (board := the_bootloader(self.look()[0], serial)) is None:
            named = f"The board {serial}" if serial else "A board"
            raise LinkError(f"{named} in its bootloader is not there. Plug it in by USB.")
        return HeldBoard(self._open_board(board), board.serial)

    def awaiting(
        self,
        address: str,
        wait: Callable[[float], object],
        clock: Callable[[], float] = monotonic_s,
    ) -> Connect:
        """What brings an upload the bootloader at an address as soon as it is there; `wait` pauses
        for some seconds."""
        if address.startswith(LINE):
            return lambda _serial, _is_stopped: self.open(address)
        serial = address.removeprefix(USB)
        return BoardWait(lambda: self.look()[0], self._open_board, wait, serial, clock)

    def read(self, address: str, *, holds: bool = False) -> BoardReading:
        """What a bootloader says of its board; it is held by that only if it `holds` or was before.
        Raises LinkError, BootloaderError."""
        with closing(self.open(address).port) as port:
            bootloader = Bootloader(port)
            device = bootloader.capabilities()
            state = State.READY if holds else bootloader.state()
            if state is State.READY:
                return BoardReading(read_content(bootloader), state)
            return BoardReading(FlashContent(device, None, None), state)

    def _open_board(self, board: UsbBoard) -> PacketPort:
        return ClaimedPort(self.claims, board.serial, partial(self.open_usb, board))


def system_bootloaders(claims: Path) -> Bootloaders:
    """Those of this computer."""
    return Bootloaders(_look, _open_usb, _open_line, claims)


def _look() -> tuple[tuple[UsbBoard, ...], tuple[str, ...]]:
    from serial.tools import list_ports

    try:
        ports = list_ports.comports()
    except OSError:  # what the system lists is changing just now
        return (), ()
    boards = present_boards(load_hid(), ports)
    by_usb = {board.port for board in boards}
    return boards, tuple(port.device for port in ports if port.device not in by_usb)


def _open_usb(board: UsbBoard) -> PacketPort:
    return HidPort(open_hid(board, load_hid()), board.title)


def _open_line(device: str) -> PacketPort:
    from telemetry.protocol.links.serial import open_serial

    return SspPort(open_serial(f"serial:{device}@{BAUD}"))
