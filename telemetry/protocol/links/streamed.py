"""Streamed link: one with a connection beside it on which pictures and scans come."""

from collections.abc import Callable

from telemetry.protocol.links.link import Link, LinkError
from telemetry.protocol.links.send_queue import send_queue_of


class StreamedLink:
    """Both as one, see `streams_of`."""

    def __init__(self, link: Link, streams: Link) -> None:
        self.name, self.address, self.can_write = link.name, link.address, link.can_write
        self.read, self.write = link.read, link.write
        self.streams = streams
        self.queue = send_queue_of(link)
        self._link = link

    def close(self) -> None:
        """Close both."""
        self._link.close()
        self.streams.close()


def with_streams(opening: Callable[[str], Link], streams_at: str) -> Callable[[str], StreamedLink]:
    """Opens links with what is read at the address `streams_at` beside them. Raises LinkError."""

    def open_both(address: str) -> StreamedLink:
        link = opening(address)
        try:
            return StreamedLink(link, opening(streams_at))
        except LinkError:
            link.close()
            raise

    return open_both
