"""Packed flights that were damaged, or made to harm: seeded, each with what is wrong with it.

Archives are put together byte by byte, since no library writes most of these.
"""

import hashlib
import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

CANARY: Final = "canary"
"""The name of a file that must not appear anywhere."""
_DEFLATED, _UTF8 = 8, 0x0800
FOLDER: Final = 0o040755 << 16
_LINK, _DEVICE = 0o120777 << 16, 0o060666 << 16
_FULL, _MOST = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True)
class Broken:
    """An archive and what was done to it. One that is `hostile` must be refused as a whole; of one
    that was damaged, or that may have been for all that can be seen, what is whole may be unpacked.
    """

    what: str
    data: bytes
    is_hostile: bool


@dataclass(frozen=True)
class Entry:
    """A member, as headers and directory say it; None is what is true."""

    name: bytes
    data: bytes = b""
    method: int = 0
    flags: int = _UTF8
    attributes: int = 0o100644 << 16
    local_name: bytes | None = None
    size: int | None = None
    stored: int | None = None
    local_size: int | None = None
    extra: bytes = b""
    position: int | None = None
    body: bytes | None = field(default=None, repr=False)


def archive(entries: Sequence[Entry], count: int | None = None, comment: bytes = b"") -> bytes:
    """A ZIP archive of these."""
    out, directory = io.BytesIO(), io.BytesIO()
    for one in entries:
        body = one.body
        if body is None:
            body = _deflated(one.data) if one.method == _DEFLATED else one.data
        size = len(one.data) if one.size is None else one.size
        stored = len(body) if one.stored is None else one.stored
        crc, at = zlib.crc32(one.data), out.tell() if one.position is None else one.position
        name = one.name if one.local_name is None else one.local_name
        head = (b"PK\3\4", 20, one.flags, one.method, 0, 33, crc, stored)
        local_size = size if one.local_size is None else one.local_size
        out.write(struct.pack("<4s5HIIIHH", *head, local_size, len(name), len(one.extra)))
        out.write(name + one.extra + body)
        said = (b"PK\1\2", 20, 3, 20, one.flags, one.method, 0, 33, crc, stored, size)
        rest = (len(one.name), len(one.extra), 0, 0, 0, one.attributes, at)
        directory.write(struct.pack("<4sBB5HIII5HII", *said, *rest) + one.name + one.extra)
    start, length = out.tell(), directory.tell()
    number = len(entries) if count is None else count
    end = (b"PK\5\6", 0, 0, number & 0xFFFF, number & 0xFFFF, length, start, len(comment))
    return out.getvalue() + directory.getvalue() + struct.pack("<4s4HIIH", *end) + comment


def broken_packages(sound: bytes, count: int, seed: int = 1) -> Iterator[Broken]:
    """So many ways to break a sound package: every hostile one once, then damage by chance."""
    hostile = list(_hostile(sound))
    yield from hostile[:count]
    chance = random.Random(seed)
    kinds: tuple[Callable[[bytes, random.Random], tuple[str, bytes]], ...] = (
        _cut,
        _flipped,
        _zeroed,
        _without_a_piece,
        _with_a_piece_twice,
    )
    for number in range(max(0, count - len(hostile))):
        what, data = kinds[number % len(kinds)](sound, chance)
        yield Broken(what, data, is_hostile=False)


def _hostile(sound: bytes) -> Iterator[Broken]:
    members = members_of(sound)
    names = {
        "an absolute name": f"/tmp/{CANARY}",
        "a name that leads up": f"../{CANARY}",
        "a name that leads up from a folder": f"logs/../../{CANARY}",
        "a name of two dots": "..",
        "a drive": f"C:\\{CANARY}",
        "a drive with slashes": f"C:/{CANARY}",
        "a share": f"\\\\host\\share\\{CANARY}",
        "a backslash": f"logs\\..\\..\\{CANARY}",
        "a stream of a file": "logs/flight.opl:hidden",
        "a device": "logs/CON",
        "a device with an end": "aux.txt",
        "another device": "com1.opl",
        "a device in other figures": "lpt¹.opl",
        "a dot at the end": "logs/flight.opl.",
        "a space at the end": "logs/flight.opl ",
        "a line feed": f"logs/a\n{CANARY}",
        "a colour": "logs/\x1b[31mred",
        "a NUL": "logs/a\0.opl",
        "writing that turns": "logs/\u202elpo.a",
        "nothing that is seen": "logs/fli\u200bght.opl",
        "a long name": "logs/" + "n" * 300,
        "many folders": "a/" * 50 + "x",
        "an empty folder's name": "logs//x",
        "a pattern": "logs/*.opl",
        "another letter case": "LOGS/FLIGHT.OPL",
        "a file as a folder": "logs/flight.opl/x",
        "a folder as a file": "logs",
        "the manifest again": "Manifest.json",
    }
    for what, name in names.items():
        yield Broken(what, archive([*members, Entry(name.encode(), b"x")]), is_hostile=True)
    log = next(one for one in members if one.name.endswith(b".opl"))
    others = [one for one in members if one is not log]
    strange = {
        "a name twice": [*members, log],
        "a name of two spellings": [*members, Entry("logs/é".encode()), Entry(b"logs/e\xcc\x81")],
        "a name that is no UTF-8": [*members, Entry(b"logs/\xff\xfe")],
        "a name of an old code page": [*members, Entry(b"logs/\x84", flags=0)],
        "an encrypted member": [*others, replace(log, flags=_UTF8 | 1)],
        "strong encryption": [*others, replace(log, flags=_UTF8 | 0x41)],
        "bzip2": [*others, replace(log, method=12)],
        "LZMA": [*others, replace(log, method=14)],
        "Zstandard": [*others, replace(log, method=93)],
        "an unknown method": [*others, replace(log, method=99)],
        "unknown flags": [*others, replace(log, flags=_UTF8 | 0x20)],
        "a bomb": [*members, Entry(b"x", bytes(80 << 20), _DEFLATED)],
        "a bomb in the manifest": [
            Entry(b"manifest.json", bytes(9 << 20), _DEFLATED),
            *members[1:],
        ],
        "a folder that leads up": [*members, Entry(b"../x/", attributes=FOLDER)],
        "a link": [*others, replace(log, attributes=_LINK)],
        "a device file": [*others, replace(log, attributes=_DEVICE)],
        "no manifest": members[1:],
        "a manifest that is none": [Entry(b"manifest.json", b"[1]"), *members[1:]],
        "a manifest of brackets": [Entry(b"manifest.json", b"[" * 200_000), *members[1:]],
        "nothing": [],
    }
    for what, entries in strange.items():
        yield Broken(what, archive(entries), is_hostile=True)
    lies = {
        "a log of terabytes": [*others, wide(log, 1 << 44, 1 << 44)],
        "a log of more than anything": [*others, wide(log, _MOST, _MOST)],
        "a compressed log that says too much": [*others, replace(log, method=8, size=1 << 30)],
        "a compressed log that says too little": [*others, replace(log, method=8, size=5)],
        "a stored log that says too little": [*others, replace(log, size=5, stored=5)],
        "sizes that are not there": [*others, replace(log, size=_FULL, stored=_FULL)],
        "a header with another name": [*others, replace(log, local_name=b"../canary.opl")],
        "a member that begins in another": [*others, replace(log, position=10)],
        "a member that is another": [*members[:-1], replace(members[-1], position=0)],
        "more members than there are": members,
    }
    for what, entries in lies.items():
        count = 9 if what == "more members than there are" else None
        yield Broken(what, archive(entries, count), is_hostile=False)
    yield Broken("10,001 names", archive([Entry(b"%d" % n) for n in range(10_001)]), True)
    yield Broken("no archive", b"PK\3\4" + bytes(500), is_hostile=True)
    yield Broken("an empty file", b"", is_hostile=True)
    yield Broken("a manifest that leads up", _with_manifest(sound, "../" + CANARY), True)
    yield Broken("a manifest of a device", _with_manifest(sound, "logs/NUL"), True)
    for what, file in _LEADING.items():
        yield Broken(what, with_file(sound, "flight.lapwing", _flight(file)), True)
    contents = {
        "a flight called a log": ("logs/x.opl", _flight({"absolute": "/etc/hostname"})),
        "a layout with a path": ("flight.lapwing", _flight({}, {"panels": [{"a": "/etc/x"}]})),
        "a layout with a share": ("flight.lapwing", _flight({}, {"a": "\\\\host\\share"})),
        "a layout with a drive": ("flight.lapwing", _flight({}, {"a": "C:/Windows"})),
        "a world elsewhere": ("logs/flight.opl.world.json", _WORLD),
        "another package": ("logs/x.opl", sound),
    }
    for what, (name, data) in contents.items():
        yield Broken(what, with_file(sound, name, data), True)


_LEADING: Final = {
    "a flight that names an absolute file": {
        "path": "logs/flight.opl",
        "absolute": "/etc/hostname",
    },
    "a flight that names a root": {"path": "/etc/hostname"},
    "a flight that leads up": {"path": "../flight.opl"},
    "a flight that leads up from a folder": {"path": "logs/../../flight.opl"},
    "a flight that leads up far": {"path": "../../flight.opl", "bytes": 4096, "hash": "0" * 16},
    "a flight that leads up by guess": {"path": "../flight.opl", "bytes": 0, "hash": "0" * 16},
    "a flight that leads up by backslash": {"path": "logs\\..\\..\\flight.opl"},
    "a flight that names a drive": {"path": "C:/flight.opl"},
    "a flight that names a share": {"path": "\\\\host\\share\\flight.opl"},
}
_WORLD: Final = b'{"format": "lapwing-world", "version": 1, "world": "/etc/worlds", "seed": 1}'


def _flight(file: dict[str, object], layout: object = None) -> bytes:
    """A flight that names its log and another file."""
    logs = [{"file": {"path": "logs/flight.opl"}}]
    videos = [{"files": [file]}] if file else []
    head = {"format": "lapwing-flight", "version": 1}
    return json.dumps({**head, "logs": logs, "videos": videos, "layout": layout or {}}).encode()


def with_file(sound: bytes, name: str, data: bytes) -> bytes:
    """A package with another file, or another content of one, as its manifest says too."""
    members = {one.name.decode(): one.data for one in members_of(sound)}
    manifest = json.loads(members["manifest.json"])
    known = {"path": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    told = {one["path"]: one for one in manifest["files"]}
    told[name] = {"what": "log", **told.get(name, {}), **known}
    manifest["files"] = list(told.values())
    members |= {"manifest.json": json.dumps(manifest).encode(), name: data}
    return archive([Entry(path.encode(), content) for path, content in members.items()])


def members_of(sound: bytes) -> list[Entry]:
    with zipfile.ZipFile(io.BytesIO(sound)) as package:
        return [Entry(one.filename.encode(), package.read(one)) for one in package.infolist()]


def _with_manifest(sound: bytes, name: str) -> bytes:
    """A package whose log goes by another name, as its manifest says too."""
    members = members_of(sound)
    log = next(one for one in members if one.name.endswith(b".opl"))
    manifest = replace(members[0], data=members[0].data.replace(log.name, name.encode()))
    rest = [replace(one, name=name.encode()) if one is log else one for one in members[1:]]
    return archive([manifest, *rest])


def wide(entry: Entry, size: int, stored: int) -> Entry:
    """An entry with sizes that ZIP64 says."""
    extra = struct.pack("<HHQQ", 1, 16, size, stored)
    return replace(entry, size=_FULL, stored=_FULL, extra=extra)


def _deflated(data: bytes) -> bytes:
    coder = zlib.compressobj(9, zlib.DEFLATED, -15)
    return coder.compress(data) + coder.flush()


def _cut(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    at = chance.randrange(len(data))
    return f"cut off at {at} of {len(data)}", data[:at]


def _flipped(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    at, bit = chance.randrange(len(data)), chance.randrange(8)
    return f"bit {bit} flipped at {at}", data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def _zeroed(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    at = chance.randrange(len(data))
    length = min(chance.randrange(1, 512), len(data) - at)
    return f"{length} bytes of 0 at {at}", data[:at] + bytes(length) + data[at + length :]


def _without_a_piece(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    at, length = chance.randrange(len(data)), chance.randrange(1, 512)
    return f"{length} bytes left out at {at}", data[:at] + data[at + length :]


def _with_a_piece_twice(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    at, length = chance.randrange(len(data)), chance.randrange(1, 512)
    return f"{length} bytes twice at {at}", data[:at] + data[at : at + length] + data[at:]
