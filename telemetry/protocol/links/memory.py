"""Memory link: two ends joined inside this process; what one end writes, the other reads."""

from queue import Empty, SimpleQueue

from telemetry.protocol.links.link import LinkClosed

_Pipe = SimpleQueue[bytes | None]  # None ends it


class MemoryLink:
    """One end of a pair. The two ends may be used by different threads."""

    can_write = True
    has_listener = True
    """Nobody has to call first, as with a server."""

    def __init__(self, name: str, incoming: _Pipe, outgoing: _Pipe) -> None:
        self.name = name
        self.address = f"memory:{name}"
        self._incoming = incoming
        self._outgoing = outgoing
        self._is_closed = False

    def read(self, timeout_s: float) -> bytes:
        """Everything that has been written at the other end; see `Link.read`."""
        if self._is_closed:
            raise LinkClosed(f"{self.name} is closed.")
        chunks: list[bytes] = []
        try:
            chunk = self._incoming.get(timeout=timeout_s)
            while chunk is not None:
                chunks.append(chunk)
                chunk = self._incoming.get_nowait()
            self._incoming.put(None)
            if not chunks:
                raise LinkClosed(f"{self.name} was closed at the other end.")
        except Empty:
            pass
        return b"".join(chunks)

    def write(self, data: bytes) -> None:
        """Hand over to the other end at once."""
        if self._is_closed:
            raise LinkClosed(f"{self.name} is closed.")
        self._outgoing.put(data)

    def close(self) -> None:
        """End both directions."""
        if not self._is_closed:
            self._is_closed = True
            self._outgoing.put(None)


def pair(name: str = "pair") -> tuple[MemoryLink, MemoryLink]:
    """Two ends of one link."""
    one_way: _Pipe = SimpleQueue()
    other_way: _Pipe = SimpleQueue()
    return MemoryLink(name, one_way, other_way), MemoryLink(name, other_way, one_way)
