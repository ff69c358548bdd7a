"""Reads the record structure of a log file: {u32 ms, i64 size, size bytes}, again and again.

Payloads are one byte stream cut at arbitrary places. Damage between records is skipped: reading
resumes where a chain of plausible records begins.

Only a record tells where the next one begins. A large file is therefore walked from many places at
once; where each such walk begins is a guess, which counts once another walk has arrived there.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from math import isqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from telemetry.wire.scan import Bytes, Positions

HEADER_BYTES: Final = 12
MAX_RECORD_BYTES: Final = 0xFFFFF
_CHAIN_RECORDS: Final = 4
_GUESS_RECORDS: Final = 8
"""So long a chain has to be to lead to a guess."""
_GUESS_BYTES: Final = 4096
"""So far is one looked for; longer records are few."""
_BYTES_PER_GUESS: Final = 32
"""For the square of the number of guesses: looking for them takes as long as the walks."""
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
    headers = _headers(data, positions)
    positions += HEADER_BYTES
    sizes = np.minimum(headers["size"], len(data) - positions)
    times_ms = headers["ms"].copy()
    return Records(positions, sizes, times_ms, walk.garbage_bytes, walk.is_truncated)


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
        self._stretches = _Stretches(data, start)

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
    """Walks over a file by records with plausible headers, done ahead from many guessed places."""

    def __init__(self, data: Bytes, start: int) -> None:
        self._raw = data.data
        self._guesses = [start, *_guesses(self._raw, start)]
        if len(self._guesses) > 1:
            begun = np.array(self._guesses, np.int64)
            self._visited, self._arrivals = _walked(data, begun)
            self._firsts = np.searchsorted(self._visited, [*self._guesses, len(data)])

    def from_position(self, position: int) -> tuple[Positions, int]:
        """The headers from `position` on that each lead to the next one, and where the last one
        leads: to another stretch, the end, or where no plausible header is.
        """
        number = bisect_right(self._guesses, position)
        if len(self._guesses) > 1 and self._guesses[number - 1] == position:
            first, last = self._firsts[number - 1 : number + 1]
            return self._visited[first:last], int(self._arrivals[number - 1])
        limit = self._guesses[number] if number < len(self._guesses) else len(self._raw)
        visited = []
        while position < limit and (size := _size_at(self._raw, position)):
            visited.append(position)
            position += HEADER_BYTES + size
        return np.array(visited, np.int64), position


def _guesses(raw: memoryview, start: int) -> list[int]:
    """Places, evenly apart, to which a long chain of plausible records leads. A chain that begins
    wrongly, inside a record, soon meets the right one.
    """
    count = isqrt((len(raw) - start) // _BYTES_PER_GUESS)
    apart = max((len(raw) - start) // max(count, 1), _GUESS_BYTES)
    found = []
    for begin in range(start + apart, len(raw), apart):
        matches = _PLAUSIBLE_HEADER.finditer(raw, begin, begin + _GUESS_BYTES)
        ends = (_end_of_chain(raw, match.start(), _GUESS_RECORDS) for match in matches)
        guess = next((end for end in ends if end is not None), len(raw))
        if guess < begin + apart:
            found.append(guess)
    return found


def _walked(data: Bytes, begun: Positions) -> tuple[Positions, Positions]:
    """Walk from all places of `begun` at once, each until it arrives at the next one or beyond.

    Returns all headers visited, ascending, and where each walk has arrived.
    """
    last = len(data) - HEADER_BYTES
    limits = np.minimum(np.append(begun[1:], last + 1), last + 1)
    arrivals = begun.copy()
    walking = np.flatnonzero(begun < limits)
    visited = []
    while len(walking):
        positions = arrivals[walking]
        sizes = _headers(data, positions)["size"]
        is_plausible = (sizes > 0) & (sizes <= MAX_RECORD_BYTES)
        if not is_plausible.all():
            walking, positions = walking[is_plausible], positions[is_plausible]
            sizes = sizes[is_plausible]
        visited.append(positions)
        following = positions + sizes + HEADER_BYTES
        arrivals[walking] = following
        goes_on = following < limits[walking]
        if not goes_on.all():
            walking = walking[goes_on]
    return np.sort(np.concatenate(visited)), arrivals


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
        if _end_of_chain(raw, match.start(), _CHAIN_RECORDS) is not None:
            return match.start()
    return None


def _end_of_chain(raw: memoryview, position: int, records: int) -> int | None:
    """Where a chain of so many plausible records leads, at most the end; None if it breaks."""
    for _ in range(records):
        size = _size_at(raw, position)
        position += HEADER_BYTES + size
        if size == 0 or position > len(raw):
            return None
        if position == len(raw):
            break
    return position
