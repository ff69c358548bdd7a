"""CRC-8 checksum at the end of every frame: polynomial 0x07, start 0, not reflected."""

from functools import cache

import numpy as np
import numpy.typing as npt

POLYNOMIAL = 0x07

Polynomials = npt.NDArray[np.uint64]
"""Polynomials over two elements: bit i is the coefficient of x^i."""
_AT_ONCE = 1 << 14
"""So many are worked on in one step, which stay in the processor's cache."""


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


def has_crc(rows: npt.NDArray[np.uint8], before: Polynomials) -> npt.NDArray[np.bool_]:
    """Whether each row, shape (n, 8k), contiguous, ends with the checksum of all before it; shape
    (n,). `before`, shape (n,), are the up to eight bytes before each row, as one number whose
    highest byte is the last of them.

    The checksum is the remainder of a division by x^8 + x^2 + x + 1. With y for x^8 the remainder
    by its eighth power, y^8 + y^2 + y + 1, has the same one, and takes whole bytes to whole bytes:
    a step over eight bytes shifts a number as it stands in memory, the highest power first.
    """
    is_right = np.empty(len(rows), np.bool_)
    rooms = np.empty((2, min(_AT_ONCE, len(rows))), np.uint64)  # new memory costs as much as a step
    for first in range(0, len(rows), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        left = before[part].copy()
        for words in rows[part].view("<u8").T:
            _step(left, rooms[:, : len(left)])
            left ^= words
        left = left.byteswap()
        for power in (4, 2, 2):
            left = _folded(left, power)
        is_right[part] = _of_two_bytes().take(left.astype(np.intp)) == 0
    return is_right


def _step(left: Polynomials, rooms: Polynomials) -> None:
    """Multiply by y^8, in place; `rooms` has two rows as long as `left`."""
    one, other = rooms
    np.left_shift(left, 48, out=one)  # what is shifted out below
    np.left_shift(left, 56, out=other)
    left ^= np.bitwise_xor(one, other, out=one)
    np.right_shift(left, 8, out=one)
    np.right_shift(left, 16, out=other)
    left ^= np.bitwise_xor(one, other, out=one)


def _folded(numbers: Polynomials, power: int) -> Polynomials:
    """Numbers with the same remainder: by the `power` of the polynomial, a power of two itself,
    what is above 8 * power bits is moved down."""
    above = numbers >> np.uint64(8 * power)
    below = numbers & np.uint64((1 << 8 * power) - 1)
    folded: Polynomials = below ^ above ^ above << np.uint64(power) ^ above << np.uint64(2 * power)
    return folded


@cache
def _of_two_bytes() -> npt.NDArray[np.uint8]:
    """The checksum over two bytes, by the number that they are."""
    steps = np.frombuffer(CRC_TABLE, np.uint8)
    second = np.arange(256, dtype=np.uint8)
    return steps.take(steps[:, np.newaxis] ^ second).ravel()
