"""Mission file formats: a row per format, reading and writing by the file's suffix."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.base.input_files import open_file
from telemetry.base.registry import Registry
from telemetry.base.safe_files import replace_file
from telemetry.base.text_formats import FormatError, read_limited
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.kml_gpx import read_gpx, read_kml, write_kml
from telemetry.missions.files.lapwing_json import FORMAT, read_own, write_own
from telemetry.missions.files.openpilot_xml import ROOT, read_peers, write_peers
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.protocol.objects.xml_tree import LARGEST_BYTES

SUFFIX: Final = ".mission"
_HEAD_BYTES: Final = 512
_OWN_SIGN: Final = f'"{FORMAT}"'.encode()


@dataclass(frozen=True, slots=True)
class MissionFormat:
    """Files whose names end with `suffix`, in small letters.

    `title` is what the dialog calls it that saves, "" where it does not offer it. `read` gets the
    file's bytes, and where the mission is to be flown from for files that do not say; it raises
    MissionFileError. `write` makes the file's bytes, and raises ValueError with a reason. `sign`
    stands in the first bytes, where other files have the suffix too. What `is_own` keeps all of a
    mission; a file of another format is a copy.
    """

    suffix: str
    title: str
    read: Callable[[Path, bytes, MissionHome | None], Mission] | None
    write: Callable[[Mission], bytes] | None = None
    sign: bytes = b""
    is_own: bool = False


_ROWS: Final = (
    MissionFormat(SUFFIX, "Mission", read_own, write_own, is_own=True),
    MissionFormat(".json", "", read_own, write_own, sign=_OWN_SIGN, is_own=True),
    MissionFormat(
        ".xml", "OpenPilot and LibrePilot", read_peers, write_peers, sign=f"<{ROOT}".encode()
    ),
    MissionFormat(".kml", "Google Earth", read_kml, write_kml),
    MissionFormat(".gpx", "GPX", read_gpx),
)

MISSION_FORMATS: Final = Registry("mission_formats", {row.suffix: row for row in _ROWS})
"""By their suffix."""


def read_suffixes() -> tuple[str, ...]:
    """Those of all files that can be read."""
    return tuple(row.suffix for row in MISSION_FORMATS.values() if row.read is not None)


def written_suffixes() -> tuple[str, ...]:
    """Those of all files that can be written."""
    return tuple(row.suffix for row in MISSION_FORMATS.values() if row.write is not None)


def format_of(path: Path) -> MissionFormat | None:
    """The format of a file by its name."""
    name = path.name.lower()
    return next((row for row in MISSION_FORMATS.values() if name.endswith(row.suffix)), None)


def is_own(path: Path) -> bool:
    """Whether a file keeps all of a mission."""
    found = format_of(path)
    return found is not None and found.is_own


def is_mission(path: Path) -> bool:
    """Whether a mission stands in a file, by its name and first bytes. Raises OSError."""
    with open_file(path) as file:
        head = file.read(_HEAD_BYTES)
    found = format_of(path)
    is_known = found is not None and found.read is not None and found.sign in head
    return bool(head) and (is_known or _OWN_SIGN in head)


def read_mission(path: Path, home: MissionHome | None = None) -> Mission:
    """The mission in a file. `home` is where it is to be flown from, for files that do not say.

    Raises MissionFileError, also for files that cannot be opened.
    """
    found = format_of(path)
    if found is None or found.read is None:
        raise MissionFileError(path, f"its name must end with one of {', '.join(read_suffixes())}.")
    try:
        data = read_limited(path, LARGEST_BYTES)
    except FormatError as error:
        raise MissionFileError(path, f"{error}.") from None
    except OSError as error:
        raise MissionFileError(path, f"it cannot be read ({error.strerror or error}).") from None
    return found.read(path, data, home)


def write_mission(path: Path, mission: Mission) -> None:
    """Write it so that the file is the old or the new one, whole. Raises MissionFileError."""
    found = format_of(path)
    if found is None or found.write is None:
        known = ", ".join(written_suffixes())
        raise MissionFileError(path, f"it cannot be written; its name must end with {known}.")
    try:
        replace_file(path, found.write(mission))
    except OSError as error:
        raise MissionFileError(path, f"it cannot be written ({error.strerror or error}).") from None
    except ValueError as error:
        raise MissionFileError(path, f"{error}.") from None
