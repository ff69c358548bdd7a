"""Names of countries, towns and places: where they are, and that each can be read."""

import pickle
import struct
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from tests.immediate import ImmediateJobs
from tests.widgets.test_theme import contrast
from widgets.map import names
from widgets.map.ground_names import GroundNames
from widgets.map.names import NAMES_FILE, NameKind, load_names
from widgets.map.names_build import countries, places, write_names
from widgets.map.projection import (
    Bounds,
    GeoPoint,
    PixelArea,
    Viewport,
    distance_m,
    project,
    unproject,
)
from widgets.theme import load_theme

THEME = load_theme("light")
# Any atlas.
TOWNS = {
    "Stuttgart": GeoPoint(48.78, 9.18),
    "Denver": GeoPoint(39.74, -104.99),
    "Sydney": GeoPoint(-33.87, 151.21),
    "Nairobi": GeoPoint(-1.29, 36.82),
    "São Paulo": GeoPoint(-23.55, -46.63),
}
EUROPE = Viewport(*project(GeoPoint(48.9, 9.4)), 5.2, 1100, 620)
WORLD = Bounds(0.0, 0.0, 1.0, 1.0)


def place_of(text: str) -> GeoPoint:
    shipped = load_names()
    number = shipped.texts.index(text)
    return unproject(float(shipped.x[number]), float(shipped.y[number]))


@pytest.mark.parametrize("town", TOWNS)
def test_towns_are_where_an_atlas_has_them(town: str) -> None:
    assert distance_m(place_of(town), TOWNS[town]) < 12_000


def test_three_zooms_show_countries_then_towns_then_places() -> None:
    shipped = load_names()
    seen = [
        {NameKind(int(shipped.kinds[number])) for number in shipped.within(WORLD, zoom)}
        for zoom in (2.0, 5.0, 8.0, 16.0)
    ]
    country, town, place = NameKind
    assert seen == [{country}, {country, town}, {country, town, place}, {town, place}]


def test_the_file_is_small() -> None:
    assert NAMES_FILE.stat().st_size < 150_000


def shown(qapp: QApplication, view: Viewport) -> dict[str, QRectF]:
    ground = GroundNames(ImmediateJobs())
    ground.collect()
    return {f"{n}": box for n, (_, box) in enumerate(ground.shown(view, THEME, 1.0))}


def random_views() -> list[Viewport]:
    random = np.random.default_rng(5)
    views = []
    for zoom in (2.5, 4.0, 5.2, 7.0, 9.0):
        for turned in (0.0, 137.0):
            place = GeoPoint(float(random.uniform(-30, 60)), float(random.uniform(-120, 140)))
            free = PixelArea(300.0, 20.0, 700.0, 500.0)
            views.append(Viewport(*project(place), zoom, 1100, 620, turned, free))
    return views


@pytest.mark.slow
def test_no_name_stands_on_another_or_under_a_card(qapp: QApplication) -> None:
    for view in random_views():
        boxes = list(shown(qapp, view).values())
        area = view.area
        free = QRectF(area.left, area.top, area.width, area.height)
        assert all(free.contains(box) for box in boxes)
        assert not any(one.intersects(other) for one, other in combinations(boxes, 2))


@pytest.mark.slow
def test_there_are_more_names_than_room(qapp: QApplication) -> None:
    """So that those left out had to be."""
    candidates = load_names().within(EUROPE.bounds, EUROPE.zoom)
    assert 15 < len(shown(qapp, EUROPE)) < len(candidates) / 2


def test_the_more_important_one_has_the_room() -> None:
    found = [load_names().texts[n] for n in load_names().within(EUROPE.bounds, EUROPE.zoom)]
    for first, second in (("Germany", "Berlin"), ("Berlin", "Dresden"), ("Paris", "Lyon")):
        assert found.index(first) < found.index(second)


@pytest.mark.parametrize("theme", ["light", "dark", "sunlight"])
def test_names_stand_out_from_their_halo(theme: str) -> None:
    look = load_theme(theme)
    for token in ("text", "muted"):
        assert contrast(look.color(token), look.color("map_background")) >= 4.5


def dbase(rows: list[dict[str, str]]) -> bytes:
    """A table as dBASE III writes it, all columns 12 characters wide."""
    fields = b"".join(
        name.encode().ljust(11, b"\0") + b"C" + bytes(4) + bytes([12]) + bytes(15)
        for name in rows[0]
    )
    head = struct.pack("<BBBBIHH20x", 3, 95, 7, 26, len(rows), 33 + len(fields), 1 + 12 * 5)
    body = b"".join(
        b" " + b"".join(text.encode().ljust(12) for text in row.values()) for row in rows
    )
    return head + fields + b"\x0d" + body


def test_names_come_back_as_they_were_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cities = [("Dorf", "DE", 48.0, 9.0)] + [("Stadt\u200e  Ö", "DE", -10.0, 20.0)] * 1250
    (tmp_path / "cache").write_bytes(pickle.dumps({"cities": cities}))
    row = {"NAME": "Niger", "LABEL_X": "9.5", "LABEL_Y": "17.4", "MIN_LABEL": "3.0"}
    (tmp_path / "dbf").write_bytes(dbase([{**row, "MAX_LABEL": "8.0"}]))
    target = tmp_path / "names.npz"
    write_names(countries(tmp_path / "dbf") + places(tmp_path / "cache"), target)
    monkeypatch.setattr(names, "NAMES_FILE", target)
    read = load_names.__wrapped__()
    assert (read.texts[0], read.texts[1], read.texts[-1]) == ("Niger", "Stadt Ö", "Dorf")
    assert read.kinds.tolist() == [0] + [1] * 1250 + [2]
    assert (read.first[0], read.last[0]) == (3.0, 8.0)
    place = unproject(float(read.x[-1]), float(read.y[-1]))
    assert (place.latitude_deg, place.longitude_deg) == pytest.approx((48.0, 9.0), abs=2e-4)


def test_a_cache_that_wants_code_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(pickle.dumps({"cities": [print]}))
    with pytest.raises(pickle.UnpicklingError, match="no plain value"):
        places(tmp_path / "cache")
