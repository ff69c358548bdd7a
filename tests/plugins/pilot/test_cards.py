"""The cards of *Fly*: a row of actions and a card of sticks, on one window, for one aircraft."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.pilot.actions_panel import ActionsPanel
from plugins.pilot.flight_buttons import NO_STICKS
from plugins.pilot.guided_popup import GuidedPopup
from plugins.pilot.let_go import LET_GO
from plugins.pilot.panel_flight import EITHER_FLIES
from plugins.pilot.station_offer import TAKE
from plugins.pilot.sticks_panel import SticksPanel
from telemetry.flying.controls import controls_of
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus
from tests.plugins.pilot.test_guided_panel import HOME, NotingObjects
from tests.telemetry.flying.fakes import POSITIONS, Ground
from widgets.hold_button import HoldButton
from widgets.stick_view import StickView
from widgets.theme import load_theme

WIDE, NARROW = 666, 480
STOP = "Stop motors (hold)"


class Cards:
    """A window with the cards where *Fly* has them, and a field that takes what is typed."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.ground = Ground()
        self.commands = NotingObjects()
        self.ground.vehicle.commands = self.commands
        self.ground.settings()
        self.fleet = Fleet()
        self.fleet.add(self.ground.vehicle)
        self.jobs = ThreadPoolExecutor(1)
        self.told: list[str] = []
        theme = load_theme("light")
        self.context = PanelContext(self.fleet, theme, self.jobs, show_message=self.told.append)
        self.window = QWidget()
        self.window.resize(1300, 700)
        qtbot.addWidget(self.window)
        self.actions, self.sticks = ActionsPanel(self.context), SticksPanel(self.context)
        self.field = QLineEdit()
        places = (QRect(350, 620, WIDE, 72), QRect(1030, 510, 260, 180), QRect(10, 10, 200, 30))
        for widget, place in zip((self.actions, self.sticks, self.field), places, strict=True):
            widget.setParent(self.window)
            widget.setGeometry(place)
        self.window.show()

    def refresh(self, t: float) -> None:
        for panel in (self.actions, self.sticks):
            panel.refresh(t)

    def say(self, t: float, armed: str, mode: str = "Stabilized1", thrust: float = 0.0) -> None:
        self.ground.status(t, armed, mode, thrust)
        self.refresh(t)

    def fly(self, t: float = 1.0) -> None:
        """At home, 12 m high, with what guided flight needs."""
        self.ground.say(0.0, "SystemSettings", {"AirframeType": "QuadX"})
        self.ground.say(0.0, "VtolPathFollowerSettings", {})
        self.ground.say(0.0, "HomeLocation", HOME)
        self.ground.say(t, "PositionState", {"North": 0.0, "East": 0.0, "Down": -12.0})
        self.say(t, "Armed", "PositionHold", 0.5)

    def button(self, text: str) -> QPushButton:
        found = [b for b in self.window.findChildren(QPushButton) if b.text() == text]
        (shown,) = [button for button in found if button.isVisible()]
        return shown

    def places(self) -> list[tuple[QRect, int]]:
        """Where the buttons of the row are, and how high the line above them is."""
        buttons = [b for b in self.actions.findChildren(QPushButton) if b.isVisible()]
        lines = [label.height() for label in self.actions.findChildren(QLabel)]
        return [(QRect(b.mapTo(self.window, QPoint()), b.size()), *lines) for b in buttons]

    def words(self, panel: QWidget) -> str:
        return " ".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())

    def hold(self, text: str) -> None:
        button = self.button(text)
        assert isinstance(button, HoldButton)
        with self.qtbot.waitSignal(button.held):
            QTest.mousePress(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        QTest.mouseRelease(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))

    def fly_by_hand(self) -> None:
        self.fly()
        QTest.mouseClick(self.button("Fly by hand"), Qt.MouseButton.LeftButton)
        self.field.setFocus()

    def until_sent(self, is_it: Callable[[Sticks], bool]) -> None:
        def is_sent() -> bool:
            sent = self.commands.sticks[-1:]
            return bool(sent) and sent[0] is not None and is_it(sent[0])

        self.qtbot.waitUntil(is_sent)

    def let_go(self) -> bool:
        return controls_of(self.ground.vehicle).has_let_go


@pytest.fixture
def cards(qtbot: QtBot) -> Iterator[Cards]:
    made = Cards(qtbot)
    yield made
    made.context.close()
    made.jobs.shutdown()


def lose_link(cards: Cards) -> None:
    cards.ground.vehicle.status = LinkStatus(state=LinkState.LOST)
    cards.commands.why_not = "Not sent: link lost."
    cards.refresh(3.0)


@pytest.mark.slow
@pytest.mark.parametrize("width_px", [WIDE, NARROW])
def test_whatever_happens_no_button_moves(cards: Cards, width_px: int) -> None:
    cards.actions.resize(width_px, 72)
    cards.refresh(0.0)
    QApplication.processEvents()
    before = [place[0] for place in sorted(cards.places(), key=str)]
    assert len(before) == 6
    situations: tuple[Callable[[], object], ...] = (
        lambda: cards.say(0.1, "Disarmed"),
        lambda: cards.say(0.2, "Armed"),
        lambda: cards.fly(1.0),
        lambda: cards.say(1.5, "Armed", "Land", 0.3),
        lambda: cards.ground.settings(source="S.Bus"),
        lambda: cards.ground.settings(positions=("Stabilized1",) * 6),
        lambda: lose_link(cards),
        lambda: cards.fleet.remove(cards.ground.vehicle),
    )
    words = set()
    for happens in situations:
        happens()
        cards.refresh(2.0)
        words |= {b.text() for b in cards.actions.findChildren(QPushButton) if b.isVisible()}
        assert [place[0] for place in sorted(cards.places(), key=str)] == before
        assert {place[0].height() for place in cards.places()} == {40}
    assert {"Hold", "Return", "Land"} < words, "what is there has changed"


def test_two_presses_from_the_ground_to_flying_by_arrow_keys(cards: Cards) -> None:
    """Nothing was chosen in a list."""
    cards.say(0.0, "Disarmed")
    assert cards.button("Arm and take off").isEnabled()
    cards.fly()
    QTest.keyClick(cards.field, Qt.Key.Key_D)
    assert cards.field.text() == "d", "the keys are the window's"
    QTest.mouseClick(cards.button("Fly by hand"), Qt.MouseButton.LeftButton)
    cards.field.setFocus()
    QTest.keyPress(cards.field, Qt.Key.Key_Right)
    cards.until_sent(lambda sticks: sticks.roll > 0.2)
    QTest.keyRelease(cards.field, Qt.Key.Key_Right)
    cards.refresh(1.1)
    assert EITHER_FLIES in cards.words(cards.actions)
    assert EITHER_FLIES in cards.words(cards.sticks)
    QTest.keyClick(cards.field, Qt.Key.Key_Escape)
    assert cards.let_go()
    QTest.keyClick(cards.field, Qt.Key.Key_D)
    assert cards.field.text() == "dd"


def test_keys_push_a_stick_that_is_held_aside(cards: Cards) -> None:
    cards.fly_by_hand()
    stick = next(s for s in cards.sticks.findChildren(StickView) if "Roll" in s.accessibleName())
    QTest.mousePress(stick, Qt.MouseButton.LeftButton, pos=stick.rect().center() + QPoint(10, 0))
    cards.until_sent(lambda sticks: 0.1 < sticks.roll < 0.6)
    QTest.keyPress(cards.field, Qt.Key.Key_D)
    cards.until_sent(lambda sticks: sticks.roll > 0.1 and sticks.yaw > 0.1)
    QTest.keyRelease(cards.field, Qt.Key.Key_D)
    QTest.mouseRelease(stick, Qt.MouseButton.LeftButton)
    cards.until_sent(lambda sticks: sticks.roll == 0.0 and sticks.yaw == 0.0)


def test_sticks_that_go_out_of_sight_let_go_and_actions_do_not(cards: Cards) -> None:
    cards.fly_by_hand()
    cards.actions.hide()
    assert not cards.let_go(), "he who drags the sticks flies on"
    cards.actions.show()
    cards.sticks.hide()
    assert cards.let_go()


def test_without_a_card_of_sticks_the_keys_fly_and_sticks_do_not(cards: Cards) -> None:
    cards.sticks.hide()
    cards.fly()
    assert cards.button("Fly by hand").isEnabled()
    controls_of(cards.ground.vehicle).take_source("screen")
    cards.refresh(1.1)
    assert not cards.button("Fly by hand").isEnabled()
    assert cards.button("Fly by hand").toolTip() == NO_STICKS
    controls_of(cards.ground.vehicle).take_source("either")
    cards.refresh(1.2)
    QTest.mouseClick(cards.button("Fly by hand"), Qt.MouseButton.LeftButton)
    cards.actions.hide()
    assert cards.let_go(), "nobody sees any more that the keyboard flies"


@pytest.mark.slow
def test_what_disarms_in_the_place_of_return_is_held(cards: Cards) -> None:
    """The thrust that says whether it flies may be low for a moment, in the air."""
    cards.fly()
    place = cards.button("Return").geometry()
    cards.say(1.1, "Armed", "PositionHold", 0.0)
    disarm = cards.button("Disarm (hold)")
    assert disarm.geometry() == place
    QTest.mouseClick(disarm, Qt.MouseButton.LeftButton)
    assert cards.commands.sticks == []
    cards.hold("Disarm (hold)")
    cards.until_sent(lambda sticks: not sticks.arm)


@pytest.mark.slow
def test_the_motors_can_be_stopped_whatever_else_is_open_or_lost(cards: Cards) -> None:
    cards.fly()
    QTest.mouseClick(cards.button("Go to …"), Qt.MouseButton.LeftButton)
    lose_link(cards)
    assert not cards.button("Land").isEnabled()
    cards.hold(STOP)
    cards.until_sent(lambda sticks: not sticks.arm)


@pytest.mark.slow
def test_what_needs_numbers_opens_over_the_row_and_moves_nothing(cards: Cards) -> None:
    cards.fly()
    before = cards.places()
    QTest.mouseClick(cards.button("Go to …"), Qt.MouseButton.LeftButton)
    cards.refresh(1.1)
    (popup,) = cards.window.findChildren(GuidedPopup)
    assert popup.isVisible()
    assert not popup.isModal()
    assert cards.places() == before
    row = QRect(cards.actions.mapTo(cards.window, QPoint()), cards.actions.size())
    assert not popup.geometry().intersects(QRect(before[0][0].topLeft(), row.bottomRight()))
    cards.hold("Go")
    assert not popup.isVisible(), "asked for"
    position = POSITIONS.index("PositionHold")
    cards.until_sent(lambda sticks: sticks.flight_mode_position == position)
    QTest.mouseClick(cards.button("Go to …"), Qt.MouseButton.LeftButton)
    QTest.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()


@pytest.mark.slow
def test_who_closes_what_needs_numbers_by_esc_flies_on(cards: Cards) -> None:
    cards.fly_by_hand()
    cards.until_sent(lambda sticks: True)
    QTest.mouseClick(cards.button("Go to …"), Qt.MouseButton.LeftButton)
    (popup,) = cards.window.findChildren(GuidedPopup)
    QTest.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert not cards.let_go()
    QTest.keyClick(cards.field, Qt.Key.Key_Escape)
    assert cards.let_go(), "the next one does"


def test_what_mends_the_take_off_stands_in_its_place(cards: Cards) -> None:
    cards.say(0.0, "Disarmed")
    place = cards.button("Arm and take off").geometry()
    cards.ground.settings(positions=("Stabilized1", "Stabilized1", *POSITIONS[3:], "Land"))
    cards.refresh(0.1)
    assert cards.button("Set up take-off").geometry() == place
    cards.ground.settings(source="S.Bus")
    cards.ground.say(0.0, "FirmwareIAPObj", {"CPUSerial": list(range(12))})
    cards.refresh(0.2)
    assert cards.button(TAKE).geometry() == place


def test_letting_go_is_always_in_its_place(cards: Cards) -> None:
    cards.say(0.0, "Disarmed")
    place = cards.button(LET_GO).geometry()
    assert not cards.button(LET_GO).isEnabled()
    cards.fly_by_hand()
    cards.until_sent(lambda sticks: True)
    cards.refresh(1.1)
    assert cards.button(LET_GO).geometry() == place
    QTest.mouseClick(cards.button(LET_GO), Qt.MouseButton.LeftButton)
    assert cards.let_go()


def test_the_input_is_kept(cards: Cards) -> None:
    cards.refresh(0.0)
    assert cards.sticks.save_state() == {"source": "either"}
    cards.sticks.restore_state({"source": "screen", "mode": 1})
    assert cards.sticks.save_state() == {"source": "screen", "mode": 1}
    assert controls_of(cards.ground.vehicle).source == "screen"
    (box,) = cards.sticks.findChildren(QComboBox)
    assert box.currentText() == "Mode 1"
    cards.actions.restore_state({"follow": {"ahead_m": -12.0}})
    assert cards.actions.save_state()["follow"]["ahead_m"] == -12.0
