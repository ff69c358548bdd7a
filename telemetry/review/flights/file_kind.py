"""File kind: what a file is, by what stands in it rather than by its name."""

from enum import Enum
from pathlib import Path
from typing import Final

from telemetry.base.input_files import open_file

_HEAD_BYTES: Final = 512
_MPEG_PACKET_BYTES: Final = 188
_PACKED_HEAD: Final = b"manifest.json"
"""The first name in a packed flight, whatever the file is called by now."""
PACKED_SUFFIX: Final = ".lapwingz"
VIDEO_PATTERNS: Final = (
    "*.avi *.mp4 *.m4v *.mov *.mkv *.webm *.ts *.mts *.mpg *.mpeg *.wmv *.flv *.3gp *.mjpg"
)
"""The names of videos, as a file dialog takes them."""
_VIDEO_SUFFIXES: Final = frozenset(pattern[1:] for pattern in VIDEO_PATTERNS.split())


class FileKind(Enum):
    """What a file is opened as."""

    LOG = "log"
    VIDEO = "video"
    FLIGHT = "flight"
    PACKAGE = "package"
    DEFINITIONS = "definitions"
    MISSION = "mission"
    FOLDER = "folder"
    EMPTY = "empty"


def kind_of(path: Path) -> FileKind:
    """What this file is; a log if nothing says otherwise. A folder with XML files in it has
    definitions. Missions are known by their formats (`is_mission`). Raises OSError."""
    if path.is_dir():
        has_definitions = next(path.glob("*.xml"), None) is not None
        return FileKind.DEFINITIONS if has_definitions else FileKind.FOLDER
    with open_file(path) as file:
        head = file.read(_HEAD_BYTES)
    suffix = path.suffix.lower()
    if not head:
        return FileKind.EMPTY
    if suffix == ".lapwing" or b'"lapwing-flight"' in head:
        return FileKind.FLIGHT
    if suffix == PACKED_SUFFIX or head[30:43] == _PACKED_HEAD:
        return FileKind.PACKAGE
    if suffix == ".xml" or b'"lapwing-definitions"' in head:
        return FileKind.DEFINITIONS
    return FileKind.VIDEO if suffix in _VIDEO_SUFFIXES or _is_video(head) else FileKind.LOG


def _is_video(head: bytes) -> bool:
    """RIFF/AVI, ISO media (MP4, MOV), Matroska, ASF, Flash, MPEG program and transport streams."""
    return (
        (head[:4] == b"RIFF" and head[8:12] == b"AVI ")
        or head[4:8] in (b"ftyp", b"moov", b"mdat")
        or head.startswith((b"\x1aE\xdf\xa3", b"0&\xb2u\x8ef\xcf\x11", b"FLV\x01", b"\0\0\x01\xba"))
        or head[: 3 * _MPEG_PACKET_BYTES : _MPEG_PACKET_BYTES] == b"GGG"
    )
