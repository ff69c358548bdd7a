"""Tile source of a map as it was chosen: opened off the GUI thread, loaded, kept in areas."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path

from PySide6.QtWidgets import QWidget

from widgets.map.projection import Viewport
from widgets.map.tile_areas import (
    AreaChoice,
    AreaDownload,
    AreaDownloads,
    AreaState,
    choice_of,
    usual_area,
)
from widgets.map.tile_key import TileSourceError
from widgets.map.tile_loader import TileLoader
from widgets.map.tiles import TileSource, open_source
from widgets.map.web_tiles import WebTiles

_CHOOSE = (
    "Choose where map tiles come from first: right click the map, Map tiles, Web address. Then the "
    "area in sight can be fetched for use without internet."
)
_IS_HERE = "These map tiles are on this computer already: there is nothing to fetch."


class TileChoice:
    """One source at a time. `parent` is where its windows open, `tell` takes a sentence for the
    user."""

    def __init__(
        self, parent: QWidget, workers: Executor, cache: Path, tell: Callable[[str], None]
    ) -> None:
        self._parent = parent
        self._workers = workers
        self._cache = cache
        self._tell = tell
        self._told = ""
        self._opening: Future[TileSource | None] | None = None
        self._is_refused = False
        self._downloads: AreaDownloads | None = None
        self._fetching: Future[AreaDownload | None] | None = None
        self._fetched: AreaDownload | None = None
        self._looked_at = Viewport()
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
        self._take_fetched()
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
        if fetched := self._fetched_text():
            return fetched
        is_quiet = tiles_shown or self.loader.is_busy or self._opening is not None
        return "" if is_quiet else "No tiles here"

    def show_areas(self, view: Viewport) -> None:
        """Open the list of areas that are kept for use without internet."""
        from widgets.map.areas_dialog import AreasDialog  # seldom seen

        source = self.loader.source
        if isinstance(source, WebTiles):
            downloads = self._downloads_of(source)
            AreasDialog(self._parent, downloads, source, view, self._workers).open()

    def fetch(self, view: Viewport) -> None:
        """Fetch the tiles of what is in sight, to be kept; say what is in the way of that."""
        source = self.loader.source
        if not isinstance(source, WebTiles):
            self._tell(_CHOOSE if source is None else _IS_HERE)
            return
        choice = choice_of(source, usual_area(view, source))
        if choice.problem:
            self._tell(choice.problem)
            return
        self._looked_at = view
        self._fetching = self._workers.submit(self._downloads_of(source).add_again, choice.area)

    def _take_fetched(self) -> None:
        """The download that has begun; the list, where the terms have to be agreed to first."""
        fetching = self._fetching
        if fetching is None or not fetching.done():
            return
        self._fetching = None
        if fetching.cancelled():
            return
        if (error := fetching.exception()) is not None:
            self._tell(f"The area cannot be fetched: {error}.")
        elif (download := fetching.result()) is None:
            self.show_areas(self._looked_at)
        else:
            self._fetched = download
            choice = AreaChoice(download.area, download.total)
            self._tell(f"Fetching {choice.size_text}, for use without internet.")

    def _fetched_text(self) -> str:
        """How far the area is that was asked for last, until it is there."""
        one = self._fetched
        if one is None or one.state is AreaState.COMPLETE:
            return ""
        return f"Area: {one.done:,} of {one.total:,} tiles, {one.state.value}"

    def _downloads_of(self, source: WebTiles) -> AreaDownloads:
        if self._downloads is None:
            self._downloads = AreaDownloads(source.cache)
        return self._downloads

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
