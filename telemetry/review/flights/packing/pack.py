"""Packing a flight: all of its files into one, which opens on another machine as it was."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Final

from telemetry.base.escaping import file_name_text
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.definitions import definitions_path
from telemetry.recording.logs.world import (
    LogWorldError,
    read_imu_note,
    read_world_note,
    world_note_path,
    write_world_note,
)
from telemetry.recording.simulated_world import is_at_path, split_world
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.flights.file_reference import Fingerprint, fingerprint_of, whole_path
from telemetry.review.flights.flight import FlightVideo
from telemetry.review.flights.lapwing_file import SUFFIX as FLIGHT_SUFFIX
from telemetry.review.flights.lapwing_file import (
    check_not_own,
    flight_document,
    flight_to_bytes,
    other_files,
)
from telemetry.review.flights.packing.contents import (
    FlightToPack,
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
from telemetry.review.flights.packing.manifest import LeftOut, Manifest, Videos, What
from telemetry.review.flights.packing.names import name_problem
from telemetry.review.flights.packing.package_writer import write_package
from telemetry.review.flights.packing.progress import Progress, part_of
from telemetry.review.flights.packing.references import can_be_found_beside, without_places
from telemetry.review.flights.packing.small_video import small_video
from telemetry.review.flights.packing.zip_members import MOST_MEMBERS

_NOT_WANTED: Final = "packed without videos"
_NOT_THERE: Final = "it was not there"
_OWN_WORLD: Final = "a world of the sender's own"
_SHRINKING_SHARE: Final = 0.9
"""Of the time that packing takes, where videos are made small."""


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
        packing = _Packing(Path(folder), flight, videos)
        shrinking = _SHRINKING_SHARE if videos == "small" else 0.0
        packing.take_files(part_of(progress, 0.0, shrinking))
        packing.add_objects(catalogue)
        manifest = packing.add_flight(flight.file.name)
        writing = part_of(progress, shrinking, 1.0)
        manifest = write_package(out, packing.sized(), manifest, writing)
        return PackSummary(manifest, tuple(packing.notices))


class _Packing:
    """One package being made; what is made for it stands in `folder` until it is written."""

    def __init__(self, folder: Path, flight: FlightToPack, videos: Videos) -> None:
        self.notices: list[str] = []
        self._folder = folder
        self._root = whole_path(folder) / "root"  # as if the package stood unpacked there
        self._log = whole_path(flight.log)
        self._content = replace(flight.content, layout=without_places(flight.content.layout))
        self._videos = videos
        self._files: list[PlacedFile] = []
        self._known: dict[Path, Fingerprint] = {}
        self._left_out: list[LeftOut] = []

    def take_files(self, progress: Progress) -> None:
        """Choose the files, each as far as it is written now: a recording may go on."""
        if self._videos == "small":
            self._content = replace(self._content, videos=tuple(self._small_videos(progress)))
        groups = groups_of(self._log, self._content)
        if self._videos == "none":
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
            copy = self._folder / f"log-{number}"
            objects = objects_of(one.source, catalogue, copy)
            found.append((one.path, objects))
            self.notices += [objects.notice] if objects.notice else []
            if (beside := definitions_path(copy)).is_file():
                path = definitions_path(Path(one.path)).as_posix()
                self._files.append(PlacedFile(beside, path, "definitions"))
            self._leave_own_world(one.source, copy)
        self._add_made(OBJECTS, "objects", objects_document(found))

    def add_flight(self, name: str) -> Manifest:
        """Add the flight's own file, which knows the others where they will be; return what is told
        of it in the package, without the files."""
        places = {one.source: self._root / one.path for one in self._files}
        for path in (self._log, *other_files(self._content)):
            if path not in places:
                places[path] = self._place_beside(path, places)
                self._known.update({path: known} if (known := fingerprint_of(path)) else {})
        content = moved(self._content, places)
        seen = {places[path]: known for path, known in self._known.items()}
        content = replace(content, fingerprints={**content.fingerprints, **seen})
        document = flight_document(self._root, places[self._log], content, is_portable=True)
        name = Path(name).stem + FLIGHT_SUFFIX
        name = file_name_text(name) if name_problem(name) else name
        self._add_made(name, "flight", flight_to_bytes(document))
        return Manifest(_product(), name, self._videos, (), tuple(self._left_out))

    def sized(self) -> list[tuple[PlacedFile, int]]:
        """The files, and how many bytes of each."""
        if len(self._files) >= MOST_MEMBERS:
            raise PackageError(f"The flight has over {MOST_MEMBERS:,} files. Pack a part of it.")
        known = self._known
        return [
            (one, (known.get(one.source) or _fingerprint(one.source)).size) for one in self._files
        ]

    def _leave_own_world(self, log: Path, copy: Path) -> None:
        """Pack of a note that names a world on this computer the rest: nobody else has that."""
        note = world_note_path(log)
        try:
            world, imu = read_world_note(log), read_imu_note(log)
        except LogWorldError:  # it is packed as it is
            return
        if world is None or not is_at_path(world.name):
            return
        where, _ = split_world(world.name)
        self.notices.append(
            f"The world {where} that {log.name} was flown in is not packed: send it, too."
        )
        self._left_out.append(LeftOut(PurePath(where).name, _OWN_WORLD))
        self._known.pop(note, None)
        placed_note = [one for one in self._files if one.source == note]
        self._files = [one for one in self._files if one.source != note]
        if imu is not None:
            write_world_note(copy, None, imu)
            self._files += [replace(one, source=world_note_path(copy)) for one in placed_note]

    def _small_videos(self, progress: Progress) -> Iterator[FlightVideo]:
        """The videos, small where they can be."""
        groups = groups_of(self._log, self._content)
        recorded = {path for one in groups if "stream" in one.values() for path in one}
        videos = self._content.videos
        for number, video in enumerate(videos):
            if not all(file.is_file() for file in video.files):
                yield video  # which is told as missing
            elif recorded.isdisjoint(video.files):
                part = part_of(progress, number / len(videos), (number + 1) / len(videos))
                yield self._small_video(video, self._folder / f"video-{number}", part)
            else:
                self.notices.append(
                    f"{video.name} was recorded as a stream and is packed as it is: its stamps and "
                    "its lens are told for these pictures."
                )
                yield video

    def _small_video(self, video: FlightVideo, folder: Path, progress: Progress) -> FlightVideo:
        """A small one, or the same and a notice why."""
        folder.mkdir()
        try:
            small = small_video(video, folder, progress)
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

    def _place_beside(self, path: Path, places: Mapping[Path, Path]) -> Path:
        """Where a file that is not packed is looked for: beside the unpacked folder, where it is
        known by its content."""
        if not path.is_file():
            self._left_out.append(LeftOut(path.name, _NOT_THERE))
            self.notices.append(f"{path} is not there and was left out.")
        known = fingerprint_of(path) or self._content.fingerprints.get(path)
        where = self._root.parent if can_be_found_beside(known) else self._root
        beside = where / path.name
        is_taken = beside in places.values()  # by one of that name from another folder
        return where / path.parent.name / path.name if is_taken else beside

    def _add_made(self, name: str, what: What, data: bytes) -> None:
        made = self._folder / f"made-{what}"
        made.write_bytes(data)
        self._files.insert(0, PlacedFile(made, name, what))


def _fingerprint(path: Path) -> Fingerprint:
    known = fingerprint_of(path)
    if known is None:
        raise PackageError(f"{path} cannot be read. Find out why, or take it out of the flight.")
    return known


def _product() -> str:
    try:
        return f"Lapwing {metadata.version('lapwing')}"
    except metadata.PackageNotFoundError:
        return "Lapwing"
