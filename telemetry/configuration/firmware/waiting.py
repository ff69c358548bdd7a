"""Waiting for a board that is plugged in, and holding its bootloader within the 6 s after which it
would start what it takes for firmware.

    SeveralBoardsError   more than one bootloader is there, and nobody has said which
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.configuration.firmware.upload import HeldBoard
from telemetry.protocol.bootloader.client import Bootloader, BootloaderError, RestartedError
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard

LOOKS_EVERY_S: Final = 0.2
_PATIENCE_S: Final = 20.0
"""With a bootloader that is there and cannot be held: the system may not be ready with it yet."""


class SeveralBoardsError(LinkError):
    """More than one bootloader is there; `boards` are those that can be chosen."""

    def __init__(self, boards: Sequence[UsbBoard]) -> None:
        which = " or ".join(f"usb:{board.serial} ({board.name})" for board in boards)
        super().__init__(
            f"Several boards are in their bootloader; say {which}, or unplug the others."
        )
        self.boards = tuple(boards)


def the_bootloader(boards: Sequence[UsbBoard], serial: str = "") -> UsbBoard | None:
    """The board `serial`, the only one where that is empty, if it is in its bootloader; None if it
    is not. Raises SeveralBoardsError."""
    found = [
        board
        for board in boards
        if board.mode is BoardMode.BOOTLOADER
        and board.hid_path
        and serial.upper() in ("", board.serial.upper())
    ]
    if len(found) > 1:
        raise SeveralBoardsError(found)
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class BoardWait:
    """Waits for the bootloader of the board `serial`, of any where that is empty; a `Connect` of an
    `FirmwareUpload`.

    `present` tells what is plugged in; `open_port` opens one, and raises LinkError; `pause` waits
    for some seconds.
    """

    present: Callable[[], Sequence[UsbBoard]]
    open_port: Callable[[UsbBoard], PacketPort]
    pause: Callable[[float], object]
    serial: str = ""
    clock: Callable[[], float] = monotonic_s

    def __call__(self, before: str, is_cancelled: Callable[[], bool]) -> HeldBoard | None:
        """Wait until it is there and hold it; where one was held `before`, that one. Raises
        SeveralBoardsError, and LinkError where it is there and cannot be held."""
        there_since_s: float | None = None
        while not is_cancelled():
            board = the_bootloader(self.present(), before or self.serial)
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
