"""The page of hardware: the board's ports, its findings and its groups."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytestqt.qtbot import QtBot

from plugins.hardware.page import HardwarePage
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.driven import Driven, driving
from tests.telemetry.configuration.settings.bench import Bench, large_board
from widgets.settings.form import ObjectForm

PAGE = "hardware.modules"


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    """A Revolution with every settings object."""
    board = large_board(catalogue, 100)
    who = board.named("FirmwareIAPObj")
    board.values[who.object_id, 0] = pack_values(who, {"BoardType": 9, "BoardRevision": 3})
    return Bench(catalogue, board)


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench) -> Iterator[Driven]:
    with driving(qtbot, bench.vehicle) as driven:
        yield driven


@pytest.fixture
def page(driven: Driven) -> HardwarePage:
    page = driven.page(PAGE)
    assert isinstance(page, HardwarePage)
    return page


def test_the_ports_of_this_board_are_drawn_and_no_others(page: HardwarePage) -> None:
    assert page.board is not None
    ports = list(page.board.editors)
    assert ports == ["RM_RcvrPort", "RM_MainPort", "RM_FlexiPort", "USB_HIDPort", "USB_VCPPort"]


def test_a_staged_port_is_judged_at_once(driven: Driven, bench: Bench, page: HardwarePage) -> None:
    assert page.findings.findings == ()
    assert page.board is not None
    page.board.editors["USB_HIDPort"].stage("Disabled")
    driven.refresh()
    assert [finding.code for finding in page.findings.findings] == ["no-telemetry"]
    assert bench.on_board("HwSettings", "USB_HIDPort") == "USBTelemetry"


@pytest.mark.slow
def test_a_search_unfolds_the_group_of_a_setting(driven: Driven, page: HardwarePage) -> None:
    page.show_setting("GPSSettings", "MinSatellites")
    driven.refresh()
    gps = next(view for view in page.sections if view.name == "GPSSettings")
    assert gps.is_open
    form = gps.findChildren(ObjectForm)[0]
    assert form.editors["MinSatellites"].editor is not None


@pytest.mark.slow
def test_every_group_opens_on_a_board_that_has_everything(
    driven: Driven, page: HardwarePage
) -> None:
    for view in page.sections:
        view.set_open(True)
    driven.refresh()
    forms = [view.findChildren(ObjectForm)[0] for view in page.sections]
    assert all(form.editors for form in forms)


def test_a_board_without_an_object_shows_the_rest(qtbot: QtBot, catalogue: Catalogue) -> None:
    fleet = Fleet()
    fleet.add(Bench(catalogue).vehicle)  # has no HwSettings
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = driven.page(PAGE)
        assert isinstance(page, HardwarePage)
        assert page.board is None
        assert not any(view.isVisible() for view in page.sections)
        driven.context.close()
