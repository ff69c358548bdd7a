"""The pilot's verbs from the command palette: only in sight, and motors off wherever one looks."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.window.overlay import rank
from plugins.api import PanelContext, resolve
from plugins.pilot import PLUGIN
from plugins.pilot.seat import Seat, seat_of
from plugins.pilot.transmitter import STALE_WINDOW_S
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.pilot.cockpit import StillTransmitter
from tests.plugins.pilot.fakes import POSITIONS, Ground
from widgets.theme import load_theme


class Desk:
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
        self.seat: Seat = self.ground.vehicle.attachment("pilot.seat", self._make_seat)
        assert seat_of(self.ground.vehicle) is self.seat

    def _make_seat(self) -> Seat:
        def make(send: Callable[[Sticks | None], None]) -> StillTransmitter:
            return StillTransmitter(send, lambda: self.now, lambda: None)

        return Seat(self.ground.vehicle, make)

    def do(self, name: str) -> str:
        (action,) = [action for action in PLUGIN.actions if action.id == name]
        resolve(action.run)(self.context)
        return self.said[-1]


@pytest.fixture
def desk() -> Desk:
    with ThreadPoolExecutor(1) as jobs:
        return Desk(jobs)


def test_a_verb_acts_while_the_controls_are_in_sight(desk: Desk) -> None:
    desk.seat.join()
    assert desk.do("land") == "Land."
    assert desk.seat.request.flight_mode_position == POSITIONS.index("Land")
    assert desk.do("arm") == "The aircraft is armed."


@pytest.mark.parametrize("name", ["arm", "take_off", "hold", "land"])
def test_out_of_sight_a_verb_shows_the_controls_and_sends_nothing(desk: Desk, name: str) -> None:
    assert desk.do(name).startswith("Nothing was sent")
    assert desk.ran == ["workspace-1"]
    desk.seat.join()
    desk.now += STALE_WINDOW_S + 0.1
    before = desk.seat.request
    assert desk.do(name).startswith("Nothing was sent")
    assert desk.seat.request == before


def test_motors_off_goes_out_although_the_controls_are_out_of_sight(desk: Desk) -> None:
    desk.seat.join()
    desk.now += STALE_WINDOW_S + 0.1
    assert desk.do("stop") == "Emergency stop: motors off."
    assert desk.seat.is_stopping


def test_who_types_arm_finds_arm_first() -> None:
    titles = [action.title for action in PLUGIN.actions] + ["Alarms", "Add panel"]
    found = sorted((score, title) for title in titles if (score := rank("arm", title)) is not None)
    assert [title for _, title in found][:2] == ["Arm", "Arm and take off"]
