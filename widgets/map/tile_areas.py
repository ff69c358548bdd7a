"""Offline tile areas of a map that are fetched ahead, for a field without internet.

A download is a thread that brings one tile after the other into the cache, waits while the server
cannot be reached, and goes on where it was when it is resumed, the next day too: what is in the
cache is not fetched again.
"""

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from http.client import HTTPException
from typing import Final

from widgets.map.projection import GeoPoint, Viewport, project, unproject
from widgets.map.tile_cache import TileArea, TileCache
from widgets.map.tile_key import TileKey
from widgets.map.web_tiles import WebTiles, open_web

MOST_TILES: Final = 20_000
"""A village at zoom 19, a county at 15: what a server lends to one user without being asked."""
MOST_BYTES: Final = 4 << 30
USUAL_DETAIL: Final = 17
USUAL_TILE_BYTES: Final = 20_000
_USUAL_TILES: Final = 5_000
_ASK_AGAIN_S: Final = 5.0


class AreaState(Enum):
    """How an area's download stands, as it is told."""

    PAUSED = "paused"
    RUNNING = "loading"
    WAITING = "waiting for the server"
    COMPLETE = "complete"
    FULL = "no room: delete another area, or make room on the disk"


def area_keys(area: TileArea) -> Iterator[TileKey]:
    """All tiles of an area, the coarse ones first."""
    for zoom in range(area.deepest + 1):
        columns, rows = _span(area, zoom)
        for x in columns:
            for y in rows:
                yield TileKey(zoom, x, y)


def tile_count(area: TileArea) -> int:
    """How many tiles an area has."""
    spans = [_span(area, zoom) for zoom in range(area.deepest + 1)]
    return sum(len(columns) * len(rows) for columns, rows in spans)


def _span(area: TileArea, zoom: int) -> tuple[range, range]:
    count = 2**zoom
    x0, y0 = project(GeoPoint(area.north, area.west))
    x1, y1 = project(GeoPoint(area.south, area.east))
    first = [min(count - 1, max(0, math.floor(edge * count))) for edge in (x0, y0)]
    last = [min(count - 1, max(0, math.floor(edge * count))) for edge in (x1, y1)]
    return range(first[0], last[0] + 1), range(first[1], last[1] + 1)


def area_in(view: Viewport, source: WebTiles, deepest: int, name: str = "") -> TileArea:
    """What a window shows, down to a zoom level, as an area; named after its middle by default."""
    bounds = view.bounds
    north_west = unproject(max(0.0, bounds.x0), max(0.0, bounds.y0))
    south_east = unproject(min(1.0, bounds.x1), min(1.0, bounds.y1))
    middle = view.centre
    return TileArea(
        name or f"{middle.latitude_deg:.3f}, {middle.longitude_deg:.3f}",
        source.spec,
        north_west.longitude_deg,
        south_east.latitude_deg,
        south_east.longitude_deg,
        north_west.latitude_deg,
        deepest,
    )


def usual_area(view: Viewport, source: WebTiles) -> TileArea:
    """What a window shows with as much detail as is usually wanted, less where that would be
    thousands of tiles, but as much as is seen."""
    seen = max(0, min(source.max_zoom, round(view.zoom)))
    usual = max(seen, min(source.max_zoom, USUAL_DETAIL))
    areas = [area_in(view, source, deepest) for deepest in range(usual, seen - 1, -1)]
    return next((area for area in areas if tile_count(area) <= _USUAL_TILES), areas[-1])


class AreaDownload:
    """Brings the tiles of one area; `state`, `done` and `absent` may be read at any time."""

    def __init__(self, area: TileArea, source: WebTiles, ask_again_s: float = _ASK_AGAIN_S) -> None:
        self.area = area
        self._ask_again_s = ask_again_s
        self.total = tile_count(area)
        self.state = AreaState.COMPLETE if area.is_complete else AreaState.PAUSED
        self.done = self.total if area.is_complete else 0
        self.absent = 0
        """Tiles that the server has not."""
        self._source = source
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether it is at work or waits for the server."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Go on where it was."""
        if self.is_running:
            return
        self._stop.clear()
        self.state = AreaState.RUNNING
        self._thread = threading.Thread(target=self.run, name="lapwing-tile-area", daemon=True)
        self._thread.start()

    def pause(self) -> None:
        """Ask for no further tile. Returns at once."""
        self._stop.set()

    def run(self) -> None:
        """Bring what lacks, until all is here or it is paused; in any thread."""
        self.done = self.absent = 0
        self.state = AreaState.RUNNING
        if self._source.cache.size_bytes(is_held=True) > MOST_BYTES:
            self.state = AreaState.FULL
            return
        for key in area_keys(self.area):
            ended = self._bring(key)
            if ended is not None:
                self.state = ended
                return
            self.done += 1
        self.state = self._complete()

    def _complete(self) -> AreaState:
        self.area = replace(self.area, is_complete=True)
        try:
            self._source.cache.save_area(self.area)
        except OSError:
            return AreaState.FULL
        return AreaState.COMPLETE

    def _bring(self, key: TileKey) -> AreaState | None:
        """Have one tile in the cache; return what ends the download, or None to go on."""
        cache, spec = self._source.cache, self._source.spec
        while not cache.hold(spec, key):
            if self._stop.is_set():
                return AreaState.PAUSED
            try:
                data = self._source.read(key)
            except (OSError, HTTPException, ValueError):
                self.state = AreaState.WAITING
                self._stop.wait(self._ask_again_s)
                continue
            self.state = AreaState.RUNNING
            if data is None:
                self.absent += 1
                return None
            if not cache.hold(spec, key):
                return AreaState.FULL
        return AreaState.PAUSED if self._stop.is_set() else None


@dataclass(frozen=True, slots=True)
class AreaChoice:
    """An area somebody may want, and why it cannot be had, if so."""

    area: TileArea
    count: int
    problem: str = ""

    @property
    def size_text(self) -> str:
        """How much it is."""
        return f"{self.count:,} tiles, about {self.count * USUAL_TILE_BYTES / 1e6:,.0f} MB"


class AreaDownloads:
    """All named areas of one cache. Looking at them waits for a file: not in the GUI thread."""

    def __init__(
        self, cache: TileCache, open_tiles: Callable[[str, TileCache], WebTiles] = open_web
    ) -> None:
        self._cache = cache
        self._open_tiles = open_tiles
        self._downloads: dict[str, AreaDownload] = {}

    def load(self) -> list[AreaDownload]:
        """The downloads of all areas, by name, each with what is known of it."""
        areas = {area.name: area for area in self._cache.areas()}
        known = {name: one for name, one in self._downloads.items() if name in areas}
        self._downloads = {name: known.get(name) or self._make(areas[name]) for name in areas}
        return list(self._downloads.values())

    def add(self, area: TileArea) -> AreaDownload:
        """Begin with an area; one of the same name is replaced. Raises OSError."""
        if (old := self._downloads.get(area.name)) is not None:
            old.pause()
        self._cache.save_area(area)
        download = self._downloads[area.name] = self._make(area)
        download.start()
        return download

    def add_again(self, area: TileArea) -> AreaDownload | None:
        """Begin with an area if its source had one before, whose terms were read then; else None.
        Raises OSError."""
        is_known = any(one.source == area.source for one in self._cache.areas())
        return self.add(area) if is_known else None

    def delete(self, name: str) -> None:
        """Forget an area; its tiles go when room is needed."""
        download = self._downloads.pop(name, None)
        if download is not None:
            download.pause()
            self._cache.delete_area(download.area)

    def close(self) -> None:
        """Pause all."""
        for download in list(self._downloads.values()):
            download.pause()

    def _make(self, area: TileArea) -> AreaDownload:
        return AreaDownload(area, self._open_tiles(area.source, self._cache))


def choice_of(source: WebTiles, area: TileArea) -> AreaChoice:
    """Whether an area may be fetched from a source."""
    count = tile_count(area)
    problem = ""
    if not source.terms.allows_areas:
        problem = (
            f"{source.title} does not allow areas to be downloaded ({source.terms.address}). "
            "Choose another provider, or an MBTiles file."
        )
    elif not area.name.strip():
        problem = "Give the area a name."
    elif count > MOST_TILES:
        problem = f"{count:,} tiles are more than {MOST_TILES:,}: zoom in, or keep less detail."
    return AreaChoice(area, count, problem)
