"""Starting firmware out of a bootloader."""

from typing import Final

from telemetry.configuration.firmware.boards import firmware_board
from telemetry.protocol.bootloader.client import Bootloader, BootloaderError
from telemetry.protocol.bootloader.packets import Boot, State
from telemetry.protocol.links.link import LinkClosed

_TRIES: Final = 3
_GONE_AFTER_S: Final = 1.0


def start_firmware(bootloader: Bootloader, board: int, boot: Boot) -> bool:
    """Have the firmware started. True where the board has left its bootloader by that; whether the
    firmware runs, only it can tell. Raises BootloaderError where there is no firmware.

    A bootloader without USB stays once it was spoken to (`ssp_dfu` in
    flight/targets/boards/spracingf3/bootloader/main.c), so it is restarted, and starts the firmware
    after 6 s; how it shall start is kept over that. Whether it did is not known.
    """
    known = firmware_board(board)
    is_serial = known is not None and known.is_serial
    was_told = False
    try:
        for _ in range(1 if is_serial else _TRIES):
            bootloader.jump(boot)
            was_told = True
            if is_serial:
                bootloader.reset()
            elif _found_none(bootloader):
                raise BootloaderError(f"{bootloader.name} found no firmware that it could start.")
    except LinkClosed:
        return was_told and not is_serial
    return False


def _found_none(bootloader: Bootloader) -> bool:
    """Whether it says so; nothing, where it is silent. Raises LinkClosed where it is gone."""
    try:
        return bootloader.state(_GONE_AFTER_S) is State.JUMP_FAILED
    except BootloaderError:
        return False
