"""States that pictures show, each brought about in the window as a user would, by the words of the
manual where they are pressed."""

from dataclasses import replace
from types import SimpleNamespace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QToolButton
from pytestqt.qt_compat import qt_api
from pytestqt.qtbot import QtBot

from app.station import Station
from plugins.configure.panel import ConfigurePanel
from plugins.pilot.devices.device_choice import kept_profiles
from plugins.pilot.devices.hub import HUB
from plugins.pilot.devices.profile import AxisSetup, ControlSetup, Profile
from plugins.plan.shared_plan import shared_plan_of
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.flying.controls import controls_of
from telemetry.flying.guided_flight import guided_of
from telemetry.flying.inputs.stick_controls import STICK_CONTROLS
from telemetry.missions.board.plan import board_home
from telemetry.missions.draft import mission_draft_of
from telemetry.missions.guided_actions import GuidedPath
from telemetry.missions.local_coordinates import to_latitude_longitude
from telemetry.missions.mission import NEW_MISSION, LegAction, MissionWaypoint
from tests.gui.hands import Hands
from tests.sdl_joystick import SdlJoystick
from widgets.map.canvas import MapCanvas

SPEED = 2.0
CRUISE_M, CLIMBED_M = 15.0, 1.0
_LEG_S = 15.0
CORNERS_M = ((20.0, 0.0), (45.0, 20.0), (40.0, 60.0), (5.0, 55.0), (-5.0, 20.0))
_SEEN_S = 2.0
_SETTLED_S = 3.0


class Scene(Hands):
    """A user of the station who has one state in mind."""

    def __init__(self, station: Station) -> None:
        assert station.fleet.active is not None
        qt_api.set_qt_api("pyside6")  # as the plugin of pytest does
        super().__init__(station, station.fleet.active, QtBot(None))  # type: ignore[arg-type]
        self.station = station

    def see(self, seconds: float = _SEEN_S) -> None:
        """Let the window show what there is."""
        self._qtbot.wait(round(seconds * 1000))

    def says(self, words: str) -> bool:
        """Whether a label or button in sight has these words somewhere."""
        children = self.station.window.findChildren(QLabel)
        children += self.station.window.findChildren(QAbstractButton)
        return any(words in child.text() for child in children if child.isVisible())

    def settle(self) -> None:
        """Wait until nothing stands against arming: there is a fix, and the estimate settles."""
        self.hurry(SPEED)
        controls = controls_of(self.vehicle)
        self.wait(lambda: self.state().gps_fix == "Fix3D")
        self.wait(lambda: controls.situation_at(self.vehicle.end_s)[1].not_armed_by is None)
        self.hurry(1.0)

    def take_off(self, speed: float = SPEED) -> None:
        """As the button does, until it climbs."""
        self.settle()
        self.hurry(speed)
        self.wait(lambda: controls_of(self.vehicle).is_watched)
        self.station.shell.run("pilot.take_off")
        self.wait(lambda: self.state().is_armed)
        stands_m = self.state().height_m or 0.0
        self.wait(lambda: (self.state().height_m or 0.0) > stands_m + CLIMBED_M)

    def show_page(self, page_id: str) -> None:
        """A page of Configure."""
        panels = self.station.window.findChildren(ConfigurePanel)
        self.wait(lambda: panels and panels[0].stack is not None)
        panels[0].show_page(page_id)


def on_its_way(scene: Scene) -> None:
    scene.take_off()
    scene.stay(_SETTLED_S)
    guided = guided_of(scene.vehicle)
    for corner_m in CORNERS_M[:2]:
        guided.fly(GuidedPath(*corner_m, -CRUISE_M), "Going there.")
        scene.stay(_LEG_S)
    scene.hurry(1.0)
    assert scene.state().is_armed, "it does not fly any more"


def connections(scene: Scene) -> None:
    scene.settle()
    scene.station.shell.run("connections")
    scene.wait(lambda: scene.says("Disconnect"))


def assistant(scene: Scene) -> None:
    scene.see(_SETTLED_S)
    scene.show_page("assistant.setup")


def gains_staged(scene: Scene) -> None:
    scene.settle()
    scene.show_page("stabilization.stabilization")
    settings, bank = configuration_of(scene.vehicle), "StabilizationSettingsBank1"
    for path in ("RollRatePID.Kp", "PitchRatePID.Kp", "YawRatePID.Kp"):
        settings.stage(bank, path, round(1.2 * float(settings.value(bank, path)), 4))
    scene.press("Show changes")


def calibrations(scene: Scene) -> None:
    scene.settle()
    scene.show_page("calibration.sensors")


def worked_out(scene: Scene) -> None:
    scene.see()
    scene.wait(lambda: not scene.station.work.is_busy and not scene.says("Working it out"))


def plan_simulated(scene: Scene) -> None:
    scene.settle()
    home = board_home(scene.vehicle.recording)
    assert home is not None
    there = replace(
        LegAction("GoToEndpoint", end_condition="DistanceToTarget"),
        condition_parameters=(2.0, 0.0, 0.0, 0.0),
    )
    places = [to_latitude_longitude(home, *corner_m) for corner_m in CORNERS_M]
    waypoints = [MissionWaypoint(*place, CRUISE_M, action=there) for place in places]
    stays = replace(there, end_condition="None")
    waypoints[-1] = replace(waypoints[-1], velocity_mps=0.0, action=stays)
    plan = replace(NEW_MISSION, waypoints=tuple(waypoints))
    mission_draft_of(scene.station.fleet).open("Round the field", plan)
    context = SimpleNamespace(fleet=scene.station.fleet, jobs=scene.station.jobs)
    desk = shared_plan_of(context)  # type: ignore[arg-type]
    scene.press("Fly it here")
    scene.wait(lambda: desk.predicted is not None)
    for canvas in scene.station.window.findChildren(MapCanvas):
        if canvas.isVisible():
            QTest.keyClick(canvas, Qt.Key.Key_0)


def transmitter(scene: Scene) -> None:
    scene.settle()
    joystick = SdlJoystick()
    scene.wait(lambda: any(device.kind.name == joystick.name for device in HUB.devices))
    kind = next(device.kind for device in HUB.devices if device.kind.name == joystick.name)
    controls = {name: ControlSetup((AxisSetup(axis),)) for axis, name in enumerate(STICK_CONTROLS)}
    kept_profiles().save(kind, "", Profile(controls))
    for axis, share in enumerate((0.4, -0.3, 0.1, 0.6)):
        joystick.push(axis, share)


def synchronisation_found(scene: Scene) -> None:
    scene.click(scene.find(QToolButton, lambda button: button.text() == "Synchronise"))
    scene.press("Find by itself")
    scene.wait(lambda: scene.says("Found: "))


def in_the_arena(scene: Scene) -> None:
    scene.take_off(speed=1.0)  # what its cameras see takes a computer's time
    scene.stay(_SETTLED_S)
    assert scene.state().is_armed, "it does not fly any more"


def scenario_flown(scene: Scene) -> None:
    scene.settle()
    scene.choose("Scenarios", "B2")
    scene.press("Fly it")
    scene.wait(lambda: scene.says("PASSED") or scene.says("Passed"))
