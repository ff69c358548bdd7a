"""Package writer: placed files as one ZIP archive, the same bytes for the same files.

Its first member is the manifest, and every header says its sizes, so that of a package that was
cut short the rest is known.
"""

import hashlib
import os
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from telemetry.base.input_files import open_file
from telemetry.base.safe_files import whole_file
from telemetry.review.flights.packing.contents import PackageError, PlacedFile
from telemetry.review.flights.packing.manifest import (
    MANIFEST,
    Manifest,
    PackedFile,
    What,
    manifest_to_bytes,
)
from telemetry.review.flights.packing.progress import Progress
from telemetry.review.flights.packing.zip_members import LARGEST_DEFLATED

_CHUNK: Final = 1 << 20
_OF_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
_READABLE: Final = 0o100644
_NOT_DEFLATED: Final[tuple[What, ...]] = ("stream", "video", "small video")
"""Nothing would come of it."""


def write_package(
    out: Path,
    files: Sequence[tuple[PlacedFile, int]],
    manifest: Manifest,
    progress: Progress,
) -> Manifest:
    """Write the files, of each so many bytes from its beginning, and a manifest that has what they
    are known by, too, which is returned.

    Each is read twice. Raises PackageError for one that has changed meanwhile, OSError.
    """
    meter = _Meter(2 * sum(size for _, size in files), progress)
    known = tuple(
        PackedFile(one.path, one.what, size, _sha256(one.source, size, meter))
        for one, size in files
    )
    manifest = replace(manifest, files=known)
    with whole_file(out) as fresh, fresh.open("wb") as file:
        with zipfile.ZipFile(file, "w") as archive:
            data = manifest_to_bytes(manifest)
            archive.writestr(_member(MANIFEST, len(data), is_deflated=True), data)
            for (one, size), packed in zip(files, known, strict=True):
                is_deflated = one.what not in _NOT_DEFLATED and size <= LARGEST_DEFLATED
                member = _member(one.path, size, is_deflated=is_deflated)
                hashed = hashlib.sha256()
                with archive.open(member, "w") as into:
                    for piece in _pieces(one.source, size, meter):
                        hashed.update(piece)
                        into.write(piece)
                if hashed.hexdigest() != packed.sha256:
                    raise PackageError(
                        f"{one.source} has changed while it was packed. Pack again when nothing "
                        "writes to it any more."
                    )
        file.flush()
        os.fsync(file.fileno())
    return manifest


class _Meter:
    """How much is done of all."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total = total
        self._progress = progress
        self._done = 0

    def add(self, count: int) -> None:
        self._done += count
        self._progress(self._done / self._total)


def _sha256(path: Path, size: int, meter: _Meter) -> str:
    hashed = hashlib.sha256()
    for piece in _pieces(path, size, meter):
        hashed.update(piece)
    return hashed.hexdigest()


def _pieces(path: Path, size: int, meter: _Meter) -> Iterator[bytes]:
    """So many bytes of a file from its beginning, fewer where it has become shorter."""
    left = size
    with open_file(path) as file:
        while left and (piece := file.read(min(left, _CHUNK))):
            left -= len(piece)
            meter.add(len(piece))
            yield piece


def _member(path: str, size: int, *, is_deflated: bool) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(path, _OF_NO_TIME)
    member.file_size = size  # which tells whether it needs the headers of ZIP64
    member.create_system = 3
    member.external_attr = _READABLE << 16
    member.compress_type = zipfile.ZIP_DEFLATED if is_deflated else zipfile.ZIP_STORED
    return member
