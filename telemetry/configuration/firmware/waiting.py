"""Waiting for a board that is plugged in, and holding its bootloader within the 6 s after which it
would start what it takes for firmware.

    SeveralBoardsError   more than one bootloader is there, and nobody has said which
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.configuration.firmware.upload import HeldBoard
from telemetry.protocol.bootloader.client import Bootloader, BootloaderError, RestartedError
from telemetry.protocol.bootloader.hid_port import HidPort
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.links.hid import HidAccess
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard

LOOKS_EVERY_S: Final = 0.2
_PATIENCE_S: Final = 20.0
"""With a bootloader that is there and cannot be held: the system may not be ready with it yet."""


class SeveralBoardsError(LinkError):
    """More than one bootloader is there; `boards` are those that can be chosen."""

    def __init__(self, boards: Sequence[UsbBoard]) -> None:
        serials = ", ".join(board.serial for board in boards)
        super().__init__(
            f"{len(boards)} boards are in their bootloader ({serials}). Choose one by its serial "
            "number, or unplug the others."
        )
        self.boards = tuple(boards)


@dataclass(frozen=True)
class BoardWait:
    """Waits for the bootloader of the board `serial`, of any where that is empty; a `Connect` of an
    `FirmwareUpload`.

    `present` tells what is plugged in; `open_port` opens one, and raises LinkError.
    """

    present: Callable[[], Sequence[UsbBoard]]
    open_port: Callable[[UsbBoard], PacketPort]
    serial: str = ""
    clock: Callable[[], float] = monotonic_s
    pause: Callable[[float], None] = field(default=time.sleep)

    def __call__(self, is_cancelled: Callable[[], bool]) -> HeldBoard | None:
        """Wait until it is there and hold it. Raises SeveralBoardsError, and LinkError where it is
        there and cannot be held."""
        there_since_s: float | None = None
        while not is_cancelled():
            board = self._bootloader()
            try:
                if board is not None:
                    return self._held(board)
                there_since_s = None
            except RestartedError:
                there_since_s = there_since_s or self.clock()
            except (LinkError, BootloaderError) as error:
                there_since_s = there_since_s or self.clock()
                if self.clock() - there_since_s > _PATIENCE_S:
                    raise LinkError(str(error)) from error
            self.pause(LOOKS_EVERY_S)
        return None

    def _bootloader(self) -> UsbBoard | None:
        boards = [board for board in self.present() if board.mode is BoardMode.BOOTLOADER]
        if self.serial:
            return next((board for board in boards if board.serial == self.serial), None)
        if len(boards) > 1:
            raise SeveralBoardsError(boards)
        return boards[0] if boards else None

    def _held(self, board: UsbBoard) -> HeldBoard:
        port = self.open_port(board)
        try:
            bootloader = Bootloader(port, self.clock)
            bootloader.capabilities()
            bootloader.enter()
        except (LinkClosed, BootloaderError):
            port.close()
            raise
        return HeldBoard(port, board.serial)


def open_hid_port(hid: HidAccess, board: UsbBoard) -> PacketPort:
    """A board's bootloader on USB. Raises LinkError with a remedy."""
    name = f"{board.name} ({board.serial})"
    try:
        return HidPort(hid.open(board.hid_path), name)
    except OSError as error:
        raise LinkError(
            f"{name} cannot be opened: {error}. Close the other program that uses it; "
            "'lapwing doctor' says whether the system allows it."
        ) from error
