"""Manifest of a packed flight: what is in it, how it is known, and what was left out."""

import json
import re
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from telemetry.base.text_formats import FormatError, parse_json
from telemetry.review.flights.json_format import Json, as_list, as_object, text
from telemetry.review.flights.packing.names import clash, name_problem
from telemetry.review.flights.packing.zip_members import MOST_MEMBERS

MANIFEST: Final = "manifest.json"
LARGEST_MANIFEST: Final = 8 << 20
_FORMAT, _VERSION = "lapwing-package", 1
_SHA256: Final = re.compile("[0-9a-f]{64}")

What = Literal[
    "flight",
    "log",
    "definitions",
    "events",
    "world",
    "stream",
    "video",
    "small video",
    "objects",
    "unknown",
]
Videos = Literal["copy", "small", "none"]


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file of a package: where in it, what it is, and what its content is known by."""

    path: str
    what: What
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of the flight that is not in the package, and why. It is found again beside the
    unpacked folder, where the flight's file knows its content."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """`flight` is the path of the flight's file; `videos` says how they were packed."""

    product: str
    flight: str
    videos: Videos
    files: tuple[PackedFile, ...]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def bytes(self) -> int:
        """All of its files together."""
        return sum(one.bytes for one in self.files)


def manifest_to_bytes(manifest: Manifest) -> bytes:
    """As it stands in a package, the same bytes for the same files."""
    value = {"format": _FORMAT, "version": _VERSION, **asdict(manifest)}
    return f"{json.dumps(value, indent=1)}\n".encode()


def manifest_from_bytes(data: bytes) -> Manifest:
    """Raises FormatError."""
    value = as_object(parse_json(data, LARGEST_MANIFEST), "the manifest")
    if value.get("format") != _FORMAT:
        raise FormatError('it does not say "format": "lapwing-package"')
    if value.get("version") != _VERSION:
        raise FormatError("a newer Lapwing packed it; update this one")
    files = tuple(_file(one) for one in as_list(value, "files", "the manifest"))
    left_out = tuple(_left_out(one) for one in as_list(value, "left_out", "the manifest"))
    if len(files) + len(left_out) > MOST_MEMBERS:
        raise FormatError(f"it lists more than {MOST_MEMBERS:,} files")
    if name := clash([MANIFEST, *(one.path for one in files)]):
        raise FormatError(f"it lists two files that some systems take for one: {name[:80]!r}")
    flight = text(value, "flight", "the manifest")
    if not any(one.path == flight and one.what == "flight" for one in files):
        raise FormatError("it names no file of a flight")
    videos = _one_of(value.get("videos"), get_args(Videos), "videos")
    return Manifest(text(value, "product", "the manifest"), flight, videos, files, left_out)


def _file(value: Any) -> PackedFile:
    entry = as_object(value, "a file of the manifest")
    path = text(entry, "path", "a file of the manifest")
    if problem := name_problem(path):
        raise FormatError(f"it lists a file whose name {problem}: {path[:80]!r}")
    size, sha256 = entry.get("bytes"), text(entry, "sha256", path)
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        raise FormatError(f"it does not say how large {path} is")
    if not _SHA256.fullmatch(sha256):
        raise FormatError(f"it does not say by what {path} is known")
    return PackedFile(path, _one_of(entry.get("what"), get_args(What), path), size, sha256)


def _left_out(value: Any) -> LeftOut:
    entry: Json = as_object(value, "what was left out")
    return LeftOut(*(text(entry, key, "what was left out") for key in ("name", "why")))


def _one_of(value: Any, words: tuple[Any, ...], place: str) -> Any:
    if value not in words:
        raise FormatError(f"it says of {place} what this version does not know; update Lapwing")
    return value
