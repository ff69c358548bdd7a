"""Packing a flight: all of its files into one, which opens on another machine as it was."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from telemetry.base.escaping import file_name_text
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.definitions import definitions_path
from telemetry.recording.logs.world import LogWorldError, read_world_note
from telemetry.recording.simulated_world import split_world
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.flights.file_reference import Fingerprint, fingerprint_of, whole_path
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import SUFFIX as FLIGHT_SUFFIX
from telemetry.review.flights.lapwing_file import check_not_own, flight_document
from telemetry.review.flights.packing.contents import (
    Group,
    PackageError,
    PlacedFile,
    groups_of,
    moved,
    placed,
)
from telemetry.review.flights.packing.definitions import (
    OBJECTS,
    LogObjects,
    objects_document,
    objects_of,
)
from telemetry.review.flights.packing.manifest import LeftOut, Manifest, PackedFile, Videos, What
from telemetry.review.flights.packing.names import name_problem
from telemetry.review.flights.packing.package_writer import Progress, write_package
from telemetry.review.flights.packing.small_video import small_video
from telemetry.review.flights.packing.zip_members import MOST_MEMBERS

_NOT_WANTED: Final = "packed without videos"
_NOT_THERE: Final = "it was not there"
_SHRINKING_SHARE: Final = 0.9
"""Of the time that packing takes, where videos are made small."""


@dataclass(frozen=True, slots=True)
class FlightToPack:
    """A flight: its file, there or not, its first log, and all else of it."""

    file: Path
    log: Path
    content: FlightContent


@dataclass(frozen=True, slots=True)
class PackSummary:
    """What was packed; `notices` are for the user."""

    manifest: Manifest
    notices: tuple[str, ...]


def pack_flight(
    out: Path,
    flight: FlightToPack,
    catalogue: Catalogue,
    videos: Videos = "copy",
    progress: Progress = lambda _share: None,
) -> PackSummary:
    """Pack a flight, with the definitions of its objects by the `catalogue`.

    The package is there when it is whole; else, also when it is called off, nothing is. Raises
    PackageError, FlightFileError for `out` being a file of the flight, OSError.
    """
    if not flight.log.is_file():
        raise PackageError(f"{flight.log} is not there, and a flight is nothing without. Find it.")
    check_not_own(out, flight.file, flight.log, flight.content)
    with TemporaryDirectory(prefix=".packing-", dir=out.absolute().parent) as folder:
        packing = _Packing(Path(folder), whole_path(flight.log), flight.content)
        shrinking = _SHRINKING_SHARE if videos == "small" else 0.0
        packing.take_files(videos, lambda share: progress(shrinking * share))
        packing.add_objects(catalogue)
        packing.add_flight(flight.file.name)
        manifest = write_package(
            out,
            packing.sized(),
            packing.manifest,
            lambda share: progress(shrinking + (1.0 - shrinking) * share),
        )
        return PackSummary(manifest, tuple(packing.notices))


class _Packing:
    """One package being made; what is made for it stands in `folder` until it is written."""

    def __init__(self, folder: Path, log: Path, content: FlightContent) -> None:
        self.notices: list[str] = []
        self._folder = folder
        self._root = whole_path(folder) / "root"  # as if the package stood unpacked there
        self._log = log
        self._content = content
        self._videos: Videos = "copy"
        self._files: list[PlacedFile] = []
        self._known: dict[Path, Fingerprint] = {}
        self._left_out: list[LeftOut] = []

    def take_files(self, videos: Videos, report: Progress) -> None:
        """Choose the files, each as far as it is written now: a recording may go on."""
        self._videos = videos
        if videos == "small":
            self._content = replace(self._content, videos=tuple(self._small_videos(report)))
        groups = groups_of(self._log, self._content)
        if videos == "none":
            groups = list(self._without_videos(groups))
        self._files = [
            replace(one, what="small video") if self._folder in one.source.parents else one
            for one in placed(groups)
        ]
        for one in self._files:
            self._known[one.source] = _fingerprint(one.source)

    def add_objects(self, catalogue: Catalogue) -> None:
        """Add the definitions of all objects in the logs."""
        found: list[tuple[str, LogObjects]] = []
        for number, one in enumerate([one for one in self._files if one.what == "log"]):
            folder = self._folder / f"definitions-{number}"
            folder.mkdir()
            objects = objects_of(one.source, catalogue, folder)
            found.append((one.path, objects))
            self.notices += (*objects.notices, *_world_notice(one.source))
            if objects.beside is not None:
                beside = definitions_path(Path(one.path)).as_posix()
                self._files.append(PlacedFile(objects.beside, beside, "definitions"))
        self._add_made(OBJECTS, "objects", objects_document(found))

    def add_flight(self, name: str) -> None:
        """Add the flight's own file, which knows the others where they will be."""
        places = {one.source: self._root / one.path for one in self._files}
        for path in self._wanted():
            if path not in places:
                places[path] = self._place_beside(path, places)
                self._known.update({path: known} if (known := fingerprint_of(path)) else {})
        content = moved(self._content, places)
        seen = {places[path]: known for path, known in self._known.items()}
        content = replace(content, fingerprints={**content.fingerprints, **seen})
        document = flight_document(self._root, places[self._log], content, is_portable=True)
        data = f"{json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False)}\n".encode()
        name = Path(name).stem + FLIGHT_SUFFIX
        self._add_made(file_name_text(name) if name_problem(name) else name, "flight", data)

    def sized(self) -> list[tuple[PlacedFile, int]]:
        """The files, and how many bytes of each."""
        if len(self._files) >= MOST_MEMBERS:
            raise PackageError(f"The flight has over {MOST_MEMBERS:,} files. Pack a part of it.")
        known = self._known
        return [
            (one, (known.get(one.source) or _fingerprint(one.source)).size) for one in self._files
        ]

    def manifest(self, files: tuple[PackedFile, ...]) -> Manifest:
        """What is told of it in the package."""
        flight = next(one.path for one in files if one.what == "flight")
        return Manifest(_product(), flight, self._videos, files, tuple(self._left_out))

    def _small_videos(self, report: Progress) -> Iterator[FlightVideo]:
        """The videos, small where they can be."""
        groups = groups_of(self._log, self._content)
        recorded = {path for one in groups if "stream" in one.values() for path in one}
        videos = self._content.videos
        for number, video in enumerate(videos):
            if not all(file.is_file() for file in video.files):
                yield video  # which is told as missing
            elif recorded.isdisjoint(video.files):
                share = partial(_report_part, report, number, len(videos))
                yield self._small_video(video, self._folder / f"video-{number}", share)
            else:
                self.notices.append(
                    f"{video.name} was recorded as a stream and is packed as it is: its stamps and "
                    "its lens are told for these pictures."
                )
                yield video

    def _small_video(self, video: FlightVideo, folder: Path, report: Progress) -> FlightVideo:
        """A small one, or the same and a notice why."""
        folder.mkdir()
        try:
            small = small_video(video, folder, report)
        except VideoError as error:
            self.notices.append(f"{error} It is packed as it is.")
            return video
        if small is None:
            self.notices.append(f"{video.name} is packed as it is: a copy would be no smaller.")
        return small or video

    def _without_videos(self, groups: list[Group]) -> Iterator[Group]:
        for group in groups:
            rest = {path: what for path, what in group.items() if what != "video"}
            self._left_out += [LeftOut(one.name, _NOT_WANTED) for one in group if one not in rest]
            if rest:
                yield rest

    def _wanted(self) -> list[Path]:
        """The files that the flight names."""
        content = self._content
        videos = [path for video in content.videos for path in video.files]
        streams = [one.path for one in content.streams]
        return [self._log, *(one.path for one in content.logs), *streams, *videos]

    def _place_beside(self, path: Path, places: Mapping[Path, Path]) -> Path:
        """Where a file that is not packed is looked for: beside the unpacked folder."""
        if not path.is_file():
            self._left_out.append(LeftOut(path.name, _NOT_THERE))
            self.notices.append(f"{path} is not there and was left out.")
        beside = self._root.parent / path.name
        is_taken = beside in places.values()  # by one of that name from another folder
        return self._root.parent / path.parent.name / path.name if is_taken else beside

    def _add_made(self, name: str, what: What, data: bytes) -> None:
        made = self._folder / f"made-{what}"
        made.write_bytes(data)
        self._files.insert(0, PlacedFile(made, name, what))


def _fingerprint(path: Path) -> Fingerprint:
    known = fingerprint_of(path)
    if known is None:
        raise PackageError(f"{path} cannot be read. Find out why, or take it out of the flight.")
    return known


def _world_notice(log: Path) -> Iterator[str]:
    """That a world is not packed, where it is none that everybody has."""
    with suppress(LogWorldError):  # which is packed as it is
        world = read_world_note(log)
        where = split_world(world.name)[0] if world is not None else ""
        if Path(where).is_absolute():
            yield f"The world {where} that {log.name} was flown in is not packed: send it, too."


def _report_part(report: Progress, number: int, count: int, share: float) -> None:
    report((number + share) / count)


def _product() -> str:
    try:
        return f"Lapwing {metadata.version('lapwing')}"
    except metadata.PackageNotFoundError:
        return "Lapwing"
