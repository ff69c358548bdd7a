"""Keeps every byte of a connection in an `.opl` file; the flight goes on when the file cannot.

One recorder serves all links that a connection opens one after the other, so the whole flight
with its interruptions is one file with one time axis.
"""

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Protocol

from telemetry.links.link import Link, progress_of
from telemetry.logs.opl_writer import OplWriter, WriteFailed


class ChunkWriter(Protocol):
    """What keeps bytes: an OplWriter. Its methods raise WriteFailed."""

    @property
    def path(self) -> Path:
        """The file."""

    def write(self, t_s: float, chunk: bytes, sent: bool = False) -> None:
        """Keep bytes of one direction."""

    def close(self) -> None:
        """Finish the file."""


class Recorder:
    """The recording file of one connection, in `folder`; None records nothing. `error` tells why
    nothing is written any more."""

    def __init__(
        self,
        folder: Path | None,
        address: str,
        started_at: datetime,
        make_writer: Callable[[Path], ChunkWriter] = OplWriter,
    ) -> None:
        self.error = ""
        self.folder = folder
        self._name = f"{started_at:%Y-%m-%d_%H-%M-%S}_{re.sub(r'[^A-Za-z0-9.-]+', '-', address)}"
        self._make_writer = make_writer
        self._writer: ChunkWriter | None = None

    @property
    def file(self) -> str:
        """Where bytes are being written; empty while they are not."""
        return str(self._writer.path) if self._writer and not self.error else ""

    def open(self) -> None:
        """Create the file, the first time; called when a link is there to be recorded."""
        if self.folder is None or self._writer is not None or self.error:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._writer = self._make_writer(_free_path(self.folder, self._name))
        except OSError as error:
            self.error = f"Not recorded: {self.folder} cannot be used ({error.strerror})."
        except WriteFailed as error:
            self.error = str(error)

    def write(self, t_s: float, data: bytes, sent: bool) -> None:
        """Keep bytes that passed `t_s` seconds after the recording's start."""
        if self._writer is None or self.error:
            return
        try:
            self._writer.write(t_s, data, sent)
        except WriteFailed as error:
            self.error = str(error)

    def close(self) -> None:
        """Finish the file. Closing twice is fine."""
        if self._writer is not None:
            try:
                self._writer.close()
            except WriteFailed as error:
                self.error = self.error or str(error)


class RecordingLink:
    """Wraps a link and keeps what passes in both directions."""

    def __init__(self, inner: Link, recorder: Recorder, elapsed_s: Callable[[], float]) -> None:
        self.name = inner.name
        self.address = inner.address
        self.can_write = inner.can_write
        self._inner = inner
        self._recorder = recorder
        self._elapsed_s = elapsed_s

    @property
    def progress(self) -> str:
        """What the link is busy with before anything can arrive."""
        return progress_of(self._inner)

    def read(self, timeout_s: float) -> bytes:
        """Read and keep; see `Link.read`."""
        data = self._inner.read(timeout_s)
        if data:
            self._recorder.write(self._elapsed_s(), data, sent=False)
        return data

    def write(self, data: bytes) -> None:
        """Write, then keep what was written; see `Link.write`."""
        self._inner.write(data)
        self._recorder.write(self._elapsed_s(), data, sent=True)

    def close(self) -> None:
        """Close the link; the recorder stays open for the next one."""
        self._inner.close()


def _free_path(folder: Path, name: str) -> Path:
    path, number = folder / f"{name}.opl", 2
    while path.exists():
        path = folder / f"{name}_{number}.opl"
        number += 1
    return path
