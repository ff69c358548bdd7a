"""Nothing that appears moves a control: held buttons stay under the pointer, and whatever is told,
ends or is closed leaves every control of the window at its place, in its size. LAPWING_ALL_WAYS=1
looks at every workspace in both sizes of the window.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.message_list import OVER_S, PASSING_S
from app.messages import Message
from app.station import Station
from plugins.pilot.actions_view import ActionsView
from plugins.system.page import SystemPage
from plugins.testing import live_vehicle
from telemetry.base.finding import Level
from telemetry.configuration.board.restart_purpose import Purpose
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.gui.conftest import MakeStation
from tests.gui.driving import page_of, run_ticks
from tests.plugins.driven import Driven, driving
from tests.simulated_board import SimulatedBench
from tests.widgets.test_hold_button import place, point_at, point_elsewhere
from widgets.hold_button import HoldButton

ALL_WAYS = "LAPWING_ALL_WAYS" in os.environ
LINES = "One line more.\n" * 5


@pytest.fixture
def driven(qtbot: QtBot) -> Iterator[Driven]:
    bench = SimulatedBench(load_catalogue())
    bench.pass_time(5.0)
    with driving(qtbot, bench.vehicle) as driven:
        yield driven


def disturb(button: QWidget) -> list[QWidget]:
    """Have lines come above it, in every layout that it stands in."""
    made: list[QWidget] = []
    parent = button.parentWidget()
    while parent is not None and not parent.isWindow():
        layout = parent.layout()
        if isinstance(layout, QBoxLayout):
            layout.insertWidget(0, label := QLabel(LINES))
            made.append(label)
        elif isinstance(layout, QGridLayout):
            layout.addWidget(label := QLabel(LINES), 0, 0)
            made.append(label)
        parent = parent.parentWidget()
    return made


def _unfold(button: QWidget, root: QWidget) -> None:
    """Have it in sight, whatever hides it."""
    while button is not root and not button.isWindow():
        button.show()
        parent = button.parentWidget()
        assert parent is not None
        button = parent


def check(root: QWidget) -> tuple[set[str], set[str]]:
    """Its held buttons, and those that moved once the pointer had left them."""
    seen, moved = set(), set()
    for button in root.findChildren(HoldButton):
        _unfold(button, root)
        before = place(button)
        point_at(button)
        made = disturb(button)
        button.setEnabled(not button.isEnabled())
        assert place(button) == before, button.text()
        button.setEnabled(not button.isEnabled())
        point_elsewhere(button)
        if place(button) != before:
            moved.add(button.text())
        for widget in made:
            widget.setParent(None)
        QCoreApplication.processEvents()
        seen.add(button.text())
    return seen, moved


@pytest.mark.slow
def test_on_every_page_of_configure(driven: Driven) -> None:
    seen: set[str] = set()
    moved: set[str] = set()
    for page_id in driven.context.pages:
        page = driven.page(page_id)
        for _slice in range(3):  # a large one is built in some
            driven.refresh()
        shown, went = check(page)
        seen, moved = seen | shown, moved | went
    assert {f"{purpose.title} (hold)" for purpose in Purpose} <= seen
    assert {"Hold to spin", "Hold: full power to all motors"} <= seen
    assert moved  # a negative control: without the pointer over them they do


@pytest.mark.slow
def test_in_every_workspace(station: Station) -> None:
    station.tick.stop()  # by its own time it would hide again what is unfolded here
    station.fleet.add(live_vehicle())
    seen: set[str] = set()
    moved: set[str] = set()
    for name in station.window.stack.ids:
        station.window.stack.show_workspace(name)
        run_ticks(station)
        shown, went = check(page_of(station))
        seen, moved = seen | shown, moved | went
    assert {"Upload", "Hold to erase"} <= seen
    assert any("stop" in text.lower() for text in seen)
    assert moved


@pytest.mark.slow
def test_safe_boot_does_not_come_under_the_pointer(driven: Driven) -> None:
    """After a restart was held, what is said of it came above, and the page was scrolled."""
    driven.panel.resize(1100, 330)
    page = driven.page("system.board")
    assert isinstance(page, SystemPage)
    held = page.restart.buttons[Purpose.RESTART]
    for _slice in range(3):
        driven.refresh()
    held.setFocus()
    before = {purpose: place(button) for purpose, button in page.restart.buttons.items()}
    point_at(held)
    held.held.emit()
    driven.refresh()
    assert not held.isEnabled()
    after: dict[Purpose, QPoint] = {p: place(b) for p, b in page.restart.buttons.items()}
    assert after == before


CONTROLS = (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QAbstractSlider,
    QTabBar,
)
SIZES = ((1024, 600), (1366, 768))
QUESTION = Message(
    "It is armed, closing leaves it alone.",
    Level.ERROR,
    remedy_title="Close anyway",
    remedy=lambda: None,
    refusal_title="Stay",
)
LOW = Message(
    "Battery low, 10.4 V", Level.WARNING, topic="battery/low", title="Battery low", lasts=True
)
KINDS = {
    "in passing": [Message("Saved.")],
    "info": [Message("12 pictures are missing.", details="a.jpg, b.jpg")],
    "warning": [Message("A file was left out. " * 9, Level.WARNING, details="trace")],
    "error with a remedy": [
        Message("Not found.", Level.ERROR, remedy_title="Find it …", remedy=lambda: None)
    ],
    "question": [QUESTION],
    "lasts": [LOW],
    "again": [replace(LOW, text="Battery low, 10.1 V, and it goes on falling as it is flown")] * 3,
    "many": [Message(f"Damaged record {n}.", Level.WARNING) for n in range(12)],
    "over": [replace(LOW, text="", lasts=False, is_over=True)],
}


class ToldWindow:
    """A station whose messages age by `clock_s`."""

    def __init__(
        self,
        make_station: MakeStation,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self.clock_s, self.work = 1000.0, ""
        monkeypatch.setattr("app.window.main_window.monotonic_s", lambda: self.clock_s)
        self.station = make_station()
        self.window = self.station.window
        self.window.progress = lambda: self.work
        self.window.can_cancel = lambda: bool(self.work)
        self.vehicle = live_vehicle()
        self.station.fleet.add(self.vehicle)
        self.station.tick.stop()
        self._fixed: list[QWidget] = []

    def look(self) -> None:
        """What the tick has the window show, and no panel."""
        self.window.take_messages(self.station.messages.take())
        self.window.show_status(self.vehicle)
        self.window.show_alarms(self.vehicle)
        QCoreApplication.processEvents()

    def arrange(self, workspace: str, size: tuple[int, int]) -> None:
        self.window.setUpdatesEnabled(False)  # it is laid out, and painted for nobody
        self.window.resize(*size)
        self.window.stack.show_workspace(workspace)
        run_ticks(self.station)
        self.look()

        card, window = self.window.message_card, self.window
        seen = (one for one in _controls_in(window) if not card.isAncestorOf(one))
        cancel = window.message_place.cancel
        self._fixed = [one for one in seen if one is cancel or one.isVisibleTo(window)]

    def places(self) -> dict[QWidget, QRect]:
        """Of all controls in sight."""
        window = self.window
        seen = (one for one in (*self._fixed, *_controls_in(window.message_card)) if isValid(one))
        return {
            w: QRect(w.mapTo(window, QPoint(0, 0)), w.size()) for w in seen if w.isVisibleTo(window)
        }

    def moved(self, before: dict[QWidget, QRect]) -> list[str]:
        """The controls that have another place or size now, or have gone, but for those of the
        list and the one that calls work off, which may go."""
        card, cancel = self.window.message_card, self.window.message_place.cancel
        now = self.places()
        return [
            f"{type(widget).__name__} {widget.accessibleName() or widget.toolTip()}"
            for widget, was in before.items()
            if now.get(widget, QRect()) != was
            and not (widget not in now and (widget is cancel or card.isAncestorOf(widget)))
        ]

    def through(self, act: Callable[[], object]) -> list[str]:
        """What has moved by something."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        before = self.places()
        act()
        self.look()
        return self.moved(before)

    def pass_time(self, seconds: float) -> None:
        self.clock_s += seconds

    def goes_on_working(self, words: str) -> None:
        self.work = words


def _controls_in(parent: QWidget) -> list[QWidget]:
    return [one for one in parent.findChildren(QWidget) if isinstance(one, CONTROLS)]


@pytest.fixture
def told(make_station: MakeStation, monkeypatch: pytest.MonkeyPatch) -> ToldWindow:
    return ToldWindow(make_station, monkeypatch)


def tell_everything(told: ToldWindow) -> None:
    """Every kind of message comes, changes, ends and is closed, and no control moves."""
    window, card = told.window, told.window.message_card
    for is_listed in (False, True):
        assert told.through(card.open if is_listed else card.dismiss) == []
        for kind, messages in KINDS.items():
            assert told.through(partial(window.take_messages, messages)) == [], kind
            assert card.isVisible() == (is_listed or kind == "question")
            if not is_listed:
                assert told.through(card.dismiss) == []
            assert told.through(lambda: told.pass_time(9.0)) == [], "the strip is quiet again"
        for number in [line.number for line in window.messages.lines()][::7]:
            assert told.through(partial(window.messages.close, number)) == []
        assert told.through(lambda: told.goes_on_working("Reading … 40 %, 3 s left")) == []
        assert told.through(lambda: told.goes_on_working("")) == []
        assert told.through(lambda: told.pass_time(PASSING_S + OVER_S)) == []
    assert told.through(window.messages.close_all) == []
    assert told.through(card.dismiss) == []


@pytest.mark.slow
@pytest.mark.long
def test_no_message_moves_a_control(told: ToldWindow) -> None:
    for number, workspace in enumerate(told.window.stack.ids):
        looks_at_both = ALL_WAYS or workspace == "fly"
        for size in SIZES if looks_at_both else (SIZES[number % 2],):
            told.arrange(workspace, size)
            assert len(told.places()) > 15, workspace
            tell_everything(told)


@pytest.mark.slow
def test_a_bar_that_pushes_is_seen(told: ToldWindow) -> None:
    """The negative control."""
    told.arrange("fly", (1024, 600))
    body = told.window.centralWidget().layout()
    assert isinstance(body, QBoxLayout)
    assert told.through(lambda: body.insertWidget(2, QLabel("Something happened."))) != []


@pytest.mark.slow
def test_the_list_lies_over_no_action_that_flies_and_takes_no_focus(told: ToldWindow) -> None:
    for size in SIZES:
        told.arrange("fly", size)
        (view,) = told.window.findChildren(ActionsView)
        acts = [w for w in told.places() if view.isAncestorOf(w)]
        held = next(w for w in acts if isinstance(w, HoldButton))
        held.setEnabled(True)
        held.setFocus()
        told.window.take_messages([*KINDS["many"], QUESTION])
        card = told.window.message_card
        assert card.isVisible()
        assert QApplication.focusWidget() is held
        for act in acts:
            assert not told.places()[act].intersects(card.geometry()), act
        assert told.window.rect().contains(card.geometry())
        QTest.keyClick(told.window, Qt.Key.Key_Escape)
        assert not card.isVisible()
