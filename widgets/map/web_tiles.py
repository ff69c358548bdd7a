"""Web tiles from an address the user chose, kept in a cache.

What is kept is shown at once; the server is asked for the rest, and again for what has become old
(RFC 9111, max-age and etag). A server that cannot be reached is left alone for a while, longer and
longer up to a minute, and what is kept serves meanwhile, however old.
"""

import re
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import Final, Protocol, Self

from telemetry.base.clock import monotonic_s, wall_now
from widgets.map.tile_cache import CachedTile, TileCache
from widgets.map.tile_key import TileKey, TileSourceError
from widgets.map.tile_pictures import check_tile

USER_AGENT = "Lapwing ground control station/0.1"
OPENSTREETMAP: Final = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
_TIMEOUT_S = 8.0
_MAX_TILE_BYTES = 4_000_000
_FRESH_S = 7 * 86_400.0
"""How long a tile is taken for present where the server does not say."""
_LONGEST_FRESH_S = 365 * 86_400.0
_FIRST_REST_S, _LONGEST_REST_S = 2.0, 60.0
_NONE_THERE = (204, 404, 410)


class Reply(Protocol):
    """What a server answers."""

    headers: Message

    def read(self, limit: int) -> bytes: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *args: object) -> None: ...


Opener = Callable[[urllib.request.Request, float], Reply]
"""Sends a request, with the seconds to wait for an answer; raises OSError, HTTPError too."""


def open_address(request: urllib.request.Request, timeout_s: float) -> Reply:
    """Ask over the network."""
    reply: Reply = urllib.request.urlopen(request, timeout=timeout_s)
    return reply


@dataclass(frozen=True, slots=True)
class ProviderTerms:
    """What who offers tiles lets people do with them, as its page at `address` says."""

    attribution: str = ""
    address: str = ""
    allows_areas: bool = True


_TERMS: Final = {
    "openstreetmap.org": ProviderTerms(
        "© OpenStreetMap contributors",
        "https://operations.osmfoundation.org/policies/tiles/",
        allows_areas=False,
    ),
}


class ServerRest:
    """How long a server that failed is left alone."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._rest_s = 0.0
        self._until_s = float("-inf")

    @property
    def is_resting(self) -> bool:
        """Whether it is not to be asked now."""
        return self._clock() < self._until_s

    def failed(self) -> None:
        """Leave it alone, twice as long as the last time."""
        if self.is_resting:
            return
        self._rest_s = min(_LONGEST_REST_S, max(_FIRST_REST_S, 2 * self._rest_s))
        self._until_s = self._clock() + self._rest_s

    def answered(self) -> None:
        """It is there again."""
        self._rest_s, self._until_s = 0.0, float("-inf")


class WebTiles:
    """Tiles from an address with {z}, {x} and {y} in it. Any thread may read."""

    min_zoom, max_zoom, is_local = 0, 19, False

    def __init__(
        self,
        spec: str,
        cache: TileCache,
        opener: Opener = open_address,
        clock: Callable[[], float] = monotonic_s,
    ) -> None:
        self.spec = spec
        self.cache = cache
        self._opener = opener
        self._rest = ServerRest(clock)

    @property
    def title(self) -> str:
        """The server's name."""
        return self.spec.split("/")[2]

    @property
    def terms(self) -> ProviderTerms:
        """What is known of its provider's terms of use."""
        host = f".{self.title.partition(':')[0]}"
        known = (terms for end, terms in _TERMS.items() if host.endswith(f".{end}"))
        return next(known, ProviderTerms())

    @property
    def attribution(self) -> str:
        """Whom the tiles belong to."""
        return self.terms.attribution

    def read(self, key: TileKey) -> bytes | None:
        """The tile from the cache, else from the server; None when the server has none.

        Raises OSError where neither has it now, NoPictureError if what came is no tile.
        """
        now_s = wall_now().timestamp()
        kept = self.cache.tile(self.spec, key, now_s)
        if kept is not None and now_s < kept.fresh_until_s:
            return kept.data
        if self._rest.is_resting:
            if kept is not None:
                return kept.data
            raise OSError(f"{self.title} did not answer; it is asked again in a moment")
        try:
            tile = self._fetch(key, kept)
        except (OSError, HTTPException):
            self._rest.failed()
            if kept is not None:
                return kept.data
            raise
        self._rest.answered()
        if tile is None:
            return None
        self.cache.put(self.spec, key, tile, now_s)
        return tile.data

    def _fetch(self, key: TileKey, kept: CachedTile | None) -> CachedTile | None:
        headers = {"User-Agent": USER_AGENT}
        if kept is not None and kept.etag:
            headers["If-None-Match"] = kept.etag
        request = urllib.request.Request(self._address(key), headers=headers)
        try:
            with self._opener(request, _TIMEOUT_S) as reply:
                data, headers_of = reply.read(_MAX_TILE_BYTES + 1), reply.headers
        except urllib.error.HTTPError as error:
            with error:
                if error.code in _NONE_THERE:
                    return None
                if error.code != 304 or kept is None:
                    raise
                data, headers_of = kept.data, error.headers
        check_tile(data[:_MAX_TILE_BYTES])
        etag = headers_of.get("ETag", "") or (kept.etag if kept else "")
        return CachedTile(data, etag[:200], wall_now().timestamp() + fresh_s(headers_of))

    def _address(self, key: TileKey) -> str:
        return (
            self.spec.replace("{z}", str(key.z))
            .replace("{x}", str(key.x))
            .replace("{y}", str(key.y))
        )


def fresh_s(headers: Message) -> float:
    """How long what came with these headers need not be asked for again."""
    said = re.search(r"max-age=(\d{1,12})", headers.get("Cache-Control", ""))
    return min(_LONGEST_FRESH_S, float(said[1])) if said else _FRESH_S


def open_web(spec: str, cache: TileCache) -> WebTiles:
    """Tiles from an address. Raises TileSourceError if it is none of tiles."""
    if not all(part in spec for part in ("{z}", "{x}", "{y}")) or len(spec.split("/")) < 4:
        raise TileSourceError(
            "A tile address needs {z}, {x} and {y}, as in https://server/{z}/{x}/{y}.png."
        )
    return WebTiles(spec, cache)
