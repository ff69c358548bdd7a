"""Tile sources of a map: a folder, an MBTiles file, or a web address the user chose.

A source only reads bytes, in any thread, and knows nothing of painting. There is no default
source: without the user's choice no tile is read and nothing goes over the network.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from telemetry.base.clock import monotonic_s
from telemetry.base.text_formats import read_limited
from widgets.map.tile_cache import TileCache
from widgets.map.tile_key import TileKey, TileSourceError
from widgets.map.web_tiles import open_web

_MAX_TILE_BYTES = 4_000_000
_DEEPEST_ZOOM = 30
"""Tiles of some centimetres; servers and files end at 22 or before."""
_LONGEST_OPENING_S = 5.0
_LONGEST_READING_S = 1.0
_STEPS_BETWEEN_LOOKS = 1000
_LONGEST_TEXT = 200
_DAMAGE = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What a database from anywhere raises: names in it may be no text, and a damaged one wants more
memory than it may have."""


class TileSource(Protocol):
    """Reads tiles. `spec` is the text that `open_source` makes the same source from.

    `is_local` says whether reading never leaves this machine.
    """

    @property
    def spec(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def attribution(self) -> str: ...
    @property
    def min_zoom(self) -> int: ...
    @property
    def max_zoom(self) -> int: ...
    @property
    def is_local(self) -> bool: ...

    def read(self, key: TileKey) -> bytes | None:
        """The picture file of a tile, or None if the source has none. Raises OSError."""


@dataclass(frozen=True, slots=True)
class FolderTiles:
    """Picture files named {z}/{x}/{y}.png (or .jpg) below a folder."""

    spec: str
    folder: Path
    min_zoom: int
    max_zoom: int
    attribution: str = ""
    is_local: bool = True

    @property
    def title(self) -> str:
        """The folder's name."""
        return self.folder.name

    def read(self, key: TileKey) -> bytes | None:
        """The picture file of a tile, or None."""
        stem = self.folder / str(key.z) / str(key.x) / str(key.y)
        for suffix in (".png", ".jpg", ".jpeg", ".webp"):
            path = stem.with_name(stem.name + suffix)
            if path.is_file():
                return read_limited(path, _MAX_TILE_BYTES)
        return None


@dataclass(frozen=True, slots=True)
class MBTiles:
    """An MBTiles 1.3 file: SQLite with rows counted from the south (TMS)."""

    spec: str
    path: Path
    title: str
    attribution: str
    min_zoom: int
    max_zoom: int
    is_local: bool = True

    def read(self, key: TileKey) -> bytes | None:
        """The picture of a tile, or None. Opens the file anew, so any thread may read."""
        row = 2**key.z - 1 - key.y
        query = "SELECT tile_data FROM tiles WHERE zoom_level=? AND tile_column=? AND tile_row=?"
        try:
            with closing(_open_readonly(self.path, _LONGEST_READING_S)) as database:
                found = database.execute(query, (key.z, key.x, row)).fetchone()
        except _DAMAGE as error:
            raise OSError(str(error)) from error
        if found is None:
            return None
        if not isinstance(found[0], bytes):
            raise OSError(f"a tile of {self.path.name} is no picture")
        return found[0]


def open_source(spec: str, cache: Path) -> TileSource | None:
    """Open what the user chose: "" is none, else a folder, an MBTiles file or a web address.

    Raises TileSourceError with the reason and what would work.
    """
    spec = spec.strip()
    if not spec:
        return None
    if spec.startswith(("http://", "https://")):
        return open_web(spec, TileCache(cache))
    path = Path(spec).expanduser()
    if path.is_dir():
        return _open_folder(spec, path)
    if path.is_file():
        return _open_mbtiles(spec, path)
    raise TileSourceError(
        f"No map tiles at {spec}: choose a folder, an MBTiles file or a web address."
    )


def _open_folder(spec: str, folder: Path) -> FolderTiles:
    zooms = {str(zoom) for zoom in range(_DEEPEST_ZOOM + 1)}
    levels = [int(p.name) for p in folder.iterdir() if p.name in zooms and p.is_dir()]
    if not levels:
        raise TileSourceError(
            f"{folder.name} holds no tiles: it needs pictures named {{z}}/{{x}}/{{y}}.png."
        )
    return FolderTiles(spec, folder, min(levels), max(levels))


def _open_mbtiles(spec: str, path: Path) -> MBTiles:
    try:
        with closing(_open_readonly(path, _LONGEST_OPENING_S)) as database:
            facts = {name: _fact(database, name) for name in ("name", "format", "attribution")}
            low, high = (
                database.execute(f"SELECT {which}(zoom_level) FROM tiles").fetchone()[0]
                for which in ("MIN", "MAX")  # one by one, which an index answers at once
            )
    except _DAMAGE as error:
        raise TileSourceError(f"{path.name} is not an MBTiles file ({error}).") from error
    if facts["format"].lower() == "pbf":
        raise TileSourceError(
            f"{path.name} holds vector tiles; raster tiles (PNG, JPEG) are needed."
        )
    if low is None:
        raise TileSourceError(f"{path.name} holds no tiles.")
    if not all(isinstance(zoom, int) and 0 <= zoom <= _DEEPEST_ZOOM for zoom in (low, high)):
        raise TileSourceError(
            f"{path.name} is not an MBTiles file: its zoom levels are not numbers from 0 to "
            f"{_DEEPEST_ZOOM}."
        )
    return MBTiles(spec, path, facts["name"] or path.stem, facts["attribution"], low, high)


def _fact(database: sqlite3.Connection, name: str) -> str:
    found = database.execute("SELECT value FROM metadata WHERE name=?", (name,)).fetchone()
    return str(found[0])[:_LONGEST_TEXT] if found and found[0] is not None else ""


def _open_readonly(path: Path, longest_s: float) -> sqlite3.Connection:
    """A database from anywhere: what it computes ends after a time and stays small, whatever its
    tables are views of."""
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_TILE_BYTES)
    end_s = monotonic_s() + longest_s
    database.set_progress_handler(lambda: int(monotonic_s() > end_s), _STEPS_BETWEEN_LOOKS)
    database.execute("PRAGMA trusted_schema=OFF")
    return database
