"""Board check: what is in its flash, told by its bootloader, and whether a file holds the same."""

from dataclasses import dataclass
from enum import StrEnum

from telemetry.configuration.firmware.image import FirmwareImage
from telemetry.protocol.bootloader.client import Bootloader
from telemetry.protocol.bootloader.packets import BootDevice, Memory
from telemetry.protocol.objects.firmware_description import FirmwareDescription, read_description


class FlashVerdict(StrEnum):
    """Whether a board holds what it should. What cannot be read back is neither right nor wrong."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True)
class FlashContent:
    """A board and what it holds. `description` is None where it cannot be had, `about` also where
    it is none."""

    device: BootDevice
    description: bytes | None
    about: FirmwareDescription | None


def read_content(bootloader: Bootloader) -> FlashContent:
    """Ask a bootloader what its board holds; it stays in the bootloader by that. Raises
    BootloaderError, LinkClosed."""
    device = bootloader.capabilities()
    bootloader.enter()
    description = read_board_description(bootloader, device)
    return FlashContent(device, description, read_description(description or b""))


def read_board_description(bootloader: Bootloader, device: BootDevice) -> bytes | None:
    """The description behind the code; None where it cannot be had. Raises BootloaderError,
    LinkClosed."""
    if not device.can_read or not device.description_bytes:
        return None
    return bootloader.read_back(device.description_bytes, Memory.DESCRIPTION)


def code_verdict(image: FirmwareImage, device: BootDevice) -> FlashVerdict:
    """Whether the code region is that of an image, by its CRC: a station may have uploaded it with
    its description behind it, or without."""
    if len(image.data) > device.code_bytes:
        return FlashVerdict.WRONG
    is_right = device.code_crc in image.crcs(device.code_bytes)
    return FlashVerdict.RIGHT if is_right else FlashVerdict.WRONG


def description_verdict(image: FirmwareImage, read: bytes | None) -> FlashVerdict:
    """Whether the description of a board is that of an image."""
    if read is None or not image.description:
        return FlashVerdict.NOT_KNOWN
    is_right = read[: len(image.description)] == image.description
    return FlashVerdict.RIGHT if is_right else FlashVerdict.WRONG
