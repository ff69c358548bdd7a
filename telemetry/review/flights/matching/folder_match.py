"""Folder match: a folder of logs and videos, from a memory card to proposals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from telemetry.base.input_files import files_in
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import LogError
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.flights.file_kind import FileKind, kind_of
from telemetry.review.flights.matching.camera_rotation import syncs_by_pictures
from telemetry.review.flights.matching.facts import (
    LogFacts,
    VideoFacts,
    read_log_facts,
    read_video_facts,
)
from telemetry.review.flights.matching.loop_recordings import group_loops
from telemetry.review.flights.matching.proposals import MatchProposal, propose
from telemetry.review.flights.sync import Sync
from telemetry.review.flights.synchronisation.motion_signals import SoundPitch
from telemetry.review.flights.synchronisation.sound_pitch import sound_of

_LOG_SUFFIXES: Final = frozenset((".opl", ".tll", ".drlog"))
_MOST_FILES: Final = 5000
_DEEPEST: Final = 4


@dataclass(frozen=True, slots=True)
class FolderMatch:
    """What a folder holds. `skipped` are sentences about files that were left out; `sounds` are by
    the first file of a video."""

    folder: Path
    logs: tuple[LogFacts, ...]
    proposals: tuple[MatchProposal, ...]
    skipped: tuple[str, ...]
    sounds: Mapping[Path, SoundPitch] = field(default_factory=dict)

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
) -> FolderMatch:
    """Say which video of a folder belongs to which log, and why. Reads every file; takes seconds.

    `progress` is told what is looked at and the share that is done. Raises OSError if the folder
    cannot be read, or holds too much.
    """
    skipped: list[str] = []
    logs: list[LogFacts] = []
    videos: list[VideoFacts] = []
    files = files_in(folder, _MOST_FILES, _DEEPEST)
    steps = max(2 * len(files), 1)
    for number, file in enumerate(files):
        progress(file.name, number / steps)
        _look(file, catalogue, (logs, videos, skipped))
    media = group_loops(videos)
    sounds: dict[Path, SoundPitch] = {}
    for number, video in enumerate(media):
        progress(video.name, 0.5 + number / (2 * len(media)))
        if video.has_sound and (sound := sound_of(video.files)) is not None:
            sounds[video.files[0]] = sound
    progress("", 1.0)
    return FolderMatch(
        folder, tuple(logs), tuple(propose(logs, media, sounds)), tuple(skipped), sounds
    )


def look_at_pictures(
    match: FolderMatch,
    progress: Callable[[str, float], None] = lambda _doing, _share: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> FolderMatch:
    """The same, judged by how the cameras turned, too; takes a tenth of the videos' duration.

    Cancelled, it is judged by the videos that were looked at until then.
    """
    videos = [proposal.video for proposal in match.proposals]
    turnings: dict[Path, dict[Path, Sync]] = {}
    for number, video in enumerate(videos):

        def show(share: float, name: str = video.name, number: int = number) -> None:
            progress(name, (number + share) / len(videos))

        if not is_cancelled():
            turnings[video.files[0]] = syncs_by_pictures(video, match.logs, show, is_cancelled)
    progress("", 1.0)
    return replace(match, proposals=tuple(propose(match.logs, videos, match.sounds, turnings)))


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
