"""Firmware report: what the firmware commands print, as JSON and as lines for people."""

from collections.abc import Iterable
from typing import Any

from telemetry.base.fact import Fact
from telemetry.base.finding import Finding
from telemetry.configuration.firmware.access import BoardReading
from telemetry.configuration.firmware.boards import board_number
from telemetry.configuration.firmware.image import FirmwareImage
from telemetry.configuration.firmware.update import FirmwareUpdate
from telemetry.configuration.hardware.board_names import board_name
from telemetry.configuration.settings.identity import Identity, identity_by
from telemetry.protocol.links.usb_boards import UsbBoard
from telemetry.protocol.objects.uavo_hashes import release_of_hash

Json = dict[str, Any]


def reading_json(board: UsbBoard | None, reading: BoardReading) -> Json:
    """What a bootloader told. `description` is None where there is none, or it was not read."""
    device = reading.content.device
    return {
        "serial": board.serial if board is not None else "",
        "mode": "bootloader",
        "board": board_number(device.board),
        "board_name": board_name(device.board),
        "bootloader_version": device.bootloader_version,
        "code_bytes": device.code_bytes,
        "code_crc": f"{device.code_crc:08X}",
        "held": reading.is_held,
        "description": _description_json(identity_by(reading.content.about, device.board)),
    }


def firmware_json(who: Identity, code_crc: int | None) -> Json:
    """What a firmware told of itself; `code_crc` is None where it tells none."""
    return {
        "serial": who.serial.upper(),
        "mode": "firmware",
        "board": board_number(who.board),
        "board_name": who.board_name,
        "code_crc": None if code_crc is None else f"{code_crc:08X}",
        "description": _description_json(who),
    }


def image_json(image: FirmwareImage, definitions: Finding | None) -> Json:
    """What a file holds. A .bin says nothing of itself."""
    return {
        "name": image.name,
        "board": board_number(image.board),
        "board_name": board_name(image.board),
        "bytes": len(image.data),
        "sha1_checked": image.about is not None,
        "description": _description_json(identity_by(image.about, image.board)),
        "definitions": definitions.code if definitions is not None else None,
    }


def update_json(update: FirmwareUpdate) -> Json:
    """What came of an upload or a start."""
    progress, after = update.progress, update.after
    return {
        "outcome": str(progress.stage),
        "text": progress.sentence,
        "attempts": progress.attempt,
        "settings_kept": update.kept.name if update.kept is not None else None,
        "settings_that_differ": after.staged if after is not None else None,
        "not_alike": [{"object": s.name, "why": s.why} for s in after.unlike] if after else [],
    }


def fact_lines(title: str, facts: Iterable[Fact]) -> list[str]:
    """Facts below their title."""
    lines = [f"{fact.name:22}{fact.value}" for fact in facts]
    return [title, *(f"  {line}" for line in lines)]


def _description_json(who: Identity) -> Json | None:
    if who.firmware_date is None:
        return None
    return {
        "tag": who.firmware,
        "date": who.firmware_date.isoformat(),
        "commit": who.firmware_hash,
        "uavo_hash": who.uavo_hash,
        "release": release_of_hash(who.uavo_hash) or None,
    }
