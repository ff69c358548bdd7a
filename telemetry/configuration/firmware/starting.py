"""Starting firmware out of a bootloader."""

from contextlib import suppress

from telemetry.configuration.firmware.boards import firmware_board
from telemetry.protocol.bootloader.client import Bootloader
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.links.link import LinkClosed


def start_firmware(bootloader: Bootloader, board: int, boot: Boot) -> None:
    """Have the firmware started. Whether it runs, the bootloader cannot tell: it is gone then.

    A bootloader without USB stays once it was spoken to (`ssp_dfu` in
    flight/targets/boards/spracingf3/bootloader/main.c), so it is restarted, and starts the firmware
    after 6 s; how it shall start is kept over that.
    """
    known = firmware_board(board)
    with suppress(LinkClosed):
        bootloader.jump(boot)
        if known is not None and known.is_serial:
            bootloader.reset()
