"""Unpacking a flight: into a folder of its own, whole, or what is whole of it where that is wanted.

Nothing is written before the whole list of files was looked at, and nothing outside of the folder.
"""

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from telemetry.base.input_files import open_file, size_text
from telemetry.base.text_formats import FormatError, read_limited
from telemetry.review.flights.lapwing_file import SUFFIX as FLIGHT_SUFFIX
from telemetry.review.flights.packing.contents import PackageError
from telemetry.review.flights.packing.manifest import (
    LARGEST_MANIFEST,
    MANIFEST,
    Manifest,
    PackedFile,
    manifest_from_bytes,
)
from telemetry.review.flights.packing.progress import Progress, part_of
from telemetry.review.flights.packing.references import harm_of
from telemetry.review.flights.packing.zip_members import (
    ArchiveRefusedError,
    DamagedError,
    Member,
    read_content,
    read_members,
)

State = Literal["whole", "damaged", "missing", "extra"]
_SPARE_BYTES: Final = 32 << 20
"""What a disk should have left."""
_MOST_NAMED: Final = 5
_CHANGING: Final = ("flight", "definitions", "events")
_BY_CRC: Final = ""
"""The hash of a file that nothing but the archive's own check sum is known of."""


@dataclass(frozen=True, slots=True)
class FileState:
    """What has become of a file of a package; `reason` says what is wrong with it, "" if nothing
    is. An extra one is not in the manifest, and never unpacked."""

    path: str
    what: str
    bytes: int
    state: State
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PackageReport:
    """A package that was looked through. `problem` says what is wrong with the archive itself."""

    manifest: Manifest
    files: tuple[FileState, ...]
    problem: str = ""

    @property
    def lost(self) -> tuple[FileState, ...]:
        """The files that are not there as they were packed."""
        return tuple(one for one in self.files if one.state in ("damaged", "missing"))

    @property
    def is_whole(self) -> bool:
        """Whether it is as it was packed, to the byte."""
        return not self.problem and all(one.state == "whole" for one in self.files)


class PackageDamagedError(PackageError):
    """A package of which not everything is whole: `report` says what is."""

    def __init__(self, package: Path, report: PackageReport) -> None:
        named = ", ".join(one.path for one in report.lost[:_MOST_NAMED])
        more = len(report.lost) - _MOST_NAMED
        named += f" and {more} more" if more > 0 else ""
        whole = [one.path for one in report.files if one.state == "whole"]
        rest = f"the other {len(whole)} files are" if len(whole) > 1 else f"{''.join(whole)} is"
        remedy = (
            f"; {rest} whole. Get it again, or unpack what is whole."
            if whole
            else ". Get it again."
        )
        super().__init__(f"{package.name} is damaged: {named} cannot be unpacked{remedy}")
        self.report = report


def verify_package(package: Path, progress: Progress = lambda _share: None) -> PackageReport:
    """Read all of a package and say of each file whether it is as it was packed. Raises
    PackageError for what is none, or must not be unpacked, OSError."""
    with _opened(package) as opened:
        return opened.read(progress, lambda _file: None)


def unpack_package(
    package: Path,
    folder: Path,
    progress: Progress = lambda _share: None,
    *,
    whole_only: bool = False,
) -> PackageReport:
    """Unpack into a folder that is not there, or empty; it is there when all is in it.

    Raises PackageDamagedError if not every file is whole, unless `whole_only` of them are wanted;
    PackageError, also for one whose files name others outside of it, OSError. Then, and when it is
    called off, nothing is left behind.
    """
    folder = folder.absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PackageError(f"{folder} is there already and stays as it is. Give a new folder.")
    with _opened(package) as opened:
        _check_room(folder.parent, opened.manifest.bytes, package)
        begun = folder.with_name(f".{os.getpid()}-{secrets.token_hex(8)}.part")
        begun.mkdir()
        try:
            report = opened.read(progress, lambda one: begun / one.path)
            _check_harmless(package, begun, report)
            if report.lost and not whole_only:
                raise PackageDamagedError(package, report)
            if opened.manifest_bytes:
                (begun / MANIFEST).write_bytes(opened.manifest_bytes)
            if folder.exists():
                folder.rmdir()
            begun.rename(folder)
        finally:
            shutil.rmtree(begun, ignore_errors=True)
    return report


@dataclass(frozen=True, slots=True)
class UnpackedPlace:
    """The folder that a package is opened in; `is_there` says that it, or what of it is whole, was
    unpacked there before."""

    folder: Path
    is_there: bool


def place_for(package: Path, otherwise: Path) -> UnpackedPlace:
    """Where a package is unpacked for being opened: beside it, under its name; `otherwise` where
    nothing can be written there. Raises PackageError, OSError."""
    with _opened(package) as opened:
        beside = package.absolute().parent
        parent = beside if os.access(beside, os.W_OK) else otherwise
        for number in count(1):
            folder = parent / (package.stem if number == 1 else f"{package.stem} ({number})")
            if opened.is_unpacked(folder):
                return UnpackedPlace(folder, is_there=True)
            if not folder.exists():
                break
        parent.mkdir(parents=True, exist_ok=True)
        return UnpackedPlace(folder, is_there=False)


def flight_in(folder: Path) -> Path:
    """The flight of an unpacked package; its first log where the flight's file was damaged. Raises
    PackageError, OSError."""
    try:
        manifest = manifest_from_bytes(read_limited(folder / MANIFEST, LARGEST_MANIFEST))
        logs = [one.path for one in manifest.files if one.what == "log"]
        wanted = [manifest.flight, *logs]
    except (FormatError, FileNotFoundError):  # it was damaged
        found = [*folder.glob(f"*{FLIGHT_SUFFIX}"), *sorted(folder.glob("logs/*.opl"))]
        wanted = [path.relative_to(folder).as_posix() for path in found]
    for path in wanted:
        if (folder / path).is_file():
            return folder / path
    raise PackageError(f"Neither a flight nor a log of it could be unpacked into {folder}.")


@contextmanager
def _opened(package: Path) -> Iterator["_OpenPackage"]:
    """A package whose members were looked at and whose manifest was read."""
    with open_file(package) as file:
        try:
            yield _OpenPackage(package, file)
        except ArchiveRefusedError as error:
            raise PackageError(f"{package.name} cannot be opened: it {error}.") from error


class _OpenPackage:
    def __init__(self, package: Path, file: BinaryIO) -> None:
        self._file = file
        found, self._problem = read_members(file)
        self._members = {member.name: member for member in found}
        head = self._members.pop(MANIFEST, None)
        if head is None or head.size > LARGEST_MANIFEST:
            raise PackageError(f"{package.name} is no packed flight: it has no {MANIFEST}.")
        self._lost_manifest: tuple[FileState, ...] = ()
        self.manifest_bytes = b""
        try:
            self.manifest_bytes = b"".join(read_content(file, head))
            self.manifest = manifest_from_bytes(self.manifest_bytes)
        except FormatError as error:
            raise PackageError(f"{package.name} cannot be opened: {error}.") from error
        except DamagedError as error:
            lost = FileState(MANIFEST, "manifest", head.size, "damaged", f"it {error}")
            self._lost_manifest = (lost,)
            self.manifest = _by_names(found)

    def is_unpacked(self, folder: Path) -> bool:
        """Whether a folder has all of it that is whole, from before. The flight may have been saved
        there since, and what stands beside its logs been written anew."""
        try:
            is_of_it = read_limited(folder / MANIFEST, LARGEST_MANIFEST) == self.manifest_bytes
            return is_of_it and all(map(partial(self._stands_in, folder), self.manifest.files))
        except (FormatError, OSError):
            return False

    def _stands_in(self, folder: Path, one: PackedFile) -> bool:
        place = folder / one.path
        if not place.exists():
            return bool(self._read(one, None, lambda _share: None))  # it is damaged here, too
        return one.what in _CHANGING or place.stat().st_size == one.bytes

    def read(self, progress: Progress, place: Callable[[PackedFile], Path | None]) -> PackageReport:
        """Read every file, into its place if it gets one; what is not whole is removed there."""
        done, total = 0, self.manifest.bytes or 1
        states = list(self._lost_manifest)
        for one in self.manifest.files:
            begin, done = done, done + one.bytes
            part = part_of(progress, begin / total, done / total)
            reason = self._read(one, place(one), part)
            state: State = "damaged" if reason else "whole"
            if one.path not in self._members:
                state = "missing"
            states.append(FileState(one.path, one.what, one.bytes, state, reason))
        listed = {one.path for one in self.manifest.files}
        states += [
            FileState(name, "", member.size, "extra", "the manifest does not list it")
            for name, member in self._members.items()
            if name not in listed
        ]
        return PackageReport(self.manifest, tuple(states), self._problem)

    def _read(self, one: PackedFile, place: Path | None, progress: Progress) -> str:
        """Read one file; return what is wrong with it, "" if nothing is."""
        member = self._members.get(one.path)
        if member is None:
            return "it is missing"
        if member.size != one.bytes:
            return "it has another size than the manifest says"
        hashed, length = hashlib.sha256(), 0
        try:
            with _written(place) as into:
                for piece in read_content(self._file, member):
                    hashed.update(piece)
                    into.write(piece)
                    length += len(piece)
                    progress(length / one.bytes)
                if one.sha256 not in (hashed.hexdigest(), _BY_CRC):
                    raise DamagedError("has another content than the manifest says")
        except DamagedError as error:
            return f"it {error}"
        return ""


@contextmanager
def _written(place: Path | None) -> Iterator[BinaryIO]:
    """A new file to be written, which goes away if anything goes wrong; nowhere without a place."""
    if place is None:
        yield _Nowhere()
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    is_whole = False
    try:
        with place.open("xb") as file:
            yield file
        is_whole = True
    finally:
        if not is_whole:
            place.unlink(missing_ok=True)


class _Nowhere(BytesIO):
    def write(self, data: Any, /) -> int:
        return len(data)


def _by_names(members: Iterable[Member]) -> Manifest:
    """What is known of a package without its manifest: names and sizes; contents by their CRC."""
    files = tuple(
        PackedFile(one.name, "unknown", one.size, _BY_CRC)
        for one in members
        if one.name != MANIFEST
    )
    flight = next((one.path for one in files if one.path.endswith(FLIGHT_SUFFIX)), "")
    return Manifest("", flight, "copy", files)


def _check_harmless(package: Path, folder: Path, report: PackageReport) -> None:
    for one in report.files:
        if one.state == "whole" and (harm := harm_of(folder / one.path)):
            raise PackageError(f"{package.name} cannot be opened: its {one.path} {harm}.")


def _check_room(folder: Path, wanted: int, package: Path) -> None:
    free = shutil.disk_usage(folder).free
    if wanted + _SPARE_BYTES > free:
        raise PackageError(
            f"{package.name} takes {size_text(wanted)} unpacked, and {folder} has "
            f"{size_text(free)} left. Make room, or unpack it elsewhere."
        )
