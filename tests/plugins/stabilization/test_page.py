"""The Stabilization page as a user meets it: banks, linked axes, curves, what is missing."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from plugins.stabilization.thrust_marker import ThrustMarker
from plugins.testing import QuietCommands, add, replayed_vehicle
from plugins.testing import catalogue as the_catalogue
from telemetry.configuration.settings.stabilization_banks import (
    BANKS,
    SHARED,
    bank_in_use,
    switch_position,
)
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from tests.immediate import ImmediateJobs
from tests.plugins.stabilization.driving import Driven
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board
from widgets.forms.editors import NumberEditor
from widgets.settings.curve import SettingCurve

ONE, TWO, THREE = BANKS
GAIN, TWIN = "RollRatePID.Kp", "PitchRatePID.Kp"


def board_with_banks(catalogue: Catalogue) -> MemoryBoard:
    names = [d.name for d in small_board(catalogue).definitions.values()]
    names += [TWO, THREE, SHARED, "FlightModeSettings", "AltitudeHoldSettings"]
    names += ["ManualControlSettings", "ManualControlCommand"]
    return MemoryBoard(catalogue.find(name) for name in names)


@pytest.fixture
def bench() -> Bench:
    catalogue = the_catalogue()
    return Bench(catalogue, board_with_banks(catalogue))


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench) -> Iterator[Driven]:
    driven = Driven(qtbot, bench.vehicle, ImmediateJobs())
    yield driven
    driven.context.close()


def type_in(driven: Driven, path: str, text: str) -> None:
    editor = driven.editor(path).editor
    assert isinstance(editor, NumberEditor)
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    driven.refresh()


@pytest.mark.slow
def test_linked_axes_take_each_others_values(driven: Driven, bench: Bench) -> None:
    driven.page.bar.link.click()
    assert driven.messages == []  # roll and pitch are alike on this board
    type_in(driven, GAIN, "0.004")
    assert bench.settings.value(ONE, TWIN) == pytest.approx(0.004)
    type_in(driven, "PitchPI.Kp", "3.5")
    assert bench.settings.value(ONE, "RollPI.Kp") == pytest.approx(3.5)
    type_in(driven, "ManualRate.Roll", "180")
    assert bench.settings.value(ONE, "ManualRate.Pitch") == 180
    assert bench.settings.value(ONE, "ManualRate.Yaw") == 220


@pytest.mark.slow
def test_axes_apart_do_not(driven: Driven, bench: Bench) -> None:
    type_in(driven, GAIN, "0.004")
    assert not bench.settings.is_staged(ONE, TWIN)


@pytest.mark.slow
def test_linking_uneven_axes_says_so_and_changes_nothing(driven: Driven, bench: Bench) -> None:
    type_in(driven, GAIN, "0.004")
    driven.page.bar.link.click()
    assert driven.messages[-1].startswith("Roll and pitch differ now")
    assert not bench.settings.is_staged(ONE, TWIN)


@pytest.mark.slow
def test_whole_banks(driven: Driven, bench: Bench) -> None:
    driven.page.bar.link.click()
    type_in(driven, GAIN, "0.004")
    driven.press("Copy to all banks")
    assert bench.settings.value(TWO, GAIN) == pytest.approx(0.004)
    assert bench.settings.value(THREE, TWIN) == pytest.approx(0.004)
    assert driven.messages[-1].startswith("Bank 1 was copied to Bank 2 and Bank 3")
    driven.page.bar.show_bank(TWO)
    driven.refresh()
    type_in(driven, GAIN, "0.005")
    driven.press("Swap with Bank 1")
    assert bench.settings.value(ONE, GAIN) == pytest.approx(0.005)
    driven.press("Back to what was on board at connection")
    assert not bench.settings.is_staged(TWO, GAIN)
    driven.press("Compare with Bank 1")
    compare = driven.page.compare
    assert compare.isVisible()
    assert [compare.rows.topLevelItem(i).text(0) for i in range(2)] == [GAIN, TWIN]
    compare.take.click()
    assert bench.settings.value(TWO, GAIN) == pytest.approx(0.005)
    assert compare.text.text() == "Bank 2 and Bank 1 are the same."


@pytest.mark.slow
def test_reset_to_defaults(driven: Driven, bench: Bench) -> None:
    bench.put(ONE, "RollMax", 30)
    driven.refresh()
    driven.press("Reset to defaults")
    assert bench.settings.value(ONE, "RollMax") == 55
    bench.put(TWO, "RollMax", 31)
    driven.press("Reset all banks to defaults")
    assert bench.settings.value(TWO, "RollMax") == 55
    driven.press("All banks back to what was on board at connection")
    assert bench.settings.value(TWO, "RollMax") == 55
    assert driven.messages[-1].startswith("Bank 1 and Bank 2 and Bank 3 as at connection")


@pytest.mark.slow
def test_load_what_is_saved_is_sent_at_once(driven: Driven, bench: Bench) -> None:
    before = bench.on_board(ONE, "RollMax")
    bench.settings.stage(ONE, "RollMax", 30)
    bench.settings.apply("Angle", save=True)
    bench.finish()
    bench.settings.stage(ONE, "RollMax", 20)
    bench.settings.apply("Angle")
    bench.finish()
    driven.press("Load what is saved on board (sent at once)")
    bench.pass_time(2.0)
    driven.refresh()
    assert (before, bench.on_board(ONE, "RollMax")) == (55, 30)
    assert driven.messages[-1].startswith("Loaded")


@pytest.mark.slow
def test_which_position_uses_which_bank(driven: Driven, bench: Bench) -> None:
    bench.settings.stage(SHARED, "FlightModeMap.1", "Bank2")
    driven.refresh()
    assert driven.page.bar.tabs.tabText(1) == "Bank 2 (position 2)"
    bench.put("ManualControlCommand", "FlightModeSwitchPosition", 1)
    driven.refresh()
    assert switch_position(bench.settings) == 2
    assert bank_in_use(bench.settings) == ONE  # what is staged does not fly yet


@pytest.mark.slow
def test_the_curve_over_thrust_is_dragged(driven: Driven, bench: Bench) -> None:
    driven.page.show_setting(ONE, "ThrustPIDScaleCurve.50")
    driven.refresh()
    curve = next(c for c in driven.page.findChildren(SettingCurve) if c.isVisible())
    start = curve.editor.place_of(2).toPoint()
    QTest.mousePress(curve.editor, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(curve.editor, start + QPoint(0, -20))
    QTest.mouseRelease(curve.editor, Qt.MouseButton.LeftButton, pos=start + QPoint(0, -20))
    staged = bench.settings.value(ONE, "ThrustPIDScaleCurve.50")
    assert isinstance(staged, int)
    assert staged > 3
    assert not bench.settings.is_staged(ONE, "ThrustPIDScaleCurve.25")


@pytest.mark.slow
def test_the_curve_over_thrust_shows_where_the_aircraft_is(driven: Driven, bench: Bench) -> None:
    driven.page.show_setting(ONE, "ThrustPIDScaleCurve.50")
    bench.settings.stage(ONE, "ThrustPIDScaleSource", "ManualControlThrottle")
    bench.put("ManualControlCommand", "Throttle", 0.25)
    driven.refresh()
    (marker,) = driven.page.findChildren(ThrustMarker)
    assert marker.text() == "Now at 25\u202f% thrust: gains +15\u202f%."


@pytest.mark.slow
def test_every_field_is_on_the_page(driven: Driven, bench: Bench) -> None:
    page = driven.page
    for name in (*BANKS, SHARED, "AltitudeHoldSettings"):
        page.bar.show_bank(name)
        sections = [*page.shared.sections, *(s for v in page.views.values() for s in v.sections)]
        shown = {path for section in sections if section.name == name for path in section.paths()}
        if name == SHARED:
            shown.update(page.positions.editors)
        assert shown == set(bench.settings.values(name)), name


def test_a_log_is_read_only(qtbot: QtBot) -> None:
    driven = Driven(qtbot, replayed_vehicle(), ImmediateJobs())
    assert driven.page.notice.isVisible()
    assert "the log has no stabilization settings" in driven.page.notice.text()


@pytest.mark.slow
def test_in_a_log_all_shows_and_nothing_can_be_changed(qtbot: QtBot) -> None:
    recording = Recording("made up")
    for name in (*BANKS, SHARED):
        add(recording, 0.0, name)
    for step in range(201):
        add(recording, step / 10, "AttitudeState", Roll=float(step))
    commands = QuietCommands("Replaying a log: nothing is sent.")
    vehicle = Vehicle("flight.opl", recording, the_catalogue(), commands)
    vehicle.timeline.end_live()
    vehicle.timeline.advance(0.0, 0.0, 20.0)
    vehicle.timeline.seek(10.0)
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    driven = Driven(qtbot, vehicle, ImmediateJobs())
    driven.page.tuning_fold.set_open(True)
    driven.page.refresh(10.0)
    editor = driven.editor(GAIN).editor
    assert isinstance(editor, NumberEditor)
    assert not editor.isEnabled()
    assert editor.value() == pytest.approx(0.003)
    tuning = driven.page.tuning
    assert not any(x.isEnabled() for x in (tuning.instant, tuning.keep, tuning.back))
    assert len(tuning.rows["Roll"].chart.lines[1].x) > 90
    assert commands.changed == []
    driven.page.bar.fill_menu()
    allowed = [a.text() for a in driven.page.bar.menu.actions() if a.isEnabled() and a.text()]
    assert allowed == ["Compare with Bank 2", "Compare with Bank 3"]


@pytest.mark.slow
def test_a_board_of_another_family_shows_what_it_has(qtbot: QtBot) -> None:
    catalogue = the_catalogue()
    names = [d.name for d in small_board(catalogue).definitions.values() if d.name != ONE]
    old = [d for d in catalogue.release("dRonin-20180729") if d.name == SHARED]
    bench = Bench(catalogue, MemoryBoard([catalogue.find(name) for name in names] + old))
    bench.put(SHARED, "MaximumRate.Roll", 300)
    driven = Driven(qtbot, bench.vehicle, ImmediateJobs())
    type_in(driven, GAIN, "0.004")
    assert bench.settings.value(SHARED, GAIN) == pytest.approx(0.004)


@pytest.mark.slow
def test_banks_unfold_alike(driven: Driven) -> None:
    page = driven.page
    for section in page.views[ONE].sections:
        section.set_open(section.title.startswith("Thrust"))
    page.bar.show_bank(TWO)
    opened = [section.title for section in page.views[TWO].sections if section.is_open]
    assert opened == ["Thrust PID scaling (TPS)"]
    assert page.views[TWO].isVisible()
    assert not page.views[ONE].isVisible()
    assert not page.views[ONE].gains.isVisible()
