"""AVI file structure, read by ourselves because cameras damage it.

RIFF, after Microsoft's "AVI RIFF File Reference" and the OpenDML extensions. What the index at the
end says is believed before the headers of the chunks: it survives when those are broken. Where it
is missing, and in the further segments of files beyond a gigabyte, the chunks are walked along.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from telemetry.base.input_files import open_file

_CHUNK: Final = struct.Struct("<4sI")
_INDEX_ENTRY: Final = struct.Struct("<4sIII")
_STREAM_HEADER: Final = struct.Struct("<4s4sIHHIIIII")
_BITMAP: Final = struct.Struct("<IiiHH4s")
_WAVE: Final = struct.Struct("<HHIIHH")
_STREAM_CHUNK: Final = re.compile(rb"[0-9]{2}(?:dc|db|wb)", re.DOTALL)
_OTHER_CHUNKS: Final = (b"LIST", b"JUNK", b"idx1", b"RIFF", b"ix00", b"ix01", b"ix02")
_LARGEST_HEADER: Final = 1 << 20
_SEARCH_STEP: Final = 1 << 16
_TRIED_ENTRIES: Final = 200


@dataclass(frozen=True, slots=True)
class AviChunk:
    """Where the data of a chunk stand. `is_recovered`: its header is broken, and how many chunks
    were lost before it is not known."""

    offset: int
    size: int
    is_recovered: bool = False


@dataclass(slots=True)
class AviStream:
    """One stream: `kind` is b"vids" or b"auds"; a frame or sample lasts `scale` / `rate` seconds.

    `length` is what the header announces. Of pictures: `codec` (fourcc), size and `extradata`; of
    sound: `wave` as (format tag, channels, rate, bytes per second, block, bits).
    """

    kind: bytes
    codec: bytes
    scale: int
    rate: int
    length: int
    size: tuple[int, int] = (0, 0)
    extradata: bytes = b""
    wave: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    chunks: list[AviChunk] = field(default_factory=list)


@dataclass(slots=True)
class AviLayout:
    """What a file consists of. `date` is the text that some cameras put in the header."""

    streams: list[AviStream] = field(default_factory=list)
    movies: list[tuple[int, int]] = field(default_factory=list)
    index: tuple[int, int] = (0, 0)
    date: str = ""
    has_index: bool = False

    def first(self, kind: bytes) -> AviStream | None:
        """The first stream of a kind."""
        return next((stream for stream in self.streams if stream.kind == kind), None)


def is_avi(path: Path) -> bool:
    """Whether the content is AVI, whatever the name says. Raises OSError."""
    with open_file(path) as file:
        head = file.read(12)
    return head[:4] == b"RIFF" and head[8:12] == b"AVI "


def read_layout(file: BinaryIO) -> AviLayout | None:
    """All streams with their chunks; None where not even the header makes sense. Raises OSError."""
    end = file.seek(0, 2)
    layout = AviLayout()
    try:
        _read_segments(file, end, layout)
    except struct.error:
        return None
    if not layout.streams or not layout.movies:
        return None
    first, *more = layout.movies
    layout.has_index = _take_index(file, end, layout, first[0])
    for start, stop in more if layout.has_index else layout.movies:
        _walk(file, start + 4, stop, layout)
    return layout


# ---------------------------------------------------------------------- headers


def _read_segments(file: BinaryIO, end: int, layout: AviLayout) -> None:
    at = 0
    while (head := _head(file, at)) is not None:
        name, size = head
        if name != b"RIFF":
            return
        stop = min(at + 8 + size, end)
        following = _head(file, at + 8 + size)
        if following is None or following[0] != b"RIFF":
            stop = end  # the sizes are written last: a camera without power leaves none
        _read_segment(file, at + 12, stop, layout)
        at = stop


def _read_segment(file: BinaryIO, at: int, stop: int, layout: AviLayout) -> None:
    while at + 8 <= stop and (head := _head(file, at)) is not None:
        name, size = head
        kind = file.read(4) if name == b"LIST" else name
        if kind == b"movi":
            whole = 0 < size <= stop - at - 8
            layout.movies.append((at + 8, at + 8 + size if whole else stop))
            if not whole:
                return
        elif kind == b"idx1":
            layout.index = (at + 8, min(size, stop - at - 8))
        elif kind == b"hdrl" and size <= _LARGEST_HEADER:
            _read_header(file.read(max(size - 4, 0)), layout)
        at += 8 + size + size % 2


def _read_header(data: bytes, layout: AviLayout) -> None:
    for name, body in _parts(data):
        if name == b"LIST" and body[:4] == b"strl":
            stream = _stream(dict(_parts(body[4:])))
            layout.streams.append(stream)
        elif name == b"IDIT":
            layout.date = body.decode("ascii", "replace").strip("\0\r\n ")


def _stream(parts: dict[bytes, bytes]) -> AviStream:
    header = _STREAM_HEADER.unpack_from(parts[b"strh"]) if b"strh" in parts else None
    if header is None:
        return AviStream(b"????", b"", 1, 1, 0)
    kind, _, _, _, _, _, scale, rate, _, length = header
    stream = AviStream(kind, header[1], scale, rate, length)
    body = parts.get(b"strf", b"")
    if kind == b"vids" and len(body) >= 40:
        _, width, height, _, _, codec = _BITMAP.unpack_from(body)
        stream.size, stream.codec = (width, abs(height)), codec
        stream.extradata = body[40:]
    elif kind == b"auds" and len(body) >= _WAVE.size:
        stream.wave = _WAVE.unpack_from(body)
    return stream


def _parts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(data):
        name, size = _CHUNK.unpack_from(data, at)
        yield name, data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def _head(file: BinaryIO, at: int) -> tuple[bytes, int] | None:
    file.seek(at)
    head = file.read(8)
    return _CHUNK.unpack(head) if len(head) == 8 else None


# ---------------------------------------------------------------------- the index


def _take_index(file: BinaryIO, end: int, layout: AviLayout, movie: int) -> bool:
    """Chunks as the index has them; False where there is none that fits the file."""
    offset, size = layout.index
    if not size:
        return False
    file.seek(offset)
    data = file.read(size)
    entries = list(_INDEX_ENTRY.iter_unpack(data[: len(data) // 16 * 16]))
    entries = [one for one in entries if _STREAM_CHUNK.fullmatch(one[0])]
    base = _base(file, entries, movie)
    if base is None:
        return False
    for name, _, where, length in entries:
        start = base + where + 8
        _add(layout, name, AviChunk(start, length if start + length <= end else 0))
    return True


def _base(file: BinaryIO, entries: list[tuple[bytes, int, int, int]], movie: int) -> int | None:
    """What the offsets of the index count from: the movie's list or the file; by trying both."""
    tried = entries[:: max(1, len(entries) // _TRIED_ENTRIES)]
    for base in (movie, 0):
        hits = sum((_head(file, base + where) or (b"",))[0] == name for name, _, where, _ in tried)
        if hits * 2 > len(tried):
            return base
    return None


def _add(layout: AviLayout, name: bytes, chunk: AviChunk) -> None:
    number = int(name[:2])
    if number < len(layout.streams):
        layout.streams[number].chunks.append(chunk)


# ---------------------------------------------------------------------- without an index


def _walk(file: BinaryIO, at: int, stop: int, layout: AviLayout) -> None:
    """Chunk by chunk; over broken headers to the next one that makes sense."""
    doubtful: set[bytes] = set()  # streams that may have lost chunks since their last one
    while at + 8 <= stop:
        name, size = _head(file, at) or (b"", 0)
        if name == b"LIST" and file.read(4) == b"rec ":
            at += 12
            continue
        if not _is_plausible(name, size, at, stop):
            at = _next_plausible(file, at + 1, stop)
            doubtful = {b"%02d" % number for number in range(len(layout.streams))}
            continue
        if _STREAM_CHUNK.fullmatch(name):
            is_whole = at + 8 + size <= stop
            _add(layout, name, AviChunk(at + 8, size if is_whole else 0, name[:2] in doubtful))
            doubtful.discard(name[:2])
        at += 8 + size + size % 2


def _is_plausible(name: bytes, size: int, at: int, stop: int) -> bool:
    is_known = name in _OTHER_CHUNKS or _STREAM_CHUNK.fullmatch(name) is not None
    return is_known and (at + 8 + size <= stop or stop - at < _SEARCH_STEP * 4)


def _next_plausible(file: BinaryIO, at: int, stop: int) -> int:
    """Where the next header of a stream stands that another one follows."""
    while at + 8 <= stop:
        file.seek(at)
        data = file.read(_SEARCH_STEP + 3)
        for found in _STREAM_CHUNK.finditer(data):
            where = at + found.start()
            name, size = _head(file, where) or (b"", 0)
            after = _head(file, where + 8 + size + size % 2)
            if _is_plausible(name, size, where, stop) and (
                after is None or _is_plausible(after[0], 0, where, stop)
            ):
                return where
        at += _SEARCH_STEP
    return stop
