"""Flight backups: unsaved changes of a flight, found when its log is opened again."""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Final

from telemetry.base import safe_files
from telemetry.base.input_files import open_file
from telemetry.review.flights.flight import FlightContent
from telemetry.review.flights.lapwing_file import SUFFIX, FlightFileError, read_flight, write_flight

_HEAD_BYTES: Final = 4096
_LONGEST_STEM: Final = 60


class FlightBackups:
    """One file for each flight with unsaved changes, in a folder that need not exist yet.

    A flight is known by its `.lapwing` file, if it has one, and by the beginning of its first log,
    wherever that lies. `problem` says in a sentence what could not be written or read; "" if all
    could.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.problem = ""

    def write(self, log: Path, path: Path | None, content: FlightContent) -> None:
        """Keep what is not saved of the flight of `log` whose file is `path`."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_flight(self._file(log, path), log, content)
            self.problem = ""
        except OSError as error:
            self.problem = (
                f"What you mark in {log.name} is not kept by itself: {self._folder} cannot be "
                f"written ({error.strerror or error}). Save the flight (Ctrl+S)."
            )

    def read(self, log: Path, path: Path | None) -> FlightContent | None:
        """What was not saved the last time; None if all was."""
        try:
            kept = self._file(log, path)
            return read_flight(kept).content if kept.is_file() else None
        except FlightFileError as error:
            is_damaged = not isinstance(error.__cause__, OSError)
            aside = safe_files.set_aside(kept) if is_damaged else ""
            self.problem = f"{error} It is kept as {aside}." if aside else str(error)
        except OSError as error:
            self.problem = f"{log.name}: {error.strerror or error}."
        return None

    def forget(self, log: Path, path: Path | None) -> None:
        """All of it is saved, or not wanted."""
        with suppress(OSError):
            kept = self._file(log, path)
            if kept.is_file():
                safe_files.delete(kept)

    def _file(self, log: Path, path: Path | None) -> Path:
        known_by = _beginning(log) + str(path or "").encode("utf-8", "surrogateescape")
        key = hashlib.blake2b(known_by, digest_size=8).hexdigest()
        return self._folder / f"{log.stem[:_LONGEST_STEM]}-{key}{SUFFIX}"


def _beginning(log: Path) -> bytes:
    """What a log is known by; of one that is missing its flight's file alone."""
    try:
        with open_file(log) as file:
            return file.read(_HEAD_BYTES)
    except OSError:
        return b""
