"""Firmware facts: what a board and a file are, as lines for people; what is not known is a dash."""

from datetime import datetime

from telemetry.base.fact import Fact, known_fact
from telemetry.base.finding import Finding
from telemetry.configuration.firmware.access import BoardReading
from telemetry.configuration.firmware.boards import board_text
from telemetry.configuration.firmware.image import FirmwareImage
from telemetry.configuration.settings.identity import Identity
from telemetry.protocol.bootloader.packets import State
from telemetry.protocol.links.usb_boards import UsbBoard
from telemetry.protocol.objects.uavo_hashes import release_of_hash

_DIGITS = 8
_DOINGS: dict[State | None, str] = {
    State.READY: "held",
    State.NOT_ENTERED: "starts what firmware there is within 6 s",
    State.STARTING: "starts its firmware",
    State.JUMP_FAILED: "found no firmware to start",
}


def board_facts(
    board: UsbBoard | None, reading: BoardReading | None, who: Identity
) -> tuple[Fact, ...]:
    """A board that is plugged in: what its bootloader told, or else its firmware (`who`)."""
    device = reading.content.device if reading is not None else None
    about = reading.content.about if reading is not None else None
    number = device.board if device is not None else who.board
    tag = about.tag if about is not None else who.firmware
    date = about.date if about is not None else who.firmware_date
    uavo = about.uavo_hash if about is not None else who.uavo_hash
    return (
        known_fact("Board", board_text(number) if number else board.name if board else ""),
        known_fact("Serial number", board.serial if board is not None else who.serial),
        known_fact("What runs", _running(board, reading)),
        known_fact(
            "Bootloader", f"version {device.bootloader_version}" if device is not None else ""
        ),
        known_fact("Room for code", _bytes(device.code_bytes) if device is not None else ""),
        known_fact("CRC of the code", f"{device.code_crc:08X}" if device is not None else ""),
        known_fact("Firmware", tag),
        known_fact("Source dated", _date(date)),
        known_fact("Objects", release_of_hash(uavo) or (uavo.strip("0") and uavo[:_DIGITS])),
    )


def file_facts(image: FirmwareImage | None, definitions: Finding | None) -> tuple[Fact, ...]:
    """A file that was read. Of a .bin nothing is known but its size and what the user said."""
    about = image.about if image is not None else None
    sha1 = "right" if about is not None else "has none" if image is not None else ""
    objects = known_fact("Objects", "")
    if definitions is not None:
        words = f"{definitions.text} {definitions.remedy}".strip()
        objects = Fact("Objects", words, definitions.level)
    return (
        known_fact("Name", image.name if image is not None else ""),
        known_fact("For the board", board_text(image.board) if image is not None else ""),
        known_fact("Firmware", about.tag if about is not None else ""),
        known_fact("Source dated", _date(about.date if about is not None else None)),
        known_fact("Source", about.commit if about is not None else ""),
        known_fact("SHA-1", sha1),
        known_fact("Size", _bytes(len(image.data)) if image is not None else ""),
        objects,
    )


def _running(board: UsbBoard | None, reading: BoardReading | None) -> str:
    if reading is None:
        return board.mode.value if board is not None else ""
    doing = _DOINGS.get(reading.state, "after an upload that has not ended")
    return f"bootloader, {doing}" if reading.state is not None else "bootloader"


def _date(date: datetime | None) -> str:
    return f"{date:%Y-%m-%d %H:%M} UTC" if date is not None else ""


def _bytes(count: int) -> str:
    return f"{count:,} bytes".replace(",", "\N{NARROW NO-BREAK SPACE}")
