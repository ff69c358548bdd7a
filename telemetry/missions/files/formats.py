"""Mission files: reading and writing them in the format of their suffix."""

from pathlib import Path
from typing import Final

from telemetry.base.safe_files import replace_file
from telemetry.base.text_formats import FormatError, read_limited
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.kml_gpx import read_gpx, read_kml, write_kml
from telemetry.missions.files.lapwing_json import read_own, write_own
from telemetry.missions.files.openpilot_xml import read_peers, write_peers
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.protocol.objects.xml_tree import LARGEST_BYTES

SUFFIX: Final = ".mission"
READ_SUFFIXES: Final = (SUFFIX, ".json", ".xml", ".kml", ".gpx")
WRITTEN_SUFFIXES: Final = (SUFFIX, ".json", ".xml", ".kml")


def read_mission(path: Path, home: MissionHome | None = None) -> Mission:
    """The mission in a file. `home` is where it is to be flown from, for files that do not say.

    Raises MissionFileError, also for files that cannot be opened.
    """
    suffix = path.suffix.lower()
    if suffix not in READ_SUFFIXES:
        raise MissionFileError(path, f"its name must end with one of {', '.join(READ_SUFFIXES)}.")
    try:
        data = read_limited(path, LARGEST_BYTES)
    except FormatError as error:
        raise MissionFileError(path, f"{error}.") from None
    except OSError as error:
        raise MissionFileError(path, f"it cannot be read ({error.strerror or error}).") from None
    match suffix:
        case ".xml":
            return read_peers(path, data, home)
        case ".kml":
            return read_kml(path, data)
        case ".gpx":
            return read_gpx(path, data)
    return read_own(path, data)


def write_mission(path: Path, mission: Mission) -> None:
    """Write it so that the file is the old or the new one, whole. Raises MissionFileError."""
    suffix = path.suffix.lower()
    if suffix not in WRITTEN_SUFFIXES:
        known = ", ".join(WRITTEN_SUFFIXES)
        raise MissionFileError(path, f"it cannot be written; its name must end with {known}.")
    writer = {".xml": write_peers, ".kml": write_kml}.get(suffix, write_own)
    try:
        replace_file(path, writer(mission))
    except OSError as error:
        raise MissionFileError(path, f"it cannot be written ({error.strerror or error}).") from None
    except ValueError as error:
        raise MissionFileError(path, f"{error}.") from None
