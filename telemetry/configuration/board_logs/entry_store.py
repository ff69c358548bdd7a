"""Entry store: the entries that were fetched of a board's flights, one append-only file a flight.

A record is a number, a checksum and the packed DebugLogEntry, all of one size: wherever the program
was killed, what is whole is told from what is torn, and nothing that is whole is fetched again.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

from telemetry.base import safe_files
from telemetry.base.input_files import read_bytes
from telemetry.configuration.board_logs.errors import BoardLogError
from telemetry.protocol.objects.definition import ObjectDefinition

_HEAD: Final = struct.Struct("<8sII")
_MAGIC: Final = b"LWBLOG1\n"
_RECORD: Final = struct.Struct("<II")
_LARGEST_BYTES: Final = 32 << 20
"""Twice what 65,535 entries take."""


class EntryStore:
    """The entries of one board, by flight and by the number that was asked for."""

    def __init__(self, folder: Path, definition: ObjectDefinition) -> None:
        """Entries are packed rows of `definition`; those of another are set aside, not mixed."""
        self.definition = definition
        self._folder = folder
        self._kept: dict[int, dict[int, bytes]] = {}

    @property
    def board(self) -> str:
        """What tells the board from others, as the name of its folder."""
        return self._folder.name

    def entries(self, flight: int) -> dict[int, bytes]:
        """What is kept of a flight, by number. Raises BoardLogError."""
        if flight not in self._kept:
            try:
                self._kept[flight] = self._read(flight)
            except OSError as error:
                raise self._failed(flight, error) from error
        return self._kept[flight]

    def put(self, flight: int, number: int, row: bytes) -> None:
        """Keep an entry; one that is kept stays as it is. Raises BoardLogError when the disk takes
        no more; what was kept before is not touched."""
        kept = self.entries(flight)
        if number in kept:
            return
        try:
            self._append(flight, number, row)
        except OSError as error:
            raise self._failed(flight, error) from error
        kept[number] = row

    def set_aside(self, flight: int) -> None:
        """Begin a flight anew: the board has another by its number now. Raises BoardLogError."""
        self._kept[flight] = {}
        path = self._path(flight)
        if path.exists() and not safe_files.set_aside(path):
            raise BoardLogError(
                f"{path} is of a flight that the board has no longer, and cannot be renamed. "
                "Move it away and try again."
            )

    def flights(self) -> tuple[int, ...]:
        """The flights of which something is kept."""
        names = (path.stem.removeprefix("flight-") for path in self._folder.glob("*.entries"))
        return tuple(sorted(int(name) for name in names if name.isdecimal()))

    def _path(self, flight: int) -> Path:
        return self._folder / f"flight-{flight:03d}.entries"

    def _head(self) -> bytes:
        return _HEAD.pack(_MAGIC, self.definition.object_id, self.definition.size)

    def _read(self, flight: int) -> dict[int, bytes]:
        path = self._path(flight)
        try:
            data = read_bytes(path, _LARGEST_BYTES)
        except FileNotFoundError:
            return {}
        if not data.startswith(self._head()):
            self.set_aside(flight)
            return {}
        return dict(self._records(data))

    def _records(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        step = _RECORD.size + self.definition.size
        for at in range(_HEAD.size, len(data) - step + 1, step):
            number, checksum = _RECORD.unpack_from(data, at)
            row = data[at + _RECORD.size : at + step]
            if checksum == _checksum(number, row):
                yield number, row

    def _append(self, flight: int, number: int, row: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        record = _RECORD.pack(number, _checksum(number, row)) + row
        with self._path(flight).open("ab", buffering=0) as file:
            whole = self._whole(file.tell())
            file.truncate(whole)  # what a killed program has left behind
            data = memoryview(self._head() + record if not whole else record)
            try:
                while data:
                    data = data[file.write(data) or 0 :]
            except OSError:
                file.truncate(whole)
                raise

    def _whole(self, size: int) -> int:
        """The bytes of whole records in a file of that size."""
        step = _RECORD.size + self.definition.size
        return 0 if size < _HEAD.size else size - (size - _HEAD.size) % step

    def _failed(self, flight: int, error: OSError) -> BoardLogError:
        reason = error.strerror or str(error)
        return BoardLogError(
            f"{self._path(flight)} cannot be written or read: {reason}. What was fetched before is "
            "kept there; make room and go on."
        )


def _checksum(number: int, row: bytes) -> int:
    return crc32(row, number)
