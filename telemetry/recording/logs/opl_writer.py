"""Log writer: a link's bytes, as they pass, in an `.opl` file that survives a crash.

The format has no direction and one byte stream, while a link has two and delivers bytes cut at
arbitrary places: a sent frame written between two halves of a received one would tear it. So
each direction passes its own splitter first, and a record holds whole frames, with the damaged
bytes between them, of one direction. Nothing is corrected or dropped, and any reader of `.opl`
finds every frame.

Each record goes to the operating system at once, so killing the process loses at most a frame
that had not arrived completely.
"""

import struct
from pathlib import Path

from telemetry.protocol.wire.decoder import FrameDecoder

_HEADER = struct.Struct("<Iq")
_MAX_RECORD_BYTES = 65_536
_MAX_MS = 0xFFFFFFFF
_MOST_IDS = 4096
"""More than firmware has objects: noise that looks like frames has ids without end."""


class WriteFailed(Exception):  # noqa: N818 - reads as what happened
    """The file takes no more, for example because the disk is full. One sentence for the user."""


class StreamSplitter:
    """Cuts a stream where nothing is torn: behind whole frames and behind bytes known to be junk.

    It holds back the bytes that may still become a frame; everything passes, in order.
    """

    def __init__(self) -> None:
        self.object_ids: set[int] = set()
        """Of all whole frames so far."""
        self._decoder = FrameDecoder()
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """Take the next bytes and return those that are settled."""
        self._held += data
        frames = self._decoder.feed(data)
        if len(self.object_ids) < _MOST_IDS:
            self.object_ids.update(frame.object_id for frame in frames)
        return self._release(self._decoder.pending)

    def finish(self) -> bytes:
        """Return what is still held back: the stream has ended."""
        return self._release(0)

    def _release(self, keep: int) -> bytes:
        cut = len(self._held) - keep
        settled, self._held = self._held[:cut], self._held[cut:]
        return settled


class OplWriter:
    """Writes records {u32 ms, i64 size, bytes}. Used by one thread.

    After the first failure the file keeps all records written before, and every further
    `write` raises WriteFailed again.
    """

    def __init__(self, path: Path) -> None:
        """Create the file; raise WriteFailed if it exists or cannot be created."""
        self.path = path
        self.bytes_written = 0
        self._last_ms = 0
        self._failure = ""
        self._splitters = {False: StreamSplitter(), True: StreamSplitter()}
        try:
            self._file = path.open("xb", buffering=0)
        except OSError as error:
            raise WriteFailed(f"Cannot create the recording {path}: {error.strerror}.") from error

    @property
    def object_ids(self) -> set[int]:
        """The ids in all whole frames so far, of both directions: whoever ends the log keeps their
        definitions beside it."""
        return self._splitters[False].object_ids | self._splitters[True].object_ids

    def write(self, t_s: float, chunk: bytes, sent: bool = False) -> None:
        """Add bytes that passed the link at `t_s` seconds from the start, in one direction.

        Raises WriteFailed if they could not be written or the writer is closed.
        """
        self._last_ms = min(_MAX_MS, max(self._last_ms, round(t_s * 1000)))
        self._write_records(self._splitters[sent].feed(chunk))

    def close(self) -> None:
        """Write what is still held back and close. Closing again does nothing."""
        if self._file.closed:
            return
        try:
            for splitter in self._splitters.values():
                self._write_records(splitter.finish())
        finally:
            self._file.close()
            self._failure = self._failure or f"The recording {self.path.name} is closed."

    def _write_records(self, settled: bytes) -> None:
        for start in range(0, len(settled), _MAX_RECORD_BYTES):
            part = settled[start : start + _MAX_RECORD_BYTES]
            self._write_whole(_HEADER.pack(self._last_ms, len(part)) + part)

    def _write_whole(self, record: bytes) -> None:
        if self._failure:
            raise WriteFailed(self._failure)
        try:
            rest = memoryview(record)
            while rest:
                rest = rest[self._file.write(rest) or 0 :]
            self.bytes_written += len(record)
        except OSError as error:
            self._failure = f"Recording stopped, {self.path.name} takes no more: {error.strerror}."
            self._drop_torn_record()
            raise WriteFailed(self._failure) from error

    def _drop_torn_record(self) -> None:
        try:
            self._file.truncate(self.bytes_written)
        except OSError:
            return  # a reader copes with a torn last record
