"""Stream sender: a thread of its own, so that no reader holds up who makes the samples.

A reader that is slow, or has stopped, misses samples; how many is told to it with the clock.
"""

import socket
import threading
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from telemetry.protocol.streams.framing import (
    Buffers,
    ClockMessage,
    encode_clock,
    encode_sample,
    encode_streams,
)
from telemetry.protocol.streams.outbox import StreamOutbox
from telemetry.protocol.streams.samples import StreamDescription, StreamSample

NOTHING_STOPPED: Final[Mapping[str, str]] = MappingProxyType({})
_LOOK_S: Final = 0.2
_CLOSE_PATIENCE_S: Final = 1.0


class StreamSender:
    """Owns a connected socket. `announce`, `put`, `tell_clock` and `close` are for one other
    thread, and none of them waits for the reader."""

    def __init__(self, connected: socket.socket) -> None:
        connected.settimeout(_LOOK_S)
        self.is_broken = False
        """Whether the reader has gone."""
        self.unread_looks = 0
        """How often in a row, every `_LOOK_S`, it had not read what is being sent."""
        self._socket = connected
        self._outbox = StreamOutbox()
        self._streams: Buffers | None = None
        self._clock: tuple[int, float, Mapping[str, str]] | None = None
        self._is_closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="stream sender", daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> dict[str, int]:
        """How many samples were left out, by stream."""
        with self._changed:
            return dict(self._outbox.dropped)

    @property
    def waiting(self) -> int:
        """How many samples have not been begun to be sent."""
        with self._changed:
            return len(self._outbox)

    @property
    def is_read(self) -> bool:
        """Whether the reader is still there."""
        return not self.is_broken

    def announce(self, descriptions: Sequence[StreamDescription]) -> None:
        """Say what streams there are from now on; what waits of those before is left out.

        Raises StreamError for more than a message holds, TypeError for details that are not JSON.
        """
        streams = encode_streams(descriptions)
        with self._changed:
            self._outbox.clear()
            self._streams = streams
            self._changed.notify()

    def put(self, description: StreamDescription, sample: StreamSample) -> None:
        """Send a sample of one of the announced streams, in time or not at all."""
        with self._changed:
            self._outbox.put(description, sample)
            if self.is_broken:
                self._outbox.clear()
            self._changed.notify()

    def tell_clock(
        self, now_us: int, speed: float, stopped: Mapping[str, str] = NOTHING_STOPPED
    ) -> None:
        """Say what simulated time it is now, and why which sensors have `stopped`; of what waits
        only the newest is said."""
        with self._changed:
            self._clock = (now_us, speed, stopped)
            self._changed.notify()

    def close(self) -> None:
        """End the thread and hang up. Closing twice is fine."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join(_CLOSE_PATIENCE_S)
        self._socket.close()

    # ------------------------------------------------------------------ the thread

    def _work(self) -> None:
        try:
            while (buffers := self._next()) is not None:
                for buffer in buffers:
                    self._send(memoryview(buffer))
        except OSError:  # the reader has hung up, or this side has
            with self._changed:
                self.is_broken = True
                self._outbox.clear()

    def _next(self) -> Buffers | None:
        """What is to be sent next; waits until there is something. None at the end."""
        with self._changed:
            self._changed.wait_for(self._has_work)
            if self._is_closing:
                return None
            if self._streams is not None:
                streams, self._streams = self._streams, None
                return streams
            if self._clock is not None:
                (now_us, speed, stopped), self._clock = self._clock, None
                dropped = dict(self._outbox.dropped)
                return encode_clock(ClockMessage(now_us, speed, dropped, dict(stopped)))
            name, sample = self._outbox.take() or ("", None)
        assert sample is not None
        return encode_sample(name, sample)

    def _has_work(self) -> bool:
        is_any = self._streams is not None or self._clock is not None or len(self._outbox) > 0
        return self._is_closing or is_any

    def _send(self, data: memoryview) -> None:
        """All of it, however slowly it is read; raises OSError when nobody reads any more."""
        while data:
            try:
                data = data[self._socket.send(data) :]
                self.unread_looks = 0
            except TimeoutError:
                self.unread_looks += 1
                if self._is_closing:
                    raise
