"""Pending uploads: what was begun and is not verified, one image for each board, on disk.

A board whose upload was torn may have no whole firmware. The image itself is kept, since the file
it came from may be gone when the board comes back: a line of JSON that says what it is, then the
file, replaced in one step.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.base import safe_files
from telemetry.base.escaping import file_name_text
from telemetry.base.input_files import read_bytes
from telemetry.base.text_formats import FormatError, parse_json
from telemetry.configuration.firmware.image import (
    FirmwareImage,
    read_image,
)
from telemetry.protocol.bootloader.client import MOST_CODE_BYTES
from telemetry.protocol.bootloader.ssp_port import LINE
from telemetry.protocol.links.usb_boards import USB

_SUFFIX: Final = ".upload"
_LARGEST_HEAD_BYTES: Final = 1 << 14
_DAMAGE: Final = (OSError, FormatError, ValueError, KeyError, TypeError)


@dataclass(frozen=True, slots=True)
class PendingUpload:
    """An upload that was begun on a board and not verified. `kept_set` is where the settings of
    before are, "" if they were not kept."""

    serial: str
    image: FirmwareImage
    kept_set: str = ""

    @property
    def address(self) -> str:
        """Where its board will be again: what tells a board on a serial line is the line."""
        return self.serial if self.serial.startswith(LINE) else f"{USB}{self.serial}"

    @property
    def sentence(self) -> str:
        """What is known of it, which may be under way in another window, and how it goes on."""
        how = "Plug it in anew: it begins again by itself, unless it has other firmware by now"
        if not self.serial or self.serial.startswith(LINE):  # where nobody sees that it is back
            how = "It does not begin again by itself"
        return (
            f"An upload of {self.image.name} to the board {self.serial} is not finished, so it may "
            f"have no whole firmware: leave propellers and battery off. {how}; Begin again on the "
            "page Firmware has it begin in any case."
        )


class PendingUploads:
    """What was begun, by the board's serial number. Other programs may change the folder
    meanwhile: every call looks at it anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, serial: str, image: FirmwareImage, kept_set: str = "") -> None:
        """Keep an image until it is verified; it is on disk then. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        about = {
            "serial": serial,
            "name": image.name,
            "board": image.board,
            "sha256": image.sha256,
            "kept_set": kept_set,
        }
        file = json.dumps(about).encode() + b"\n" + image.code + image.description
        safe_files.replace_file(self._path(serial), file, is_private=True)

    def get(self, serial: str) -> PendingUpload | None:
        """What was begun on a board; None if nothing was, or it cannot be read any more."""
        return self._read(self._path(serial))

    def all(self) -> tuple[PendingUpload, ...]:
        """Everything that was begun."""
        found = (self._read(path) for path in sorted(self._folder.glob(f"*{_SUFFIX}")))
        return tuple(upload for upload in found if upload is not None)

    def remove(self, serial: str) -> None:
        """It is verified, or the user does not want it any more. What the disk does not let go is
        begun again, which harms nothing."""
        with suppress(OSError):
            self._path(serial).unlink(missing_ok=True)

    def _path(self, serial: str) -> Path:
        return self._folder / f"{file_name_text(serial)}{_SUFFIX}"

    def _read(self, path: Path) -> PendingUpload | None:
        """None for what is damaged, and for a copy: it would stay when its upload is verified."""
        try:
            head, _, file = read_bytes(path, MOST_CODE_BYTES + _LARGEST_HEAD_BYTES).partition(b"\n")
            about = parse_json(head, _LARGEST_HEAD_BYTES)
            serial, name, board = str(about["serial"]), str(about["name"]), int(about["board"])
            kept_set = str(about.get("kept_set", ""))
            image = read_image(file, name, board)
            is_whole = image.sha256 == about["sha256"]
        except _DAMAGE:
            return None
        if not is_whole or path != self._path(serial):
            return None
        return PendingUpload(serial, image, kept_set)
