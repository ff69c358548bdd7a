"""Areas fetched ahead: which tiles, pause and resume, limits, the provider's terms."""

import urllib.error
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.waiting import wait_until
from tests.widgets.map.test_tiles import tile_picture
from tests.widgets.map.test_web_tiles import SPEC, Answer, Server
from widgets.map.areas_dialog import AreasDialog
from widgets.map.projection import GeoPoint, Viewport, project
from widgets.map.tile_areas import (
    MOST_TILES,
    AreaDownload,
    AreaDownloads,
    AreaState,
    area_keys,
    choice_of,
    tile_count,
)
from widgets.map.tile_cache import TileArea, TileCache
from widgets.map.tile_key import TileKey
from widgets.map.web_tiles import OPENSTREETMAP, WebTiles

FIELD = TileArea("Field", SPEC, 9.42, 48.94, 9.44, 48.95, deepest=12)


@pytest.fixture
def cache(tmp_path: Path) -> TileCache:
    return TileCache(tmp_path / "cache")


def download_of(cache: TileCache, server: Server) -> AreaDownload:
    return AreaDownload(FIELD, WebTiles(SPEC, cache, server, lambda: 0.0), ask_again_s=0.0)


def test_the_tiles_of_an_area() -> None:
    """One at each zoom from the world down; at 12 by the OpenStreetMap wiki's formula, 9.43 east
    and 48.945 north are column 2155, row 1407."""
    keys = list(area_keys(FIELD))
    assert keys[0] == TileKey(0, 0, 0)
    assert TileKey(12, 2155, 1407) in keys
    assert len(keys) == len(set(keys)) == tile_count(FIELD)
    world = TileArea("World", SPEC, -180.0, -90.0, 180.0, 90.0, deepest=3)
    assert tile_count(world) == 1 + 4 + 16 + 64


def test_all_tiles_come_and_stay(cache: TileCache) -> None:
    server = Server(Answer(tile_picture()))
    download = download_of(cache, server)
    download.run()
    assert (download.state, download.done) == (AreaState.COMPLETE, tile_count(FIELD))
    assert all(cache.hold(SPEC, key) for key in area_keys(FIELD))
    assert cache.areas()[0].is_complete
    again = download_of(cache, server)
    again.run()
    assert len(server.asked) == tile_count(FIELD), "nothing is fetched twice"


class PausesAt(Server):
    """Has a download paused at its third request."""

    download: AreaDownload

    def __call__(self, request: object, timeout_s: float) -> Answer:
        if len(self.asked) == 2:
            self.download.pause()
        return super().__call__(request, timeout_s)  # type: ignore[arg-type]


def test_a_paused_download_goes_on_where_it_was(cache: TileCache) -> None:
    server = PausesAt(Answer(tile_picture()))
    server.download = download_of(cache, server)
    server.download.run()
    assert server.download.state is AreaState.PAUSED
    assert len(server.asked) == 3
    rest = Server(Answer(tile_picture()))
    download_of(cache, rest).run()
    assert len(rest.asked) == tile_count(FIELD) - 3


def test_it_waits_for_the_server(cache: TileCache) -> None:
    server = Server(urllib.error.URLError("no network"))
    now = [0.0]
    states = []

    def clock() -> float:
        now[0] += 1.0
        states.append(download.state)
        if now[0] == 20.0:
            server.answer = Answer(tile_picture())
        return now[0]

    source = WebTiles(SPEC, cache, server, clock)
    download = AreaDownload(FIELD, source, ask_again_s=0.0)
    download.run()
    assert AreaState.WAITING in states
    assert download.state is AreaState.COMPLETE


def test_tiles_that_are_not_there_are_counted(cache: TileCache) -> None:
    download = download_of(cache, Server(404))
    download.run()
    assert (download.state, download.absent) == (AreaState.COMPLETE, tile_count(FIELD))


def test_a_disk_without_room_ends_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    download = download_of(TileCache(tmp_path / "file"), Server(Answer(tile_picture())))
    download.run()
    assert download.state is AreaState.FULL


def test_areas_are_remembered_and_deleted(cache: TileCache) -> None:
    cache.save_area(FIELD)
    downloads = AreaDownloads(cache)
    (one,) = downloads.load()
    assert (one.area, one.state) == (FIELD, AreaState.PAUSED)
    downloads.delete("Field")
    assert downloads.load() == []


def test_what_may_not_be_fetched_is_refused() -> None:
    cache = TileCache(Path("nowhere"))
    assert "does not allow" in choice_of(WebTiles(OPENSTREETMAP, cache), FIELD).problem
    source = WebTiles(SPEC, cache)
    wide = TileArea("Wide", SPEC, 0.0, 40.0, 20.0, 60.0, deepest=14)
    assert f"{MOST_TILES:,}" in choice_of(source, wide).problem
    assert "name" in choice_of(source, TileArea(" ", SPEC, 9.42, 48.94, 9.44, 48.95, 5)).problem
    assert choice_of(source, FIELD).problem == ""


def test_terms_are_shown_and_accepted_before_anything_is_fetched(
    qtbot: QtBot, cache: TileCache
) -> None:
    server = Server(Answer(tile_picture()))
    source = WebTiles(SPEC, cache, server, lambda: 0.0)
    downloads = AreaDownloads(cache, lambda _spec, _cache: source)
    view = Viewport(*project(GeoPoint(48.945, 9.43)), 14.0, 400, 300)
    dialog = AreasDialog(None, downloads, source, view, ImmediateJobs())
    qtbot.addWidget(dialog)
    begin = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Download")
    accepted = dialog.findChild(QCheckBox)
    assert isinstance(accepted, QCheckBox)
    assert "terms of use" in texts_of(dialog)
    assert not begin.isEnabled()
    name, detail = dialog.findChild(QLineEdit, "name"), dialog.findChild(QSpinBox)
    assert isinstance(name, QLineEdit)
    assert isinstance(detail, QSpinBox)
    name.setText("Field")
    detail.setValue(6)
    assert not begin.isEnabled()
    accepted.setChecked(True)
    assert begin.isEnabled()
    assert server.asked == []
    begin.click()
    wait_until(lambda: cache.areas() and cache.areas()[0].is_complete)
    wait_until(lambda: not any(one.is_running for one in downloads.load()))
    dialog.poll()
    assert "Field: 7 of 7, complete" in texts_of(dialog)
    assert not accepted.isChecked()


def texts_of(dialog: AreasDialog) -> str:
    return " ".join(label.text() for label in dialog.findChildren(QLabel))
