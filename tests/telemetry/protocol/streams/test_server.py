"""Streams for any programs of this computer, over real loopback ports."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.tcp import TcpLink, open_tcp
from telemetry.protocol.streams.framing import SampleMessage, StreamDecoder, StreamsMessage
from telemetry.protocol.streams.server import MOST_READERS, StreamServer
from tests.telemetry.protocol.streams.samples import LIDAR, scan
from tests.waiting import wait_until


@pytest.fixture
def server() -> Iterator[StreamServer]:
    server = StreamServer()
    server.announce([LIDAR])
    yield server
    server.close()


class _Reader:
    def __init__(self, server: StreamServer) -> None:
        self.link: TcpLink = open_tcp(server.address)
        self.numbers: list[int] = []
        self.named: list[str] = []
        self._decoder = StreamDecoder()

    def has_read(self) -> bool:
        """Whether a sample has come by now."""
        for message in self._decoder.decode(self.link.read(0.0)):
            if isinstance(message, StreamsMessage):
                self.named = [one.name for one in message.descriptions]
            elif isinstance(message, SampleMessage):
                self.numbers.append(message.sample.number)
        return bool(self.numbers)

    def is_served(self) -> bool:
        """Whether it was told of the streams."""
        self.has_read()
        return bool(self.named)


def test_every_reader_is_told_of_the_streams_and_gets_what_comes_after(
    server: StreamServer,
) -> None:
    assert not server.is_read
    early = _Reader(server)
    wait_until(early.is_served)
    server.put(LIDAR, scan(0))
    wait_until(early.has_read)
    late = _Reader(server)
    wait_until(late.is_served)
    server.put(LIDAR, scan(1))
    wait_until(late.has_read)
    wait_until(lambda: early.has_read() and len(early.numbers) == 2)
    assert (early.numbers, late.numbers) == ([0, 1], [1])
    early.link.close()
    late.link.close()
    wait_until(lambda: not server.is_read)


def test_a_browser_is_hung_up_on_and_disturbs_nobody(server: StreamServer) -> None:
    reader, browser = _Reader(server), _Reader(server)
    wait_until(reader.is_served)
    wait_until(browser.is_served)
    browser.link.write(b"GET / HTTP/1.1\r\n\r\n")

    def is_hung_up_on() -> bool:
        try:
            return browser.has_read()
        except LinkClosed:
            return True

    wait_until(is_hung_up_on)
    browser.link.close()
    assert browser.numbers == []
    server.put(LIDAR, scan(0))
    wait_until(reader.has_read)
    reader.link.close()


def test_as_many_idle_readers_as_there_is_room_for_shut_nobody_out(server: StreamServer) -> None:
    idle = [open_tcp(server.address) for _ in range(MOST_READERS)]
    late = [_Reader(server) for _ in range(MOST_READERS)]
    for reader in late:
        wait_until(reader.is_served)
    server.put(LIDAR, scan(0))
    for reader in late:
        wait_until(reader.has_read)
        reader.link.close()
    for link in idle:
        link.close()


@pytest.mark.slow
def test_of_readers_the_one_that_reads_nothing_makes_room(server: StreamServer) -> None:
    readers = [_Reader(server)]
    wait_until(readers[0].is_served)
    idle = open_tcp(server.address)
    readers += [_Reader(server) for _ in range(MOST_READERS - 2)]
    for reader in readers:
        wait_until(reader.is_served)
    large = replace(LIDAR, details={"text": "x" * 60_000})

    def is_full() -> bool:
        """Whether no more goes into what a computer holds for a reader that does not read."""
        server.announce([large])
        for reader in readers:
            reader.has_read()
        return server.idle_readers == 1

    wait_until(is_full)
    late = _Reader(server)
    wait_until(late.is_served)
    server.announce([LIDAR])
    server.put(LIDAR, scan(1))
    for reader in (*readers, late):
        wait_until(reader.has_read)
        reader.link.close()
    idle.close()
