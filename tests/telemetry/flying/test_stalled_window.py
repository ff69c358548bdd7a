"""A window that stands still while the aircraft flies by itself: no signs of life, no looks.

The transmitter's thread and the link's worker go on; what flies is the mode that was asked for.
"""

import os
from dataclasses import dataclass, field

import pytest

from telemetry.flying.switches import GUIDED_MODES
from telemetry.flying.transmitter.order import Source
from telemetry.missions.board.transfer import MissionUpload
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.telemetry.flying.claims_bench import LOOK_S, JudgedFlight
from tests.telemetry.missions.made import mission, waypoint

pytestmark = pytest.mark.slow

ACTIONS = ("Return", "Resume", "Hold")
SOURCES: tuple[Source, ...] = ("screen", "keyboard", "gamepad", "either")
STALLS_S = (1.0, 5.0, 20.0)
STALLS = [  # each action with each source, each of both with each length of the stall
    (action, STALLS_S[(i + j) % len(STALLS_S)], source)
    for i, action in enumerate(ACTIONS)
    for j, source in enumerate(SOURCES)
    if i == j or "LAPWING_ALL_WAYS" in os.environ  # or each action, source and length once
]


class PlannedFlight(JudgedFlight):
    """With a plan on board, and a switch position that flies it."""

    def prepare(self) -> None:
        far = (waypoint(900.0, 0.0, 40.0), waypoint(1800.0, 0.0, 40.0))
        upload = MissionUpload(self.vehicle, mission(*far))
        self.run(upload.poll)
        assert upload.problem == ""


@dataclass
class Stall:
    """What the board did meanwhile, look by look."""

    modes: set[str] = field(default_factory=set)
    hears: set[bool] = field(default_factory=set)


def stall_window(flight: PlannedFlight, seconds: float) -> Stall:
    stall = Stall()
    flight.is_window_there = False
    for _ in range(round(seconds / LOOK_S)):
        flight.suffer("window is stalled", LOOK_S)
        board = flight.autopilot.board
        stall.modes.add(board["FlightStatus"].option("FlightMode"))
        stall.hears.add(bool(board["ManualControlCommand"].fields["Connected"]))
    flight.is_window_there = True
    return stall


@pytest.fixture(scope="module")
def flown() -> PlannedFlight:
    flight = PlannedFlight(load_catalogue())
    values = {"FlightModePosition.0": "PathPlanner"}
    ticket = flight.vehicle.commands.send("FlightModeSettings", values)
    flight.run(lambda: ticket.is_finished)
    return flight


@pytest.mark.parametrize(("action", "seconds", "source"), STALLS)
def test_the_mode_stands(flown: PlannedFlight, action: str, seconds: float, source: Source) -> None:
    flown.begin(action, source)
    stall = stall_window(flown, seconds)
    flown.pass_time(2.0)
    assert (stall.modes, stall.hears) == ({GUIDED_MODES[action]}, {True})
    assert flown.tap.word.mode == GUIDED_MODES[action]
    assert flown.wrong == []


def test_a_stream_that_waits_for_the_window_would_lose_it(flown: PlannedFlight) -> None:
    """The negative control: the transmitter stands still with the window."""
    flown.begin("Return", "gamepad")
    flown.runs_transmitter = False
    stall = stall_window(flown, 1.0)
    flown.runs_transmitter = True
    assert "Land" in stall.modes
    assert False in stall.hears
