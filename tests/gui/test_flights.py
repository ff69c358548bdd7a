"""A flight in the real window: dropped, marked, saved by key, opened again as it was arranged."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.opening.folder_overlay import FolderOverlay
from app.station import Station
from telemetry.review.flights.flight import Flight, flight_of
from telemetry.review.flights.marker import Marker
from tests.dropping import drop_onto
from tests.gui.conftest import MakeStation
from tests.telemetry.recording.logs.books import attitudes, saved
from tests.telemetry.recording.video_files.barcode import write_numbered


def drop(station: Station, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    drop_onto(station.window, data)


def opened(station: Station, qtbot: QtBot, *paths: Path) -> Flight:
    drop(station, *paths)
    qtbot.waitUntil(lambda: station.fleet.active is not None and not station.work.is_busy)
    assert station.fleet.active is not None
    return flight_of(station.fleet.active)


@pytest.mark.slow
def test_a_flight_is_dropped_saved_by_key_and_opened_as_it_was_arranged(
    make_station: MakeStation, qtbot: QtBot, tmp_path: Path
) -> None:
    log = saved(tmp_path, *attitudes(60))
    station = make_station()
    flight = opened(station, qtbot, log)
    assert station.window.stack.current_id == "analyse"
    station.window.stack.add("Tuning")
    page = station.window.stack.current_page
    assert page is not None
    page.add_panel("links.links")
    flight.markers = (Marker(1.0, "gust"),)
    qtbot.keyClick(station.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not flight.is_unsaved)
    assert station.preferences.current.recent_logs[0] == str(log.with_suffix(".lapwing"))
    station.close()
    later = make_station()
    ids = list(later.window.stack.ids)
    flight = opened(later, qtbot, log.with_suffix(".lapwing"))
    assert flight.markers == (Marker(1.0, "gust"),)
    stack = later.window.stack
    assert stack.titles()[-1] == "Tuning: flight.opl"
    assert stack.current_page is not None
    assert [dock.panel_id for dock in stack.current_page.hosts] == ["links.links"]
    later.close()
    assert make_station().window.stack.ids == ids, "it is not among the user's own"


@pytest.mark.slow
def test_a_dropped_folder_is_sorted_corrected_and_opened(
    make_station: MakeStation, qtbot: QtBot, tmp_path: Path
) -> None:
    card = tmp_path / "card"
    card.mkdir()
    logs = [saved(card, *attitudes(20), name=name) for name in ("a.opl", "b.opl")]
    film = write_numbered(card / "film.avi", 30)
    (card / "empty.avi").touch()
    for path, when in ((logs[0], 1e9), (logs[1], 2e9), (film, 1e9)):
        os.utime(path, (when, when))
    station = make_station()
    drop(station, card)
    qtbot.waitUntil(lambda: bool(station.window.findChildren(FolderOverlay)))
    (overlay,) = station.window.findChildren(FolderOverlay)
    assert [(one.log, one.video.files) for one in overlay.proposals] == [(logs[0], (film,))]
    overlay.choose(0, logs[1])
    assert overlay.table.item(0, 3).text() == "You have chosen it."
    button = next(b for b in overlay.findChildren(QPushButton) if b.text().startswith("Open"))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: station.fleet.active is not None)
    assert station.fleet.active is not None
    assert station.fleet.active.name == "b.opl"
    flight = flight_of(station.fleet.active)
    assert [video.files for video in flight.videos] == [(film,)]
    assert flight.is_unsaved
    page = station.window.stack.current_page
    assert page is not None
    video, ground = page.host("video"), page.host("map")
    assert video is not None
    assert ground is not None
    qtbot.waitUntil(video.is_showing)
    assert not ground.is_showing(), "the video stands in its place"
    assert not page.has_changed(), "that is none of the user's doing"
