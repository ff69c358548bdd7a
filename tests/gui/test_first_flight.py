"""The main job, end to end: the real window flies the real simulator process, then replays it.

Everything a pilot does is done by pressing buttons, on screen and of a joystick that SDL makes;
everything checked is what the aircraft reports over UAVTalk. Time passes faster than it does.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.station import StartOptions, Station
from plugins.pilot.devices.buttons import ACTION, ARM, POSITION
from plugins.pilot.devices.device_choice import kept_profiles
from plugins.pilot.devices.hub import HUB
from plugins.pilot.devices.profile import AxisSetup, ButtonSetup, ControlSetup, Profile, Trigger
from plugins.simulator.link import SimulatorLink
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.flying.controls import controls_of
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS
from telemetry.missions.board.plan import board_home
from telemetry.missions.draft import mission_draft_of
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.missions.mission import LegAction, Mission, MissionWaypoint
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.vehicle.vehicle import LinkState
from tests.gui.conftest import MakeStation
from tests.gui.hands import Hands
from tests.sdl_joystick import SdlJoystick

INPUT = "Input for flying by hand"
ROLL, PITCH, YAW, THROTTLE = range(4)
TO_ARM, TO_FLY_BY_HAND, TO_FLY_THE_PLAN, TO_HOLD = range(4)
BUTTONS = (ARM, f"{POSITION}2", f"{POSITION}4", f"{ACTION}pilot.hold")
SPEED = 4.0
LOOKS = 200
"""So often is looked, each 10 ms or more, before a button is let go and pressed anew."""
HEIGHT_M = 4.0
SUNK_M = 0.5
NORTH_M = (4.0, 8.0)

FAILSAFE_MODE = "Land"
"""Where the simulated aircraft's FailsafeFlightModeSwitchPosition leads (resources/airframes), as
receiver.c of flight/modules/Receiver has it."""


def set_up(hands: Hands, joystick: SdlJoystick) -> None:
    """What a pilot has set up at home: what the joystick's axes and buttons do, a switch position
    for the path planner (FlightModePosition, manualcontrol.c), and the device as the input."""
    controls = {name: ControlSetup((AxisSetup(axis),)) for axis, name in enumerate(STICK_CONTROLS)}
    buttons = [ButtonSetup(Trigger(number), command) for number, command in enumerate(BUTTONS)]
    hands.wait(lambda: any(device.kind.name == joystick.name for device in HUB.devices))
    kind = next(device.kind for device in HUB.devices if device.kind.name == joystick.name)
    assert kept_profiles().save(kind, "", Profile(controls, tuple(buttons)))
    settings = configuration_of(hands.vehicle)
    settings.stage("FlightModeSettings", "FlightModePosition.3", "PathPlanner")
    transfer = settings.apply()
    hands.wait(lambda: transfer.is_verified)
    source = hands.find(QComboBox, lambda box: box.accessibleName() == INPUT)
    source.setCurrentIndex(source.findData("gamepad"))
    hands.wait(lambda: controls_of(hands.vehicle).state.device == joystick.name)


def upload_mission(hands: Hands, station: Station) -> None:
    """Two waypoints to the north of home, the second of which it stays at."""
    home = board_home(hands.vehicle.recording)
    assert home is not None
    places = [to_latitude_longitude(home, north_m, 0.0) for north_m in NORTH_M]
    there = LegAction("GoToEndpoint", end_condition="DistanceToTarget")
    there = replace(there, condition_parameters=(2.0, 0.0, 0.0, 0.0))
    stays = LegAction("GoToEndpoint", end_condition="None")
    waypoints = (
        MissionWaypoint(*places[0], HEIGHT_M, action=there),
        MissionWaypoint(*places[1], HEIGHT_M, velocity_mps=0.0, action=stays),
    )
    hands.open_workspace("Plan")
    mission_draft_of(station.fleet).open("A short mission", Mission(waypoints))
    hands.press("Upload")
    hands.wait(lambda: hands.label("2 waypoints on board of "))
    hands.open_workspace("Fly")


def take_off_by_stick(hands: Hands, joystick: SdlJoystick) -> None:
    """Armed by a button that is held, and up by the throttle."""
    press(hands, joystick, TO_ARM, lambda: hands.state().is_armed)
    hands.wait(lambda: not controls_of(hands.vehicle).progress)
    tap(hands, joystick, TO_FLY_BY_HAND, "Stabilized2")
    joystick.push(THROTTLE, 0.8)
    hands.wait(lambda: (hands.state().height_m or 0.0) > HEIGHT_M - 1.0)
    joystick.push(THROTTLE, 0.0)
    joystick.push(ROLL, 0.3)
    hands.wait(lambda: (hands.state().roll_deg or 0.0) > 5.0)


def lose_the_joystick(hands: Hands, station: Station, joystick: SdlJoystick) -> None:
    """Unplugged in flight: its failsafe, until the pilot asks for something."""
    joystick.unplug()
    hands.wait(lambda: hands.state().flight_mode == FAILSAFE_MODE)
    hands.wait(lambda: station.window.alarm_strip.headline().startswith("No sticks"))
    joystick.plug_in()
    hands.wait(lambda: controls_of(hands.vehicle).state.device == joystick.name)
    hands.stay(0.5)
    assert hands.state().flight_mode == FAILSAFE_MODE, "nobody has asked for it again"


def fly_mission(hands: Hands, joystick: SdlJoystick) -> None:
    """Begun by a button (pathplanner.c), followed on the plan's map: the controls are out of
    sight."""
    tap(hands, joystick, TO_FLY_THE_PLAN, "PathPlanner")
    hands.open_workspace("Plan")
    hands.wait(lambda: hands.label("To waypoint 2: "))
    hands.wait(lambda: (hands.state().north_m or 0.0) > NORTH_M[1] - 1.0)
    assert set(hands.vehicle.recording.series("WaypointActive.Index")[1]) == {0, 1}
    tap(hands, joystick, TO_HOLD, "PositionHold")  # the controls are still out of sight
    tap(hands, joystick, TO_FLY_THE_PLAN, "PathPlanner")
    hands.open_workspace("Fly")


def lose_the_link(hands: Hands, station: Station) -> None:
    """In the air, where it stays: it sinks by its failsafe, and the plan goes on only if the pilot
    asks for it."""
    link = hands.vehicle.link
    assert isinstance(link, SimulatorLink)
    height_m = hands.state().height_m or 0.0
    assert height_m == pytest.approx(HEIGHT_M, abs=2.0)
    hands.hurry(1.0)  # the window takes two seconds of the clock for a lost link
    link.remote.ask(link={"loss": 1.0})
    link.remote.poll()
    hands.wait(lambda: station.window.alarm_strip.headline().startswith("Link lost"))
    link.remote.ask(link={"loss": 0.0})
    link.remote.poll()
    hands.wait(lambda: (hands.state().height_m or 0.0) < height_m - SUNK_M)
    assert hands.state().is_armed
    assert hands.state().flight_mode == FAILSAFE_MODE, "nobody has asked for it again"
    hands.hurry(SPEED)


def tap(hands: Hands, joystick: SdlJoystick, button: int, mode: str) -> None:
    """Press a button until its mode is flown."""
    press(hands, joystick, button, lambda: hands.state().flight_mode == mode)


def press(hands: Hands, joystick: SdlJoystick, button: int, until: Callable[[], bool]) -> None:
    """Again and again: a station that is too busy does nothing late (PRESS_COUNTS_S)."""
    looks = count()

    def is_so() -> bool:
        joystick.press(button, is_down=next(looks) % LOOKS < LOOKS - 10)
        return until()

    hands.wait(is_so)
    joystick.press(button, is_down=False)


@pytest.fixture
def joystick() -> Iterator[SdlJoystick]:
    made = SdlJoystick()
    yield made
    made.end()


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.starts_simulator
@pytest.mark.usefixtures("few_frames")
def test_arm_fly_by_joystick_and_by_mission_land_and_replay(
    joystick: SdlJoystick,
    make_station: MakeStation,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # the aircraft's flash
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))  # profiles of input devices
    station = make_station(StartOptions(target="sim:ar100b", size=(1366, 768)))
    vehicle = station.fleet.active
    assert vehicle is not None
    qtbot.waitUntil(lambda: vehicle.status.state is LinkState.CONNECTED)
    hands = Hands(station, vehicle, qtbot)
    hands.hurry(SPEED)

    set_up(hands, joystick)
    upload_mission(hands, station)
    hands.wait(lambda: controls_of(vehicle).situation_at(vehicle.end_s)[1].not_armed_by is None)
    take_off_by_stick(hands, joystick)
    lose_the_joystick(hands, station, joystick)
    fly_mission(hands, joystick)
    lose_the_link(hands, station)
    hands.press("Land")
    hands.wait(lambda: hands.state().armed == "Disarmed")

    kinds = [event.kind for event in vehicle.recording.events()]
    assert kinds.count("arming") >= 2
    assert 1.0 < (hands.state().north_m or 0.0) < NORTH_M[1] + 2.0, "landed where it flew"

    flown = Path(vehicle.status.recording_file)
    seen = vehicle.recording.series("PositionState.Down")[1].min()
    vehicle.close()
    replayed = read_log(flown, load_catalogue())
    assert replayed.info.crc_errors == 0
    assert replayed.recording.series("PositionState.Down")[1].min() == seen
