"""Boards plugged in by USB as firmware work sees them, over an emulated bootloader."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from telemetry.configuration.firmware.access import Bootloaders
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard
from tests.boards.emulated_bootloader import EmulatedBootloader
from tests.boards.emulated_packet_port import EmulatedPacketPort
from tests.boards.stepped_clock import SteppedClock

SERIAL = "32FFD805484D363215702043"


def usb_board(mode: BoardMode = BoardMode.BOOTLOADER, serial: str = SERIAL) -> UsbBoard:
    return UsbBoard(serial, "Revolution", 0x20A0, 0x415E, mode, b"/dev/hidraw3", "")


@dataclass
class PluggedBoards:
    """`boards` are those that are there, `lines` serial lines; `on_open` may make another port of
    the one that is opened."""

    clock: SteppedClock = field(default_factory=SteppedClock)
    boards: tuple[UsbBoard, ...] = ()
    lines: tuple[str, ...] = ()
    on_open: Callable[[EmulatedBootloader], PacketPort] = EmulatedPacketPort

    def __post_init__(self) -> None:
        self.bootloader = EmulatedBootloader(self.clock)

    def plug_in(self, mode: BoardMode = BoardMode.BOOTLOADER) -> None:
        self.bootloader.power_on()
        self.boards = (usb_board(mode),)

    def bootloaders(self, claims: Path) -> Bootloaders:
        return Bootloaders(
            self._look,
            lambda _board: self.on_open(self.bootloader),
            lambda _line: self.on_open(self.bootloader),
            claims,
        )

    def _look(self) -> tuple[tuple[UsbBoard, ...], tuple[str, ...]]:
        """A board whose firmware was started shows as that."""
        if self.bootloader.started is not None:
            self.boards = tuple(usb_board(BoardMode.FIRMWARE) for _ in self.boards)
        return self.boards, self.lines
