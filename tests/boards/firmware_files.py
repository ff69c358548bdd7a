"""Files of firmware as a build makes them: code, and 100 bytes that describe it."""

import hashlib
import struct
from random import Random


def make_code(size: int = 3001, base: int = 0x08020000, seed: int = 1) -> bytes:
    """Code that begins with a stack pointer and where it is entered."""
    return struct.pack("<II", 0x2001FFF0, base + 0x101) + Random(seed).randbytes(size - 8)


def describe(code: bytes, board: int = 0x0903, tag: bytes = b"RELEASE-16.09") -> bytes:
    fields = (b"OpFw", 0x8C101ADC, 1550786361, board >> 8, board & 0xFF, tag)
    hashes = (hashlib.sha1(code).digest(), bytes.fromhex("c1" * 20))
    return struct.pack("<4sIIBB26s20s20s20x", *fields, *hashes)


def make_opfw(board: int = 0x0903, size: int = 3001, seed: int = 1) -> bytes:
    code = make_code(size, seed=seed)
    return code + describe(code, board)
