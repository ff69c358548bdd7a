"""`lapwing firmware`: what is on a board and in a file, putting it there and starting it.

A board is given by its address: "usb:" (the only one there is), "usb:SERIAL", "ssp:DEVICE" for a
bootloader on a serial line, or any address at which its firmware answers.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from telemetry.base.command_line import (
    BAD_INPUT,
    Subparsers,
    add_word,
    print_report,
    refuse,
)
from telemetry.base.fact import Fact
from telemetry.base.folders import Folders
from telemetry.configuration.firmware.access import system_bootloaders
from telemetry.configuration.firmware.board_check import FlashVerdict, code_verdict
from telemetry.configuration.firmware.boards import firmware_board
from telemetry.configuration.firmware.call import CommandRefused, FirmwareCall
from telemetry.configuration.firmware.cli_update import boot, upload
from telemetry.configuration.firmware.definitions import definitions_finding
from telemetry.configuration.firmware.facts import board_facts, file_facts
from telemetry.configuration.firmware.image import SUFFIXES, FirmwareFileError, FirmwareImage
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.firmware.report import (
    fact_lines,
    firmware_json,
    image_json,
    reading_json,
)
from telemetry.configuration.settings.document import SettingsError
from telemetry.configuration.settings.headless import Headless
from telemetry.configuration.settings.identity import Identity
from telemetry.protocol.bootloader.client import BootloaderError
from telemetry.protocol.bootloader.packets import BootDevice
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.links.usb_boards import USB
from telemetry.protocol.objects.firmware_description import DESCRIPTION_BYTES, OBJECT_NAME

MACHINE: Final = 2


def add_commands(subparsers: Subparsers) -> None:
    """Add `firmware`; each of its commands sets `run`, which returns the exit code."""
    commands = add_word(subparsers, "firmware", "see, upload, verify and start boards' firmware")
    info = commands.add_parser("info", help="show what is on a board, and what is in a file")
    info.add_argument(
        "--hold", action="store_true", help="keep the board in its bootloader, and read all of it"
    )
    _finish(info, _info)
    upload_words = commands.add_parser(
        "upload",
        help="put a file on a board and verify it; without a file: go on with what was interrupted",
    )
    upload_words.add_argument(
        "--propellers-off-battery-off",
        action="store_true",
        help="say that the propellers are off and the battery is disconnected",
    )
    _add_loss(upload_words)
    _finish(upload_words, upload)
    verify = commands.add_parser("verify", help="compare what is on a board with a file")
    _finish(verify, _verify)
    boot_words = commands.add_parser("boot", help="start the firmware of a board in its bootloader")
    how = boot_words.add_mutually_exclusive_group()
    how.add_argument("--safe", action="store_true", help="with default hardware settings, once")
    how.add_argument(
        "--erase-settings", action="store_true", help="with every setting forgotten for good"
    )
    _add_loss(boot_words)
    _finish(boot_words, boot)


def _add_loss(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--without-settings-of",
        default="",
        metavar="SERIAL",
        help="let the settings of this board be lost, where only its bootloader answers",
    )


def _finish(parser: argparse.ArgumentParser, work: "Callable[[FirmwareCall], int]") -> None:
    parser.add_argument(
        "words", nargs="*", metavar="[ADDRESS] [FILE]", help='address (else "usb:"), .opfw or .bin'
    )
    parser.add_argument("--board", default="", metavar="TYPE.REV", help="whose a .bin file is")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=lambda arguments: _run(arguments, work))


def _run(arguments: argparse.Namespace, work: Callable[[FirmwareCall], int]) -> int:
    files = [word for word in arguments.words if word.lower().endswith(SUFFIXES)]
    addresses = [word for word in arguments.words if word not in files]
    if len(files) > 1 or len(addresses) > 1:
        return refuse(f"Give one address and one file, not {' '.join(arguments.words)}.")
    folders = Folders.of_user(os.environ)
    call = FirmwareCall(
        arguments,
        system_bootloaders(folders.pending_uploads),
        folders,
        addresses[0] if addresses else USB,
        Path(files[0]) if files else None,
    )
    try:
        return work(call)
    except (FirmwareFileError, SettingsError, CommandRefused) as error:
        return refuse(error)
    except (LinkError, BootloaderError) as error:
        print(error, file=sys.stderr)
        return MACHINE


def _info(call: FirmwareCall) -> int:
    told: dict[str, Any] = {}
    lines: list[str] = []
    if call.file is not None:
        image = call.image()
        about, own = image.about, call.folders.definitions
        finding = definitions_finding(about.uavo_hash, own) if about is not None else None
        told["file"] = image_json(image, finding)
        lines += fact_lines(image.name, file_facts(image, finding))
    pending = PendingUploads(call.folders.pending_uploads).all()
    told["interrupted"] = [{"serial": one.serial, "file": one.image.name} for one in pending]
    lines += [one.sentence for one in pending]
    if call.file is None or len(call.arguments.words) > 1:
        try:
            told["board"], facts = _told_by_board(call)
            lines += fact_lines("Board", facts)
        except LinkError as error:
            if not pending:
                raise
            told["board"] = None
            lines.append(str(error))
    print_report(told, lines, as_json=call.arguments.json)
    return 0


def _told_by_board(call: FirmwareCall) -> tuple[dict[str, Any], Sequence[Fact]]:
    board = call.board()
    if call.is_bootloader(board):
        reading = call.bootloaders.read(call.address, holds=call.arguments.hold)
        return reading_json(board, reading), board_facts(board, reading, Identity())
    with call.headless() as remote:
        remote.identify()
        who = remote.settings.aircraft.identity
        return firmware_json(who, _crc(remote)), board_facts(board, None, who)


def _verify(call: FirmwareCall) -> int:
    image, board = call.image(), call.board()
    if call.is_bootloader(board):
        device = call.bootloaders.read(call.address).content.device
    else:
        with call.headless() as remote:
            remote.identify()
            number, crc = remote.settings.aircraft.identity.board, _crc(remote)
        known = firmware_board(number)
        if known is None or crc is None:
            return _say_verdict(call, image, FlashVerdict.NOT_KNOWN)
        device = BootDevice(number, known.code_bytes, DESCRIPTION_BYTES, 0, crc)
    return _say_verdict(call, image, code_verdict(image, device))


def _say_verdict(call: FirmwareCall, image: FirmwareImage, verdict: FlashVerdict) -> int:
    words = {
        FlashVerdict.RIGHT: f"{image.name} is on the board, by the CRC of its code.",
        FlashVerdict.WRONG: f"{image.name} is not what is on the board, by the CRC of its code.",
        FlashVerdict.NOT_KNOWN: "Not known: the board tells no CRC of its code.",
    }
    report = {"file": image.name, "verdict": str(verdict)}
    print_report(report, [words[verdict]], as_json=call.arguments.json)
    return {FlashVerdict.RIGHT: 0, FlashVerdict.WRONG: BAD_INPUT}.get(verdict, MACHINE)


def _crc(remote: Headless) -> int | None:
    """The CRC of its code that a firmware tells; what runs on a PC tells 0."""
    sample = remote.settings.aircraft.sample(OBJECT_NAME)
    return int(sample["crc"]) or None if sample is not None else None
