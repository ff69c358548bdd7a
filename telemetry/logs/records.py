"""Reads the record structure of a log file: {u32 ms, i64 size, size bytes}, again and again.

Payloads are one byte stream cut at arbitrary places, so they are joined before frames are
looked for. Damage between records is skipped: reading resumes where a chain of plausible
records begins.
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.compiler import njit
from telemetry.wire.scan import COMPILE_FROM_BYTES, Bytes, grown

HEADER_BYTES = 12
MAX_RECORD_BYTES = 0xFFFFF
_BYTES_PER_RECORD = 40  # first guess; the tables grow if it is wrong
_CHAIN_RECORDS = 4

# A header's size field: some number below 1 MiB in three bytes, then five zero bytes.
_PLAUSIBLE_HEADER = re.compile(rb"(?s)(?=.{4}(?:[^\0].|.[^\0]|..(?=[^\0]))[\0-\x0f]\0{5})")


@dataclass(frozen=True, slots=True)
class Records:
    """The joined payloads and what the headers said. Record i starts at `starts[i]`."""

    stream: Bytes
    starts: npt.NDArray[np.int64]
    times_ms: npt.NDArray[np.uint32]
    garbage_bytes: int
    is_truncated: bool

    def __len__(self) -> int:
        return len(self.starts)


def read_records(data: Bytes, start: int = 0, compiled: bool | None = None) -> Records:
    """Read the records of a file from byte `start` on.

    The payloads are joined in place: `data` is consumed, `stream` is a view of it.
    """
    if compiled is None:
        compiled = len(data) >= COMPILE_FROM_BYTES
    compiled = compiled and njit(_walk) is not _walk
    index = _Index(data, start, compiled)
    index.build()
    starts, sizes = index.sources[: index.count], index.sizes[: index.count]
    if compiled:
        end = njit(_join)(data, starts, sizes)
        stream = data[:end]
    else:
        raw = data.data
        spans = zip(starts.tolist(), sizes.tolist(), strict=True)
        joined = b"".join([raw[source : source + size] for source, size in spans])
        stream = np.frombuffer(joined, np.uint8)
        ends = np.cumsum(sizes, dtype=np.int64)
        starts = ends - sizes
    times_ms = index.times_ms[: index.count]
    return Records(stream, starts, times_ms, index.garbage_bytes, index.is_truncated)


class _Index:
    """Walks from header to header; decides what to do where one is not plausible."""

    def __init__(self, data: Bytes, start: int, compiled: bool) -> None:
        capacity = len(data) // _BYTES_PER_RECORD + 64
        self.sources = np.empty(capacity, np.int64)
        self.sizes = np.empty(capacity, np.uint32)
        self.times_ms = np.empty(capacity, np.uint32)
        self.count = 0
        self.garbage_bytes = 0
        self.is_truncated = False
        self._raw = data.data
        self._walk = njit(_walk) if compiled else _walk
        self._data: Any = data if compiled else self._raw
        self._position = start

    def build(self) -> None:
        end = len(self._raw)
        while self._position < end:
            self._position, self.count = self._walk(
                self._data, self._position, self.count, self.sources, self.sizes, self.times_ms
            )
            if self.count == len(self.sources):
                self.sources, self.sizes, self.times_ms = (
                    grown(column) for column in (self.sources, self.sizes, self.times_ms)
                )
            elif self._position < end:
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
            self._add(position, size)
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
            self._add(position, available)

    def _add(self, position: int, size: int) -> None:
        self.sources[self.count] = position + HEADER_BYTES
        self.sizes[self.count] = size
        self.times_ms[self.count] = int.from_bytes(self._raw[position : position + 4], "little")
        self.count += 1


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


def _walk(
    data: Any, position: int, count: int, sources: Any, sizes: Any, times_ms: Any
) -> tuple[int, int]:
    """Note records while each leads to another plausible header, or to the end of the file.

    Return the position of the first record not noted and the number of records.
    """
    end = len(data)
    size = 0
    while position < end and count < len(sources):
        following = position
        for step in range(2):
            if following == end and step == 1:
                break
            if following + 12 > end:
                return position, count
            high = data[following + 7] + data[following + 8] + data[following + 9]
            high += data[following + 10] + data[following + 11]
            claimed = data[following + 4] + data[following + 5] * 256
            claimed += data[following + 6] * 65536
            if high != 0 or claimed == 0 or claimed > 0xFFFFF:
                return position, count
            if step == 0:
                size = claimed
                following += 12 + claimed
                if following > end:
                    return position, count
        sources[count] = position + 12
        sizes[count] = size
        low = data[position] + data[position + 1] * 256
        times_ms[count] = low + (data[position + 2] + data[position + 3] * 256) * 65536
        count += 1
        position = following
    return position, count


def _join(data: Any, sources: Any, sizes: Any) -> int:
    """Move all payloads to the front; replace `sources` by where they went; return the end."""
    target = 0
    for record in range(len(sources)):
        source = sources[record]
        sources[record] = target
        for offset in range(sizes[record]):
            data[target + offset] = data[source + offset]
        target += sizes[record]
    return target
