"""Land of rotorcraft, as vtollandfsm.cpp of LibrePilot has it: what ends with the motors off, when,
and what does not.
"""

from itertools import groupby

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.landing import Landing
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.cockpit import Cockpit

LAND, BY_HAND = 4, 0
HOLD_S = 3.0
PATIENCE_S = 13.0
"""Three seconds at the height, ten without being seen to sink; then it begins anew."""


class Watched(Cockpit):
    """The states of landing as they pass, with the time of each."""

    def __init__(self) -> None:
        super().__init__("ar100b")
        self.states: list[tuple[float, str]] = []

    @property
    def state(self) -> str:
        return self.bench.autopilot.board["StatusVtolLand"].option("State")

    @property
    def armed(self) -> str:
        return self.bench.autopilot.board["FlightStatus"].option("Armed")

    def send(self, sticks: Sticks, seconds: float) -> None:
        self.bench.sticks = sticks
        for _ in range(round(seconds / 0.02)):
            self.bench.run(0.02)
            self.states.append((self.bench.now_s, self.state))

    def passed(self) -> list[str]:
        return [state for state, _ in groupby(state for _, state in self.states)]


@pytest.mark.parametrize(
    ("height_m", "asked_mps", "sinks_mps"),
    [
        (20.0, 0.6, 0.6),
        (20.0, 3.0, 0.6),
        (20.0, 0.02, 0.1),
        (5.1, 0.6, 0.6),
        (4.9, 0.6, 0.42),
        (1.0, 0.02, 0.07),
    ],
)
def test_how_fast_it_sinks(
    board: SimulatedBoard, height_m: float, asked_mps: float, sinks_mps: float
) -> None:
    """BoundVelocityDown: MIN_LANDRATE 0.1, MAX_LANDRATE 0.6, below LANDING_SLOWDOWN_HEIGHT 5 m
    LOW_ALT_DESCENT_REDUCTION_FACTOR 0.7. It is no faster the higher it is."""
    landing = _sinking(board, height_m, asked_mps)
    assert landing.sink_mps == pytest.approx(sinks_mps)


def test_its_height_is_judged_when_the_state_changes_only(board: SimulatedBoard) -> None:
    """runAlways of vtollandfsm.cpp declares assessAltitude and does not call it."""
    landing = _sinking(board, 20.0, 0.6)
    board["PositionState"].set(Down=-2.0)
    landing.update(3_100_000)
    assert landing.sink_mps == pytest.approx(0.6)


def _sinking(board: SimulatedBoard, height_m: float, asked_mps: float) -> Landing:
    """After the three seconds of holding its height."""
    place = board["TakeOffLocation"]
    place.set(Status=place.number("Status", "Valid"))
    board["PositionState"].set(Down=-height_m)
    board["FlightModeSettings"].set(LandingVelocity=asked_mps)
    landing = Landing(board)
    landing.activate(0)
    assert landing.sink_mps == 0.0
    landing.update(3_020_000)
    assert landing.state == "WtgForDescentRate"
    return landing


@pytest.mark.slow
def test_it_holds_sinks_finds_the_ground_and_disarms() -> None:
    cockpit = Watched()
    cockpit.take_off()
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 2.0, 30.0)
    cockpit.send(Sticks(throttle=0.5, arm=True, flight_mode_position=LAND), 30.0)
    assert cockpit.armed == "Disarmed"
    assert cockpit.passed() == [
        *("InitAltHold", "WtgForDescentRate", "AtDescentRate", "WtgForGroundEffect"),
        *("GroundEffect", "ThrustDown", "ThrustOff", "Disarmed"),
    ]
    began = {state: t for t, state in reversed(cockpit.states)}
    assert began["WtgForDescentRate"] - began["InitAltHold"] == pytest.approx(HOLD_S, abs=0.05)
    assert began["Disarmed"] - began["WtgForGroundEffect"] > 1.0
    assert not cockpit.bench.autopilot.simulator.output["crashed"]


@pytest.mark.slow
def test_selected_on_the_ground_it_never_disarms() -> None:
    """It has not seen itself sink: whoever stands beside it must not take Land for motors off."""
    cockpit = Watched()
    cockpit.arm()
    cockpit.send(Sticks(arm=True, flight_mode_position=LAND), 2 * PATIENCE_S + 1.0)
    assert cockpit.armed == "Armed"
    assert cockpit.passed().count("WtgForDescentRate") == 2
    assert "GroundEffect" not in cockpit.passed()
    cockpit.send(Sticks(flight_mode_position=BY_HAND), 3.0)
    assert cockpit.armed == "Disarmed", "by its switch"


@pytest.mark.slow
def test_it_tells_how_it_sinks(board: SimulatedBoard) -> None:
    """updateVtolLandFSMStatus: with every change of state, and in every step of looking for the
    ground, though nothing has changed (run_wtg_for_groundeffect)."""
    landing = _sinking(board, 20.0, 0.5)
    status = board["StatusVtolLand"]
    board["VtolPathFollowerSettings"].set(ThrustLimits=(0.1, 0.4, 0.9))
    told: list[str] = []
    status.on_announce = lambda entry, instance: told.append(status.option("State"))
    board["VelocityState"].set(Down=0.6)
    board["StabilizationDesired"].set(Thrust=0.5)
    now_us = 3_100_000
    while landing.state != "WtgForGroundEffect":
        now_us += 20_000
        landing.update(now_us)
    assert told == ["AtDescentRate", "WtgForGroundEffect"]
    row = status.row
    assert row["targetDescentRate"] == pytest.approx(0.5)
    assert row["averageDescentRate"] == pytest.approx(0.6)
    assert row["averageDescentThrust"] == pytest.approx(0.5)
    assert row["calculatedNeutralThrust"] == pytest.approx(0.6 / 0.5 * 0.5)
    for _ in range(10):
        now_us += 20_000
        landing.update(now_us)
    assert told[2:] == ["WtgForGroundEffect"] * 10
    board["AccelState"].set(z=-9.81)
    board["VelocityState"].set(Down=-0.4)
    landing.update(now_us + 20_000)
    assert status.row["WtgForGroundEffect"].tolist() == pytest.approx([-0.4, 0.0])
