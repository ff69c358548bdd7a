"""What maps offer for a place where no panel of guided flight was ever seen."""

from concurrent.futures import ThreadPoolExecutor

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from plugins.api import PLACE_ACTIONS, PanelContext, PlaceOffers
from plugins.pilot import PLUGIN
from plugins.pilot.guided_panel import GuidedPanel
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.flying.fakes import Ground
from widgets.theme import load_theme

NEAR = (48.9461, 9.4301)


def test_a_map_offers_what_the_aircraft_can_do_and_the_panel_that_is_seen_comes_first(
    qtbot: QtBot,
) -> None:
    ground, fleet = Ground(), Fleet()
    fleet.add(ground.vehicle)
    ground.settings()
    ground.say(0.0, "SystemSettings", {"AirframeType": "QuadX"})
    ground.say(0.0, "VtolPathFollowerSettings", {})
    chart = QWidget()
    qtbot.addWidget(chart)
    jobs = ThreadPoolExecutor(1)
    context = PanelContext(fleet, load_theme("light"), jobs, place_offers=(PLUGIN.place_offer,))
    offers = PlaceOffers(context, chart)
    guided = ["Go to here …", "Orbit here …"]
    for _ in range(2):
        assert [action.title for action in offers.at(*NEAR)] == guided
    assert len(chart.findChildren(GuidedPanel)) == 1
    shown = context.child({})
    seen = GuidedPanel(shown)
    qtbot.addWidget(seen)
    assert context.shared[PLACE_ACTIONS] == seen.place_actions
    assert [action.title for action in offers.at(*NEAR)] == guided, "once, not twice"
    shown.close()
    context.close()
    jobs.shutdown()
