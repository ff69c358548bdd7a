"""Finds all frames of a whole byte stream at once: the decoder's rule as flat arrays.

The loop is compiled for large streams and plain Python for small ones, where loading the
compiler costs more than it saves; both give what `FrameDecoder` gives.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.compiler import njit
from telemetry.wire.crc import CRC_TABLE
from telemetry.wire.frame import CRC_BYTES, HEADER_BYTES, KNOWN_TYPES, MAX_LENGTH, SYNC
from telemetry.wire.trust import believed

Bytes = npt.NDArray[np.uint8]

COMPILE_FROM_BYTES = 2_000_000
"""Streams from this size on are worth the compiler's start-up time."""

_BYTES_PER_FRAME = 32  # first guess of a frame's size; the tables grow if it is wrong
_CRC = np.frombuffer(CRC_TABLE, np.uint8)
_KNOWN = np.array([value in KNOWN_TYPES for value in range(256)], np.uint8)


@dataclass(frozen=True, slots=True)
class FrameTable:
    """Where the good frames of a stream are, in stream order.

    `offsets` are the sync bytes' positions; `lengths` count header and body, without the CRC.
    Bytes of the stream outside these frames are `junk_bytes`. Of them `doubtful_frames` had a
    good checksum among too many bad ones.
    """

    offsets: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.uint16]
    types: npt.NDArray[np.uint8]
    ids: npt.NDArray[np.uint32]
    crc_errors: int
    junk_bytes: int
    doubtful_frames: int = 0

    def __len__(self) -> int:
        return len(self.offsets)


def scan(stream: Bytes, compiled: bool | None = None) -> FrameTable:
    """Return the frames of a complete stream.

    `compiled` chooses the machine-code loop or the plain one; None chooses by size.
    """
    if compiled is None:
        compiled = len(stream) >= COMPILE_FROM_BYTES
    loop = njit(_scan) if compiled else _scan
    data: Any = stream
    crc: Any = _CRC
    known: Any = _KNOWN
    if loop is _scan:
        data, crc, known = stream.data, CRC_TABLE, _KNOWN.tobytes()
    capacity = len(stream) // _BYTES_PER_FRAME + 64
    columns: list[npt.NDArray[Any]] = [
        np.empty(capacity, dtype) for dtype in (np.int64, np.uint16, np.uint8, np.uint32, np.uint32)
    ]
    position = count = crc_errors = 0
    while True:
        position, count, crc_errors = loop(data, position, crc, known, count, crc_errors, *columns)
        if count < len(columns[0]):
            break
        columns = [grown(column) for column in columns]
    return _table(len(stream), [column[:count] for column in columns], crc_errors)


def _table(stream_bytes: int, columns: list[npt.NDArray[Any]], crc_errors: int) -> FrameTable:
    """Leave out the frames that are not to be believed; all others' bytes are no junk."""
    found = len(columns[0])
    if crc_errors:
        is_good = believed(columns.pop())
        if not is_good.all():
            columns = [column[is_good] for column in columns]
    offsets, lengths, types, ids = columns[:4]
    count = len(offsets)
    junk = stream_bytes - int(lengths.sum(dtype=np.int64)) - CRC_BYTES * count
    return FrameTable(offsets, lengths, types, ids, crc_errors, junk, found - count)


def grown(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy twice as long, its second half undefined."""
    longer = np.empty(2 * len(column), column.dtype)
    longer[: len(column)] = column
    return longer


def _scan(  # noqa: PLR0913, PLR0917 - one flat loop over flat arrays, for the compiler
    data: Any,
    position: int,
    crc_table: Any,
    known_types: Any,
    count: int,
    crc_errors: int,
    offsets: Any,
    lengths: Any,
    types: Any,
    ids: Any,
    errors_before: Any,
) -> tuple[int, int, int]:
    """Fill the tables from `position` on until they are full or the stream ends.

    Return the position to go on at, the number of frames, and of CRC errors.
    """
    end = len(data)
    while position + HEADER_BYTES < end and count < len(offsets):
        if data[position] != SYNC or known_types[data[position + 1]] == 0:
            position += 1
            continue
        length = data[position + 2] + data[position + 3] * 256
        if length < HEADER_BYTES or length > MAX_LENGTH or position + length >= end:
            position += 1
            continue
        crc = 0
        for byte in data[position : position + length]:
            crc = crc_table[crc ^ byte]
        if crc != data[position + length]:
            crc_errors += 1
            position += 1
            continue
        offsets[count] = position
        lengths[count] = length
        types[count] = data[position + 1]
        low = data[position + 4] + data[position + 5] * 256
        high = data[position + 6] + data[position + 7] * 256
        ids[count] = low + high * 65536
        errors_before[count] = crc_errors
        count += 1
        position += length + 1
    return position, count, crc_errors
