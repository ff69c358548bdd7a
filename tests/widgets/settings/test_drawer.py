"""The drawer at every width: the same buttons, beside the sentence, in rows, or in a menu."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tests.flights import catalogue
from tests.telemetry.configuration.settings.bench import Bench
from widgets.settings.drawer import Drawer

BANK = "StabilizationSettingsBank1"
ALL = {"Show changes", "Undo", "Redo", "As at connect", "Discard", "Apply", "Save on board"}


@pytest.fixture
def bench() -> Bench:
    return Bench(catalogue())


@pytest.fixture
def drawer(qtbot: QtBot, bench: Bench) -> Drawer:
    drawer = Drawer(bench.settings)
    qtbot.addWidget(drawer)
    bench.settings.stage(BANK, "RollMax", 40)
    drawer.refresh()
    drawer.show()
    return drawer


def place(drawer: Drawer, width: int) -> set[str]:
    """Give it a width; return the texts of its visible buttons."""
    drawer.setMinimumSize(1, 1)  # a top window would grow to its hint
    drawer.resize(width, drawer.height())
    QApplication.processEvents()
    return {button.text() for button in drawer.findChildren(QPushButton) if button.isVisible()}


@pytest.mark.parametrize("width", [1300, 800, 600])
@pytest.mark.slow
def test_all_buttons_are_in_sight_where_there_is_room(drawer: Drawer, width: int) -> None:
    assert place(drawer, width) == ALL


def test_where_it_is_narrow_the_rest_is_in_a_menu(drawer: Drawer, bench: Bench) -> None:
    assert place(drawer, 240) == {"More", "Apply"}
    menu = drawer.more.menu()
    menu.aboutToShow.emit()
    entries = {action.text(): action for action in menu.actions()}
    assert set(entries) == ALL - {"Apply"}
    assert not entries["Undo"].isEnabled()
    entries["Discard"].trigger()
    assert bench.settings.staged() == ()
    assert place(drawer, 1300) == ALL


def test_while_it_sends_it_can_be_stopped(drawer: Drawer, bench: Bench) -> None:
    place(drawer, 240)
    drawer.apply.click()
    assert place(drawer, 240) == {"More", "Stop"}
    bench.finish()
    drawer.refresh()
    assert place(drawer, 240) == {"More", "Apply"}
