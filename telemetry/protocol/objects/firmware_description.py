"""Firmware description: what a firmware says of itself in FirmwareIAPObj.Description, at the end of
its file, and behind its code in flash.

It is alike in all families. Source: `struct fw_version_info` in flight/pios/inc/pios_board_info.h
of LibrePilot."""

import struct
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

OBJECT_NAME = "FirmwareIAPObj"
SIMULATOR_TAG: Final = "Lapwing simulator"
"""What our simulated board says in the place of a release."""

DESCRIPTION_BYTES: Final = 100

_LAYOUT = struct.Struct("<4s4sIBB26s20s20s")
_MAGIC_END = b"Fw"
"""The families write OpFw, TlFw and the like."""


@dataclass(frozen=True, slots=True)
class FirmwareDescription:
    """`tag` is that of a release or the name of a branch; the hashes are hexadecimal.

    `board` is type and revision (0x0903), `image_sha1` is of the firmware without this description.
    """

    tag: str
    date: datetime
    commit: str
    uavo_hash: str
    board: int
    image_sha1: str


def read_description(data: bytes) -> FirmwareDescription | None:
    """Read the bytes of Description; None if there is none."""
    if len(data) < _LAYOUT.size or data[2:4] != _MAGIC_END:
        return None
    _, commit, seconds, board_type, revision, tag, image, uavo = _LAYOUT.unpack_from(data)
    return FirmwareDescription(
        tag.split(b"\0")[0].decode("latin-1"),
        datetime.fromtimestamp(seconds, UTC),
        commit[::-1].hex(),
        uavo.hex(),
        board_type << 8 | revision,
        image.hex(),
    )
