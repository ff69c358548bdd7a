"""Turns the pictures of an MP4 file as a phone held otherwise does."""

import struct
from pathlib import Path

from tests.telemetry.recording.video_files.barcode import SIZE

UPSIDE_DOWN = (-1, 0, 0, 0, -1, 0, SIZE[0], SIZE[1], 16384)
MIRRORED = (-1, 0, 0, 0, 1, 0, SIZE[0], 0, 16384)
UPSIDE_DOWN_IN_A_MIRROR = (1, 0, 0, 0, -1, 0, 0, SIZE[1], 16384)
ON_ITS_SIDE = (0, 1, 0, -1, 0, 0, SIZE[1], 0, 16384)


def turn(path: Path, matrix: tuple[int, ...]) -> None:
    """Set the matrix of the first track header, ISO/IEC 14496-12, 8.3.2: 16.16 numbers, the last
    2.30."""
    data = bytearray(path.read_bytes())
    struct.pack_into(">9i", data, data.index(b"tkhd") + 44, *(one << 16 for one in matrix))
    path.write_bytes(data)
