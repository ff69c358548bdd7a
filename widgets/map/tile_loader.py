"""Tile loader: workers fetch tiles and keep them as pixmaps, most recently used first.

The canvas asks for what it needs in every repaint (`tile`); `collect` runs in the GUI thread's
tick, takes over what has arrived and asks for the next. What scrolled out of view before its turn
is forgotten, so a fast pan never builds up a queue. What a server could not give is asked for again
after a while; a file's damaged tile is not.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from enum import Enum
from http.client import HTTPException

from PySide6.QtGui import QImage, QPixmap

from telemetry.base.clock import monotonic_s
from widgets.map.tile_key import TileKey
from widgets.map.tile_pictures import NoPictureError, decode_tile
from widgets.map.tiles import TileSource

_KEPT_BYTES = 96 << 20
_MOST_MISSING = 20_000
_BATCH_LOCAL = 8
_JOBS_LOCAL = 2
_JOBS_WEB = 2
_AGAIN_S = 3.0


class TileTrouble(Enum):
    """Why a source that may have a tile did not give it."""

    AWAY = "not reachable"
    NO_PICTURE = "answers with what is no picture (a log-in page?)"


Batch = list[tuple[TileKey, QImage | TileTrouble | None]]


class TileLoader:
    """The tiles of one source. Failures are quiet: they are counted, and `problem` tells of them
    while they last."""

    def __init__(self, jobs: Executor, clock: Callable[[], float] = monotonic_s) -> None:
        self._jobs = jobs
        self._clock = clock
        self._source: TileSource | None = None
        self._ready: OrderedDict[TileKey, QPixmap] = OrderedDict()
        self._ready_bytes = 0
        self._missing: set[TileKey] = set()
        self._running: dict[Future[Batch], tuple[TileSource, tuple[TileKey, ...]]] = {}
        self._wanted: list[TileKey] = []
        self._asked: list[TileKey] = []
        self._failed: set[TileKey] = set()
        self._again_s = 0.0
        self._trouble: TileTrouble | None = None
        self.errors = 0
        self.no_pictures = 0
        self.received = 0

    @property
    def problem(self) -> str:
        """What is wrong with the source at present; empty if nothing."""
        source, trouble = self._source, self._trouble
        if source is None or trouble is None:
            return ""
        count = f", {self.no_pictures} times" if trouble is TileTrouble.NO_PICTURE else ""
        return f"{source.title} {trouble.value}{count}"

    @property
    def source(self) -> TileSource | None:
        """Where tiles come from, or None."""
        return self._source

    @property
    def is_busy(self) -> bool:
        """Whether tiles are still expected."""
        return bool(self._running or self._wanted)

    def set_source(self, source: TileSource | None) -> None:
        """Change the source and forget every tile of the old one."""
        self.close()
        self._source = source
        self._ready.clear()
        self._ready_bytes = 0
        self._missing.clear()
        self._failed.clear()
        self._trouble = None
        self.errors = self.no_pictures = self.received = 0

    def tile(self, key: TileKey) -> QPixmap | None:
        """A tile that is at hand, or None. Does not ask for it."""
        pixmap = self._ready.get(key)
        if pixmap is not None:
            self._ready.move_to_end(key)
        return pixmap

    def is_missing(self, key: TileKey) -> bool:
        """Whether the source is known not to give this tile."""
        return key in self._missing

    def want(self, keys: Iterable[TileKey]) -> None:
        """Ask for these tiles, most urgent first, in place of those asked for before."""
        busy = {key for _, batch in self._running.values() for key in batch}
        known = self._ready.keys() | self._missing | self._failed | busy
        self._asked = list(keys)
        self._wanted = [key for key in self._asked if key not in known]
        self._start_jobs()

    def collect(self) -> bool:
        """Take over finished tiles; return whether there is anything new to paint."""
        done = [job for job in self._running if job.done()]
        changed = False
        for job in done:
            source, keys = self._running.pop(job)
            if job.cancelled() or source is not self._source:
                continue
            failed: Batch = [(key, TileTrouble.AWAY) for key in keys]
            changed |= self._take(source, failed if job.exception() else job.result())
        if self._failed and self._clock() >= self._again_s:
            self._failed.clear()
            self.want(self._asked)
        self._start_jobs()
        return changed

    def close(self) -> None:
        """Forget everything asked for. Jobs already running end by themselves."""
        for job in self._running:
            job.cancel()
        self._running.clear()
        self._wanted.clear()
        self._asked.clear()
        self._failed.clear()

    def _take(self, source: TileSource, batch: Batch) -> bool:
        for key, found in batch:
            if isinstance(found, QImage):
                self._keep(key, QPixmap.fromImage(found))
            elif found is None:
                self._missing.add(key)
            else:
                self._note(source, key, found)
        if len(self._missing) > _MOST_MISSING:
            self._missing.clear()
        return True

    def _note(self, source: TileSource, key: TileKey, trouble: TileTrouble) -> None:
        self.errors += 1
        self.no_pictures += trouble is TileTrouble.NO_PICTURE
        if source.is_local:
            self._missing.add(key)
            return
        self._trouble = trouble
        self._failed.add(key)
        self._again_s = self._clock() + _AGAIN_S

    def _keep(self, key: TileKey, pixmap: QPixmap) -> None:
        self._ready[key] = pixmap
        self._ready_bytes += _bytes_of(pixmap)
        self._trouble = None
        self.received += 1
        while self._ready_bytes > _KEPT_BYTES:
            _, oldest = self._ready.popitem(last=False)
            self._ready_bytes -= _bytes_of(oldest)

    def _start_jobs(self) -> None:
        source = self._source
        if source is None:
            return
        limit, size = (_JOBS_LOCAL, _BATCH_LOCAL) if source.is_local else (_JOBS_WEB, 1)
        while self._wanted and len(self._running) < limit:
            batch, self._wanted = tuple(self._wanted[:size]), self._wanted[size:]
            self._running[self._jobs.submit(read_tiles, source, batch)] = (source, batch)


def read_tiles(source: TileSource, keys: tuple[TileKey, ...]) -> Batch:
    """Read and decode tiles, off the GUI thread. None: the source has none there."""
    return [(key, _read(source, key)) for key in keys]


def _read(source: TileSource, key: TileKey) -> "QImage | TileTrouble | None":
    try:
        data = source.read(key)
    except NoPictureError:
        return TileTrouble.NO_PICTURE
    except (OSError, HTTPException, ValueError):
        return TileTrouble.AWAY
    if data is None:
        return None
    image = decode_tile(data)
    if image.isNull():
        return TileTrouble.NO_PICTURE
    return image.convertToFormat(QImage.Format.Format_RGB32)


def _bytes_of(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * pixmap.depth() // 8
