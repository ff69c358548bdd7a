"""Stream server: offers streams on a loopback port to any programs of this computer."""

import select
import socket
import threading
from collections.abc import Mapping, Sequence
from typing import Final

from telemetry.protocol.streams.samples import StreamDescription, StreamSample
from telemetry.protocol.streams.sender import NOTHING_STOPPED, StreamSender

MOST_READERS: Final = 8
_LOOK_S: Final = 0.2
_CLOSE_PATIENCE_S: Final = 1.0


class StreamServer:
    """Stands in for a StreamSender with any number of readers, up to MOST_READERS. Each has a
    sender of its own, so that a slow one holds up nobody. Who comes when there are so many is let
    in all the same: the reader that has read nothing for longest is hung up on, or if all read, the
    one that came first.

    A reader connects and reads. It has nothing to say: who says something, as a browser does that a
    web page has sent here, is hung up on.
    """

    def __init__(self) -> None:
        """Raises OSError where there is no port."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(_LOOK_S)
        self.address = f"tcp:127.0.0.1:{self._listener.getsockname()[1]}"
        """What readers connect to."""
        self._streams: tuple[StreamDescription, ...] = ()
        self._readers: dict[socket.socket, StreamSender] = {}
        self._changed = threading.Lock()
        self._is_closing = False
        self._thread = threading.Thread(target=self._work, name="stream server", daemon=True)
        self._thread.start()

    @property
    def is_read(self) -> bool:
        """Whether there is a reader."""
        return bool(self._readers)

    @property
    def idle_readers(self) -> int:
        """How many readers do not read what is being sent to them."""
        return sum(sender.unread_looks > 0 for sender in self._readers.values())

    def announce(self, descriptions: Sequence[StreamDescription]) -> None:
        """See StreamSender.announce; who comes later is told too."""
        with self._changed:
            self._streams = tuple(descriptions)
            for sender in self._readers.values():
                sender.announce(descriptions)

    def put(self, description: StreamDescription, sample: StreamSample) -> None:
        """See StreamSender.put."""
        with self._changed:
            for sender in self._readers.values():
                sender.put(description, sample)

    def tell_clock(
        self, now_us: int, speed: float, stopped: Mapping[str, str] = NOTHING_STOPPED
    ) -> None:
        """See StreamSender.tell_clock."""
        with self._changed:
            for sender in self._readers.values():
                sender.tell_clock(now_us, speed, stopped)

    def close(self) -> None:
        """Hang up and stop listening. Closing twice is fine."""
        self._is_closing = True
        self._thread.join(_CLOSE_PATIENCE_S)
        self._listener.close()
        for reader in list(self._readers):
            self._hang_up(reader)

    # ------------------------------------------------------------------ the thread

    def _work(self) -> None:
        while not self._is_closing:
            ready, _, _ = select.select([self._listener, *self._readers], [], [], _LOOK_S)
            for one in ready:
                if one is self._listener:
                    self._accept()
                elif one in self._readers:
                    self._hang_up(one)  # it has gone, or says something

    def _accept(self) -> None:
        try:
            reader, _ = self._listener.accept()
        except OSError:  # it has gone again
            return
        if len(self._readers) >= MOST_READERS:
            self._hang_up(max(self._readers, key=self._unread_looks))
        sender = StreamSender(reader)
        with self._changed:
            sender.announce(self._streams)
            self._readers = {**self._readers, reader: sender}

    def _unread_looks(self, reader: socket.socket) -> int:
        return self._readers[reader].unread_looks

    def _hang_up(self, reader: socket.socket) -> None:
        with self._changed:
            sender = self._readers[reader]
            self._readers = {one: its for one, its in self._readers.items() if one is not reader}
        sender.close()
