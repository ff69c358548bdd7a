"""A simulated twin: which settings it takes, whose sticks it has, when it has none, how far off."""

from collections.abc import Mapping
from typing import Any

import pytest

from plugins.simulator.link import open_simulator
from plugins.simulator.twin import LOG_NAME, Twin, TwinStage, settings_for_twin
from plugins.simulator.twin_feed import COMMAND, TwinFeed, received_sticks
from plugins.testing import QuietCommands, catalogue
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.commands import Command, Ticket, Write
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from tests.waiting import wait_until


class _NotingCommands(QuietCommands):
    def __init__(self) -> None:
        super().__init__()
        self.sticks: list[Sticks | None] = []
        self.asked: list[Command] = []

    def post(self, command: Command) -> Ticket:
        self.asked.append(command)
        return super().post(command)

    def set_sticks(self, sticks: Sticks | None) -> None:
        self.sticks.append(sticks)

    def stop_sticks(self, why: str) -> None:
        self.sticks.append(None)


class Aircraft:
    """A connected aircraft that says what the test has it say."""

    def __init__(self, name: str) -> None:
        self.now_s = 0.0
        self.commands = _NotingCommands()
        self.recording = Recording(name)
        self.vehicle = Vehicle(
            name, self.recording, catalogue(), self.commands, elapsed_s=lambda: self.now_s
        )
        self.vehicle.status = LinkStatus(LinkState.CONNECTED)

    def say(self, t: float, name: str, values: Mapping[str, Any]) -> None:
        self.now_s = t
        definition = catalogue().find(name, DEFAULT_RELEASE)
        self.recording.append(t, definition, 0, pack_values(definition, values))

    def command(self, t: float, roll: float, connected: str = "True") -> None:
        sticks = {"Roll": roll, "Throttle": 0.6, "FlightModeSwitchPosition": 2}
        self.say(t, COMMAND, {**sticks, "Connected": connected})


class StillFeed(TwinFeed):
    """Without a thread: the test steps it."""

    has_ended = False

    def start(self) -> None:
        pass


def following() -> tuple[Aircraft, Aircraft, Twin]:
    real, other = Aircraft("real"), Aircraft("twin")
    real.say(0.0, "FlightStatus", {"Armed": "Armed"})
    twin = Twin(real.vehicle, other.vehicle, StillFeed(real.vehicle, other.vehicle))
    for stage in (TwinStage.APPLYING, TwinStage.FOLLOWING):
        twin.poll()
        assert twin.status.stage is stage
    return real, other, twin


def test_it_takes_how_the_aircraft_is_flown_and_not_what_its_body_needs() -> None:
    real = Aircraft("real")
    real.say(0.0, "StabilizationSettingsBank1", {"RollMax": 33})
    real.say(0.0, "ManualControlSettings", {"FlightModeNumber": 5})
    real.say(0.0, "FlightModeSettings", {"Arming": "Roll Left"})
    real.say(0.0, "ActuatorSettings", {})
    chosen = settings_for_twin(configuration_of(real.vehicle))[1]
    names = {(address[0], path) for address, path in chosen}
    assert ("StabilizationSettingsBank1", "RollMax") in names
    assert ("ManualControlSettings", "FlightModeNumber") in names
    assert "ActuatorSettings" not in {name for name, _ in names}
    assert {path for name, path in names if name == "ManualControlSettings"} == {
        "FlightModeNumber"
    }, "the twin hears the station, not the real receiver"
    assert ("FlightModeSettings", "Arming") not in names


def test_the_twin_is_given_those_settings() -> None:
    real, other = Aircraft("real"), Aircraft("twin")
    for aircraft, most in ((real, 33), (other, 55)):
        aircraft.say(0.0, "StabilizationSettingsBank1", {"RollMax": most})
    Twin(real.vehicle, other.vehicle).poll()
    settings = configuration_of(other.vehicle)
    assert settings.is_busy, "they are on their way"
    assert [(edit.name, edit.after) for edit in settings.staged()] == [
        ("StabilizationSettingsBank1", {"RollMax": 33})
    ]


def test_the_newest_sticks_count_with_their_age() -> None:
    real, other, twin = following()
    real.command(1.0, 0.1)
    real.command(1.05, 0.2)
    real.now_s = 1.25
    twin.feed.step()
    twin.poll()
    sticks = other.commands.sticks[-1]
    assert sticks is not None
    assert (round(sticks.roll, 3), sticks.flight_mode_position, sticks.arm) == (0.2, 2, True)
    assert twin.status.lag_s == pytest.approx(0.2)
    assert "Following real" in exclusive_of(other.vehicle).why_not(object())
    assert not [c for c in real.commands.asked if isinstance(c, Write)], (
        "the real one is left alone"
    )


def test_old_or_lost_sticks_leave_the_twin_to_its_failsafe() -> None:
    real, other, twin = following()
    real.command(1.0, 0.1)
    twin.feed.step()
    real.now_s = 2.5
    twin.feed.step()
    assert other.commands.sticks[-1] is None
    twin.poll()
    assert twin.status.told == "The aircraft has not said its sticks for 2 s."
    real.command(3.0, 0.1, connected="False")
    assert received_sticks(real.vehicle)[::2] == (None, "The aircraft's receiver hears nothing.")
    twin.end()
    assert exclusive_of(other.vehicle).why_not(object()) == ""


def test_sticks_reach_the_twin_while_the_window_does_nothing_until_a_connection_is_closed() -> None:
    real, other = Aircraft("real"), Aircraft("twin")
    twin = Twin(real.vehicle, other.vehicle)
    for _ in (TwinStage.APPLYING, TwinStage.FOLLOWING):
        twin.poll()
    for t in (1.0, 1.1):  # nobody polls, as a window that hangs
        real.command(t, t)
        wait_until(lambda t=t: any(s and s.roll == pytest.approx(t) for s in other.commands.sticks))
    real.vehicle.status = LinkStatus(LinkState.DISCONNECTED)
    wait_until(lambda: twin.feed.has_ended)
    assert other.commands.sticks[-1] is None, "the twin's failsafe acts"
    twin.poll()
    assert twin.status.stage is TwinStage.ENDED


def test_the_difference_is_angles_the_short_way_and_the_way_since_the_start() -> None:
    real, other = Aircraft("real"), Aircraft("twin")
    real.say(0.0, "PositionState", {"North": 100.0})
    other.say(5.0, "PositionState", {"North": 0.0})
    twin = Twin(real.vehicle, other.vehicle, StillFeed(real.vehicle, other.vehicle))
    twin.poll()
    twin.poll()
    real.say(1.0, "PositionState", {"North": 103.0, "Down": -2.0})
    other.say(6.0, "PositionState", {"North": 4.0, "Down": -2.5})
    for aircraft, t, yaw, rate in ((real, 1.0, 179.0, 10.0), (other, 6.0, -179.0, 7.0)):
        aircraft.say(t, "AttitudeState", {"Yaw": yaw, "Roll": 1.0})
        aircraft.say(t, "GyroState", {"x": rate})
    twin.poll()
    found = twin.status.difference
    assert found is not None
    assert found.yaw_deg == pytest.approx(2.0)
    assert found.moved_m == pytest.approx((1.0, 0.0, 0.5))
    assert found.rates_dps == pytest.approx((-3.0, 0.0, 0.0))
    (log,) = flight_of(real.vehicle).logs
    assert log.name == LOG_NAME
    assert log.recording is other.recording
    assert log.sync.medium_s(1.0) == pytest.approx(6.0), "the same instant in either recording"


def test_one_more_of_the_same_aircraft_has_an_address_of_its_own() -> None:
    with pytest.raises(LinkError, match="#2"):
        open_simulator("sim:ar100b#../elsewhere")
