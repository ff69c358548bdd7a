"""Fetching what is in sight by one press: what is fetched, and what is said where it cannot be."""

import urllib.request
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.waiting import wait_until
from tests.widgets.map.test_tile_areas import FIELD
from tests.widgets.map.test_tiles import tile_picture
from tests.widgets.map.test_web_tiles import SPEC, Answer, Server
from widgets.map.areas_dialog import AreasDialog
from widgets.map.buttons import MapButton
from widgets.map.canvas import MapCanvas
from widgets.map.menu import build_menu
from widgets.map.projection import GeoPoint, Viewport, project
from widgets.map.tile_areas import area_keys, tile_count, usual_area
from widgets.map.tile_cache import TileCache
from widgets.map.tile_choice import TileChoice
from widgets.map.tiles import FolderTiles
from widgets.map.web_tiles import OPENSTREETMAP, WebTiles
from widgets.theme import load_theme

PLACE = GeoPoint(48.945, 9.43)
VIEW = Viewport(*project(PLACE), 16.0, 300, 200)


class Chosen:
    """Tiles of a source, chosen, and what was said."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.parent = QWidget()
        qtbot.addWidget(self.parent)
        self.told: list[str] = []
        self.cache = TileCache(folder / "cache")
        self.tiles = TileChoice(self.parent, ImmediateJobs(), folder, self.told.append)
        self.tiles.spec = SPEC
        self.tiles.loader.set_source(WebTiles(SPEC, self.cache))

    def fetch(self, view: Viewport = VIEW) -> None:
        self.tiles.fetch(view)
        self.tiles.poll()

    def dialogs(self) -> list[AreasDialog]:
        return self.parent.findChildren(AreasDialog)


@pytest.fixture
def chosen(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Chosen:
    server = Server(Answer(tile_picture()))
    monkeypatch.setattr(urllib.request, "urlopen", lambda r, timeout: server(r, timeout))
    return Chosen(qtbot, tmp_path)


def test_a_press_fetches_all_tiles_of_what_is_in_sight(chosen: Chosen) -> None:
    chosen.cache.save_area(FIELD)
    chosen.fetch()
    area = usual_area(VIEW, WebTiles(SPEC, chosen.cache))
    assert str(tile_count(area)) in chosen.told[-1]
    assert chosen.dialogs() == []
    wait_until(lambda: chosen.tiles.remark(0) == "No tiles here")
    assert all(chosen.cache.hold(SPEC, key) for key in area_keys(area))


def test_how_far_it_is_stands_on_the_map(chosen: Chosen, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **_k: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    chosen.cache.save_area(FIELD)
    chosen.fetch()
    wait_until(lambda: "waiting for the server" in chosen.tiles.remark(0))
    assert chosen.tiles.remark(0).startswith("Area: 0 of ")
    chosen.tiles.close()


def test_the_terms_are_agreed_to_once(chosen: Chosen) -> None:
    chosen.fetch()
    (dialog,) = chosen.dialogs()  # nothing of this provider was fetched before
    dialog.close()
    assert chosen.cache.areas() == []


def test_it_says_what_to_choose_first(chosen: Chosen, tmp_path: Path) -> None:
    chosen.tiles.loader.set_source(None)
    chosen.fetch()
    assert "Choose where map tiles come from" in chosen.told[-1]
    chosen.tiles.loader.set_source(FolderTiles(str(tmp_path), tmp_path, 0, 19))
    chosen.fetch()
    assert "on this computer" in chosen.told[-1]
    chosen.tiles.loader.set_source(WebTiles(OPENSTREETMAP, chosen.cache))
    chosen.fetch()
    assert "does not allow" in chosen.told[-1]
    chosen.tiles.loader.set_source(WebTiles(SPEC, chosen.cache))
    chosen.fetch(Viewport(0.5, 0.5, 9.0, 40_000, 40_000))
    assert "zoom in" in chosen.told[-1]


@pytest.mark.parametrize("zoom", [3.0, 9.0, 13.0, 16.0, 18.4, 22.0])
def test_an_area_has_what_is_seen_and_is_no_larger_than_usual(zoom: float) -> None:
    source = WebTiles(SPEC, TileCache(Path("nowhere")))
    area = usual_area(Viewport(*project(PLACE), zoom, 1366, 648), source)
    assert area.deepest >= min(round(zoom), source.max_zoom)
    assert tile_count(area) <= 5000
    assert area.west < PLACE.longitude_deg < area.east
    assert area.south < PLACE.latitude_deg < area.north


def test_button_and_menu_ask_for_it(qtbot: QtBot, tmp_path: Path) -> None:
    canvas = MapCanvas(load_theme("light"), ImmediateJobs(), tmp_path)
    qtbot.addWidget(canvas)
    told: list[str] = []
    canvas.message.connect(told.append)
    buttons = canvas.findChildren(MapButton)
    next(one for one in buttons if "Fetch this area" in one.toolTip()).click()
    menu = build_menu(canvas, canvas, PLACE)
    next(one for one in menu.actions() if one.text() == "Fetch this area").trigger()
    menu.close()
    assert len(told) == 2
    assert all("Choose where" in text for text in told)
