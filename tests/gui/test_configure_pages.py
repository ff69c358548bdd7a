"""Every page of the Configure view over everything it can meet: a log, every object."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.plugin_loading.loader import find_plugins
from plugins.testing import QuietCommands
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.plugins.driven import Driven
from widgets.error_card import ErrorCard
from widgets.settings.editor import SettingEditor

LOG = "openpilot-14.06-quad-2014-07-17.opl"
PAGES = find_plugins().pages


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def drive(qtbot: QtBot, vehicle: Vehicle) -> Iterator[Driven]:
    fleet = Fleet()
    fleet.add(vehicle)
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        yield driven
        driven.context.close()


@cache
def recorded(path: Path) -> Recording:
    return read_log(path, load_catalogue()).recording


@pytest.fixture
def replayed(shared_logs: Path, catalogue: Catalogue) -> Vehicle:
    commands = QuietCommands("Replaying a log: nothing is sent.")
    vehicle = Vehicle(LOG, recorded(shared_logs / LOG), catalogue, commands)
    vehicle.timeline.end_live()
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    vehicle.timeline.advance(0.0, vehicle.recording.first_s, vehicle.recording.last_s)
    return vehicle


@pytest.mark.slow
@pytest.mark.parametrize("page_id", sorted(PAGES))
def test_every_page_shows_the_log_of_2014_and_lets_nothing_be_changed(
    qtbot: QtBot, replayed: Vehicle, page_id: str
) -> None:
    for driven in drive(qtbot, replayed):
        page = driven.page(page_id)
        for share in (0.0, 0.5, 1.0):
            replayed.timeline.seek(share * replayed.recording.last_s)
            driven.refresh()
        assert driven.panel.findChildren(ErrorCard) == []
        assert driven.page(page_id) is page
        editors = [e for e in page.findChildren(SettingEditor) if e.editor is not None]
        assert [e.path for e in editors if e.editor is not None and e.editor.isEnabled()] == []
        assert driven.context.configuration is not None
        assert driven.context.configuration.staged() == ()
