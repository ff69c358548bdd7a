"""Home put to a place of the map, on a board in simulated time."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext, PlaceOffers
from plugins.map import PLUGIN
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.missions.plan_bench import plan_bench
from widgets.confirm_card import ConfirmCard
from widgets.theme import load_theme

THERE = (48.9461, 9.4301)


class HomeBench:
    """A map beside a board that has a home and is disarmed."""

    def __init__(self, qtbot: QtBot, catalogue: Catalogue) -> None:
        self.qtbot = qtbot
        self.board: Bench = plan_bench(catalogue)
        self.chart = QWidget()
        qtbot.addWidget(self.chart)
        self.said: list[str] = []
        fleet = Fleet()
        fleet.add(self.board.vehicle)
        self.jobs = ThreadPoolExecutor(1)
        context = PanelContext(
            fleet,
            load_theme("light"),
            self.jobs,
            place_offers=(PLUGIN.place_offer,),
            show_message=self.said.append,
        )
        self.offers = PlaceOffers(context, self.chart)
        for name in ("HomeLocation", "FlightStatus"):
            self.board.vehicle.commands.request(name)
        self.board.pass_time(1.0)

    def card(self) -> ConfirmCard:
        (action,) = self.offers.at(*THERE)
        assert action.title == "Set home here …"
        action.run()
        card: ConfirmCard = self.chart.findChildren(ConfirmCard)[-1]
        return card

    def hold(self, card: ConfirmCard) -> None:
        with self.qtbot.waitSignal(card.button.held):
            QTest.mousePress(card.button, Qt.MouseButton.LeftButton)

    @property
    def place(self) -> tuple[object, object]:
        """Where the board has home."""
        names = ("Latitude", "Longitude")
        latitude, longitude = (self.board.on_board("HomeLocation", name) for name in names)
        return latitude, longitude


@pytest.fixture
def bench(qtbot: QtBot, catalogue: Catalogue) -> Iterator[HomeBench]:
    made = HomeBench(qtbot, catalogue)
    yield made
    made.jobs.shutdown()


@pytest.mark.slow
def test_home_is_written_and_read_back_and_keeps_its_altitude(bench: HomeBench) -> None:
    board = bench.board
    altitude_m = board.on_board("HomeLocation", "Altitude")
    bench.hold(bench.card())
    board.finish()
    bench.qtbot.waitUntil(lambda: bool(bench.said))
    assert bench.said == ["Home is set, and read back from the board."]
    assert bench.place == (489_461_000, 94_301_000)
    assert board.on_board("HomeLocation", "Altitude") == altitude_m, "no fix tells another"
    assert board.stored("HomeLocation") is None, "it counts until the board restarts"


def test_an_armed_aircraft_keeps_its_home(bench: HomeBench) -> None:
    board = bench.board
    before = bench.place
    card = bench.card()
    assert card.button.isEnabled(), "it is disarmed"
    board.put("FlightStatus", "Armed", "Armed")
    card.close()
    card = bench.card()
    assert not card.button.isEnabled()
    QTest.mousePress(card.button, Qt.MouseButton.LeftButton)
    board.pass_time(1.0)
    assert bench.place == before
    card.close()


@pytest.mark.slow
def test_a_board_that_refuses_says_so_and_nothing_stays_staged(bench: HomeBench) -> None:
    board = bench.board
    board.board.refused = {board.named("HomeLocation").object_id}
    bench.hold(bench.card())
    board.finish()
    bench.qtbot.waitUntil(lambda: bool(bench.said))
    assert bench.said[0].startswith("Home was not set: ")
    assert not board.settings.is_staged("HomeLocation", "Latitude")
