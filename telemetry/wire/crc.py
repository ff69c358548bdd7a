"""The checksum at the end of every frame: CRC-8, polynomial 0x07, start 0, not reflected."""

from functools import cache

import numpy as np
import numpy.typing as npt

POLYNOMIAL = 0x07


def _table_entry(value: int) -> int:
    for _ in range(8):
        value = (value << 1) ^ POLYNOMIAL if value & 0x80 else value << 1
    return value & 0xFF


CRC_TABLE = bytes(_table_entry(value) for value in range(256))
_STEPS = tuple(CRC_TABLE)  # the interpreter looks up in a tuple faster than in bytes


def crc8(data: bytes | bytearray | memoryview, crc: int = 0) -> int:
    """Continue `crc` over `data`."""
    steps = _STEPS
    for byte in data:
        crc = steps[crc ^ byte]
    return crc


def crc8_rows(rows: npt.NDArray[np.uint8], crc: int = 0) -> npt.NDArray[np.uint8]:
    """Continue `crc` over each row, shape (n, bytes), contiguous; the checksums, shape (n,).

    Two bytes at a time: the checksum so far goes into the first of them.
    """
    count, size = rows.shape
    crcs = np.full(count, crc, np.uint8)
    if size % 2:
        crcs = np.frombuffer(CRC_TABLE, np.uint8).take(rows[:, 0] ^ crcs)
    pairs = np.ndarray((count, size // 2), "<u2", rows, size % 2, (size, 2))
    for column in pairs.T:
        crcs = _pair_steps().take(column ^ crcs)
    return crcs


@cache
def _pair_steps() -> npt.NDArray[np.uint8]:
    """The checksum over two bytes, by the number that they are as little-endian bytes."""
    steps = np.frombuffer(CRC_TABLE, np.uint8)
    second = np.arange(256, dtype=np.uint8)[:, np.newaxis]
    return steps.take(steps ^ second).ravel()
