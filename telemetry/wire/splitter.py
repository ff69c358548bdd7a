"""Cuts a stream where nothing is torn: behind whole frames and behind bytes known to be junk."""

from telemetry.wire.decoder import FrameDecoder


class StreamSplitter:
    """Holds back the bytes that may still become a frame; everything passes, in order."""

    def __init__(self) -> None:
        self._decoder = FrameDecoder()
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """Take the next bytes and return those that are settled."""
        self._held += data
        self._decoder.feed(data)
        return self._release(self._decoder.pending)

    def finish(self) -> bytes:
        """Return what is still held back: the stream has ended."""
        return self._release(0)

    def _release(self, keep: int) -> bytes:
        cut = len(self._held) - keep
        settled, self._held = self._held[:cut], self._held[cut:]
        return settled
