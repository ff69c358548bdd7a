"""Tile cache: tiles of the network in one SQLite file, and the areas they are kept for.

Every call opens the file anew, so any thread may call; several programs may share it. It is a
cache: a full disk or a locked file only means that a tile is fetched again, and a damaged file is
begun anew.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from widgets.map.tile_key import TileKey

CACHE_NAME: Final = "tiles.sqlite"
LARGEST_BYTES: Final = 400 << 20
"""What is kept besides named areas; what was not looked at for longest goes first."""
_PATIENCE_S = 2.0
_DAY_S = 86_400.0
_PUTS_BETWEEN_LOOKS = 100
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_ONE = "source=? AND z=? AND x=? AND y=?"

T = TypeVar("T")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tiles (
  source TEXT, z INTEGER, x INTEGER, y INTEGER, data BLOB, size INTEGER, etag TEXT,
  fresh_until_s REAL, used_s REAL, is_held INTEGER, PRIMARY KEY (source, z, x, y));
CREATE INDEX IF NOT EXISTS tiles_by_use ON tiles (is_held, used_s, size);
CREATE TABLE IF NOT EXISTS areas (
  name TEXT PRIMARY KEY, source TEXT, west REAL, south REAL, east REAL, north REAL,
  deepest INTEGER, is_complete INTEGER);
PRAGMA user_version = 1;
"""


@dataclass(frozen=True, slots=True)
class CachedTile:
    """A picture file as it came; after `fresh_until_s` (Unix time) the server is to be asked
    whether it is still the one of this `etag`."""

    data: bytes
    etag: str = ""
    fresh_until_s: float = 0.0


@dataclass(frozen=True, slots=True)
class TileArea:
    """A named rectangle in degrees whose tiles down to a zoom level are kept for use without
    internet. `is_complete` says that all of them were."""

    name: str
    source: str
    west: float
    south: float
    east: float
    north: float
    deepest: int
    is_complete: bool = False


class TileCache:
    """The tiles and areas in one file below a folder."""

    def __init__(self, folder: Path, largest_bytes: int = LARGEST_BYTES) -> None:
        self._path = folder / CACHE_NAME
        self._largest_bytes = largest_bytes
        self._puts = 0

    def tile(self, source: str, key: TileKey, now_s: float) -> CachedTile | None:
        """A tile as it was kept, which is remembered as used."""

        def read(database: sqlite3.Connection) -> CachedTile | None:
            query = f"SELECT rowid, data, etag, fresh_until_s, used_s FROM tiles WHERE {_ONE}"
            found = database.execute(query, (source, *_numbers(key))).fetchone()
            if found is None:
                return None
            row, data, etag, fresh_until_s, used_s = found
            if now_s - used_s > _DAY_S:
                database.execute("UPDATE tiles SET used_s=? WHERE rowid=?", (now_s, row))
            return CachedTile(data, etag, fresh_until_s)

        return self._do(read, None)

    def put(self, source: str, key: TileKey, tile: CachedTile, now_s: float) -> None:
        """Keep a tile."""
        row = (source, *_numbers(key), tile.data, len(tile.data), tile.etag, tile.fresh_until_s)
        self._write(
            "INSERT INTO tiles VALUES (?,?,?,?,?,?,?,?,?,0) ON CONFLICT DO UPDATE SET"
            " data=excluded.data, size=excluded.size, etag=excluded.etag,"
            " fresh_until_s=excluded.fresh_until_s, used_s=excluded.used_s",
            (*row, now_s),
        )
        self._puts += 1
        if self._puts % _PUTS_BETWEEN_LOOKS == 0:
            self._do(self._prune, None)

    def hold(self, source: str, key: TileKey) -> bool:
        """Keep a tile for an area if it is here; return whether it is."""

        def mark(database: sqlite3.Connection) -> bool:
            where = (source, *_numbers(key))
            found = database.execute(f"SELECT is_held FROM tiles WHERE {_ONE}", where).fetchone()
            if found == (0,):
                database.execute(f"UPDATE tiles SET is_held=1 WHERE {_ONE}", where)
            return found is not None

        return self._do(mark, False)

    def areas(self) -> list[TileArea]:
        """The named areas by name."""

        def read(database: sqlite3.Connection) -> list[TileArea]:
            rows = database.execute("SELECT * FROM areas ORDER BY name").fetchall()
            return [_area(row) for row in rows]

        return self._do(read, [])

    def save_area(self, area: TileArea) -> None:
        """Keep what is known of an area, by its name. Raises OSError."""
        row = (area.name, area.source, area.west, area.south, area.east, area.north, area.deepest)
        if not self._write(
            "INSERT OR REPLACE INTO areas VALUES (?,?,?,?,?,?,?,?)", (*row, int(area.is_complete))
        ):
            raise OSError(f"{self._path} cannot be written")

    def delete_area(self, area: TileArea) -> None:
        """Forget an area; its tiles go with time. What other areas of its source hold is found out
        anew when they are completed again."""
        self._write("DELETE FROM areas WHERE name=?", (area.name,))
        self._write("UPDATE tiles SET is_held=0 WHERE source=?", (area.source,))
        self._write("UPDATE areas SET is_complete=0 WHERE source=?", (area.source,))

    def size_bytes(self, *, is_held: bool) -> int:
        """How much is kept for areas, or besides them."""
        return self._do(lambda database: _size(database, is_held=is_held), 0)

    def _prune(self, database: sqlite3.Connection) -> None:
        excess = _size(database, is_held=False) - self._largest_bytes
        if excess <= 0:
            return
        goes = []
        for row, size in database.execute(
            "SELECT rowid, size FROM tiles WHERE is_held=0 ORDER BY used_s"
        ):
            goes.append((row,))
            excess -= size
            if excess <= -self._largest_bytes // 10:
                break
        database.executemany("DELETE FROM tiles WHERE rowid=?", goes)

    def _write(self, statement: str, values: tuple[object, ...]) -> bool:
        """Carry out a statement; return whether it was."""

        def write(database: sqlite3.Connection) -> bool:
            database.execute(statement, values)
            return True

        return self._do(write, False)

    def _do(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Do something in one transaction; `otherwise` where the file does not let it."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as database, database:
                return work(database)
        except (OSError, sqlite3.Error) as error:
            if getattr(error, "sqlite_errorcode", 0) in _DAMAGED:
                with suppress(OSError):
                    self._path.unlink(missing_ok=True)
            return otherwise

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=_PATIENCE_S)
        try:
            # What a power cut costs is fetched again; waiting for the disk costs every tile.
            database.execute("PRAGMA synchronous=OFF")
            if database.execute("PRAGMA user_version").fetchone() == (0,):
                database.executescript(_SCHEMA)
        except sqlite3.Error:
            database.close()
            raise
        return database


def _area(row: tuple[Any, ...]) -> TileArea:
    name, source, west, south, east, north, deepest, is_complete = row
    return TileArea(name, source, west, south, east, north, deepest, bool(is_complete))


def _size(database: sqlite3.Connection, *, is_held: bool) -> int:
    query = "SELECT SUM(size) FROM tiles WHERE is_held=?"
    return int(database.execute(query, (int(is_held),)).fetchone()[0] or 0)


def _numbers(key: TileKey) -> tuple[int, int, int]:
    return key.z, key.x, key.y
