"""Firmware image: a file of firmware, checked as far as a file can be without its board.

    FirmwareFileError   a file is no firmware that could be put on a board; one sentence

An .opfw is the code and, as its last 100 bytes, its description, with the SHA-1 of the code as it
was built: without the filling that makes whole words of it. A .bin is code alone, and says not
whose it is. Source: `OPFW_TEMPLATE` in flight/make/firmware-defs.mk of LibrePilot.
"""

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.base.input_files import read_bytes
from telemetry.configuration.firmware.boards import board_text, firmware_board
from telemetry.protocol.bootloader.client import MOST_CODE_BYTES
from telemetry.protocol.bootloader.crc import region_crc, whole_words
from telemetry.protocol.objects.firmware_description import (
    DESCRIPTION_BYTES,
    FirmwareDescription,
    read_description,
)

SUFFIXES: Final = (".opfw", ".bin")

_VECTORS = struct.Struct("<II")
"""What an image begins with: its stack pointer, and where it is entered."""


class FirmwareFileError(ValueError):
    """A file is no firmware that could be put on a board. `str(error)` is one sentence."""


@dataclass(frozen=True, slots=True)
class FirmwareImage:
    """Firmware for one board. `data` is all that is uploaded as firmware, in whole words, the
    description included; `description` is empty, and `about` None, of a .bin."""

    name: str
    board: int
    data: bytes
    code: bytes
    description: bytes = b""
    about: FirmwareDescription | None = None

    @property
    def sha256(self) -> str:
        """What tells this image from others, hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    def crcs(self, region_bytes: int) -> tuple[int, ...]:
        """What a board's region has as CRC that holds this, with its description and without.

        Raises ValueError where the region is too small.
        """
        forms = {self.data: None, whole_words(self.code): None}
        return tuple(region_crc(form, region_bytes) for form in forms)


def read_image(data: bytes, name: str, board: int | None = None) -> FirmwareImage:
    """Read what a file holds. `board` is whose it is where the file does not say so; where it does,
    both must agree. Raises FirmwareFileError.
    """
    if len(data) > MOST_CODE_BYTES:
        raise FirmwareFileError(f"{name} is too long for firmware of any board.")
    about = read_description(data[-DESCRIPTION_BYTES:])
    if about is None and board is None:
        raise FirmwareFileError(
            f"{name} does not say which board it is for. Choose an .opfw file, or name the board."
        )
    image = _described(data, name, about) if about else _bare(data, name, board or 0)
    if board is not None and image.board != board:
        raise FirmwareFileError(
            f"{name} is for {board_text(image.board)}, not for {board_text(board)}. "
            "Choose another file."
        )
    known = firmware_board(image.board)
    if known is not None and len(image.data) > known.code_bytes:
        raise FirmwareFileError(
            f"{name} has {len(image.data)} bytes, and {known.name} has room for "
            f"{known.code_bytes}. Choose a smaller build."
        )
    return image


def read_image_file(path: Path, board: int | None = None) -> FirmwareImage:
    """Read a file; see `read_image`. Raises FirmwareFileError, also where it cannot be read."""
    try:
        data = read_bytes(path, MOST_CODE_BYTES)
    except OSError as error:
        raise FirmwareFileError(f"{path.name} cannot be read: {error.strerror}.") from error
    return read_image(data, path.name, board)


def _described(data: bytes, name: str, about: FirmwareDescription) -> FirmwareImage:
    code = data[:-DESCRIPTION_BYTES]
    if not code or hashlib.sha1(code, usedforsecurity=False).hexdigest() != about.image_sha1:
        raise FirmwareFileError(
            f"{name} is damaged: it is not what was built. Fetch the file again."
        )
    return FirmwareImage(
        name, about.board, whole_words(data), code, data[-DESCRIPTION_BYTES:], about
    )


def _bare(data: bytes, name: str, board: int) -> FirmwareImage:
    known = firmware_board(board)
    if known is None:
        raise FirmwareFileError(
            f"{board_text(board)} is not known, so {name} cannot be checked. Choose an .opfw file."
        )
    stack, entry = _VECTORS.unpack_from(data) if len(data) >= _VECTORS.size else (0, 0)
    if not known.holds_stack(stack) or not known.holds_code(entry, len(data)):
        raise FirmwareFileError(
            f"{name} is no firmware for {known.name}: it would not run in that board's memory."
        )
    return FirmwareImage(name, board, whole_words(data), data)
