"""CRC of a board's code region, as its processor's CRC unit works it out.

Source: `PIOS_BL_HELPER_CRC_Memory_Calc` in flight/pios/stm32f4xx/pios_bl_helper.c of LibrePilot.
"""

import zlib

import numpy as np

ERASED = b"\xff"
WORD_BYTES = 4
_MIRRORED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))


def region_crc(code: bytes, region_bytes: int) -> int:
    """The CRC of a region that holds `code` and is erased behind it: polynomial 0x04C11DB7, start
    0xFFFFFFFF, over little-endian words, the highest bit first, no final inversion.

    zlib's has the same polynomial and start, but takes bytes with the lowest bit first and inverts
    the end: so it is given mirrored bytes, from the highest of each word on. Raises ValueError
    where the code does not fit, or the region is not made of whole words.
    """
    if region_bytes % WORD_BYTES or not len(code) <= region_bytes:
        raise ValueError(f"{len(code)} bytes are no code for a region of {region_bytes}")
    words = np.frombuffer(code.ljust(region_bytes, ERASED), "<u4")
    mirrored = zlib.crc32(words.astype(">u4").tobytes().translate(_MIRRORED)) ^ 0xFFFFFFFF
    return int.from_bytes(mirrored.to_bytes(4, "little").translate(_MIRRORED), "big")


def whole_words(data: bytes) -> bytes:
    """Data as flash holds it: filled up to whole words with what an erased one reads as."""
    return data + ERASED * (-len(data) % WORD_BYTES)
