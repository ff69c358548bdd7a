"""The pilot's verbs from the command palette: only in sight, and motors off wherever one looks."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.window.search_rank import rank
from plugins.api import PanelContext, resolve
from plugins.pilot import PLUGIN
from telemetry.flying.controls import FlightControls, controls_of
from telemetry.flying.transmitter.transmitter import STALE_WINDOW_S, StickOutlet
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.flying.fakes import POSITIONS, Ground
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter
from widgets.theme import load_theme


class Station:
    """A station with an aircraft whose controls are, or are not, in sight."""

    def __init__(self, jobs: ThreadPoolExecutor) -> None:
        self.now = 100.0
        self.ground = Ground()
        self.ground.settings()
        self.ground.status(0.0, "Armed", "PositionHold", thrust=0.5)
        fleet = Fleet()
        fleet.add(self.ground.vehicle)
        self.said: list[str] = []
        self.ran: list[str] = []
        self.context = PanelContext(
            fleet,
            load_theme("light"),
            jobs,
            show_message=self.said.append,
            run_action=self.ran.append,
        )
        self.controls: FlightControls = self.ground.vehicle.attachment(
            "flying.controls", self._make_controls
        )
        assert controls_of(self.ground.vehicle) is self.controls

    def _make_controls(self) -> FlightControls:
        def make(outlet: StickOutlet) -> SteppedTransmitter:
            return SteppedTransmitter(outlet, lambda: self.now)

        return FlightControls(self.ground.vehicle, make)

    def do(self, name: str) -> str:
        (action,) = [action for action in PLUGIN.actions if action.id == name]
        resolve(action.run)(self.context)
        return self.said[-1]


@pytest.fixture
def station() -> Station:
    with ThreadPoolExecutor(1) as jobs:
        return Station(jobs)


def test_a_verb_acts_while_the_controls_are_in_sight(station: Station) -> None:
    station.controls.join()
    assert station.do("land") == "Land: asked for."
    assert station.controls.request.flight_mode_position == POSITIONS.index("Land")
    assert station.do("arm") == "The aircraft is armed."


@pytest.mark.parametrize("name", ["arm", "take_off", "hold", "land"])
def test_out_of_sight_a_verb_shows_the_controls_and_sends_nothing(
    station: Station, name: str
) -> None:
    assert station.do(name).startswith("Nothing was sent")
    assert station.ran == ["workspace-1"]
    station.controls.join()
    station.now += STALE_WINDOW_S + 0.1
    before = station.controls.request
    assert station.do(name).startswith("Nothing was sent")
    assert station.controls.request == before


def test_motors_off_goes_out_although_the_controls_are_out_of_sight(station: Station) -> None:
    station.controls.join()
    station.now += STALE_WINDOW_S + 0.1
    assert station.do("stop") == "Emergency stop: asked for."
    assert station.controls.is_stopping


def test_who_types_arm_finds_arm_first() -> None:
    titles = [action.title for action in PLUGIN.actions] + ["Alarms", "Add panel"]
    found = sorted((score, title) for title in titles if (score := rank("arm", title)) is not None)
    assert [title for _, title in found][:2] == ["Arm", "Arm and take off"]
