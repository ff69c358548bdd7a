"""Frames of the serial protocol (SSP) of bootloaders without USB: a byte that begins each and is
escaped within, length, sequence number, data, CRC-16.

Source: flight/libraries/ssp.c of LibrePilot. The length counts the sequence number and the data;
the CRC is over both, polynomial 0xA001 with the lowest bit first, start 0xFFFF, low byte first.
"""

from collections.abc import Iterator
from typing import Final

BEGIN: Final = 225
ESCAPE: Final = 224
_ESCAPED_BEGIN: Final = 1
_CRC_BYTES: Final = 2


def crc16(data: bytes) -> int:
    """The checksum at the end of a frame."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def make_frame(sequence: int, data: bytes = b"") -> bytes:
    """A frame as it goes over the line."""
    body = bytes((sequence,)) + data
    whole = bytes((len(body),)) + body + crc16(body).to_bytes(_CRC_BYTES, "little")
    doubled = whole.replace(bytes((ESCAPE,)), bytes((ESCAPE, ESCAPE)))
    return bytes((BEGIN,)) + doubled.replace(bytes((BEGIN,)), bytes((ESCAPE, _ESCAPED_BEGIN)))


class FrameReader:
    """Makes frames of what arrives on a line, in pieces of any size; damaged ones are left out."""

    def __init__(self) -> None:
        self._frame: bytearray | None = None
        self._is_escaped = False

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The sequence number and the data of each frame that ends in `data`."""
        for byte in data:
            if byte == BEGIN:
                self._frame, self._is_escaped = bytearray(), False
            elif byte == ESCAPE and not self._is_escaped:
                self._is_escaped = True
            else:
                is_begin = self._is_escaped and byte == _ESCAPED_BEGIN
                self._is_escaped = False
                if whole := self._taken(BEGIN if is_begin else byte):
                    yield whole

    def _taken(self, byte: int) -> tuple[int, bytes] | None:
        if self._frame is None:
            return None
        self._frame.append(byte)
        length = self._frame[0]
        if length and len(self._frame) < 1 + length + _CRC_BYTES:
            return None
        frame, self._frame = bytes(self._frame), None
        body, crc = frame[1:-_CRC_BYTES], frame[-_CRC_BYTES:]
        if not length or crc16(body).to_bytes(_CRC_BYTES, "little") != crc:
            return None
        return body[0], body[1:]
