"""Firmware facts: what a board and a file are, as lines for people; what is not known is a dash."""

from datetime import datetime

from telemetry.base.fact import Fact, known_fact
from telemetry.base.finding import Finding
from telemetry.configuration.firmware.access import BoardReading
from telemetry.configuration.firmware.boards import board_text
from telemetry.configuration.firmware.image import FirmwareImage
from telemetry.configuration.settings.identity import Identity, identity_by
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
    if reading is not None:
        who = identity_by(reading.content.about, reading.content.device.board)
    name = board.name if board is not None else ""
    return (
        known_fact("Board", board_text(who.board) if who.is_known else name),
        known_fact("Serial number", board.serial if board is not None else who.serial),
        known_fact("What runs", _running(board, reading)),
        known_fact(
            "Bootloader", f"version {device.bootloader_version}" if device is not None else ""
        ),
        known_fact("Room for code", _bytes(device.code_bytes) if device is not None else ""),
        known_fact("CRC of the code", f"{device.code_crc:08X}" if device is not None else ""),
        known_fact("Firmware", who.firmware),
        known_fact("Source dated", _date(who.firmware_date)),
        known_fact("Objects", _objects(who.uavo_hash)),
    )


def file_facts(image: FirmwareImage | None, definitions: Finding | None) -> tuple[Fact, ...]:
    """A file that was read. Of a .bin nothing is known but its size and what the user said."""
    who = identity_by(image.about, image.board) if image is not None else Identity()
    sha1 = "" if image is None else "right" if image.about is not None else "has none"
    objects = known_fact("Objects", "")
    if definitions is not None:
        words = f"{definitions.text} {definitions.remedy}".strip()
        objects = Fact("Objects", words, definitions.level)
    return (
        known_fact("Name", image.name if image is not None else ""),
        known_fact("For the board", board_text(who.board) if who.is_known else ""),
        known_fact("Firmware", who.firmware),
        known_fact("Source dated", _date(who.firmware_date)),
        known_fact("Source", who.firmware_hash),
        known_fact("SHA-1", sha1),
        known_fact("Size", _bytes(len(image.data)) if image is not None else ""),
        objects,
    )


def _running(board: UsbBoard | None, reading: BoardReading | None) -> str:
    if reading is None:
        return board.mode.value if board is not None else ""
    doing = _DOINGS.get(reading.state, "after an upload that has not ended")
    return f"bootloader, {doing}" if reading.state is not None else "bootloader"


def _objects(uavo_hash: str) -> str:
    """The release with these definitions, or the hash; nothing where a firmware tells zeros."""
    return release_of_hash(uavo_hash) or (uavo_hash[:_DIGITS] if uavo_hash.strip("0") else "")


def _date(date: datetime | None) -> str:
    return f"{date:%Y-%m-%d %H:%M} UTC" if date is not None else ""


def _bytes(count: int) -> str:
    return f"{count:,} bytes".replace(",", "\N{NARROW NO-BREAK SPACE}")
