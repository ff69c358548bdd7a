"""Configuration sets: settings kept under a name, per aircraft and purpose, with date and note.

Each is one of our own settings files, so that it can be read, copied and shared without Lapwing.
They lie in one folder per board. A file that cannot be read is listed with the reason.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from telemetry.base.safe_files import replace_file
from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.files import read_bytes, read_settings
from telemetry.configuration.settings.identity import Identity
from telemetry.configuration.settings.snapshot import Snapshot
from telemetry.configuration.settings.toml_file import (
    SUFFIX,
    read_header,
    write_settings_file,
)
from telemetry.protocol.objects.catalogue import Catalogue

_NAME = re.compile(r"[\w][\w .,+()-]{0,79}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_NO_SERIAL = "without-serial"


@dataclass(frozen=True, slots=True)
class SetEntry:
    """One set as a list shows it: what it says `about` itself, and how many objects it has.
    `problem` says why it cannot be read; the rest is empty then.

    `board` is the folder's name: the board's serial number, as far as it has one.
    """

    name: str
    board: str
    path: Path
    about: SettingsDocument
    objects: int = 0
    problem: str = ""


def board_folder(identity: Identity) -> str:
    """Where the sets of a board lie. Simulated boards have no serial number of their own."""
    serial = re.sub(r"[^0-9a-f]", "", identity.serial.lower())
    return serial if serial and identity.has_serial else _NO_SERIAL


class ConfigurationSets:
    """All sets of the user. Every change is on disk when a method returns."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def entries(self, board: str | None = None) -> tuple[SetEntry, ...]:
        """The sets of one board, or of all, by name. Broken files are among them."""
        found = []
        for path in self._folder.glob(f"{board or '*'}/*{SUFFIX}"):
            found.append(_entry(path))
        return tuple(sorted(found, key=lambda entry: (entry.name.casefold(), entry.board)))

    def find(self, name: str) -> SetEntry:
        """The set called NAME or BOARD/NAME. Raises SettingsError, naming what there is."""
        board, _, rest = name.rpartition("/")
        found = [
            entry
            for entry in self.entries(board or None)
            if entry.name.casefold() == rest.casefold()
        ]
        if len(found) == 1:
            return found[0]
        if found:
            which = " or ".join(f"set:{entry.board}/{entry.name}" for entry in found)
            raise SettingsError(f"Several aircraft have a set called '{rest}'; say {which}.")
        known = ", ".join(entry.name for entry in self.entries())
        there = f"; there are: {known}" if known else "; none is kept yet"
        raise SettingsError(f"No configuration set is called '{name}'{there}.")

    def load(self, entry: SetEntry, catalogue: Catalogue) -> SettingsDocument:
        """What is in a set, titled by its name. Raises SettingsError."""
        document = read_settings(entry.path, catalogue)
        return replace(document, snapshot=replace(document.snapshot, title=entry.name))

    def save(
        self, name: str, document: SettingsDocument, *, is_replacing: bool = False
    ) -> SetEntry:
        """Keep settings under a name. Raises SettingsError, also if the name is taken."""
        path = self._path(board_folder(document.identity), name)
        if path.exists() and not is_replacing:
            raise SettingsError(f"A set called '{name}' is there already; choose another name.")
        return _written(path, document)

    def rename(self, entry: SetEntry, name: str) -> SetEntry:
        """Give a set another name. Raises SettingsError, also if that is taken."""
        path = self._path(entry.board, name)
        if path.exists() and not path.samefile(entry.path):
            raise SettingsError(f"A set called '{name}' is there already; choose another name.")
        try:
            entry.path.rename(path)
        except OSError as error:
            raise SettingsError(f"'{entry.name}' cannot be renamed: {error.strerror}.") from error
        return _entry(path)

    def annotate(
        self, entry: SetEntry, catalogue: Catalogue, *, purpose: str, note: str
    ) -> SetEntry:
        """Change what a set says about itself. Raises SettingsError."""
        document = read_settings(entry.path, catalogue)
        return _written(entry.path, replace(document, purpose=purpose, note=note))

    def delete(self, entry: SetEntry) -> None:
        """Forget a set; one that is gone already is no error. Raises SettingsError."""
        try:
            entry.path.unlink(missing_ok=True)
        except OSError as error:
            raise SettingsError(f"'{entry.name}' cannot be deleted: {error.strerror}.") from error

    def _path(self, board: str, name: str) -> Path:
        if not _NAME.fullmatch(name) or name.endswith((" ", ".")) or _RESERVED.fullmatch(name):
            raise SettingsError(
                f"'{name}' is no name for a set: use letters, digits, spaces and . , + - ( ), "
                "at most 80 of them."
            )
        return self._folder / board / f"{name}{SUFFIX}"


def _written(path: Path, document: SettingsDocument) -> SetEntry:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, write_settings_file(document))
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}.") from error
    return _entry(path)


def _entry(path: Path) -> SetEntry:
    name, board = path.name.removesuffix(SUFFIX), path.parent.name
    try:
        about, objects = read_header(read_bytes(path), path.name)
    except SettingsError as error:
        return SetEntry(name, board, path, SettingsDocument(Snapshot(name, {})), problem=str(error))
    return SetEntry(name, board, path, about, objects)
