"""Who may talk to a port of this computer: one station at a time, no web page, no stranger."""

from collections.abc import Iterator

import pytest

from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.tcp import TcpLink, open_tcp
from telemetry.protocol.links.tcp_server import SILENT_S, TcpServerLink, serve_tcp
from telemetry.protocol.links.udp import open_udp, serve_udp
from telemetry.protocol.session.config import SessionConfig

POST = b"POST / HTTP/1.1\r\nHost: 127.0.0.1:9000\r\nContent-Length: 4\r\n\r\n<abc"
TOKEN = "0123456789abcdef"


class Port:
    """A served port, by a clock of the test's own, and who calls there."""

    def __init__(self, token: str = "") -> None:
        self.now_s = 0.0
        self.server: TcpServerLink = serve_tcp("tcp:127.0.0.1:0", lambda: self.now_s, token)
        self.callers: list[TcpLink] = []

    def call(self, words: bytes = b"") -> TcpLink:
        caller = open_tcp(self.server.address)
        self.callers.append(caller)
        if words:
            caller.write(words)
        return caller

    def heard(self) -> bytes:
        """All that the server takes, until nothing more comes."""
        return b"".join(self.server.read(0.005) for _ in range(8))

    def close(self) -> None:
        for link in (*self.callers, self.server):
            link.close()


@pytest.fixture
def port() -> Iterator[Port]:
    port = Port()
    yield port
    port.close()


@pytest.fixture
def guarded() -> Iterator[Port]:
    port = Port(TOKEN)
    yield port
    port.close()


def is_hung_up_on(caller: TcpLink) -> bool:
    try:
        return caller.read(0.0) == b"" and caller.read(0.2) is None
    except LinkClosed:
        return True


@pytest.mark.parametrize("words", [POST, b"GET / HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\n"])
def test_a_web_page_is_not_listened_to(port: Port, words: bytes) -> None:
    page = port.call(words)
    assert port.heard() == b""
    assert is_hung_up_on(page)


def test_a_web_page_does_not_throw_out_the_station(port: Port) -> None:
    station = port.call(b"<hello")
    assert port.heard() == b"<hello"
    port.now_s += 60.0  # silent for long, and there all the same
    page = port.call(POST)
    assert port.heard() == b""
    assert is_hung_up_on(page)
    port.server.write(b"telemetry")
    assert station.read(1.0) == b"telemetry"
    station.write(b"<again")
    assert port.heard() == b"<again"


def test_a_request_in_pieces_is_one_too(port: Port) -> None:
    page = port.call(POST[:3])
    assert port.heard() == b""
    page.write(POST[3:])
    assert port.heard() == b""
    assert is_hung_up_on(page)


def test_what_only_begins_like_a_request_is_passed_on_whole(port: Port) -> None:
    port.call(b"PO").write(b"NY")
    assert port.heard() == b"PONY"


def test_a_second_station_is_hung_up_on(port: Port) -> None:
    port.call(b"<first")
    assert port.heard() == b"<first"
    second = port.call(b"<second")
    for _ in range(round(SILENT_S) + 2):
        port.now_s += 1.0
        port.callers[0].write(b"<on")
        assert port.heard() == b"<on"
    assert is_hung_up_on(second)


def test_a_station_keeps_its_place_between_its_statistics(port: Port) -> None:
    station = port.call(b"<first")
    assert port.heard() == b"<first"
    for _ in range(3):
        port.now_s += SessionConfig().stats_period_s + 0.5
        port.call(b"<second")
        assert port.heard() == b""
        station.write(b"<statistics")
        assert port.heard() == b"<statistics"


def test_a_second_station_is_served_when_the_first_has_gone(port: Port) -> None:
    first = port.call(b"<first")
    assert port.heard() == b"<first"
    first.write(b"<bye")
    first.close()
    port.call(b"<second")
    assert port.heard() == b"<bye<second"


def test_a_second_station_takes_the_place_of_a_silent_one(port: Port) -> None:
    first = port.call(b"<first")
    assert port.heard() == b"<first"
    port.now_s += SILENT_S + 0.1
    second = port.call(b"<second")
    assert port.heard() == b"<second"
    assert is_hung_up_on(first)
    port.server.write(b"telemetry")
    assert second.read(1.0) == b"telemetry"


def test_who_says_nothing_does_not_take_the_place_of_a_silent_one(port: Port) -> None:
    first = port.call(b"<first")
    assert port.heard() == b"<first"
    port.now_s += SILENT_S + 0.1
    second = port.call()
    assert port.heard() == b""
    port.now_s += SILENT_S + 0.1
    assert port.heard() == b""
    assert is_hung_up_on(second)
    first.write(b"<still here")
    assert port.heard() == b"<still here"


def test_who_only_listens_hears_while_nobody_speaks(port: Port) -> None:
    listener = port.call()
    assert port.heard() == b""
    port.server.write(b"telemetry")
    assert listener.read(1.0) == b"telemetry"


def test_a_process_of_our_own_shows_its_token(guarded: Port) -> None:
    process = guarded.call(f"{TOKEN}\nwords".encode())
    assert guarded.heard() == b"words"
    guarded.server.write(b"answer")
    assert process.read(1.0) == b"answer"


def test_a_token_may_arrive_in_pieces(guarded: Port) -> None:
    process = guarded.call(TOKEN[:5].encode())
    assert guarded.heard() == b""
    process.write(f"{TOKEN[5:]}\n".encode())
    assert guarded.heard() == b""
    process.write(b"words")
    assert guarded.heard() == b"words"


@pytest.mark.parametrize("words", [b"{}\n", b"0123\n", TOKEN.encode()[:-1] + b"x\n", POST])
def test_a_stranger_is_hung_up_on_at_once_and_told_nothing(guarded: Port, words: bytes) -> None:
    stranger = guarded.call(words)
    assert guarded.heard() == b""
    guarded.server.write(b"secret")
    assert is_hung_up_on(stranger)


def test_a_stranger_who_says_nothing_hears_nothing_and_is_hung_up_on_in_time(guarded: Port) -> None:
    stranger = guarded.call()
    assert guarded.heard() == b""
    guarded.server.write(b"secret")
    assert stranger.read(0.02) == b""
    guarded.now_s += SILENT_S + 0.1
    assert guarded.heard() == b""
    assert is_hung_up_on(stranger)


def test_strangers_do_not_keep_our_own_process_out(guarded: Port) -> None:
    for _ in range(20):
        guarded.call()
        guarded.server.read(0.02)
    guarded.call(f"{TOKEN}\nwords".encode())
    assert guarded.heard() == b"words"


def test_a_second_station_over_udp_is_not_listened_to_while_the_first_speaks() -> None:
    now_s = [0.0]
    server = serve_udp("udp:127.0.0.1:0", lambda: now_s[0])
    first, second = open_udp(server.address), open_udp(server.address)
    first.write(b"<first")
    assert server.read(1.0) == b"<first"
    second.write(b"<second")
    assert server.read(0.1) == b""
    server.write(b"telemetry")
    assert first.read(1.0) == b"telemetry"
    now_s[0] += SILENT_S + 0.1
    second.write(b"<second")
    assert server.read(1.0) == b"<second"
    server.write(b"telemetry")
    assert second.read(1.0) == b"telemetry"
    for link in (first, second, server):
        link.close()
