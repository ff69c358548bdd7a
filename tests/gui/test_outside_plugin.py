"""A plugin from outside, written for an earlier `plugins/api.py`, works without a change.

It lies in tests/data/outside_plugin; its README says why nobody may adapt it.
"""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.station import Station
from plugins import testing
from plugins.api import PageContext, PanelContext, PlaceOffers, resolve
from plugins.testing import check_panel, live_vehicle, replayed_vehicle
from telemetry.base.folders import Folders
from telemetry.protocol.links.link import LinkError
from tests.gui.conftest import MakeStation
from tests.gui.driving import listed, run_ticks, told
from tests.telemetry.recording.logs.books import attitudes
from widgets.theme import load_theme

WRITTEN = Path(__file__).resolve().parents[1] / "data" / "outside_plugin" / "lapwing_survey"

pytestmark = pytest.mark.slow


@pytest.fixture
def survey(
    folders: Folders, make_station: MakeStation, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Station]:
    """A station whose user has the plugin in their folder."""
    shutil.copytree(WRITTEN, folders.plugins / WRITTEN.name)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield make_station()
    for name in [name for name in sys.modules if name.split(".")[0] == WRITTEN.name]:
        del sys.modules[name]


def context_of(station: Station) -> PanelContext:
    services = station.services
    return PanelContext(
        station.fleet,
        services.theme,
        services.jobs,
        place_offers=services.place_offers,
        show_message=services.messages.tell,
    )


def test_it_is_found_with_all_that_it_brings(survey: Station) -> None:
    found = survey.plugins
    assert found.failures == ()
    assert {"survey.height", "survey.rules"} <= set(found.panels)
    assert "survey.card" in found.pages
    assert [kind.title for kind in found.links if kind.scheme == "survey"] == ["Survey radio"]


def test_its_panels_keep_the_contract(survey: Station) -> None:
    for panel_id in ("survey.height", "survey.rules"):
        check_panel(survey.plugins.panels[panel_id])


def test_its_page_shows_and_stages(survey: Station, qtbot: QtBot) -> None:
    vehicle = live_vehicle()
    testing.add(vehicle.recording, 0.0, "StabilizationSettingsBank1", **{"RollRatePID.Kp": 0.004})
    survey.fleet.add(vehicle)
    context = PageContext(survey.fleet, load_theme("light"), survey.jobs)
    page: QWidget = resolve(survey.plugins.pages["survey.card"].widget)(context)
    qtbot.addWidget(page)
    for _ in page.build():  # type: ignore[attr-defined]
        pass
    page.refresh(0.0)  # type: ignore[attr-defined]
    assert "0.0040" in [label.text() for label in page.findChildren(QLabel)]
    page.calm.click()  # type: ignore[attr-defined]
    assert context.configuration.is_staged("StabilizationSettingsBank1", "RollRatePID.Kp")


def test_its_links_are_offered_and_opened(survey: Station) -> None:
    kind = next(kind for kind in survey.plugins.links if kind.scheme == "survey")
    assert resolve(kind.devices)()[0].title == "Survey radio 1"
    with pytest.raises(LinkError, match="use survey:1"):
        resolve(kind.open)("survey:2")
    vehicle = survey.connections.open("survey:1")
    assert vehicle is not None
    assert vehicle.name == "survey:1"


def test_its_logs_are_opened(survey: Station, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "field.survey"
    path.write_bytes(b"SURVEY\n" + b"".join(attitudes(20)))
    survey.open_log(path)
    qtbot.waitUntil(lambda: survey.fleet.active is not None)
    assert survey.fleet.active is not None
    assert survey.fleet.active.recording.names() == ("AttitudeState",)
    other = tmp_path / "other.survey"
    other.write_bytes(b"no survey")
    survey.open_log(other)
    qtbot.waitUntil(lambda: listed(survey) != [])
    assert "does not begin with SURVEY" in listed(survey)[-1]


def test_its_action_is_done_by_name(survey: Station) -> None:
    survey.fleet.add(replayed_vehicle())
    survey.shell.run("survey.count")
    run_ticks(survey)
    assert "1 surveyed." in told(survey)


def test_it_offers_something_at_places_of_a_map(survey: Station) -> None:
    offers = PlaceOffers(context_of(survey), survey.window).at(48.9, 9.4)
    action = next(one for one in offers if one.title == "Survey here")
    action.run()
    run_ticks(survey)
    assert "Survey 48.9, 9.4" in told(survey)
