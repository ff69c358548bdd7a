"""The object browser and Configure edit one aircraft: one truth, one pending list, one undo."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.protocol.links.faulty import Faults
from telemetry.protocol.objects.catalogue import Catalogue
from tests.plugins.driven import Driven, driving
from tests.plugins.object_browser.driving import Browser
from tests.telemetry.configuration.settings.bench import Bench

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"
ROW = f"{BANK}.{GAIN}"


class Station:
    """Both views of one aircraft. `settle` lets what was asked come to its end."""

    def __init__(self, qtbot: QtBot, bench: Bench, configure: Driven) -> None:
        self.bench = bench
        self.configure = configure
        self.browser = Browser(qtbot, configure.context.child({}))
        self.configure.page("hardware.modules")
        self.refresh()

    def refresh(self) -> None:
        self.configure.refresh()
        self.browser.refresh(self.bench.vehicle.recording.last_s)

    def settle(self) -> None:
        self.bench.finish()
        self.refresh()

    def in_configure(self) -> str:
        """What the drawer of Configure says."""
        assert self.configure.panel.drawer is not None
        return self.configure.panel.drawer.text.text()

    def edit_in_browser(self, value: float) -> None:
        self.browser.select(ROW)
        self.browser.edit(ROW, value)
        self.refresh()


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


@pytest.fixture
def station(qtbot: QtBot, bench: Bench) -> Iterator[Station]:
    with driving(qtbot, bench.vehicle) as configure:
        yield Station(qtbot, bench, configure)


@pytest.mark.slow
def test_a_gain_has_one_staged_value_wherever_it_is_edited(station: Station) -> None:
    station.edit_in_browser(0.009)
    assert station.bench.settings.value(BANK, GAIN) == pytest.approx(0.009)
    assert station.in_configure() == "1 change in 1 object not sent."
    station.bench.settings.stage(BANK, GAIN, 0.007)  # as an editor of a page does
    station.refresh()
    assert station.browser.text(ROW) == "0.007"
    assert station.browser.text(BANK) == "1 change not sent"
    assert station.in_configure() == "1 change in 1 object not sent."


@pytest.mark.slow
def test_what_one_sends_the_other_takes_back_and_nobody_twice(station: Station) -> None:
    before = station.bench.on_board(BANK, GAIN)
    station.edit_in_browser(0.009)
    station.browser.press("send")
    station.settle()
    assert station.bench.on_board(BANK, GAIN) == pytest.approx(0.009)
    assert station.browser.panel.detail.undo_title == "Undo"
    drawer = station.configure.panel.drawer
    assert drawer is not None
    drawer.undo.click()
    station.settle()
    assert station.bench.on_board(BANK, GAIN) == before
    assert station.browser.text(BANK) == "Undone"
    assert station.browser.panel.detail.undo_title == "Redo"
    assert not drawer.undo.isEnabled()
    station.browser.press("undo")
    station.settle()
    assert station.bench.on_board(BANK, GAIN) == pytest.approx(0.009)


@pytest.mark.slow
def test_both_show_what_is_pending_and_what_was_changed(station: Station) -> None:
    station.edit_in_browser(0.009)
    drawers = [station.browser.panel.drawer, station.configure.panel.drawer]
    for drawer in drawers:
        assert drawer is not None
        drawer.show_list.click()
        row = drawer.pending.topLevelItem(0)
        assert row is not None
        assert [row.text(0), row.text(3)] == [ROW, "0.009"]
    station.browser.press("save")
    station.settle()
    for drawer in drawers:
        assert drawer is not None
        row = drawer.changed.topLevelItem(0)
        assert row is not None
        assert [row.text(column) for column in (0, 1, 3, 5, 6)] == [
            *(ROW, "0.003", "0.009"),
            *("Object browser", "saved"),
        ]


@pytest.mark.slow
def test_the_browser_holds_back_what_is_beyond_its_limits(station: Station) -> None:
    """RollRatePID %BE:0:0.01 in LibrePilot's stabilizationsettingsbank1.xml."""
    station.edit_in_browser(-9.0)
    station.browser.press("send")
    station.settle()
    assert station.bench.on_board(BANK, GAIN) == pytest.approx(0.003)
    drawer = station.browser.panel.drawer
    assert drawer is not None
    assert f"{BANK}: {GAIN} = -9. Unusual: less than 0: " in drawer.doubts.words()
    drawer.doubts.boxes[ROW].click()
    station.browser.press("send")
    station.settle()
    assert station.bench.on_board(BANK, GAIN) == pytest.approx(-9.0)


@pytest.mark.slow
def test_the_browser_reads_back_what_it_sends(station: Station) -> None:
    station.bench.board.write = lambda *_: True  # type: ignore[method-assign]  # taken, and forgotten
    station.edit_in_browser(0.009)
    station.browser.press("send")
    station.settle()
    assert "reading it back gives other values" in station.browser.panel.detail.outcome.text()
    assert station.browser.text(BANK) == "1 change not sent"


@pytest.mark.slow
def test_a_lost_link_keeps_what_the_browser_staged_and_goes_on(station: Station) -> None:
    station.edit_in_browser(0.009)
    station.bench.link.faults = Faults(loss=1.0)
    station.browser.press("send")
    station.bench.pass_time(12.0)
    station.refresh()
    assert station.browser.text(BANK) == "Waiting for the link…"
    assert station.browser.text(ROW) == "0.009"
    station.bench.link.faults = Faults()
    station.settle()
    assert station.bench.on_board(BANK, GAIN) == pytest.approx(0.009)


@pytest.mark.slow
def test_a_new_connection_to_the_board_has_what_the_browser_staged(
    qtbot: QtBot, catalogue: Catalogue
) -> None:
    store = DraftStore()
    for text in ("0.003", "0.009"):
        bench = Bench(catalogue, store=store)
        with driving(qtbot, bench.vehicle) as configure:
            station = Station(qtbot, bench, configure)
            assert station.browser.text(ROW) == text
            station.edit_in_browser(0.009)
            bench.pass_time(0.1)
