"""Reads the record structure of a log file: {u32 ms, i64 size, size bytes}, again and again.

Payloads are one byte stream cut at arbitrary places. Damage between records is skipped: reading
resumes where a chain of plausible records begins.

Only a record tells where the next one begins. Most begin with a frame, though: what looks like a
header before one is looked for in the whole file at once, and where these lead from one to the next
there is nothing left to walk.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from telemetry.wire.frame import SYNC
from telemetry.wire.scan import Bytes, Positions

HEADER_BYTES: Final = 12
MAX_RECORD_BYTES: Final = 0xFFFFF
_CHAIN_RECORDS: Final = 4
_BLOCK_BYTES: Final = 1 << 18
"""So much is looked through while it is in the processor's cache."""
_HEADER: Final = np.dtype([("ms", "<u4"), ("size", "<i8")])

# A header's size field: some number below 1 MiB in three bytes, then five zero bytes.
_PLAUSIBLE_HEADER = re.compile(rb"(?s)(?=.{4}(?:[^\0].|.[^\0]|..(?=[^\0]))[\0-\x0f]\0{5})")


@dataclass(frozen=True, slots=True)
class Records:
    """What the headers said: record i has `sizes[i]` bytes from `starts[i]` of the file on."""

    starts: Positions
    sizes: Positions
    times_ms: npt.NDArray[np.uint32]
    garbage_bytes: int
    is_truncated: bool

    def __len__(self) -> int:
        return len(self.starts)


def read_records(data: Bytes, start: int = 0) -> Records:
    """Read the records of a file from byte `start` on."""
    walk = _Walk(data, start)
    walk.run()
    positions = np.concatenate(walk.found)
    garbage_bytes, is_truncated = walk.garbage_bytes, walk.is_truncated
    del walk  # a third of the file
    headers = _headers(data, positions)
    positions += HEADER_BYTES
    sizes = np.minimum(headers["size"], len(data) - positions)
    return Records(positions, sizes, headers["ms"].copy(), garbage_bytes, is_truncated)


def _headers(data: Bytes, positions: Positions) -> npt.NDArray[Any]:
    """The headers at some positions, each at least `HEADER_BYTES` before the end."""
    window: npt.NDArray[Any] = np.ndarray(
        (max(len(data) - HEADER_BYTES + 1, 0),), f"V{HEADER_BYTES}", data, strides=(1,)
    )
    return window[positions].view(_HEADER)


class _Walk:
    """Goes from header to header; decides what to do where one is not plausible.

    `found` are the positions of the headers, in pieces.
    """

    def __init__(self, data: Bytes, start: int) -> None:
        self.found: list[Positions] = [np.empty(0, np.int64)]
        self.garbage_bytes = 0
        self.is_truncated = False
        self._raw = data.data
        self._position = start
        self._stretches = _Stretches(data)

    def run(self) -> None:
        """Walk to the end."""
        end = len(self._raw)
        while self._position < end:
            headers, arrived = self._stretches.from_position(self._position)
            if arrived == end or (arrived < end and _size_at(self._raw, arrived)):
                self.found.append(headers)
                self._position = arrived
            else:
                self.found.append(headers[:-1])
                self._position = int(headers[-1]) if len(headers) else arrived
                self._pass_trouble(end)

    def _pass_trouble(self, end: int) -> None:
        """The header here, or the one it leads to, is not plausible."""
        position = self._position
        size = _size_at(self._raw, position)
        record_end = position + HEADER_BYTES + size
        fits = size > 0 and record_end <= end
        resume = _find_chain(self._raw, position + 1, record_end if fits else end)
        if resume is not None:
            self.garbage_bytes += resume - position
            self._position = resume
        elif fits:
            self._add(position)
            self._position = record_end
        else:
            self._take_tail(position, size, end)

    def _take_tail(self, position: int, size: int, end: int) -> None:
        """Nothing follows: a record whose end is missing, or garbage."""
        available = end - position - HEADER_BYTES
        self._position = end
        if size == 0 and available >= 0:
            self.garbage_bytes += end - position
            return
        self.is_truncated = True
        if available > 0:
            self._add(position)

    def _add(self, position: int) -> None:
        self.found.append(np.array([position], np.int64))


class _Stretches:
    """Records that are known to follow each other."""

    def __init__(self, data: Bytes) -> None:
        self._raw = data.data
        self._likely = _likely_headers(data)
        self._leads_to = self._likely + _headers(data, self._likely)["size"] + HEADER_BYTES
        is_last = np.append(self._leads_to[:-1] != self._likely[1:], np.True_)
        self._lasts = np.flatnonzero(is_last)

    def from_position(self, position: int) -> tuple[Positions, int]:
        """The headers from `position` on that each lead to the next one, and where the last one
        leads: to another stretch, the end, or where no plausible header is.
        """
        first = int(np.searchsorted(self._likely, position))
        limit = int(self._likely[first]) if first < len(self._likely) else len(self._raw)
        if limit == position:
            last = int(self._lasts[np.searchsorted(self._lasts, first)])
            return self._likely[first : last + 1], int(self._leads_to[last])
        visited = []
        while position < limit and (size := _size_at(self._raw, position)):
            visited.append(position)
            position += HEADER_BYTES + size
        return np.array(visited, np.int64), position


def _likely_headers(data: Bytes) -> Positions:
    """Where a plausible header stands before what may be a frame, ascending."""
    found = [np.empty(0, np.int64)]
    for start in range(HEADER_BYTES, len(data), _BLOCK_BYTES):
        frames = np.flatnonzero(data[start : start + _BLOCK_BYTES] == SYNC)
        positions = frames + (start - HEADER_BYTES)
        sizes = _headers(data, positions)["size"]
        found.append(positions[(sizes > 0) & (sizes <= MAX_RECORD_BYTES)])
    return np.concatenate(found)


def _size_at(raw: memoryview, position: int) -> int:
    """The payload size in the header at `position`; 0 if there is no plausible header."""
    size = int.from_bytes(raw[position + 4 : position + HEADER_BYTES], "little")
    complete = position + HEADER_BYTES <= len(raw)
    return size if complete and size <= MAX_RECORD_BYTES else 0


def _find_chain(raw: memoryview, start: int, stop: int) -> int | None:
    """The first position in [start, stop) where several plausible records follow each other."""
    for match in _PLAUSIBLE_HEADER.finditer(raw, start):
        if match.start() >= stop:
            return None
        if _is_chain(raw, match.start()):
            return match.start()
    return None


def _is_chain(raw: memoryview, position: int) -> bool:
    for _ in range(_CHAIN_RECORDS):
        size = _size_at(raw, position)
        position += HEADER_BYTES + size
        if size == 0 or position > len(raw):
            return False
        if position == len(raw):
            return True
    return True
