"""A whole station in a folder of its own, without a connection at the start."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from app.preferences import PreferenceStore
from app.refreshing.load_meter import LoadMeter
from app.station import StartOptions, Station
from telemetry.base.folders import Folders
from tests.look import kept_look

MakeStation = Callable[..., Station]

# Reads the lists of all that is installed, which does not change while tests run.
_entry_points = cache(entry_points)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    folders = Folders.under(tmp_path)
    store = PreferenceStore(folders.config / "preferences.json")
    store.change(connect_at_start="", theme="light")
    return folders


@pytest.fixture
def make_station(
    qapp: QApplication, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MakeStation]:
    # What a busy machine does to tests is not what they look at.
    monkeypatch.setattr(LoadMeter, "take", lambda _meter, _now: None)
    monkeypatch.setattr("app.plugin_loading.loader.entry_points", _entry_points)
    stations: list[Station] = []

    def make(options: StartOptions | None = None) -> Station:
        station = Station(qapp, folders, options or StartOptions(size=(1366, 768)))
        stations.append(station)
        station.start()
        station.hang_watch.stop()  # for the same reason
        QCoreApplication.processEvents()
        return station

    with kept_look(qapp):
        yield make
        for station in stations:
            station.close()


@pytest.fixture
def station(make_station: MakeStation) -> Station:
    return make_station()


@pytest.fixture
def few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures for a flight that nobody looks at: painting them is most of its cost."""
    monkeypatch.setattr("app.refreshing.tick.FRAME_MS", 100)
