"""AVI files taken apart and put together again, damaged as cameras and cards damage them."""

import struct
from collections.abc import Sequence
from pathlib import Path

Chunk = tuple[bytes, bytes]
"""Name and content."""

VIDEO, SOUND = b"00dc", b"01wb"
_VOP = b"\x00\x00\x01\xb6"


def take_apart(path: Path) -> tuple[bytes, list[Chunk], bytes]:
    """What stands before the chunks (up to and with "movi"), the chunks, and the index."""
    data = path.read_bytes()
    at = data.index(b"movi") + 4
    head, chunks = data[:at], []
    while data[at : at + 4] != b"idx1":
        name, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        chunks.append((name, data[at + 8 : at + 8 + size]))
        at += 8 + size + size % 2
    return head, chunks, data[at:]


def put_together(head: bytes, chunks: Sequence[Chunk], *, has_index: bool = True) -> bytes:
    """A file of these chunks with sizes and an index that fit it."""
    body, index = b"", b""
    for name, content in chunks:
        index += struct.pack("<4sIII", name, 0x10, 4 + len(body), len(content))
        body += struct.pack("<4sI", name, len(content)) + content + b"\0" * (len(content) % 2)
    head = head[:-8] + struct.pack("<I", len(body) + 4) + b"movi"
    tail = struct.pack("<4sI", b"idx1", len(index)) + index if has_index else b""
    return head[:4] + struct.pack("<I", len(head + body + tail) - 8) + head[8:] + body + tail


def in_two_segments(head: bytes, chunks: Sequence[Chunk], first: int) -> bytes:
    """As OpenDML has files beyond a gigabyte: a further RIFF, which the index does not cover."""
    further = put_together(b"RIFF....AVIXLIST....movi", chunks[first:], has_index=False)
    return put_together(head, chunks[:first]) + further


def headers_of_video(data: bytes) -> list[int]:
    """Where the headers of the pictures' chunks stand."""
    at, found = data.index(b"movi") + 4, []
    while at + 8 <= len(data) and data[at : at + 4] != b"idx1":
        if data[at : at + 4] == VIDEO:
            found.append(at)
        size = struct.unpack_from("<I", data, at + 4)[0]
        at += 8 + size + size % 2
    return found


def with_broken_content(data: bytes, numbers: Sequence[int]) -> bytes:
    """The second half of these pictures overwritten."""
    damaged, headers = bytearray(data), headers_of_video(data)
    for number in numbers:
        at = headers[number]
        size = struct.unpack_from("<I", data, at + 4)[0]
        damaged[at + 8 + size // 2 : at + 8 + size] = b"\xa5" * (size - size // 2)
    return bytes(damaged)


def with_broken_headers(data: bytes, numbers: Sequence[int]) -> bytes:
    """Name and size of these pictures' chunks overwritten."""
    damaged, headers = bytearray(data), headers_of_video(data)
    for number in numbers:
        damaged[headers[number] : headers[number] + 8] = b"\xff" * 8
    return bytes(damaged)


def packed(chunks: Sequence[Chunk]) -> list[Chunk]:
    """MPEG-4 with B-pictures packed as XviD and DivX do for Video for Windows: each B-picture that
    follows a reference goes into its chunk, and where the reference is to be shown stands one
    that says "as before" (ISO/IEC 14496-2, 6.2.5: a P-picture with vop_coded 0)."""
    found: list[Chunk] = []
    is_waiting = False
    for at, (name, content) in enumerate(chunks):
        following = chunks[at + 1][1] if at + 1 < len(chunks) else b""
        if is_b_picture(content):
            if is_b_picture(chunks[at - 1][1]):
                found.append((name, content))
        else:
            if is_waiting:
                found.append((name, PLACEHOLDER))
            is_waiting = is_b_picture(following)
            found.append((name, content + following if is_waiting else content))
    return [*found, (VIDEO, PLACEHOLDER)] if is_waiting else found


def is_b_picture(content: bytes) -> bool:
    at = content.find(_VOP)
    return at >= 0 and content[at + 4] >> 6 == 2


PLACEHOLDER = _VOP + bytes((0b01_0_1_0000, 0b0_1_0_01111))
"""A P-picture at tick 0 of up to 32 that is not coded."""
