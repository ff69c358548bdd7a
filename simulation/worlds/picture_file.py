"""Picture files, for the surfaces of a world."""

from pathlib import Path
from typing import Final

import numpy as np

from simulation.worlds.scene import Picture
from simulation.worlds.world import WorldError
from telemetry.base.text_formats import FormatError, read_limited

LARGEST_SIDE: Final = 8192
"""In pixels."""
_LARGEST_BYTES: Final = 64 << 20
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8"
_JPEG_SIZES: Final = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""Marks of the segments that say how large a JPEG picture is (ISO/IEC 10918-1, table B.1)."""


def read_picture(path: Path) -> Picture:
    """(rows, columns, 3), red, green, blue. Raises WorldError."""
    return picture_of(read_bytes(path, "picture", _LARGEST_BYTES), path)


def picture_of(data: bytes, path: Path) -> Picture:
    """What is in a PNG or JPEG file of that name. Raises WorldError."""
    import cv2

    size = _size(data)
    if size is not None and max(size) > LARGEST_SIDE:
        # Before memory is taken for it.
        words = f"{size[0]:,} x {size[1]:,} pixels"
        raise WorldError(f"{path} has {words}; make it {LARGEST_SIDE:,} a side at most.")
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if size else None
    except cv2.error:
        pixels = None
    if pixels is None:
        raise WorldError(f"{path} is no picture; give a whole PNG or JPEG file.")
    return np.ascontiguousarray(pixels[..., ::-1])


def read_bytes(path: Path, kind: str, largest_bytes: int) -> bytes:
    """The content of a file of a `kind` ("picture"). Raises WorldError."""
    try:
        return read_limited(path, largest_bytes)
    except OSError as error:
        raise WorldError(
            f"The {kind} {path} cannot be read ({error.strerror}); put it there, or name another."
        ) from None
    except FormatError as error:
        raise WorldError(f"The {kind} {path} cannot be used: {error}; make it smaller.") from None


def _size(data: bytes) -> tuple[int, int] | None:
    """Width and height that the file claims; None if it is neither PNG nor JPEG."""
    if data.startswith(_PNG) and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    return _jpeg_size(data) if data.startswith(_JPEG) else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Its segments are a mark (0xFF and a number) and a length each, up to the one that says it."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        if data[place + 1] in _JPEG_SIZES:
            height, width = data[place + 5 : place + 7], data[place + 7 : place + 9]
            return int.from_bytes(width, "big"), int.from_bytes(height, "big")
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return None
