"""What a crossed fence asks for is done by the aircraft's controls, whatever is in sight."""

import pytest

from app.monitoring.fence_monitor import RATE_HZ, FenceMonitor
from telemetry.flying.controls import FlightControls, controls_of
from telemetry.flying.transmitter.transmitter import StickOutlet
from telemetry.missions.draft import mission_draft_of
from telemetry.missions.geofences import Fence, FenceAction
from telemetry.missions.mission import Mission
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.telemetry.flying.cockpit import Cockpit
from tests.telemetry.flying.fakes import POSITIONS, Ground
from tests.telemetry.flying.transmitter.transmitting import SteppedTransmitter

HOME_DEG = (47.0, 8.0)
RADIUS_M = 50.0


class Watched:
    """A station that shows nothing, and its fences."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.fleet = Fleet()
        self.fleet.add(vehicle)
        self.said: list[str] = []
        self.keeping = FenceMonitor(self.fleet, self.said.append)

    def draw(self, action: FenceAction, home_deg: tuple[float, float] = HOME_DEG) -> None:
        """A circle around home, to stay inside of; another one asks for something else."""
        fence = Fence((home_deg,), radius_m=RADIUS_M, action=action)
        mission_draft_of(self.fleet).edit("Draw", Mission(fences=(fence,)))

    def poll(self) -> str:
        self.keeping.poll()
        return self.said[-1] if self.said else ""


class Field(Watched):
    """An aircraft that flies, as it says; nobody has joined its controls."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ground = Ground()
        self.ground.settings()
        latitude, longitude = (round(degrees * 1e7) for degrees in HOME_DEG)
        home = {"Set": "True", "Latitude": latitude, "Longitude": longitude}
        self.ground.say(0.0, "HomeLocation", home)
        self.controls: FlightControls = self.ground.vehicle.attachment(
            "flying.controls", self._make_controls
        )
        super().__init__(self.ground.vehicle)

    def _make_controls(self) -> FlightControls:
        def make(outlet: StickOutlet) -> SteppedTransmitter:
            return SteppedTransmitter(outlet, lambda: self.now)

        return FlightControls(self.ground.vehicle, make)

    def at(self, north_m: float, mode: str = "PositionHold", armed: str = "Armed") -> str:
        """It says that it is there; returns what the station tells of it."""
        self.now += 0.2
        self.ground.status(self.now, armed, mode, thrust=0.5)
        self.ground.say(self.now, "PositionState", {"North": north_m, "Down": -20.0})
        return self.poll()

    @property
    def asked(self) -> str:
        """The mode that the station asks for by the switch."""
        request = self.controls.request
        return POSITIONS[request.flight_mode_position] if request.transmitting else ""


@pytest.fixture
def field() -> Field:
    return Field()


@pytest.mark.parametrize(
    ("action", "mode"),
    [
        (FenceAction.HOLD, "PositionHold"),
        (FenceAction.RETURN, "ReturnToBase"),
        (FenceAction.LAND, "Land"),
        (FenceAction.WARN, ""),
    ],
)
def test_with_no_panel_open_it_is_done(field: Field, action: FenceAction, mode: str) -> None:
    field.draw(action)
    assert field.at(RADIUS_M - 5.0, mode="Stabilized2") == ""
    assert field.asked == "", "inside nothing is sent"
    field.at(RADIUS_M + 5.0, mode="Stabilized2")
    assert field.asked == mode
    assert field.controls.request.arm == bool(mode), "armed by another, it stays so (armhandler.c)"


def test_what_cannot_be_done_yet_is_done_later_or_not_at_all(field: Field) -> None:
    field.draw(FenceAction.LAND)
    field.ground.commands.why_not = "The link is lost."
    told = field.at(RADIUS_M + 5.0)
    assert told == "quad crossed a fence. Not done: Land. The link is lost."
    field.at(RADIUS_M + 6.0)
    assert field.said == [told], "once"
    field.at(RADIUS_M - 5.0)
    field.ground.commands.why_not = None
    field.at(RADIUS_M - 6.0)
    assert field.asked == "", "it is back by itself"
    field.ground.commands.why_not = "The link is lost."
    field.at(RADIUS_M + 5.0)
    field.ground.commands.why_not = None
    assert field.at(RADIUS_M + 6.0) == "quad crossed a fence: Land."
    assert field.asked == "Land"


def test_what_the_pilot_asks_for_after_it_counts(field: Field) -> None:
    field.draw(FenceAction.HOLD)
    field.controls.join()
    field.at(RADIUS_M + 5.0, mode="Stabilized2")
    field.controls.act("Fly by hand", field.controls.situation_at(field.now)[1])
    for north_m in (60.0, 70.0):
        field.at(north_m, mode="Stabilized2")
    assert field.controls.is_by_hand
    field.controls.leave()
    assert not field.controls.is_in_use, "with the last panel the sticks end: no fence keeps them"


def test_an_aircraft_whose_motors_are_stopped_or_that_lands_is_left_to_it(field: Field) -> None:
    field.draw(FenceAction.HOLD)
    assert "goes on landing" in field.at(RADIUS_M + 5.0, mode="Land")
    assert field.asked == ""
    field.at(RADIUS_M - 5.0, mode="PositionHold")
    field.controls.join()
    field.controls.disarm(field.controls.situation_at(field.now)[1])
    assert "being stopped" in field.at(RADIUS_M + 5.0, mode="Stabilized1")
    assert not field.controls.request.arm


def test_it_stands_up_once_the_aircraft_has_disarmed(field: Field) -> None:
    field.draw(FenceAction.LAND)
    field.at(RADIUS_M + 5.0)
    assert field.controls.is_in_use
    field.at(RADIUS_M + 5.0, mode="Land", armed="Disarmed")
    assert not field.controls.is_in_use


def test_an_aircraft_that_is_not_flown_from_here_is_only_warned_of(field: Field) -> None:
    """Unless it is the active one."""
    field.draw(FenceAction.LAND)
    other = Field().ground.vehicle
    field.fleet.add(other)
    assert not field.fleet.choose(other)
    field.at(RADIUS_M + 5.0)
    assert field.asked == ""


@pytest.mark.slow
def test_a_flying_aircraft_lands_with_nothing_in_sight() -> None:
    """On the simulated board: modules/ManualControl/pathfollowerhandler.c of LibrePilot selects
    the landing. A fence that only warns is the negative control."""
    cockpit = Cockpit("ar100b")
    cockpit.vehicle.attachment("flying.controls", lambda: cockpit.controls)
    cockpit.take_off()
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 2.0, 30.0)
    cockpit.act("Hold")
    cockpit.is_window_there = False
    station = Watched(cockpit.vehicle)
    home = cockpit.recording.latest("HomeLocation", cockpit.bench.now_s)
    assert home is not None
    far = (home["Latitude"] * 1e-7 + 0.01, home["Longitude"] * 1e-7)

    def fly(seconds: float) -> str:
        for _ in range(round(seconds * RATE_HZ)):
            cockpit.stay(1.0 / RATE_HZ)
            station.poll()
        return cockpit.bench.autopilot.board["FlightStatus"].option("FlightMode")

    station.draw(FenceAction.WARN, far)
    assert fly(1.0) == "PositionHold"
    station.draw(FenceAction.LAND, far)
    assert fly(1.0) == "Land"
    assert controls_of(cockpit.vehicle) is cockpit.controls
