"""Firmware call: which board and which file a command was called with, and where things are kept.

CommandRefused   what was asked for is not done; one sentence
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

from telemetry.base.folders import Folders
from telemetry.configuration.firmware.access import Bootloaders
from telemetry.configuration.firmware.boards import parse_board
from telemetry.configuration.firmware.image import FirmwareImage, read_image_file
from telemetry.configuration.settings.headless import PATIENCE_S, Headless
from telemetry.protocol.bootloader.ssp_port import LINE
from telemetry.protocol.links.usb_boards import USB, UsbBoard, board_meant
from telemetry.protocol.objects.cli import catalogue_for


class CommandRefused(ValueError):  # noqa: N818 - it is said to a user
    """What was asked for is not done; one sentence."""


@dataclass(frozen=True, slots=True)
class FirmwareCall:
    """What every command works with."""

    arguments: argparse.Namespace
    bootloaders: Bootloaders
    folders: Folders
    address: str
    file: Path | None

    def image(self) -> FirmwareImage:
        """The file that was given. Raises FirmwareFileError, CommandRefused."""
        if self.file is None:
            raise CommandRefused("Give a file: .opfw, or .bin with --board TYPE.REV.")
        named = self.arguments.board
        board = parse_board(named) if named else None
        if named and board is None:
            raise CommandRefused(f"'{named}' is no board that is known; write for example 09.03.")
        return read_image_file(self.file, board)

    def board(self) -> UsbBoard | None:
        """The board by USB at the address; None where that is of another kind. Raises LinkError."""
        if not self.address.startswith(USB):
            return None
        return board_meant(self.address.removeprefix(USB), self.bootloaders.look()[0])

    def is_bootloader(self, board: UsbBoard | None) -> bool:
        """Whether it is a bootloader that answers there."""
        return self.address.startswith(LINE) if board is None else board.is_bootloader

    def headless(self) -> Headless:
        """A connection to the firmware at the address, still to be entered."""
        arguments = self.arguments
        return Headless(self.address, arguments.open_link, catalogue_for(arguments), PATIENCE_S)
