"""The panel of guided actions driven by hand, on a vehicle that notes what it is told."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from plugins.api import PLACE_ACTIONS, PanelContext, PlaceAction
from plugins.pilot.follow_settings import FollowSettings
from plugins.pilot.guided_panel import GuidedPanel
from plugins.pilot.guided_view import GuidedView
from telemetry.base.statement import Statement
from telemetry.flying.guided_flight import guided_of
from telemetry.missions.guided_actions import WING_ORBIT_M
from telemetry.vehicle.commands import Command, Request, Ticket, Write
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus
from tests.telemetry.flying.fakes import POSITIONS, Ground, NotingCommands
from widgets.confirm_card import ConfirmCard
from widgets.hold_button import HoldButton
from widgets.theme import load_theme

HOME = {"Latitude": 489460000, "Longitude": 94300000, "Altitude": 270.0, "Set": "True"}
NEAR = (48.9461, 9.4301)
FAR = (48.99, 9.43)
ALL = (*POSITIONS[:5], "PathPlanner")


class NotingObjects(NotingCommands):
    """Notes what is written, and never answers."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []
        self.values: dict[str, Any] = {}

    def post(self, command: Command) -> Ticket:
        if isinstance(command, Write):
            self.written.append(command.name)
            self.values = dict(command.values)
        else:
            assert isinstance(command, Request)
        return Ticket()


class Cockpit:
    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.ground = Ground()
        self.commands = NotingObjects()
        self.ground.vehicle.commands = self.commands
        self.fleet = Fleet()
        self.fleet.add(self.ground.vehicle)
        self.jobs = ThreadPoolExecutor(1)
        self.messages: list[str] = []
        self.context = PanelContext(
            self.fleet, load_theme("light"), self.jobs, show_message=self.messages.append
        )
        self.panel = GuidedPanel(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(546, 250)
        self.panel.show()

    def set_up(self, positions: tuple[str, ...] = POSITIONS, airframe: str = "QuadX") -> None:
        ground = self.ground
        ground.settings(positions=positions)
        ground.say(0.0, "SystemSettings", {"AirframeType": airframe})
        ground.say(0.0, "VtolPathFollowerSettings", {})
        ground.say(0.0, "HomeLocation", HOME)
        self.panel.refresh(0.0)

    def fly(self, t: float = 1.0, mode: str = "PositionHold") -> None:
        """It flies at home, 12 m high."""
        self.ground.status(t, "Armed", mode, thrust=0.5)
        self.ground.say(t, "PositionState", {"North": 0.0, "East": 0.0, "Down": -12.0})
        self.panel.refresh(t)

    def buttons(self) -> dict[str, HoldButton]:
        found = self.panel.findChildren(HoldButton)
        return {button.text(): button for button in found if button.isVisible()}

    def behaviours(self) -> dict[str, QAction]:
        """What the button of behaviours opens."""
        button = next(b for b in self.panel.findChildren(QPushButton) if b.text() == "Behaviour")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        menu = self.panel.findChildren(QMenu)[-1]
        found = {action.text(): action for action in menu.actions()}
        menu.hide()
        return found

    def words_of(self, widget: QWidget) -> str:
        return " ".join(label.text() for label in widget.findChildren(QLabel))

    def words(self) -> str:
        labels = self.panel.findChildren(QLabel)
        return " ".join(label.text() for label in labels if label.isVisible())

    def hold(self, text: str) -> None:
        self.press(self.buttons()[text])

    def press(self, button: HoldButton) -> None:
        with self.qtbot.waitSignal(button.held):
            QTest.mousePress(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))

    def entries(self, place: tuple[float, float] = NEAR) -> dict[str, PlaceAction]:
        """What a map would offer."""
        return {action.title: action for action in self.context.shared[PLACE_ACTIONS](*place)}

    def card(self, title: str = "Go to here …", place: tuple[float, float] = NEAR) -> ConfirmCard:
        self.entries(place)[title].run()
        card: ConfirmCard = self.panel.findChildren(ConfirmCard)[-1]
        return card

    @property
    def position(self) -> int:
        """What the switch was asked to be."""
        controls = self.panel.controls
        assert controls is not None
        return controls.request.flight_mode_position

    def is_asked(self) -> bool:
        """Whether anything at all was asked of the aircraft."""
        controls = self.panel.controls
        return bool(self.commands.written) or (
            controls is not None and controls.request.transmitting
        )


@pytest.fixture
def cockpit(qtbot: QtBot) -> Iterator[Cockpit]:
    made = Cockpit(qtbot)
    yield made
    made.context.close()
    made.jobs.shutdown()


def test_before_settings_arrive_nothing_is_offered(cockpit: Cockpit) -> None:
    cockpit.panel.refresh(0.0)
    assert cockpit.buttons() == {}
    assert "cannot fly by itself" in cockpit.words()


@pytest.mark.parametrize(
    ("airframe", "missing"),
    [
        ("QuadX", set()),
        ("FixedWing", {"Limit speed", "Turn"}),
        ("GroundVehicleCar", {"Take off", "Land", "Height", "Limit speed", "Turn"}),
    ],
)
def test_what_an_airframe_cannot_do_is_not_there(
    cockpit: Cockpit, airframe: str, missing: set[str]
) -> None:
    """modules/PathFollower/pathfollower.cpp, pathFollowerSetActiveController."""
    cockpit.set_up()
    whole = set(cockpit.buttons())
    cockpit.set_up(airframe=airframe)
    assert whole - set(cockpit.buttons()) == missing


def test_on_the_ground_only_taking_off_can_be_asked(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.ground.status(0.5, "Disarmed", "AutoTakeoff")
    cockpit.panel.refresh(0.5)
    enabled = {text for text, button in cockpit.buttons().items() if button.isEnabled()}
    assert enabled == {"Take off"}
    assert cockpit.buttons()["Land"].toolTip() == "Take off first."
    assert cockpit.buttons()["Go"].toolTip() == "Take off first."


def test_a_short_press_asks_nothing(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.fly()
    QTest.mouseClick(cockpit.buttons()["Land"], Qt.MouseButton.LeftButton)
    assert not cockpit.is_asked()


@pytest.mark.slow
def test_landing_is_held_for_and_selects_land(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.fly()
    cockpit.hold("Land")
    assert cockpit.position == POSITIONS.index("Land")


@pytest.mark.parametrize("end", ["mode", "place", "link"])
def test_what_has_come_of_an_action_is_said_while_it_is_so(cockpit: Cockpit, end: str) -> None:
    cockpit.set_up()
    cockpit.fly()
    guided_of(cockpit.ground.vehicle).told = "Holding here."
    cockpit.fly(1.1)
    assert "Holding here." in cockpit.words()
    cockpit.fly(1.2)
    assert "Holding here." in cockpit.words(), "the negative control: nothing has changed"
    if end == "link":
        cockpit.ground.vehicle.status = LinkStatus(LinkState.LOST)
    elif end == "place":
        cockpit.ground.say(1.3, "PathDesired", {"End": (30.0, 0.0, -12.0)})
    cockpit.fly(1.4, "Land" if end == "mode" else "PositionHold")
    assert "Holding here." not in cockpit.words()


def test_a_height_below_the_ground_it_took_off_from_is_refused(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.ground.say(0.5, "TakeOffLocation", {"Down": -9.6, "Status": "Valid"})
    cockpit.fly()
    cockpit.hold("Height")
    assert "Choose 11 m or more" in cockpit.messages[-1], "10 m is what the box begins with"
    assert not cockpit.is_asked()
    cockpit.ground.say(1.5, "TakeOffLocation", {"Down": -0.5, "Status": "Valid"})
    cockpit.fly(2.0)
    cockpit.hold("Height")
    assert cockpit.is_asked()


def test_who_looked_away_is_not_told_what_was_so_meanwhile(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.fly()
    guided_of(cockpit.ground.vehicle).told = "Holding here."
    cockpit.fly(9.0)
    assert "Holding here." not in cockpit.words()


def test_a_replay_offers_nothing_to_be_held(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.commands.why_not = "Replaying a log: nothing is sent."
    cockpit.fly()
    buttons = cockpit.buttons().values()
    assert [button.text() for button in buttons if button.isEnabled()] == []


@pytest.mark.slow
def test_a_place_on_the_map_is_flown_to_once_it_is_confirmed(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.fly()
    card = cockpit.card()
    assert not cockpit.is_asked()
    cockpit.press(card.button)
    assert cockpit.position == POSITIONS.index("PositionHold")
    cockpit.qtbot.waitUntil(lambda: cockpit.commands.written == ["PathDesired"])


@pytest.mark.slow
def test_an_aeroplane_circles_the_place_it_is_sent_to(cockpit: Cockpit) -> None:
    """It cannot stand. modules/PathFollower/fixedwingflycontroller.cpp flies circles as paths.c
    says; a mere end point it would fly to and fro over."""
    cockpit.set_up(airframe="FixedWing")
    wing = {"HorizontalVelMin": 10.0, "HorizontalVelMax": 20.0}
    cockpit.ground.say(0.0, "FixedWingPathFollowerSettings", wing)
    cockpit.fly()
    cockpit.press(cockpit.card().button)
    cockpit.qtbot.waitUntil(lambda: cockpit.commands.written == ["PathDesired"])
    values = cockpit.commands.values
    assert values["Mode"] == "CircleRight"
    assert values["Start"][0] - values["End"][0] == pytest.approx(WING_ORBIT_M)
    assert 10.0 < values["EndingVelocity"] < 20.0


def _escape(card: ConfirmCard, _cockpit: Cockpit) -> None:
    QTest.keyClick(card, Qt.Key.Key_Escape)


def _cancel(card: ConfirmCard, _cockpit: Cockpit) -> None:
    button = next(b for b in card.findChildren(QPushButton) if b.text() == "Cancel")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def _click_elsewhere(card: ConfirmCard, _cockpit: Cockpit) -> None:
    QTest.mousePress(card, Qt.MouseButton.LeftButton, pos=QPoint(-200, -200))


def _close(card: ConfirmCard, _cockpit: Cockpit) -> None:
    card.close()


def _let_go_early(card: ConfirmCard, _cockpit: Cockpit) -> None:
    QTest.mousePress(card.button, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(card.button, Qt.MouseButton.LeftButton)
    card.close()


def _end_the_panel(_card: ConfirmCard, cockpit: Cockpit) -> None:
    cockpit.panel.hide()


def _lose_the_link(card: ConfirmCard, cockpit: Cockpit) -> None:
    cockpit.commands.why_not = "Not sent: link lost."
    cockpit.qtbot.waitUntil(lambda: not card.button.isEnabled())
    QTest.mousePress(card.button, Qt.MouseButton.LeftButton)
    card.button.held.emit()  # even if it were


@pytest.mark.slow
@pytest.mark.parametrize(
    "end",
    [
        _escape,
        _cancel,
        _click_elsewhere,
        _close,
        _let_go_early,
        _end_the_panel,
        _lose_the_link,
    ],
)
def test_whatever_else_closes_the_question_means_no(
    cockpit: Cockpit, end: Callable[[ConfirmCard, Cockpit], None]
) -> None:
    cockpit.set_up()
    cockpit.fly()
    end(cockpit.card(), cockpit)
    QTest.qWait(0)
    assert not cockpit.is_asked()


def test_a_place_too_far_away_cannot_be_confirmed(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.fly()
    card = cockpit.card(place=FAR)
    assert not card.button.isEnabled()
    words = " ".join(label.text() for label in card.findChildren(QLabel))
    assert "km away" in words
    card.close()


def test_on_the_ground_a_place_cannot_be_confirmed(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.ground.status(0.5, "Disarmed")
    cockpit.ground.say(0.5, "PositionState", {"North": 0.0, "East": 0.0, "Down": -12.0})
    cockpit.panel.refresh(0.5)
    card = cockpit.card()
    assert not card.button.isEnabled()
    card.close()


@pytest.mark.slow
def test_a_mode_without_a_position_is_lent_one_only_when_agreed(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.ground.say(0.0, "PathPlan", {"WaypointCount": 3})
    cockpit.fly()
    cockpit.hold("Resume")
    assert not cockpit.is_asked()
    assert (
        "Position 3 selects Automatic take-off, which is not needed now: it becomes Mission"
        in cockpit.words()
    )
    no = next(b for b in cockpit.panel.findChildren(QPushButton) if b.text() == "No")
    QTest.mouseClick(no, Qt.MouseButton.LeftButton)
    assert "becomes" not in cockpit.words()
    assert not cockpit.is_asked()


def test_a_mission_is_paused_or_resumed_but_never_both(cockpit: Cockpit) -> None:
    cockpit.set_up(positions=ALL)
    cockpit.ground.say(0.0, "PathPlan", {"WaypointCount": 3})
    cockpit.fly()
    assert "Resume" in cockpit.buttons()
    assert "Pause" not in cockpit.buttons()
    cockpit.fly(2.0, "PathPlanner")
    assert cockpit.buttons()["Pause"].isEnabled()
    assert "Resume" not in cockpit.buttons()
    assert cockpit.buttons()["Height"].toolTip() == "It flies a mission. Pause it first."


def test_with_the_thrust_by_stick_nothing_is_asked_that_holds_a_height(cockpit: Cockpit) -> None:
    """modules/PathFollower/vtolflycontroller.cpp, UpdateAutoPilot."""
    cockpit.set_up()
    cockpit.fly()
    assert cockpit.buttons()["Hold"].isEnabled()
    cockpit.ground.say(1.0, "VtolPathFollowerSettings", {"ThrustControl": "Manual"})
    cockpit.fly(2.0)
    for action in ("Hold", "Go", "Orbit", "Height", "Return"):
        assert "the throttle stick would be the thrust" in cockpit.buttons()[action].toolTip()
    assert cockpit.buttons()["Land"].isEnabled()


def test_without_a_plan_there_is_no_mission_to_resume(cockpit: Cockpit) -> None:
    cockpit.set_up(positions=ALL)
    cockpit.ground.say(0.0, "PathPlan", {"WaypointCount": 0})
    cockpit.fly()
    assert "no plan on board" in cockpit.buttons()["Resume"].toolTip()


def fly_for_behaviours(cockpit: Cockpit) -> None:
    """In the air, with a mode that holds the height and the states that behaviours steer by."""
    vario = ["Attitude", "Attitude", "Rate", "AltitudeVario"]
    cockpit.set_up()
    modes = {"FlightModePosition": list(POSITIONS), "Arming": "Accessory 0"}
    cockpit.ground.say(0.0, "FlightModeSettings", {**modes, "Stabilization2Settings": vario})
    cockpit.fly()
    cockpit.ground.say(1.0, "VelocityState", {})
    cockpit.ground.say(1.0, "AttitudeState", {})


@pytest.mark.slow
def test_a_behaviour_is_confirmed_shown_and_ended(cockpit: Cockpit) -> None:
    fly_for_behaviours(cockpit)
    cockpit.panel.refresh(1.0)
    assert "Behaviour: fly here …" in cockpit.entries()
    card = cockpit.card("Behaviour: fly here …")
    card.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
    assert not cockpit.is_asked(), "closing it means no"
    cockpit.press(cockpit.card("Behaviour: fly here …").button)
    cockpit.panel.refresh(1.0)
    assert cockpit.position == 1, "Stabilized2, which holds the height"
    end = next(b for b in cockpit.panel.findChildren(QPushButton) if b.text() == "End waypoints")
    assert cockpit.panel.controls is not None
    assert cockpit.panel.controls.request.source == "gamepad"
    QTest.mouseClick(end, Qt.MouseButton.LeftButton)
    assert cockpit.panel.controls.request.source == "either"


def test_the_name_of_a_script_makes_no_panel_wider(cockpit: Cockpit) -> None:
    view = GuidedView()
    cockpit.qtbot.addWidget(view)

    def width_px(flying: str) -> int:
        view.show_behaviour(flying, None, is_offered=True)
        return max(button.sizeHint().width() for button in view.findChildren(QPushButton))

    assert width_px("script a_way_through_the_arena.py") == width_px("script a.py")
    texts = [button.text() for button in view.findChildren(QPushButton)]
    assert "End script" in texts


def test_the_name_of_a_setting_makes_no_panel_wider(cockpit: Cockpit) -> None:
    view = GuidedView()
    cockpit.qtbot.addWidget(view)
    content = next(area.widget() for area in view.findChildren(QScrollArea))
    before_px = content.minimumSizeHint().width()
    view.say(Statement(f"Give it one in {80 * 'Settings'}."))
    assert content.minimumSizeHint().width() == before_px


@pytest.mark.slow
def test_another_aircraft_is_followed_from_where_the_pilot_has_set(cockpit: Cockpit) -> None:
    """A place that is too near is refused while the question is asked, and nothing is sent."""
    fly_for_behaviours(cockpit)
    other = Ground()
    other.vehicle.name = "lead"
    cockpit.fleet.add(other.vehicle)
    for name in ("HomeLocation", "PositionState", "VelocityState", "AttitudeState"):
        other.say(1.0, name, HOME if name == "HomeLocation" else {})
    cockpit.panel.restore_state({"follow": {"turns": True, "ahead_m": -20.0, "up_m": 5.0}})
    cockpit.panel.refresh(1.0)
    actions = cockpit.behaviours()
    assert "Follow lead, 20 m behind and 5 m above …" in actions
    actions["Place to follow from …"].trigger()
    (settings,) = cockpit.panel.findChildren(FollowSettings)
    settings.ahead_box.setValue(-3)
    settings.up_box.setValue(2)
    settings.close()
    cockpit.behaviours()["Follow lead, 3 m behind and 2 m above …"].trigger()
    card = cockpit.panel.findChildren(ConfirmCard)[-1]
    assert not card.button.isEnabled()
    assert "too near" in cockpit.words_of(card)
    card.close()
    assert not cockpit.is_asked()
    assert cockpit.panel.save_state()["follow"]["ahead_m"] == -3.0


def test_without_a_mode_that_holds_the_height_no_behaviour_is_begun(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.fly()
    button = next(b for b in cockpit.panel.findChildren(QPushButton) if b.text() == "Behaviour")
    assert not button.isEnabled()
    assert "Altitude vario" in button.toolTip()
    assert "Behaviour: fly here …" not in cockpit.entries()


def test_fits_where_it_stands(cockpit: Cockpit) -> None:
    cockpit.set_up()
    cockpit.fly()
    right = max(_right(button, cockpit.panel) for button in cockpit.buttons().values())
    assert right <= cockpit.panel.width()
    for button in cockpit.buttons().values():
        assert button.fontMetrics().horizontalAdvance(button.text()) < button.width()


def _right(widget: QWidget, panel: QWidget) -> int:
    return widget.mapTo(panel, QPoint(widget.width(), 0)).x()
