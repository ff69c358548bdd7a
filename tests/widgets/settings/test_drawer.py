"""The drawer at every width: the same buttons, beside the sentence, in rows, or in a menu."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from plugins.testing import catalogue
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


def test_a_value_beyond_its_limits_goes_by_a_red_button_of_its_own(
    drawer: Drawer, bench: Bench
) -> None:
    """RollRatePID %BE:0:0.01 in LibrePilot's stabilizationsettingsbank1.xml."""
    bench.settings.stage(BANK, "RollRatePID.Kp", -9.0)
    drawer.refresh()
    assert "Apply anyway" in place(drawer, 1300)
    assert "RollRatePID.Kp = -9. Unusual: less than 0: " in drawer.warning.text()
    assert (drawer.anyway.property("role"), drawer.warning.property("tone")) == ("danger",) * 2
    drawer.apply.click()  # takes what is within its limits
    bench.finish()
    drawer.refresh()
    assert bench.on_board(BANK, "RollMax") == 40
    assert bench.on_board(BANK, "RollRatePID.Kp") == pytest.approx(0.003)
    assert not drawer.apply.isEnabled()
    drawer.anyway.click()
    bench.finish()
    drawer.refresh()
    assert bench.on_board(BANK, "RollRatePID.Kp") == pytest.approx(-9.0)
    assert "Apply anyway" not in place(drawer, 1300)


def test_saving_with_nothing_staged_saves_what_was_applied(drawer: Drawer, bench: Bench) -> None:
    drawer.apply.click()
    bench.finish()
    drawer.refresh()
    assert bench.stored(BANK) is None
    drawer.save.click()
    bench.finish()
    assert bench.stored(BANK) == bench.held(BANK)


def test_the_warning_has_room_for_all_its_lines(drawer: Drawer, bench: Bench) -> None:
    for path in ("RollRatePID.Kp", "PitchRatePID.Kp", "YawRatePID.Kp"):
        bench.settings.stage(BANK, path, -9.0)
    drawer.refresh()
    for width in (1300, 300):
        place(drawer, width)
        needed = drawer.warning.heightForWidth(drawer.warning.width())
        assert drawer.warning.height() >= needed
