"""Frame decoder: finds frames in a stream that may start anywhere and be damaged.

After a false sync (unknown type, impossible length, wrong checksum) the search goes on one byte
further, so a damaged frame never takes a good one with it. The result depends on the bytes
alone, not on how they were cut into chunks. `telemetry.protocol.wire.scan` is the same rule for
whole files.
"""

from telemetry.protocol.wire.crc import crc8
from telemetry.protocol.wire.frame import (
    CRC_BYTES,
    HEADER,
    HEADER_BYTES,
    KNOWN_TYPES,
    MAX_LENGTH,
    SYNC,
    Frame,
)
from telemetry.protocol.wire.trust import Trust

_NEED_MORE = 0
_FALSE_SYNC = -1
_BAD_CRC = -2


class FrameDecoder:
    """Feed it what a link delivers. Bytes are in a frame, junk, or still pending; none is lost.

    `junk_bytes` counts every byte outside good frames; `crc_errors` every sync whose type and
    length were plausible and whose checksum was not. `doubtful_frames` had a good checksum
    among so many bad ones that it proves nothing; they are left out.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.crc_errors = 0
        self.doubtful_frames = 0
        self.junk_bytes = 0
        self.bytes = 0
        self._trust = Trust()
        self._rest = b""

    @property
    def pending(self) -> int:
        """Bytes received that may still become a frame."""
        return len(self._rest)

    def feed(self, data: bytes) -> list[Frame]:
        """Take the next bytes of the stream and return the frames they complete."""
        if not data:
            return []
        self.bytes += len(data)
        return self._take(self._rest + data, final=False)

    def finish(self) -> list[Frame]:
        """The stream has ended: return what an unfinished frame at its end was hiding."""
        return self._take(self._rest, final=True)

    def _take(self, stream: bytes, final: bool) -> list[Frame]:
        found: list[Frame] = []
        position = 0
        while (sync := stream.find(SYNC, position)) >= 0:
            if sync != position:
                self.junk_bytes += sync - position
                position = sync
            size = _probe(stream, sync)
            if size > 0:
                position += size
                if self.crc_errors == 0 or self._trust.believes(self.crc_errors):
                    _, frame_type, _, object_id = HEADER.unpack_from(stream, sync)
                    body = stream[sync + HEADER_BYTES : position - CRC_BYTES]
                    found.append(Frame(frame_type, object_id, body))
                else:
                    self.doubtful_frames += 1
                    self.junk_bytes += size
            elif size == _NEED_MORE and not final:
                break
            else:
                self.crc_errors += size == _BAD_CRC
                self.junk_bytes += 1
                position += 1
        else:
            self.junk_bytes += len(stream) - position
            position = len(stream)
        self._rest = stream[position:]
        self.frames += len(found)
        return found


def _probe(stream: bytes, start: int) -> int:
    """Return the size in bytes of the frame at `start`, or one of the three other outcomes."""
    available = len(stream) - start
    if available < 4:
        return _NEED_MORE
    length = stream[start + 2] | stream[start + 3] << 8
    if stream[start + 1] not in KNOWN_TYPES or not HEADER_BYTES <= length <= MAX_LENGTH:
        return _FALSE_SYNC
    if available < length + CRC_BYTES:
        return _NEED_MORE
    if crc8(stream[start : start + length]) != stream[start + length]:
        return _BAD_CRC
    return length + CRC_BYTES
