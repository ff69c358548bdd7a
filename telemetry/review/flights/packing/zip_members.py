"""Members of a ZIP archive from elsewhere, checked before anything is read out of it.

Everything is refused that a packed flight does not need and that harms: names that lead elsewhere,
links, encryption, members that share bytes, and sizes that no content of that length can have. Of
an archive whose directory is damaged, or contradicts itself, the members are found by their own
headers, one behind the other, so that none can lie in another.
"""

import io
import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import BinaryIO, Final

from telemetry.base.input_files import size_text
from telemetry.review.flights.packing.names import clash, name_problem

MOST_MEMBERS: Final = 10_000
_LARGEST_DIRECTORY: Final = 8 << 20
LARGEST_DEFLATED: Final = 2 << 30
"""As much as a log may have; what is larger is stored as it is."""
_MOST_FOLD: Final = 1032
"""More deflate cannot make of a byte."""
_USUAL_FOLD: Final = 100
_SMALL_BYTES: Final = 64 << 20
"""So much, and so many times the archive, all that is deflated may become: logs are about 5."""
_CHUNK: Final = 1 << 18

_LOCAL_MARK: Final = b"PK\3\4"
_LOCAL: Final = struct.Struct("<4s5HIIIHH")
_ENTRY: Final = struct.Struct("<4sxBxxHH4xIIIHHHHxxII")
_END: Final = struct.Struct("<4s4HIIH")
_END_64: Final = struct.Struct("<4sQHHIIQQQQ")
_LOCATOR_64: Final = struct.Struct("<4sIQI")
_LONGEST_COMMENT: Final = 0xFFFF
_FULL_16, _FULL_32 = 0xFFFF, 0xFFFFFFFF
"""Where the true value stands in the fields of ZIP64."""
_STORED, _DEFLATED = 0, 8
_ENCRYPTED, _LATER_SIZES, _UTF8 = 0x2041, 0x0008, 0x0800
_KNOWN_FLAGS: Final = _LATER_SIZES | _UTF8 | 0x0006
_UNIX: Final = 3


class ArchiveRefusedError(ValueError):
    """What must not be unpacked: why, as a phrase that goes on "it …"."""


class DamagedError(ValueError):
    """What of an archive, or of one of its members, cannot be read: why, as such a phrase."""


@dataclass(frozen=True, slots=True)
class Member:
    """A packed file: `size` bytes, `stored` of which stand in the archive from the header at
    `position` on, no further than `end`, where the next one begins."""

    name: str
    size: int
    stored: int
    crc: int
    is_deflated: bool
    position: int
    end: int = 0


def read_members(file: BinaryIO) -> tuple[tuple[Member, ...], str]:
    """The members of an archive in the order in which they stand in it, and what is wrong with its
    directory, "" if nothing is.

    Raises ArchiveRefusedError, OSError.
    """
    size = file.seek(0, io.SEEK_END)
    try:
        return _checked(_by_directory(file, size), size), ""
    except DamagedError as error:
        problem = str(error)
    try:
        return _checked(list(_by_headers(file, size)), size), problem
    except DamagedError as error:
        raise ArchiveRefusedError(str(error)) from None


def read_content(file: BinaryIO, member: Member) -> Iterator[bytes]:
    """What a member holds, piece by piece: never more than it says. Raises DamagedError at the
    end at the latest, OSError."""
    at = _content_start(file, member)
    if at + member.stored > member.end:
        raise DamagedError("is cut off")
    file.seek(at)
    crc = count = 0
    pieces = _inflated if member.is_deflated else _raw
    for piece in pieces(file, member):
        count += len(piece)
        if count > member.size:
            raise DamagedError("holds more than it says")
        crc = zlib.crc32(piece, crc)
        yield piece
    if count != member.size:
        raise DamagedError("holds less than it says")
    if crc != member.crc:
        raise DamagedError("has another check sum")


def _content_start(file: BinaryIO, member: Member) -> int:
    """Where the content begins, behind a header that says what the directory says."""
    file.seek(member.position)
    begin = file.read(_LOCAL.size)
    if len(begin) < _LOCAL.size:
        raise DamagedError("is cut off")
    mark, _, flags, method, _, _, crc, _, _, name_length, extra = _LOCAL.unpack(begin)
    is_same = mark == _LOCAL_MARK and (method == _DEFLATED) == member.is_deflated
    is_same = is_same and (bool(flags & _LATER_SIZES) or crc == member.crc)
    if not is_same or file.read(name_length) != member.name.encode():
        raise DamagedError("has a header that says something else than the directory")
    return member.position + _LOCAL.size + int(name_length) + int(extra)


def _raw(file: BinaryIO, member: Member) -> Iterator[bytes]:
    left = member.stored
    while left and (piece := file.read(min(left, _CHUNK))):
        left -= len(piece)
        yield piece


def _inflated(file: BinaryIO, member: Member) -> Iterator[bytes]:
    decoder = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for piece in _raw(file, member):
            rest = piece
            while rest and not decoder.eof:
                yield decoder.decompress(rest, _CHUNK)
                rest = decoder.unconsumed_tail
        while not decoder.eof and (more := decoder.decompress(b"", _CHUNK)):
            yield more
    except zlib.error:
        raise DamagedError("is damaged") from None
    if not decoder.eof or decoder.unused_data:
        raise DamagedError("is damaged")


def _checked(members: list[Member], archive_size: int) -> tuple[Member, ...]:
    """The members in order. Raises DamagedError for what harms, before anything is unpacked."""
    if not members:
        raise DamagedError("is no ZIP archive with files in it")
    for member in members:
        if problem := name_problem(member.name):
            raise DamagedError(f"holds a file whose name {problem}: {member.name[:80]!r}")
    if name := clash(member.name for member in members):
        raise DamagedError(f"holds two files that some systems take for one: {name[:80]!r}")
    members.sort(key=lambda member: member.position)
    for one, after in pairwise(members):
        if one.position + _LOCAL.size + len(one.name.encode()) + one.stored > after.position:
            raise DamagedError(f"has {after.name!r} begin inside of {one.name!r}")
    for member in members:
        if not _is_possible(member):
            raise DamagedError(f"says of {member.name!r} a size that it cannot have")
    deflated = sum(member.size for member in members if member.is_deflated)
    if deflated > _SMALL_BYTES + _USUAL_FOLD * archive_size:
        raise DamagedError(
            f"would become {size_text(deflated)} of {size_text(archive_size)}: more than flights do"
        )
    ends = [*(member.position for member in members[1:]), archive_size]
    return tuple(replace(one, end=end) for one, end in zip(members, ends, strict=True))


def _is_possible(member: Member) -> bool:
    if not member.is_deflated:
        return member.size == member.stored
    return member.size <= min(LARGEST_DEFLATED, _MOST_FOLD * member.stored)


def _by_directory(file: BinaryIO, size: int) -> list[Member]:
    """The members as the directory at the end says them. Raises DamagedError where it is not
    there or not whole."""
    count, length, start = _directory_place(file, size)
    if count > MOST_MEMBERS or length > _LARGEST_DIRECTORY:
        raise DamagedError(f"holds more than {MOST_MEMBERS:,} files")
    if start + length > size:
        raise DamagedError("is cut off")
    file.seek(start)
    data = file.read(length)
    members: list[Member] = []
    at = 0
    for _ in range(count):
        found, at = _entry(data, at, start)
        if found is not None:
            members.append(found)
    if at != length or not members:
        raise DamagedError("has a damaged directory")
    return members


def _directory_place(file: BinaryIO, size: int) -> tuple[int, int, int]:
    """How many entries the directory has, its length and where it begins."""
    tail_at = max(0, size - _END.size - _LONGEST_COMMENT)
    file.seek(tail_at)
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    while at >= 0 and (
        at + _END.size > len(tail) or at + _END.size + _END.unpack_from(tail, at)[7] != len(tail)
    ):
        at = tail.rfind(b"PK\5\6", 0, at)
    if at < 0:
        raise DamagedError("has no end")
    _, disk, first_disk, count_here, count, length, start, _ = _END.unpack_from(tail, at)
    if _FULL_16 in (count, disk) or _FULL_32 in (length, start):
        count, length, start = _place_64(file, tail_at + at)
    elif disk or first_disk or count_here != count:
        raise DamagedError("is one of several parts of an archive")
    return count, length, start


def _place_64(file: BinaryIO, end_at: int) -> tuple[int, int, int]:
    if end_at < _LOCATOR_64.size:
        raise DamagedError("is damaged at its end")
    file.seek(end_at - _LOCATOR_64.size)
    mark, _, at, _ = _LOCATOR_64.unpack(file.read(_LOCATOR_64.size))
    if mark != b"PK\6\7" or at + _END_64.size > end_at:
        raise DamagedError("is damaged at its end")
    file.seek(at)
    mark, _, _, _, disk, first_disk, here, count, length, start = _END_64.unpack(
        file.read(_END_64.size)
    )
    if mark != b"PK\6\6" or disk or first_disk or here != count:
        raise DamagedError("is damaged at its end")
    return count, length, start


def _entry(data: bytes, at: int, directory_at: int) -> tuple[Member | None, int]:
    """The member of an entry, None of a folder, and where the next entry begins."""
    if at + _ENTRY.size > len(data):
        raise DamagedError("has a damaged directory")
    mark, system, flags, method, *numbers = _ENTRY.unpack_from(data, at)
    crc, stored, size, name_length, extra_length, comment_length, *numbers = numbers
    disk, attributes, position = numbers
    at += _ENTRY.size
    end = at + name_length + extra_length + comment_length
    if mark != b"PK\1\2" or end > len(data):
        raise DamagedError("has a damaged directory")
    name = _name(data[at : at + name_length], flags)
    extra = data[at + name_length : at + name_length + extra_length]
    size, stored, position = _wide(extra, size, stored, position)
    _check_kind(name, flags, method)
    if disk not in (0, _FULL_16):
        raise DamagedError("is one of several parts of an archive")
    is_folder = name.endswith("/")
    kind = stat.S_IFMT(attributes >> 16) if system == _UNIX else 0
    if kind not in (0, stat.S_IFDIR if is_folder else stat.S_IFREG):
        raise ArchiveRefusedError(f"holds {name[:80]!r}, which is a link or a device")
    if position + _LOCAL.size + stored > directory_at:
        raise DamagedError(f"says of {name[:80]!r} a size that it cannot have")
    if _is_folder(name, size):
        return None, end
    return Member(name, size, stored, crc, method == _DEFLATED, position), end


def _by_headers(file: BinaryIO, size: int) -> Iterator[Member]:
    """The members from the first on, as far as their own headers lead; the last may be cut off."""
    at = 0
    for _ in range(MOST_MEMBERS):
        file.seek(at)
        begin = file.read(_LOCAL.size)
        if len(begin) < _LOCAL.size or not begin.startswith(_LOCAL_MARK):
            return
        fields = _LOCAL.unpack(begin)
        flags, method, crc, stored, length, name_length, extra_length = fields[2:4] + fields[6:]
        name, extra = file.read(name_length), file.read(extra_length)
        if flags & _LATER_SIZES or len(extra) < extra_length:
            return
        text = _name(name, flags)
        _check_kind(text, flags, method)
        length, stored, _ = _wide(extra, length, stored, 0)
        end = at + _LOCAL.size + name_length + extra_length + stored
        if not _is_folder(text, length):
            yield Member(text, length, stored, crc, method == _DEFLATED, at)
        if end > size:
            return
        at = end
    raise DamagedError(f"holds more than {MOST_MEMBERS:,} files")


def _is_folder(name: str, size: int) -> bool:
    """One that is refused for its name counts as a file."""
    return name.endswith("/") and not size and not name_problem(name[:-1])


def _name(data: bytes, flags: int) -> str:
    try:
        return data.decode("utf-8" if flags & _UTF8 else "ascii")
    except UnicodeDecodeError:
        raise DamagedError(f"holds a file whose name is not in UTF-8: {data[:40]!r}") from None


def _check_kind(name: str, flags: int, method: int) -> None:
    if flags & _ENCRYPTED:
        raise DamagedError(f"holds {name[:80]!r} encrypted")
    if method not in (_STORED, _DEFLATED) or flags & ~_KNOWN_FLAGS:
        raise DamagedError(f"holds {name[:80]!r} compressed in an unknown way")


def _wide(extra: bytes, size: int, stored: int, position: int) -> tuple[int, int, int]:
    """The values with those that ZIP64 keeps in an extra field, in this order."""
    values = [size, stored, position]
    wanted = [place for place, value in enumerate(values) if value == _FULL_32]
    if not wanted:
        return size, stored, position
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        at += 4
        if kind == 1 and at + length <= len(extra) and length >= 8 * len(wanted):
            for number, place in enumerate(wanted):
                (values[place],) = struct.unpack_from("<Q", extra, at + 8 * number)
            return values[0], values[1], values[2]
        at += length
    raise DamagedError("has a damaged directory")
