"""The rule for held buttons: what acts on a board stays while the pointer is over it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.station import Station
from plugins.system.page import SystemPage
from plugins.testing import live_vehicle
from telemetry.configuration.board.restart_purpose import Purpose
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.gui.driving import page_of, run_ticks
from tests.plugins.driven import Driven, driving
from tests.simulated_board import SimulatedBench
from tests.widgets.test_hold_button import place, point_at, point_elsewhere
from widgets.hold_button import HoldButton

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
    assert {"Hold to upload", "Hold to erase"} <= seen
    assert any("stop" in text for text in seen)
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
