"""Waiting for a board that is plugged in, and holding its bootloader within the 6 s after which it
would start what it takes for firmware."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.configuration.firmware.upload import HeldBoard
from telemetry.protocol.bootloader.client import Bootloader, BootloaderError, RestartedError
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.links.link import LinkClosed, LinkError, NotThere
from telemetry.protocol.links.usb_boards import UsbBoard, board_meant

_LOOKS_EVERY_S: Final = 0.2
_PATIENCE_S: Final = 20.0
"""With a bootloader that is there and cannot be held: the system may not be ready with it yet."""


def the_bootloader(boards: Sequence[UsbBoard], serial: str = "") -> UsbBoard | None:
    """The board `serial`, the only one where that is empty, if it is in its bootloader; None if it
    is not. Raises AddressError where there are several."""
    with suppress(NotThere):
        return board_meant(serial, [board for board in boards if board.is_bootloader])
    return None


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
        AddressError where there are several, LinkError where it is there and cannot be held."""
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
            self.pause(_LOOKS_EVERY_S)
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
