"""Tiles from a server: kept, asked for again, left alone while it is away. Nothing leaves here."""

import io
import sqlite3
import threading
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path
from typing import Self

import pytest
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.waiting import wait_until
from tests.widgets.map.test_tiles import KEY, picture, tile_picture
from widgets.map.tile_cache import CachedTile, TileCache
from widgets.map.tile_key import TileKey
from widgets.map.tile_loader import TileLoader
from widgets.map.tile_pictures import NoPictureError
from widgets.map.tile_workers import TileWorkers
from widgets.map.tiles import open_source
from widgets.map.web_tiles import OPENSTREETMAP, WebTiles, fresh_s

SPEC = "https://tiles.example/{z}/{x}/{y}.png"
PORTAL = b"<!DOCTYPE html><html><body>Please log in</body></html>"


class Answer:
    def __init__(self, data: bytes, **headers: str) -> None:
        self.data, self.headers = data, Message()
        for name, value in headers.items():
            self.headers[name.replace("_", "-")] = value

    def read(self, limit: int) -> bytes:
        return self.data[:limit]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Server:
    """Answers from memory; an exception as the answer is raised, a number is an HTTP status."""

    def __init__(self, answer: Answer | Exception | int) -> None:
        self.answer = answer
        self.asked: list[urllib.request.Request] = []

    def __call__(self, request: urllib.request.Request, timeout_s: float) -> Answer:
        assert 0 < timeout_s < 30
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        if isinstance(self.answer, int):
            headers = Message()
            headers["Cache-Control"] = "max-age=3600"
            raise urllib.error.HTTPError(
                request.full_url, self.answer, "said no", headers, io.BytesIO()
            )
        return self.answer


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def cache(tmp_path: Path) -> TileCache:
    return TileCache(tmp_path / "cache")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def tiles(cache: TileCache, server: Server, clock: Clock | None = None) -> WebTiles:
    return WebTiles(SPEC, cache, server, clock or Clock())


def test_a_tile_is_asked_for_once_and_says_who_asks(cache: TileCache) -> None:
    server = Server(Answer(tile_picture()))
    source = tiles(cache, server)
    assert source.read(KEY) == tile_picture()
    assert tiles(cache, server).read(KEY) == tile_picture()
    (request,) = server.asked
    assert request.full_url == "https://tiles.example/3/5/2.png"
    assert "Lapwing" in str(request.get_header("User-agent"))


def test_an_old_tile_is_asked_for_by_its_etag(cache: TileCache) -> None:
    """RFC 9110, 13.1.2 and 15.4.5: 304 says that the one kept is still the present one."""
    server = Server(Answer(tile_picture(), Cache_Control="max-age=0", ETag='"one"'))
    source = tiles(cache, server)
    source.read(KEY)
    server.answer = 304
    assert source.read(KEY) == tile_picture()
    assert server.asked[1].get_header("If-none-match") == '"one"'
    assert source.read(KEY) == tile_picture()
    assert len(server.asked) == 2, "an answer of 304 says how long it holds"


def test_what_is_kept_serves_while_the_server_is_away(cache: TileCache, clock: Clock) -> None:
    server = Server(Answer(tile_picture(), Cache_Control="max-age=0"))
    source = tiles(cache, server, clock)
    source.read(KEY)
    server.answer = urllib.error.URLError("no network")
    for _ in range(5):
        assert source.read(KEY) == tile_picture()
    assert len(server.asked) == 2, "it is left alone for a while"
    with pytest.raises(OSError, match=r"tiles\.example did not answer"):
        source.read(TileKey(3, 0, 0))


def test_it_is_asked_less_and_less_often_and_at_once_when_it_is_back(
    cache: TileCache, clock: Clock
) -> None:
    server = Server(urllib.error.URLError("no network"))
    source = tiles(cache, server, clock)
    asked_at = []
    for second in range(200):
        clock.now_s = float(second)
        before = len(server.asked)
        with pytest.raises(OSError, match=r"no network|did not answer"):
            source.read(KEY)
        if len(server.asked) > before:
            asked_at.append(second)
    assert asked_at == [0, 2, 6, 14, 30, 62, 122, 182]
    server.answer = Answer(tile_picture())
    clock.now_s = 1000.0
    assert source.read(KEY) == tile_picture()
    server.answer = urllib.error.URLError("gone again")
    with pytest.raises(OSError, match="gone again"):
        source.read(TileKey(3, 0, 0))
    clock.now_s = 1002.5
    server.answer = Answer(tile_picture())
    assert source.read(TileKey(3, 0, 0)) == tile_picture()


@pytest.mark.parametrize("status", [204, 404, 410])
def test_no_tile_there_is_no_failure(cache: TileCache, status: int) -> None:
    assert tiles(cache, Server(status)).read(KEY) is None


@pytest.mark.parametrize("status", [403, 429, 500, 503])
def test_a_refusal_is_a_failure(cache: TileCache, status: int) -> None:
    with pytest.raises(urllib.error.HTTPError):
        tiles(cache, Server(status)).read(KEY)


@pytest.mark.parametrize("data", [PORTAL, b"", picture(2048), picture(256, "BMP")])
def test_what_is_no_tile_is_not_kept(cache: TileCache, data: bytes) -> None:
    with pytest.raises(NoPictureError):
        tiles(cache, Server(Answer(data))).read(KEY)
    assert not cache.hold(SPEC, KEY)


@pytest.mark.parametrize(
    ("said", "wanted_s"),
    [("max-age=600", 600.0), ("public, max-age=0", 0.0), ("", 604_800.0), ("max-age=x", 604_800.0)],
)
def test_how_long_a_tile_is_present(said: str, wanted_s: float) -> None:
    assert fresh_s(Answer(b"", Cache_Control=said).headers) == wanted_s


def test_the_loader_asks_again_when_the_network_is_back(qtbot: QtBot, cache: TileCache) -> None:
    server, clock = Server(urllib.error.URLError("no network")), Clock()
    loader = TileLoader(ImmediateJobs(), clock)
    loader.set_source(tiles(cache, server, clock))
    loader.want([KEY])
    loader.collect()
    assert loader.problem == "tiles.example not reachable"
    assert not loader.is_missing(KEY)
    server.answer = Answer(tile_picture())
    loader.collect()
    assert loader.tile(KEY) is None, "not at once"
    clock.now_s = 4.0
    loader.collect()
    loader.collect()
    assert loader.tile(KEY) is not None
    assert loader.problem == ""


def test_the_loader_counts_what_is_no_picture(qtbot: QtBot, cache: TileCache) -> None:
    server, clock = Server(Answer(PORTAL)), Clock()
    loader = TileLoader(ImmediateJobs(), clock)
    loader.set_source(tiles(cache, server, clock))
    for second in (0.0, 4.0, 20.0):
        clock.now_s = second
        loader.want([KEY])
        loader.collect()
        loader.collect()
    assert "log-in page" in loader.problem
    assert loader.problem.endswith(f"{loader.no_pictures} times")
    assert loader.no_pictures >= 2
    assert loader.tile(KEY) is None


def test_openstreetmap_is_named_and_lends_no_areas(tmp_path: Path) -> None:
    """https://operations.osmfoundation.org/policies/tiles/ forbids downloading ahead."""
    source = open_source(OPENSTREETMAP, tmp_path)
    assert isinstance(source, WebTiles)
    assert source.attribution == "© OpenStreetMap contributors"
    assert not source.terms.allows_areas
    other = open_source("https://notopenstreetmap.org/{z}/{x}/{y}", tmp_path)
    assert isinstance(other, WebTiles)
    assert other.terms.allows_areas


# The cache


def test_the_least_used_tiles_go_first(tmp_path: Path) -> None:
    cache = TileCache(tmp_path, largest_bytes=50_000)
    held = TileKey(9, 300, 0)
    cache.put(SPEC, held, CachedTile(b"x" * 1000), now_s=0.0)
    assert cache.hold(SPEC, held)
    for x in range(100):
        cache.put(SPEC, TileKey(9, x, 0), CachedTile(b"x" * 1000), now_s=float(x))
    left = [x for x in range(100) if cache.tile(SPEC, TileKey(9, x, 0), 100.0)]
    assert left == list(range(100 - len(left), 100))
    assert 40 <= len(left) <= 50
    assert cache.hold(SPEC, held), "an area's stay"


def test_a_damaged_cache_is_begun_anew(cache: TileCache, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "tiles.sqlite").write_bytes(b"no database " * 1000)
    assert cache.tile(SPEC, KEY, 0.0) is None
    cache.put(SPEC, KEY, CachedTile(b"x"), 0.0)
    kept = cache.tile(SPEC, KEY, 0.0)
    assert kept is not None
    assert kept.data == b"x"


def test_a_cache_that_cannot_be_written_costs_the_cache_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    source = tiles(TileCache(tmp_path / "file"), Server(Answer(tile_picture())))
    assert source.read(KEY) == tile_picture()


def test_the_cache_is_an_sqlite_file(cache: TileCache, tmp_path: Path) -> None:
    cache.put(SPEC, KEY, CachedTile(b"x", "tag", 5.0), 0.0)
    with sqlite3.connect(tmp_path / "cache" / "tiles.sqlite") as database:
        rows = database.execute("SELECT source, z, x, y, data, etag FROM tiles").fetchall()
    database.close()
    assert rows == [(SPEC, 3, 5, 2, b"x", "tag")]


# The workers


def test_workers_do_what_they_are_given_and_stop() -> None:
    workers = TileWorkers(2)
    assert workers.submit(lambda: 5).result(10) == 5
    with pytest.raises(ZeroDivisionError):
        workers.submit(lambda: 1 / 0).result(10)
    workers.shutdown(wait=True)
    assert workers.submit(lambda: 5).cancelled()
    assert not [one for one in threading.enumerate() if one.name == "lapwing-tiles"]


def test_a_server_that_never_answers_holds_up_nobody() -> None:
    workers, answers = TileWorkers(1), threading.Event()
    held = workers.submit(answers.wait, 10)
    behind = workers.submit(lambda: 5)
    workers.shutdown()
    answers.set()
    wait_until(lambda: held.done() and behind.done())
    assert behind.cancelled()
