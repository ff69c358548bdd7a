"""The page of the receiver: live controls, typed values, and the set-up from its buttons."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytestqt.qtbot import QtBot

from plugins.receiver.page import ReceiverPage
from plugins.testing import replayed_vehicle
from telemetry.configuration.receiver.state_machine import ReceiverSetupStep
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.driven import Driven, driving
from tests.telemetry.configuration.receiver.radio import CHANNELS, GROUP, MODES, SETTINGS, Radio

PAGE = "receiver.sticks"


@pytest.fixture
def radio(catalogue: Catalogue) -> Radio:
    radio = Radio(catalogue)
    radio.bench.vehicle.attachment("receiver_setup", lambda: radio.setup)
    return radio


@pytest.fixture
def driven(qtbot: QtBot, radio: Radio) -> Iterator[Driven]:
    with driving(qtbot, radio.bench.vehicle) as driven:
        yield driven


@pytest.fixture
def page(driven: Driven) -> ReceiverPage:
    page = driven.page(PAGE)
    assert isinstance(page, ReceiverPage)
    return page


def assign(radio: Radio) -> None:
    """What a set-up would have put on board."""
    groups = [GROUP if c in CHANNELS else "None" for c in radio.controls]
    numbers = [CHANNELS.get(c, 0) for c in radio.controls]
    radio.put(SETTINGS, {"ChannelGroups": tuple(groups), "ChannelNumber": tuple(numbers)})
    radio.run(0.3)


@pytest.mark.slow
def test_every_control_has_a_row_and_says_why_it_has_no_pulse(
    radio: Radio, driven: Driven, page: ReceiverPage
) -> None:
    radio.run(0.2)
    driven.refresh()
    assert len(page.table.rows) == 11
    assert page.table.rows["Roll"].bar.note.startswith("No port is set up for PPM")
    assert page.table.rows["Rssi"].bar.note == "Not assigned"


@pytest.mark.slow
def test_bars_follow_the_sticks(radio: Radio, driven: Driven, page: ReceiverPage) -> None:
    assign(radio)
    radio.sticks["Roll"] = 0.5
    radio.run(0.2)
    driven.refresh()
    assert page.table.rows["Roll"].bar.pulse == 1756
    radio.is_on = False
    radio.run(0.2)
    driven.refresh()
    assert page.table.rows["Roll"].bar.pulse is None
    assert "transmitter on" in page.table.rows["Roll"].bar.note


@pytest.mark.slow
def test_bars_are_fast_while_looked_at_and_slow_again_after(
    radio: Radio, driven: Driven, page: ReceiverPage
) -> None:
    radio.run(1.5)
    driven.refresh()
    assert radio.period_ms() == 80
    driven.panel.show_page("configure.all_settings")
    radio.run(1.5)
    assert radio.period_ms() == 2000


@pytest.mark.slow
def test_reversing_stages_the_ends_exchanged(radio: Radio, page: ReceiverPage) -> None:
    page.table.rows["Yaw"].reverse.click()
    assert radio.bench.settings.value(SETTINGS, "ChannelMin.Yaw") == 2000
    assert radio.bench.settings.value(SETTINGS, "ChannelMax.Yaw") == 1000
    assert radio.held("ChannelMin.Yaw") == 1000


@pytest.mark.slow
def test_what_is_staged_is_judged(driven: Driven, page: ReceiverPage, radio: Radio) -> None:
    assign(radio)
    driven.refresh()
    codes = [finding.code for finding in page.findings.findings]
    page.table.rows["Yaw"].editors["ChannelNumber"].stage(CHANNELS["Roll"])
    driven.refresh()
    assert "channel-twice" not in codes
    assert "channel-twice" in [finding.code for finding in page.findings.findings]


@pytest.mark.slow
def test_the_set_up_from_its_buttons(driven: Driven, page: ReceiverPage, radio: Radio) -> None:
    page.view.begin.click()
    radio.run(1.0)
    driven.refresh()
    assert page.view.words.text().startswith("Move throttle (left stick, up and down)")
    assert page.view.drawn is not None
    assert page.incomplete()
    radio.identify()
    driven.refresh()
    radio.run(0.3)
    page.view.go_on.click()
    radio.limits()
    radio.check()
    driven.refresh()
    assert page.view.save.isVisible()
    page.view.save.click()
    radio.settle()
    driven.refresh()
    assert radio.setup.step is ReceiverSetupStep.OFF
    assert "saved on board" in page.view.message.text()
    assert radio.held("ChannelNumber.Yaw") == CHANNELS["Yaw"]
    assert not page.incomplete()


@pytest.mark.slow
def test_cancel_is_always_there_and_puts_all_back(
    driven: Driven, page: ReceiverPage, radio: Radio
) -> None:
    page.view.begin.click()
    radio.run(1.0)
    driven.refresh()
    assert radio.held("Arming", MODES) == "Always Disarmed"
    page.view.cancel.click()
    radio.settle()
    driven.refresh()
    assert radio.held("Arming", MODES) == "Yaw Left"
    assert page.view.begin.isVisible()


@pytest.mark.slow
def test_closing_the_page_puts_back_as_well(
    driven: Driven, page: ReceiverPage, radio: Radio
) -> None:
    page.view.begin.click()
    radio.run(1.0)
    radio.is_watched = False
    driven.context.close()
    radio.settle()
    assert radio.held("Arming", MODES) == "Yaw Left"


@pytest.mark.slow
def test_putting_back_an_interrupted_set_up_is_offered(
    driven: Driven, page: ReceiverPage, radio: Radio
) -> None:
    assert not page.view.put_back.isVisible()
    radio.setup.begin(page.view.kind.currentData(), 2)
    radio.run(1.0)
    page.setup = page.view.setup = radio.crash()
    driven.refresh()
    assert page.view.put_back.isVisible()
    assert "ended in the middle" in page.view.message.text()
    page.view.setup.put_all_back()
    radio.settle()
    driven.refresh()
    assert not page.view.put_back.isVisible()
    assert radio.held("Arming", MODES) == "Yaw Left"


def test_a_log_is_shown_and_nothing_begins(qtbot: QtBot) -> None:
    fleet = Fleet()
    fleet.add(replayed_vehicle())
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        page = driven.page(PAGE)
        assert isinstance(page, ReceiverPage)
        assert not page.view.begin.isEnabled()
        assert "log" in page.view.message.text()
        assert not page.virtual.isVisible()
        driven.context.close()
