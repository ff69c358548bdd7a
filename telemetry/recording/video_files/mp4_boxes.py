"""MP4 boxes: the times at which the pictures of an MP4 or MOV file are shown, by its header.

ISO/IEC 14496-12: boxes 4.2, track header 8.3.2, composition times 8.6.1.3, edits 8.6.6.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO, Final

import numpy as np
import numpy.typing as npt

_MOST_BOXES: Final = 10_000
_LARGEST: Final = 1 << 26
_FARTHEST: Final = 1 << 30
_SHIFTS: Final = np.dtype([("count", ">u4"), ("shift", ">i4")])
_EDITS: Final = {
    0: np.dtype([("length", ">u4"), ("start", ">i4"), ("rate", ">i4")]),
    1: np.dtype([("length", ">u8"), ("start", ">i8"), ("rate", ">i4")]),
}
_ONCE: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class _Box:
    """A box by its name, and where its content stands in the file."""

    name: bytes
    begin: int
    end: int


def shown_after(file: BinaryIO, track: int, count: int) -> npt.NDArray[np.int64] | None:
    """How much later than it is decoded each of the `count` samples of a track is shown, in ticks
    of the track.

    None where that does not stand there, or is not all: in a file whose samples come in fragments,
    whose track is put together of several parts or shown at another speed, or that is damaged.
    Raises OSError.
    """
    moov = next((box for box in _boxes(file, 0, _size(file)) if box.name == b"moov"), None)
    if moov is None:
        return None
    inside = list(_boxes(file, moov.begin, moov.end))
    if any(box.name == b"mvex" for box in inside):
        return None
    for box in inside:
        if box.name == b"trak" and _track_number(file, box) == track:
            return _shifts(file, box, count) if _is_shown_once(file, box) else None
    return None


def _boxes(file: BinaryIO, begin: int, end: int) -> Iterator[_Box]:
    """The boxes of a part of the file, as far as they are whole."""
    return islice(_all_boxes(file, begin, end), _MOST_BOXES)


def _all_boxes(file: BinaryIO, begin: int, end: int) -> Iterator[_Box]:
    while end - begin >= 8:
        file.seek(begin)
        header = file.read(16)
        if len(header) < 8:
            return
        size, name = struct.unpack_from(">I4s", header)
        content = begin + 8
        if size == 1 and len(header) == 16:
            size, content = struct.unpack_from(">Q", header, 8)[0], begin + 16
        stop = end if size == 0 else begin + size
        if not content <= stop <= end:
            return
        yield _Box(name, content, stop)
        begin = stop


def _size(file: BinaryIO) -> int:
    return file.seek(0, 2)


def _content(file: BinaryIO, inside: _Box, *path: bytes) -> bytes | None:
    """What stands in a box within boxes; None without it, and where it is too large to be true."""
    box: _Box | None = inside
    for name in path:
        if box is None:
            return None
        box = next((one for one in _boxes(file, box.begin, box.end) if one.name == name), None)
    if box is None or box.end - box.begin > _LARGEST:
        return None
    file.seek(box.begin)
    return file.read(box.end - box.begin)


def _track_number(file: BinaryIO, trak: _Box) -> int | None:
    header = _content(file, trak, b"tkhd") or b""
    at = 20 if header[:1] == b"\1" else 12
    return int(struct.unpack_from(">I", header, at)[0]) if len(header) >= at + 4 else None


def _is_shown_once(file: BinaryIO, trak: _Box) -> bool:
    """Whether a track is shown in one piece, at its own speed; it may begin late, or within."""
    edits = _content(file, trak, b"edts", b"elst")
    if edits is None:
        return True
    kind = _EDITS.get(edits[0]) if edits else None
    rows = None if kind is None else _rows(edits, kind)
    if rows is None:
        return False
    shown = rows[rows["start"] >= 0]
    return len(shown) <= 1 and bool((shown["rate"] == _ONCE).all())


def _shifts(file: BinaryIO, trak: _Box, count: int) -> npt.NDArray[np.int64] | None:
    content = _content(file, trak, b"mdia", b"minf", b"stbl", b"ctts")
    if content is None:
        return np.zeros(count, np.int64)
    rows = _rows(content, _SHIFTS)
    if rows is None or int(rows["count"].sum(dtype=np.int64)) != count:
        return None
    shifts = rows["shift"].astype(np.int64)
    return shifts.repeat(rows["count"]) if (np.abs(shifts) < _FARTHEST).all() else None


def _rows(content: bytes, kind: np.dtype[np.void]) -> npt.NDArray[np.void] | None:
    """The rows of a table behind its version, flags and length."""
    count = struct.unpack_from(">I", content, 4)[0] if len(content) >= 8 else 0
    whole = len(content) - 8 >= count * kind.itemsize
    return np.frombuffer(content, kind, count, 8) if count and whole else None
