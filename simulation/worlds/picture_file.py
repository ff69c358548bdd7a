"""Pictures from files, for the surfaces of a world."""

from pathlib import Path
from typing import Final

import numpy as np

from simulation.worlds.scene import Picture
from simulation.worlds.world import WorldError
from telemetry.text_formats import FormatError, read_limited

_LARGEST_BYTES: Final = 64 << 20
LARGEST_SIDE: Final = 8192
"""In pixels."""


def read_picture(path: Path) -> Picture:
    """(rows, columns, 3), red, green, blue. Raises WorldError."""
    return picture_of(read_bytes(path, "picture", _LARGEST_BYTES), path)


def picture_of(data: bytes, path: Path) -> Picture:
    """What is in a picture's file of that name. Raises WorldError."""
    import cv2

    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:
        pixels = None
    if pixels is None:
        raise WorldError(f"{path} is no picture; give a whole PNG or JPEG file.")
    if max(pixels.shape[:2]) > LARGEST_SIDE:
        size = f"{pixels.shape[1]} x {pixels.shape[0]} pixels"
        raise WorldError(f"{path} has {size}; make it {LARGEST_SIDE} a side at most.")
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
