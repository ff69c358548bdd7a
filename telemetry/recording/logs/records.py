"""Log records, the structure of a log file: {u32 ms, i64 size, size bytes}, again and again.

Payloads are one byte stream cut at arbitrary places. Where a header is damaged or its size has
lied, reading resumes where a chain of plausible records begins. What lies before that is passed on
as a damaged record: frames stand in it, and a checksum tells better than a header which are whole.

Only a record tells where the next one begins. Most begin with a frame, though: what looks like a
header before one is looked for in a whole window of the file at once, and where these lead from one
to the next there is nothing left to walk.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from telemetry.protocol.wire.frame import SYNC
from telemetry.protocol.wire.growing import GrowingArray
from telemetry.protocol.wire.scan import Bytes, Positions

HEADER_BYTES: Final = 12
MAX_RECORD_BYTES: Final = 0xFFFFF
_CHAIN_RECORDS: Final = 4
_WINDOW_BYTES: Final = 1 << 20
"""So much is looked through at once: what that takes stays in the processor's cache."""
_HEADER: Final = np.dtype([("ms", "<u4"), ("size", "<i8")])
_SIZE_AT: Final = 4
_NONE: Final = np.empty(0, np.int64)
_USUAL_BYTES: Final = 32
"""Records of less are rare."""

# A header's size field: some number below 1 MiB in three bytes, then five zero bytes.
_PLAUSIBLE_HEADER = re.compile(rb"(?s)(?=.{4}(?:[^\0].|.[^\0]|..(?=[^\0]))[\0-\x0f]\0{5})")


@dataclass(frozen=True, slots=True)
class Records:
    """What the headers said: record i has `sizes[i]` bytes from `starts[i]` of the file on.

    `damaged` are the numbers of what lies between them, which has no time of its own but that of
    the record before it, or behind it at the start of the file.
    """

    starts: Positions
    sizes: npt.NDArray[np.int32]
    times_ms: npt.NDArray[np.uint32]
    damaged: Positions
    is_truncated: bool

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def damaged_bytes(self) -> int:
        """How many bytes the damaged ones have."""
        return int(self.sizes[self.damaged].sum(dtype=np.int64))


def read_records(data: Bytes, start: int = 0, window_bytes: int = _WINDOW_BYTES) -> Records:
    """Read the records of a file from byte `start` on: none if it is all damage."""
    walk = _Walk(data, start, window_bytes)
    walk.run()
    starts, sizes, times_ms = walk.starts.items, walk.sizes.items, walk.times_ms.items
    return Records(starts, sizes, times_ms, np.array(walk.damaged, np.int64), walk.is_truncated)


def _copied(data: Bytes, positions: Positions, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """What stands at some positions, each with all its bytes before the end."""
    rows = max(len(data) - kind.itemsize + 1, 0)
    window: npt.NDArray[Any] = np.ndarray((rows,), f"V{kind.itemsize}", data, strides=(1,))
    return window[positions].view(kind)


class _Walk:
    """Goes from header to header; decides what to do where one is not plausible."""

    def __init__(self, data: Bytes, start: int, window_bytes: int) -> None:
        room = len(data) // _USUAL_BYTES
        self.starts = GrowingArray(np.int64, room)
        self.sizes = GrowingArray(np.int32, room)
        self.times_ms = GrowingArray(np.uint32, room)
        self.damaged: list[int] = []
        self._positions: list[Positions] = []
        self.is_truncated = False
        self._data = data
        self._raw = data.data
        self._position = start
        self._window_bytes = window_bytes

    def run(self) -> None:
        """Walk to the end."""
        end = len(self._raw)
        stretches = self._next_stretches()
        while self._position < end:
            if self._position >= stretches.end:
                stretches = self._next_stretches()
            headers, arrived = stretches.from_position(self._position)
            if arrived == end or (arrived < end and _size_at(self._raw, arrived)):
                self._positions.append(headers)
                self._position = arrived
            else:
                self._positions.append(headers[:-1])
                self._position = int(headers[-1]) if len(headers) else arrived
                self._pass_trouble(end)
        self._read_headers()

    def _next_stretches(self) -> "_Stretches":
        """What follows each other in the window from here on."""
        self._read_headers()
        end = min(self._position + self._window_bytes, len(self._raw))
        return _Stretches(self._data, self._position, end)

    def _pass_trouble(self, end: int) -> None:
        """The header here, or the one it leads to, is not plausible."""
        position = self._position
        size = _size_at(self._raw, position)
        record_end = position + HEADER_BYTES + size
        fits = size > 0 and record_end <= end
        resume = _find_chain(self._raw, position + 1, record_end if fits else end)
        if resume is not None:
            self._pass_over(resume)
        elif fits:
            self._positions.append(np.array([position]))
            self._position = record_end
        else:
            self._take_tail(position, size, end)

    def _take_tail(self, position: int, size: int, end: int) -> None:
        """Nothing follows: a record whose end is missing, or garbage."""
        available = end - position - HEADER_BYTES
        if size == 0 and available >= 0:
            self._pass_over(end)
            return
        self._position = end
        self.is_truncated = True
        if available > 0:
            self._positions.append(np.array([position]))

    def _pass_over(self, resume: int) -> None:
        """Take as damaged what lies before `resume`, with what may be no header at its start."""
        self._read_headers()
        starts = np.arange(self._position, resume, MAX_RECORD_BYTES)
        sizes = np.minimum(resume - starts, MAX_RECORD_BYTES).astype(np.int32)
        self._position = resume
        if len(self.times_ms):
            ms = int(self.times_ms.items[-1])
        elif resume < len(self._raw):
            ms = int.from_bytes(self._raw[resume : resume + _SIZE_AT], "little")
        else:
            return
        self.damaged += range(len(self.starts), len(self.starts) + len(starts))
        self._take(starts, sizes, np.full(len(starts), ms, np.uint32))

    def _read_headers(self) -> None:
        """Take what the headers found in a window say, while that is in the processor's cache."""
        positions = np.concatenate([_NONE, *self._positions])
        starts = positions + HEADER_BYTES
        headers = _copied(self._data, positions, _HEADER)
        sizes = np.minimum(headers["size"], len(self._raw) - starts).astype(np.int32)
        self._positions.clear()
        self._take(starts, sizes, headers["ms"])

    def _take(
        self,
        starts: Positions,
        sizes: npt.NDArray[np.int32],
        times_ms: npt.NDArray[np.uint32],
    ) -> None:
        self.starts.add(starts)
        self.sizes.add(sizes)
        self.times_ms.add(times_ms)


class _Stretches:
    """Records that are known to follow each other, their headers between `start` and `end`."""

    def __init__(self, data: Bytes, start: int, end: int) -> None:
        self.end = end
        self._raw = data.data
        self._likely, sizes = _likely_headers(data, start, end)
        self._leads_to = self._likely + sizes + HEADER_BYTES
        is_last = np.append(self._leads_to[:-1] != self._likely[1:], np.True_)
        self._lasts = np.flatnonzero(is_last).tolist()

    def from_position(self, position: int) -> tuple[Positions, int]:
        """The headers from `position` on that each lead to the next one, and where the last one
        leads: to another stretch, behind `end`, or where no plausible header is.
        """
        first = int(self._likely.searchsorted(position))
        limit = self._likely.item(first) if first < len(self._likely) else self.end
        if limit == position:
            last = self._lasts[bisect_left(self._lasts, first)]
            return self._likely[first : last + 1], self._leads_to.item(last)
        visited = []
        while position < limit and (size := _size_at(self._raw, position)):
            visited.append(position)
            position += HEADER_BYTES + size
        return np.array(visited, np.int64), position


def _likely_headers(data: Bytes, start: int, end: int) -> tuple[Positions, Positions]:
    """Where in [start, end) a plausible header stands before what may be a frame, ascending; and
    the sizes in these headers.
    """
    is_sync = data[start + HEADER_BYTES : end + HEADER_BYTES] == SYNC
    positions = np.flatnonzero(is_sync) + start
    sizes = _copied(data, positions + _SIZE_AT, _HEADER["size"])
    is_plausible = (sizes > 0) & (sizes <= MAX_RECORD_BYTES)
    return positions[is_plausible], sizes[is_plausible]


def _size_at(raw: memoryview, position: int) -> int:
    """The payload size in the header at `position`; 0 if there is no plausible header."""
    size = int.from_bytes(raw[position + 4 : position + HEADER_BYTES], "little")
    complete = position + HEADER_BYTES <= len(raw)
    return size if complete and size <= MAX_RECORD_BYTES else 0


def _find_chain(raw: memoryview, start: int, stop: int) -> int | None:
    """The first position in [start, stop) where several plausible records follow each other.

    A byte before a header its size reads 256 times as large, and that may lead into a chain, too:
    of positions that lie within one header the one with the smallest size is the header.
    """
    for match in _PLAUSIBLE_HEADER.finditer(raw, start):
        first = match.start()
        if first >= stop:
            return None
        if _is_chain(raw, first):
            near = range(first, min(first + HEADER_BYTES, stop))
            return min((at for at in near if _is_chain(raw, at)), key=lambda at: _size_at(raw, at))
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
