"""Tile sources and their loader. Nothing here leaves the machine."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from widgets.map.tile_key import TileKey, TileSourceError
from widgets.map.tile_loader import TileLoader
from widgets.map.tiles import FolderTiles, MBTiles, open_source
from widgets.theme import load_theme

KEY = TileKey(3, 5, 2)


def tile_picture(token: str = "accent") -> bytes:
    image = QImage(256, 256, QImage.Format.Format_RGB32)
    image.fill(load_theme("light").color(token))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(data.data())


def make_mbtiles(path: Path, tiles: dict[tuple[int, int, int], bytes], **facts: str) -> Path:
    """`tiles` are keyed as the file stores them: zoom, column, row from the south."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        database.execute(
            "CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB)"
        )
        database.executemany("INSERT INTO metadata VALUES (?, ?)", facts.items())
        rows = [(*key, data) for key, data in tiles.items()]
        database.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", rows)
    return path


def test_mbtiles_count_rows_from_the_south(tmp_path: Path) -> None:
    path = make_mbtiles(tmp_path / "field.mbtiles", {(3, 5, 5): b"here"}, name="Field")
    source = open_source(str(path), tmp_path)
    assert isinstance(source, MBTiles)
    assert (source.title, source.min_zoom, source.max_zoom) == ("Field", 3, 3)
    assert source.read(TileKey(3, 5, 2)) == b"here"
    assert source.read(TileKey(3, 5, 5)) is None


def test_mbtiles_name_their_authors(tmp_path: Path) -> None:
    path = make_mbtiles(tmp_path / "a.mbtiles", {(0, 0, 0): b"x"}, attribution="© somebody")
    source = open_source(str(path), tmp_path)
    assert source is not None
    assert source.attribution == "© somebody"


def test_a_folder_of_tiles(tmp_path: Path) -> None:
    (tmp_path / "3" / "5").mkdir(parents=True)
    (tmp_path / "3" / "5" / "2.png").write_bytes(b"png")
    (tmp_path / "3" / "5" / "3.jpg").write_bytes(b"jpg")
    source = open_source(str(tmp_path), tmp_path)
    assert isinstance(source, FolderTiles)
    assert source.read(KEY) == b"png"
    assert source.read(TileKey(3, 5, 3)) == b"jpg"
    assert source.read(TileKey(3, 5, 4)) is None


def test_no_choice_is_no_source(tmp_path: Path) -> None:
    assert open_source("  ", tmp_path) is None


@pytest.mark.parametrize(
    "spec", ["https://server/tiles.png", "http://{z}{x}{y}", "/nowhere/at/all", "~/missing.mbtiles"]
)
def test_what_cannot_be_used_is_explained(spec: str, tmp_path: Path) -> None:
    with pytest.raises(TileSourceError, match=r"\.$"):
        open_source(spec, tmp_path)


def test_files_that_are_no_raster_tiles_are_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.mbtiles").write_bytes(b"\xff\xd8\xff" * 500)
    vector = make_mbtiles(tmp_path / "v.mbtiles", {(0, 0, 0): b"x"}, format="pbf")
    empty = make_mbtiles(tmp_path / "e.mbtiles", {})
    for path in (tmp_path / "photo.mbtiles", vector, empty):
        with pytest.raises(TileSourceError, match=path.name):
            open_source(str(path), tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(TileSourceError, match="no tiles"):
        open_source(str(tmp_path / "folder"), tmp_path)


MAKES_TILES = "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)"
ENDLESS = (
    "CREATE VIEW {} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    "SELECT {} FROM n WHERE random() = i"
)


def make_hostile(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as database, database:
        for statement in ("CREATE TABLE metadata (name, value)", MAKES_TILES):
            if statement.split()[2] not in " ".join(statements):
                database.execute(statement)
        for statement in statements:
            database.execute(statement)
    return path


@pytest.mark.parametrize(
    "statements",
    [
        (MAKES_TILES, "INSERT INTO tiles VALUES ('deep', 0, 0, x'00')"),
        (MAKES_TILES, "INSERT INTO tiles VALUES (3.5, 0, 0, x'00')"),
        (MAKES_TILES, "INSERT INTO tiles VALUES (x'03', 0, 0, x'00')"),
        (MAKES_TILES, "INSERT INTO tiles VALUES (-1, 0, 0, x'00')"),
        (MAKES_TILES, "INSERT INTO tiles VALUES (1000000000, 0, 0, x'00')"),
        ("CREATE VIEW tiles AS SELECT zeroblob(900000000) AS zoom_level",),
    ],
    ids=["text", "fraction", "bytes", "negative", "enormous", "large"],
)
def test_zoom_levels_that_are_none_are_refused(tmp_path: Path, statements: tuple[str]) -> None:
    path = make_hostile(tmp_path / "x.mbtiles", *statements)
    with pytest.raises(TileSourceError, match=r"x\.mbtiles is not an MBTiles file"):
        open_source(str(path), tmp_path)


@pytest.mark.parametrize("stored", ["4000000000", "'text'", "1.5", "NULL", "zeroblob(900000000)"])
def test_a_tile_that_is_no_picture_is_not_read(tmp_path: Path, stored: str) -> None:
    """A whole number as the picture took as many bytes of memory."""
    view = f"CREATE VIEW tiles AS SELECT 3 AS zoom_level, 5 AS tile_column, 5 AS tile_row, {stored}"
    path = make_hostile(tmp_path / "x.mbtiles", f"{view} AS tile_data")
    source = MBTiles(str(path), path, "X", "", 3, 3)
    with pytest.raises(OSError, match=r"no picture|too big"):
        source.read(KEY)


def test_a_view_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("widgets.map.tiles._LONGEST_OPENING_S", 0.05)
    monkeypatch.setattr("widgets.map.tiles._LONGEST_READING_S", 0.05)
    names = ENDLESS.format("metadata", "i AS name, i AS value")
    path = make_hostile(tmp_path / "names.mbtiles", names)
    with pytest.raises(TileSourceError, match="interrupted"):
        open_source(str(path), tmp_path)
    rows = "3 AS zoom_level, 5 AS tile_column, i AS tile_row, i AS tile_data"
    path = make_hostile(tmp_path / "rows.mbtiles", ENDLESS.format("tiles", rows))
    with pytest.raises(TileSourceError, match="interrupted"):
        open_source(str(path), tmp_path)
    source = MBTiles(str(path), path, "Rows", "", 3, 3)
    with pytest.raises(OSError, match="interrupted"):
        source.read(KEY)


def test_texts_of_a_file_are_short(tmp_path: Path) -> None:
    path = make_mbtiles(tmp_path / "x.mbtiles", {(3, 5, 5): b"x"}, name="x" * 10_000)
    source = open_source(str(path), tmp_path)
    assert source is not None
    assert len(source.title) == 200


def test_folders_that_are_no_zoom_levels_are_passed_over(tmp_path: Path) -> None:
    for name in ("7", "99999999", "9" * 200, "٣", "-1"):
        (tmp_path / name).mkdir()
    source = open_source(str(tmp_path), tmp_path)
    assert source is not None
    assert (source.min_zoom, source.max_zoom) == (7, 7)


class Source:
    """Tiles from memory; keys in `broken` cannot be read."""

    spec, title, attribution, min_zoom, max_zoom, is_local = "memory", "Memory", "", 0, 19, True

    def __init__(self, tiles: dict[TileKey, bytes], broken: frozenset[TileKey] = frozenset()):
        self.tiles, self.broken = tiles, broken
        self.asked: list[TileKey] = []

    def read(self, key: TileKey) -> bytes | None:
        self.asked.append(key)
        if key in self.broken:
            raise OSError("away")
        return self.tiles.get(key)


def test_the_loader_brings_tiles(qtbot: QtBot) -> None:
    loader = TileLoader(ImmediateJobs())
    loader.set_source(Source({KEY: tile_picture()}))
    loader.want([KEY])
    assert loader.tile(KEY) is None
    assert loader.collect()
    pixmap = loader.tile(KEY)
    assert pixmap is not None
    color = QColor(pixmap.toImage().pixel(10, 10))
    assert color == load_theme("light").color("accent")
    assert not loader.is_busy


def test_the_loader_asks_once_for_what_is_not_there(qtbot: QtBot) -> None:
    broken, absent, damaged = TileKey(3, 0, 0), TileKey(3, 0, 1), TileKey(3, 0, 2)
    source = Source({damaged: b"not a picture"}, frozenset({broken}))
    loader = TileLoader(ImmediateJobs())
    loader.set_source(source)
    for _ in range(3):
        loader.want([broken, absent, damaged])
        loader.collect()
    assert sorted(source.asked) == [broken, absent, damaged]
    assert loader.errors == 2
    assert all(loader.is_missing(key) for key in (broken, absent, damaged))


def picture(
    side: int, kind: str = "PNG", pixels: QImage.Format = QImage.Format.Format_RGB32
) -> bytes:
    image = QImage(side, side, pixels)
    image.fill(load_theme("light").color("accent"))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, kind)
    return bytes(data.data())


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect/></svg>'


@pytest.mark.parametrize(
    "made",
    [
        lambda: picture(8000, pixels=QImage.Format.Format_Mono),
        lambda: picture(256, "BMP"),
        lambda: picture(256, "XPM"),
        lambda: SVG,
    ],
    ids=["8000", "b", "x", "s"],
)
def test_pictures_that_are_no_tiles_are_left_out(qtbot: QtBot, made: Callable[[], bytes]) -> None:
    data = made()
    loader = TileLoader(ImmediateJobs())
    loader.set_source(Source({KEY: data}))
    loader.want([KEY])
    loader.collect()
    assert loader.tile(KEY) is None
    assert loader.errors == 1


@pytest.mark.slow
def test_large_tiles_are_kept_by_their_bytes(qtbot: QtBot) -> None:
    large = picture(1024)
    keys = [TileKey(6, x, 0) for x in range(30)]
    loader = TileLoader(ImmediateJobs())
    loader.set_source(Source(dict.fromkeys(keys, large)))
    while loader.received < len(keys):
        loader.want(keys[loader.received :])
        loader.collect()
    kept = [key for key in keys if loader.tile(key) is not None]
    assert kept == keys[-24:], "96 MB"


def test_a_source_that_fails_in_any_way_costs_its_tiles_only(qtbot: QtBot) -> None:
    class Faulty(Source):
        def read(self, key: TileKey) -> bytes | None:
            raise MemoryError

    loader = TileLoader(ImmediateJobs())
    loader.set_source(Faulty({}))
    loader.want([KEY])
    assert loader.collect()
    assert loader.is_missing(KEY)


def test_what_scrolled_away_is_not_read_any_more(qtbot: QtBot) -> None:
    jobs = ImmediateJobs()
    jobs.is_held = True
    source = Source({})
    loader = TileLoader(jobs)
    loader.set_source(source)
    loader.want([TileKey(9, x, 0) for x in range(100)])
    loader.want([TileKey(9, 0, 7)])
    jobs.release()
    loader.collect()
    jobs.release()
    assert len(source.asked) <= 17
    assert TileKey(9, 0, 7) in source.asked


def test_tiles_of_an_old_source_are_thrown_away(qtbot: QtBot) -> None:
    jobs = ImmediateJobs()
    jobs.is_held = True
    loader = TileLoader(jobs)
    loader.set_source(Source({KEY: tile_picture()}))
    loader.want([KEY])
    loader.set_source(Source({}))
    jobs.release()
    assert not loader.collect()
    assert loader.tile(KEY) is None
