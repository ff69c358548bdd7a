"""A folder of logs and videos, sorted: from a memory card to proposals."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from telemetry.flights.file_kind import FileKind, kind_of
from telemetry.flights.matching.facts import (
    LogFacts,
    VideoFacts,
    read_log_facts,
    read_video_facts,
)
from telemetry.flights.matching.media import group_loops
from telemetry.flights.matching.picture_turning import syncs_by_pictures
from telemetry.flights.matching.proposals import MatchProposal, propose
from telemetry.flights.sync import Sync
from telemetry.flights.synchronisation.signals import SoundPitch
from telemetry.flights.synchronisation.sound_pitch import measure_sound
from telemetry.logs.reader import LogError
from telemetry.objects.catalogue import Catalogue
from telemetry.video.source import VideoError

_LOG_SUFFIXES: Final = frozenset((".opl", ".tll", ".drlog"))
_MOST_FILES: Final = 5000
_DEEPEST: Final = 4


@dataclass(frozen=True, slots=True)
class FolderMatch:
    """What a folder holds. `skipped` are sentences about files that were left out."""

    folder: Path
    logs: tuple[LogFacts, ...]
    proposals: tuple[MatchProposal, ...]
    skipped: tuple[str, ...]

    @property
    def lone_logs(self) -> tuple[LogFacts, ...]:
        """The logs without a video."""
        taken = {proposal.log for proposal in self.proposals}
        return tuple(log for log in self.logs if log.path not in taken)

    def as_json(self) -> dict[str, Any]:
        """As `lapwing flight match --json` prints it."""
        return {
            "folder": str(self.folder),
            "proposals": [proposal.as_json() for proposal in self.proposals],
            "logs_without_video": [str(log.path) for log in self.lone_logs],
            "skipped": list(self.skipped),
        }


def match_folder(
    folder: Path,
    catalogue: Catalogue,
    progress: Callable[[str, float], None] = lambda _doing, _share: None,
    is_cancelled: Callable[[], bool] = lambda: False,
    *,
    looks_at_pictures: bool = False,
) -> FolderMatch:
    """Say which video of a folder belongs to which log, and why. Reads every file; takes seconds,
    and a third of the videos' duration if it `looks_at_pictures`, too.

    `progress` is told what is looked at and the share that is done; a cancelled match has what was
    looked at until then. Raises OSError if the folder cannot be read.
    """
    skipped: list[str] = []
    logs: list[LogFacts] = []
    videos: list[VideoFacts] = []
    files = _files(folder)
    steps = max(2 * len(files), 1)
    for number, file in enumerate(files):
        if is_cancelled():
            break
        progress(file.name, number / steps)
        _look(file, catalogue, (logs, videos, skipped))
    media = group_loops(videos)
    sounds: dict[Path, SoundPitch] = {}
    turnings: dict[Path, dict[Path, Sync]] = {}
    for number, video in enumerate(media):

        def show(share: float, name: str = video.name, number: int = number) -> None:
            progress(name, 0.5 + (number + share) / (2 * len(media)))

        show(0.0)
        if is_cancelled():
            break
        if video.has_sound and (sound := _sound(video)) is not None:
            sounds[video.files[0]] = sound
        if looks_at_pictures:
            turnings[video.files[0]] = syncs_by_pictures(video, logs, show, is_cancelled)
    progress("", 1.0)
    proposals = propose(logs, media, sounds, turnings)
    return FolderMatch(folder, tuple(logs), tuple(proposals), tuple(skipped))


def _files(folder: Path) -> list[Path]:
    """All files, in order of names, without those that are hidden."""
    found: list[Path] = []
    folders = [(folder, 0)]
    while folders and len(found) < _MOST_FILES:
        present, depth = folders.pop()
        for path in sorted(present.iterdir()):
            if path.name.startswith("."):
                continue
            if path.is_dir() and depth < _DEEPEST and not path.is_symlink():
                folders.append((path, depth + 1))
            elif path.is_file():
                found.append(path)
    return sorted(found)


def _look(
    file: Path,
    catalogue: Catalogue,
    into: tuple[list[LogFacts], list[VideoFacts], list[str]],
) -> None:
    logs, videos, skipped = into
    try:
        kind = kind_of(file)
        if kind is FileKind.EMPTY:
            skipped.append(f"{file.name} is empty and was left out.")
        elif kind is FileKind.VIDEO:
            videos.append(read_video_facts(file))
        elif file.suffix.lower() in _LOG_SUFFIXES:
            logs.append(read_log_facts(file, catalogue))
    except (LogError, VideoError) as error:
        skipped.append(str(error))
    except OSError as error:
        skipped.append(f"{file.name} cannot be read: {error.strerror or error}.")


def _sound(video: VideoFacts) -> SoundPitch | None:
    from telemetry.video.sound import open_sound

    try:
        track = open_sound(video.files)
    except VideoError:
        return None
    try:
        return measure_sound(track)
    finally:
        track.close()
