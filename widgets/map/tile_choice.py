"""Tile source of a map as it was chosen: opened off the GUI thread, loaded, kept in areas."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path

from PySide6.QtWidgets import QWidget

from widgets.map.projection import Viewport
from widgets.map.tile_areas import AreaDownloads
from widgets.map.tile_key import TileSourceError
from widgets.map.tile_loader import TileLoader
from widgets.map.tiles import TileSource, open_source
from widgets.map.web_tiles import WebTiles


class TileChoice:
    """One source at a time. `tell` takes a sentence for the user."""

    def __init__(self, workers: Executor, cache: Path, tell: Callable[[str], None]) -> None:
        self._workers = workers
        self._cache = cache
        self._tell = tell
        self._told = ""
        self._opening: Future[TileSource | None] | None = None
        self._is_refused = False
        self._downloads: AreaDownloads | None = None
        self.loader = TileLoader(workers)
        self.spec = ""
        """Where tiles come from, as the user chose it; empty for none."""

    @property
    def has_areas(self) -> bool:
        """Whether areas of the source can be kept: it is one on the network."""
        return isinstance(self.loader.source, WebTiles)

    def choose(self, spec: str) -> None:
        """Read tiles from `spec` (see `open_source`)."""
        self.spec = spec
        self._told = ""
        self._is_refused = False
        self.loader.set_source(None)
        self._opening = self._workers.submit(open_source, spec, self._cache) if spec else None

    def poll(self) -> bool:
        """Take over a source that was opened; return whether there was one."""
        self._tell_problem()
        opening = self._opening
        if opening is None or not opening.done():
            return False
        self._opening = None
        if opening.cancelled():
            return False
        error = opening.exception()
        self._is_refused = error is not None
        if error is None:
            self.loader.set_source(opening.result())
        else:
            is_told = isinstance(error, TileSourceError | OSError)
            self._tell(str(error) if is_told else f"No map tiles there: {error}.")
        return True

    def remark(self, tiles_shown: int) -> str:
        """What is to be said of the tiles beside the scale; empty if nothing."""
        if not self.spec:
            return "No map tiles chosen"
        if self._is_refused:
            return "No tiles"
        if self.loader.problem:
            return f"Tiles: {self.loader.problem}"
        is_quiet = tiles_shown or self.loader.is_busy or self._opening is not None
        return "" if is_quiet else "No tiles here"

    def show_areas(self, parent: QWidget, view: Viewport) -> None:
        """Open the list of areas that are kept for use without internet."""
        from widgets.map.areas_dialog import AreasDialog  # seldom seen

        source = self.loader.source
        if isinstance(source, WebTiles):
            if self._downloads is None:
                self._downloads = AreaDownloads(source.cache)
            AreasDialog(parent, self._downloads, source, view, self._workers).open()

    def close(self) -> None:
        """Ask for no more tiles."""
        self.loader.close()
        if self._downloads is not None:
            self._downloads.close()
        self._workers.shutdown(wait=False, cancel_futures=True)

    def _tell_problem(self) -> None:
        problem = self.loader.problem
        kind = problem.partition(",")[0]
        if kind and kind != self._told:
            self._tell(f"Map tiles: {problem}. They are asked for again in a moment.")
        self._told = kind
