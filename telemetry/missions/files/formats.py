"""Mission file formats: a row per format, read by what stands in a file, written by its suffix."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.base.input_files import open_file
from telemetry.base.registry import Registry
from telemetry.base.safe_files import replace_file
from telemetry.base.text_formats import FormatError, read_limited
from telemetry.missions.files.carried import CarriedMission
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.kml_gpx import (
    is_gpx,
    is_kml,
    not_in_kml,
    read_gpx,
    read_kml,
    write_kml,
)
from telemetry.missions.files.lapwing_json import FORMAT, read_own, write_own
from telemetry.missions.files.openpilot_xml import (
    ROOT,
    not_in_peers,
    read_peers,
    write_peers,
)
from telemetry.missions.files.qgc_plan import (
    is_plan,
    not_in_plan,
    read_plan,
    write_plan,
)
from telemetry.missions.files.qgc_waypoints import (
    is_waypoints,
    not_in_waypoints,
    read_waypoints,
    write_waypoints,
)
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.protocol.objects.xml_tree import LARGEST_BYTES

SUFFIX: Final = ".mission"
_HEAD_BYTES: Final = 65_536
_OWN_SIGN: Final = f'"{FORMAT}"'.encode()


@dataclass(frozen=True, slots=True)
class MissionFormat:
    """Files whose names end with `suffix`, in small letters.

    `title` is what the dialog calls it that saves, "" where it does not offer it. `read` gets the
    file's bytes, and where the mission is to be flown from for files that do not say; it raises
    MissionFileError. `write` makes the file's bytes, and raises ValueError with a reason.
    `sign` stands in the first bytes, where other files have the suffix too; by it, and by `is_in`,
    a file is known whatever its name. `left_out` has a sentence for each thing of a mission that
    such a file does not say. What `is_own` keeps all of a mission; another file is a copy.
    """

    suffix: str
    title: str
    read: Callable[[Path, bytes, MissionHome | None], Mission | CarriedMission] | None
    write: Callable[[Mission], bytes] | None = None
    sign: bytes = b""
    is_own: bool = False
    is_in: Callable[[bytes], bool] = lambda _head: False
    left_out: Callable[[Mission], Sequence[str]] = lambda _mission: ()


_ROWS: Final = (
    MissionFormat(SUFFIX, "Mission", read_own, write_own, is_own=True),
    MissionFormat(".json", "", read_own, write_own, _OWN_SIGN, is_own=True),
    MissionFormat(
        ".xml",
        "OpenPilot and LibrePilot",
        read_peers,
        write_peers,
        f"<{ROOT}".encode(),
        left_out=not_in_peers,
    ),
    MissionFormat(
        ".plan", "QGroundControl", read_plan, write_plan, is_in=is_plan, left_out=not_in_plan
    ),
    MissionFormat(
        ".waypoints",
        "Mission Planner",
        read_waypoints,
        write_waypoints,
        is_in=is_waypoints,
        left_out=not_in_waypoints,
    ),
    MissionFormat(".kml", "Google Earth", read_kml, write_kml, is_in=is_kml, left_out=not_in_kml),
    MissionFormat(".gpx", "GPX", read_gpx, is_in=is_gpx),
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
    """Whether a mission stands in a file, by its first bytes, or by its name for formats that are
    not known by these. Raises OSError."""
    with open_file(path) as file:
        head = file.read(_HEAD_BYTES)
    named = format_of(path)
    is_named = named is not None and named.read is not None and named.sign in head
    return bool(head) and (is_named or _format_in(head) is not None)


def _format_in(head: bytes) -> MissionFormat | None:
    rows = (row for row in MISSION_FORMATS.values() if row.read is not None)
    return next((row for row in rows if row.is_in(head) or (row.sign and row.sign in head)), None)


def read_mission(path: Path, home: MissionHome | None = None) -> Mission:
    """The mission in a file, as `read_carried`."""
    return read_carried(path, home).mission


def read_carried(path: Path, home: MissionHome | None = None) -> CarriedMission:
    """The mission in a file, and what of the file could not be taken. `home` is where it is to be
    flown from, for files that do not say. What stands in it counts, and its name where that tells
    nothing.

    Raises MissionFileError, also for files that cannot be opened.
    """
    named = format_of(path)
    try:
        data = read_limited(path, LARGEST_BYTES)
    except FormatError as error:
        raise MissionFileError(path, f"{error}.") from None
    except OSError as error:
        raise MissionFileError(path, f"it cannot be read ({error.strerror or error}).") from None
    found = _format_in(data[:_HEAD_BYTES]) or named
    if found is None or found.read is None:
        known = ", ".join(read_suffixes())
        what = f"nothing in it tells which mission it is, so its name must end with one of {known}."
        raise MissionFileError(path, what)
    read = found.read(path, data, home)
    return read if isinstance(read, CarriedMission) else CarriedMission(read, (), found.is_own)


def write_mission(path: Path, mission: Mission) -> tuple[str, ...]:
    """Write it so that the file is the old or the new one, whole. Returns what it does not say, a
    sentence each. Raises MissionFileError."""
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
    return tuple(found.left_out(mission))
