"""Link recorder: every byte of a connection, in an `.opl` file; the flight goes on without it.

One recorder serves all links that a connection opens one after the other, so the whole flight
with its interruptions is one file with one time axis. A file that takes no more, of a full disk,
is followed by another one with the same time axis as soon as there is room.
"""

import re
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from telemetry.base.unused_names import unused_path
from telemetry.protocol.links.link import Link, progress_of
from telemetry.protocol.links.send_queue import SendQueue, send_queue_of
from telemetry.recording.logs.opl_writer import OplWriter, WriteFailed

RETRY_S: Final = 5.0
LEAST_FREE_BYTES: Final = 16 << 20
"""Room for minutes of any link: with less, many short files would be made."""


class Recorder:
    """The recording file of one connection, and those that follow it, in `folder`; None records
    nothing. `error` tells why nothing is written now; it is empty while something is.
    `free_bytes` raises OSError.
    """

    def __init__(
        self,
        folder: Path | None,
        address: str,
        started_at: datetime,
        make_writer: Callable[[Path], OplWriter] = OplWriter,
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self.error = ""
        self.folder = folder
        self._name = f"{started_at:%Y-%m-%d_%H-%M-%S}_{re.sub(r'[^A-Za-z0-9.-]+', '-', address)}"
        self._make_writer = make_writer
        self._free_bytes = free_bytes
        self._writer: OplWriter | None = None
        self._is_closed = False
        self._failed_s = 0.0

    @property
    def file(self) -> str:
        """Where bytes are being written; empty while they are not."""
        writer = self._writer  # once: another thread may ask
        return str(writer.path) if writer else ""

    @property
    def object_ids(self) -> set[int]:
        """The ids in the frames of that file."""
        return self._writer.object_ids if self._writer else set()

    def open(self) -> None:
        """Create the file, the first time; called when a link is there to be recorded."""
        if self._writer is None and not self.error:
            self._begin()

    def write(self, t_s: float, data: bytes, sent: bool) -> None:
        """Keep bytes that passed `t_s` seconds after the recording's start."""
        if self.error and t_s - self._failed_s >= RETRY_S and not self._is_closed:
            self._failed_s = t_s
            if self._has_room():
                self._begin()
        if self._writer is None:
            return
        try:
            self._writer.write(t_s, data, sent)
        except WriteFailed as error:
            self._failed_s = t_s
            self._end(str(error))

    def close(self) -> None:
        """Finish the file. Closing twice is fine."""
        self._is_closed = True
        self._end(self.error)

    def _begin(self) -> None:
        """Create a file, the first one or the next."""
        if self.folder is None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._writer = self._make_writer(unused_path(self.folder / f"{self._name}.opl"))
            self.error = ""
        except OSError as error:
            self.error = f"Not recorded: {self.folder} cannot be used ({error.strerror})."
        except WriteFailed as error:
            self.error = str(error)

    def _end(self, error: str) -> None:
        """Finish the present file, because of an error if there is one."""
        writer, self._writer, self.error = self._writer, None, error
        if writer is not None:
            try:
                writer.close()
            except WriteFailed as failure:
                self.error = self.error or str(failure)

    def _has_room(self) -> bool:
        """Whether a file begun now would not end at once. A missing folder is made anew."""
        assert self.folder is not None
        try:
            there = next(path for path in (self.folder, *self.folder.parents) if path.exists())
            return self._free_bytes(there) >= LEAST_FREE_BYTES
        except OSError:
            return False


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

    @property
    def queue(self) -> SendQueue | None:
        """What was written and has not left yet."""
        return send_queue_of(self._inner)

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
