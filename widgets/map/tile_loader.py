"""Fetch tiles in the job pool and keep them as pixmaps, most recently used first.

The canvas asks for what it needs in every repaint (`tile`); `collect` runs in the GUI thread's
tick, takes over what has arrived and asks for the next. What scrolled out of view before its turn
is forgotten, so a fast pan never builds up a queue.
"""

from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import Executor, Future
from http.client import HTTPException

from PySide6.QtCore import QBuffer, QByteArray, QSize
from PySide6.QtGui import QImage, QImageReader, QPixmap

from widgets.map.tiles import TileKey, TileSource

_KEPT_BYTES = 96 << 20
_MOST_MISSING = 20_000
_LARGEST_PX = 1024
_FORMATS = ("png", "jpeg", "webp")
_BATCH_LOCAL = 8
_JOBS_LOCAL = 2
_JOBS_WEB = 2

Batch = list[tuple[TileKey, QImage | None]]


class TileLoader:
    """The tiles of one source. Failures are quiet: they are counted and not asked for again."""

    def __init__(self, jobs: Executor) -> None:
        self._jobs = jobs
        self._source: TileSource | None = None
        self._ready: OrderedDict[TileKey, QPixmap] = OrderedDict()
        self._ready_bytes = 0
        self._missing: set[TileKey] = set()
        self._running: dict[Future[Batch], tuple[TileSource, tuple[TileKey, ...]]] = {}
        self._wanted: list[TileKey] = []
        self.errors = 0
        self.received = 0

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
        self.errors = self.received = 0

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
        known = self._ready.keys() | self._missing | busy
        self._wanted = [key for key in keys if key not in known]
        self._start_jobs()

    def collect(self) -> bool:
        """Take over finished tiles; return whether there is anything new to paint."""
        done = [job for job in self._running if job.done()]
        changed = False
        for job in done:
            source, keys = self._running.pop(job)
            if job.cancelled() or source is not self._source:
                continue
            changed |= self._take([] if job.exception() else job.result(), keys)
        self._start_jobs()
        return changed

    def close(self) -> None:
        """Forget everything asked for. Jobs already running end by themselves."""
        for job in self._running:
            job.cancel()
        self._running.clear()
        self._wanted.clear()

    def _take(self, batch: Batch, keys: tuple[TileKey, ...]) -> bool:
        for key, image in batch:
            if image is None:
                self._missing.add(key)
                continue
            self._ready[key] = QPixmap.fromImage(image)
            self._ready_bytes += _bytes_of(self._ready[key])
            self.received += 1
        failed = set(keys) - {key for key, _ in batch}
        self._missing |= failed
        self.errors += len(failed)
        while self._ready_bytes > _KEPT_BYTES:
            _, oldest = self._ready.popitem(last=False)
            self._ready_bytes -= _bytes_of(oldest)
        if len(self._missing) > _MOST_MISSING:
            self._missing.clear()
        return True

    def _start_jobs(self) -> None:
        source = self._source
        if source is None:
            return
        limit, size = (_JOBS_LOCAL, _BATCH_LOCAL) if source.is_local else (_JOBS_WEB, 1)
        while self._wanted and len(self._running) < limit:
            batch, self._wanted = tuple(self._wanted[:size]), self._wanted[size:]
            self._running[self._jobs.submit(read_tiles, source, batch)] = (source, batch)


def read_tiles(source: TileSource, keys: tuple[TileKey, ...]) -> Batch:
    """Read and decode tiles, off the GUI thread. None: the source has none there.

    A tile that could not be read at all (server away, damaged picture) is left out.
    """
    found: Batch = []
    for key in keys:
        try:
            data = source.read(key)
        except (OSError, HTTPException, ValueError):
            continue
        if data is None:
            found.append((key, None))
            continue
        image = _picture(data)
        if not image.isNull():
            found.append((key, image.convertToFormat(QImage.Format.Format_RGB32)))
    return found


def _picture(data: bytes) -> QImage:
    """The picture in a file; a null one if it is none of a tile's formats and sizes."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    reader = QImageReader(buffer)
    is_tile = bytes(reader.format().data()).decode("latin-1") in _FORMATS
    size = reader.size() if is_tile else QSize()
    if not size.isValid() or max(size.width(), size.height()) > _LARGEST_PX:
        return QImage()
    return reader.read()


def _bytes_of(pixmap: QPixmap) -> int:
    return pixmap.width() * pixmap.height() * pixmap.depth() // 8
