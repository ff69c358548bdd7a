"""The one guard before firmware is put on a board; nothing overrides it."""

from telemetry.configuration.firmware.boards import board_text, firmware_board
from telemetry.configuration.firmware.image import FirmwareImage
from telemetry.protocol.bootloader.packets import BootDevice
from telemetry.protocol.objects.firmware_description import DESCRIPTION_BYTES


def refusal(image: FirmwareImage, device: BootDevice) -> str:
    """Why an image may not be put on the board that a bootloader tells of; empty where it may."""
    known = firmware_board(device.board)
    if known is None:
        return (
            f"The board is of a type that is not known, {board_text(device.board)}: "
            "nothing is put on it."
        )
    if image.board != device.board and image.board not in known.takes:
        return (
            f"{image.name} is for {board_text(image.board)}, and this board is "
            f"{board_text(device.board)}. Choose the file for this board."
        )
    room = min(device.code_bytes, known.code_bytes)
    if len(image.data) > room:
        return (
            f"{image.name} has {len(image.data)} bytes, and the board has room for {room}. "
            "Choose a smaller build, or update the bootloader."
        )
    if image.description and device.description_bytes < len(image.description):
        return "The board has no room for a description, so nothing is put on it."
    if not device.can_write:
        return "The bootloader says that this board's flash cannot be written."
    return ""


def refusal_by_table(image: FirmwareImage, board: int) -> str:
    """The same before the board is in its bootloader: by what is known of boards of its kind."""
    known = firmware_board(board)
    code_bytes = known.code_bytes if known is not None else 0
    return refusal(image, BootDevice(board, code_bytes, DESCRIPTION_BYTES, 0, 0))
