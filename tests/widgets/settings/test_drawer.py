"""The drawer at every width: the same buttons, beside the sentence, in rows, or in a menu."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from plugins.testing import catalogue
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from tests.telemetry.configuration.settings.bench import Bench
from widgets.settings.drawer import Drawer

BANK, MIXER = "StabilizationSettingsBank1", "MixerSettings"
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


def test_what_is_beyond_its_limits_goes_by_a_yes_of_its_own(drawer: Drawer, bench: Bench) -> None:
    """RollRatePID %BE:0:0.01 in LibrePilot's stabilizationsettingsbank1.xml."""
    for axis in ("Roll", "Pitch"):
        bench.settings.stage(BANK, f"{axis}RatePID.Kp", -9.0)
    drawer.refresh()
    assert f"{BANK}: RollRatePID.Kp = -9. Unusual: less than 0: " in drawer.doubts.words()
    drawer.apply.click()  # takes what is within its limits
    bench.finish()
    drawer.refresh()
    assert bench.on_board(BANK, "RollMax") == 40
    assert bench.on_board(BANK, "RollRatePID.Kp") == pytest.approx(0.003)
    assert not drawer.apply.isEnabled()
    drawer.doubts.boxes[f"{BANK}.RollRatePID.Kp"].click()
    drawer.refresh()
    drawer.apply.click()
    bench.finish()
    drawer.refresh()
    assert bench.on_board(BANK, "RollRatePID.Kp") == pytest.approx(-9.0)
    assert bench.on_board(BANK, "PitchRatePID.Kp") == pytest.approx(0.003)
    assert list(drawer.doubts.boxes) == [f"{BANK}.PitchRatePID.Kp"]
    drawer.discard.click()
    assert drawer.doubts.isHidden()


def test_another_aircrafts_mixer_goes_by_one_yes(drawer: Drawer, bench: Bench) -> None:
    """A value of it that is refused by itself asks apart."""
    wanted = {"Mixer1Type": "Servo", "Mixer2Type": "Servo", "ThrottleCurve1.0": 0.9}
    mixer = ObjectValues(MIXER, 0, wanted)
    held = {path: bench.settings.on_board(MIXER, path) for path in wanted}
    bench.settings.stage_snapshot(Snapshot("theirs", {(MIXER, 0): mixer}), is_foreign=True)
    drawer.refresh()
    assert list(drawer.doubts.boxes) == [f"{MIXER}.ThrottleCurve1.0", MIXER]
    assert f"{MIXER}, 2 values of another aircraft, its mixer." in drawer.doubts.words()
    drawer.apply.click()
    bench.finish()
    assert {path: bench.on_board(MIXER, path) for path in wanted} == held
    drawer.refresh()
    drawer.doubts.boxes[MIXER].click()
    drawer.refresh()
    drawer.apply.click()
    bench.finish()
    assert bench.on_board(MIXER, "Mixer2Type") == "Servo"
    assert bench.on_board(MIXER, "ThrottleCurve1.0") == held["ThrottleCurve1.0"]


def test_saving_with_nothing_staged_saves_what_was_applied(drawer: Drawer, bench: Bench) -> None:
    drawer.apply.click()
    bench.finish()
    drawer.refresh()
    assert bench.stored(BANK) is None
    drawer.save.click()
    bench.finish()
    assert bench.stored(BANK) == bench.held(BANK)


def test_every_doubt_has_room_for_its_lines(drawer: Drawer, bench: Bench) -> None:
    for path in ("RollRatePID.Kp", "PitchRatePID.Kp", "YawRatePID.Kp"):
        bench.settings.stage(BANK, path, -9.0)
    drawer.refresh()
    for width in (1300, 300):
        place(drawer, width)
        rows = drawer.doubts.widget()
        assert rows.height() >= rows.heightForWidth(rows.width())  # more than fits is scrolled to
        assert rows.width() == drawer.doubts.viewport().width()
