"""Settings files: `.uav` and templates of the peers, `.settings.toml` of our own."""

from pathlib import Path

from telemetry.base import input_files
from telemetry.base.safe_files import replace_file
from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.template_file import read_template
from telemetry.configuration.settings.toml_file import (
    SUFFIX,
    read_settings_file,
    write_settings_file,
)
from telemetry.configuration.settings.uav_file import read_uav, write_uav
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.xml_tree import LARGEST_BYTES

_READERS = {
    ".uav": read_uav,
    ".xml": read_uav,
    ".optmpl": read_template,
    ".toml": read_settings_file,
}
WRITERS = {".uav": write_uav, ".toml": write_settings_file}


def is_settings_file(path: Path) -> bool:
    """Whether a name says that settings are in the file."""
    return path.suffix.lower() in _READERS


def read_settings(path: Path, catalogue: Catalogue) -> SettingsDocument:
    """Read a file by its suffix. Raises SettingsError for whatever is wrong with it."""
    data = read_bytes(path)
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise SettingsError(f"{path.name} ends with none of .uav, {SUFFIX} and .optmpl; rename it.")
    return read(data, path.name, catalogue)


def read_bytes(path: Path) -> bytes:
    """A file's content; raise SettingsError if it cannot be had or is enormous."""
    try:
        return input_files.read_bytes(path, LARGEST_BYTES)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.") from error


def check_suffix(path: Path) -> None:
    """Raise SettingsError for a name that does not say what to write."""
    if path.suffix.lower() not in WRITERS:
        raise SettingsError(
            f"{path.name} must end with .uav or {SUFFIX}, which says what to write."
        )


def write_settings(path: Path, document: SettingsDocument) -> None:
    """Write a file in one step, in the format of its suffix. Raises SettingsError, OSError."""
    check_suffix(path)
    replace_file(path, WRITERS[path.suffix.lower()](document))
