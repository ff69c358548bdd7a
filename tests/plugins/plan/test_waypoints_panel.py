"""The table and the form: both change the same plan, with the same undo as the map."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QItemSelectionModel, Qt
from pytestqt.qtbot import QtBot

from plugins.plan.checks_panel import ChecksPanel
from plugins.plan.profile_panel import ProfilePanel
from plugins.plan.waypoints_panel import WaypointsPanel
from plugins.testing import live_vehicle
from telemetry.missions.files.formats import read_mission
from telemetry.missions.mission import LegAction, Mission
from telemetry.missions.steps import LandStep, ReturnStep, TakeOffStep
from telemetry.missions.waypoint_options import COMMANDS, END_CONDITIONS, MODES
from telemetry.recording.recording import Recording
from tests.plugins.plan.shared_plan_bench import THEME, PlanBench, mission_file, places
from tests.telemetry.missions.made import square

_WHAT, _HEIGHT, _SPEED = 1, 2, 3
CARD_PX = (384, 542)
"""What a card of 386 x 566 leaves it: that of the workspace in a window of 1366x768."""
NEVER = LegAction("GoToEndpoint", end_condition="TimeOut", condition_parameters=(60.0, 0, 0, 0))
STEPS = {"take_off": TakeOffStep(4.0), "ending": ReturnStep(15.0)}


def long_plan() -> Mission:
    """Eight waypoints between take-off and return."""
    return replace(square().with_waypoints(square().waypoints * 2), **STEPS)


@pytest.fixture
def panel(bench: PlanBench) -> WaypointsPanel:
    bench.draft.open("Open", square())
    panel = bench.open(WaypointsPanel, CARD_PX)
    assert isinstance(panel, WaypointsPanel)
    return panel


def test_a_height_is_typed_into_the_table(bench: PlanBench, panel: WaypointsPanel) -> None:
    rows = panel.table.rows
    assert rows.setData(rows.index(1, _HEIGHT), "42,5")
    assert bench.draft.mission.waypoints[1].height_m == 42.5
    assert not rows.setData(rows.index(1, _HEIGHT), "high")
    assert bench.draft.undo() == "height of waypoint 2"


def test_what_is_chosen_in_the_table_is_chosen_on_the_map(
    bench: PlanBench, panel: WaypointsPanel, qtbot: QtBot
) -> None:
    panel.table.selectRow(2)
    assert bench.draft.selected == (2,)
    bench.draft.select([0])
    bench.tick()
    chosen = [index.row() for index in panel.table.selectionModel().selectedRows()]
    assert chosen == [0]
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert len(bench.draft.mission.waypoints) == 3
    qtbot.keyClick(panel.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bench.draft.mission == square()


def test_the_form_changes_all_that_are_chosen(bench: PlanBench, panel: WaypointsPanel) -> None:
    bench.draft.select([0, 2])
    bench.tick()
    panel.form.speed_box.setValue(7.5)
    speeds = [w.velocity_mps for w in bench.draft.mission.waypoints]
    others = [square().waypoints[i].velocity_mps for i in (1, 3)]
    assert speeds == [7.5, others[0], 7.5, others[1]]
    panel.form.latitude.setValue(48.9)
    assert [w.latitude_deg == 48.9 for w in bench.draft.mission.waypoints].count(True) == 1


def test_every_mode_condition_and_command_can_be_chosen(
    bench: PlanBench, panel: WaypointsPanel
) -> None:
    form = panel.form
    for combo, names, member in (
        (form.mode, [mode.name for mode in MODES], "mode"),
        (form.condition, [one.name for one in END_CONDITIONS], "end_condition"),
        (form.command, [one.name for one in COMMANDS], "command"),
    ):
        assert [combo.itemData(i) for i in range(combo.count())] == names
        for i, name in enumerate(names):
            combo.setCurrentIndex(i)
            combo.activated.emit(i)
            assert getattr(bench.draft.mission.waypoints[0].action, member) == name


def test_parameters_have_their_words_units_and_limits(
    bench: PlanBench, panel: WaypointsPanel
) -> None:
    tilted = LegAction("FixedAttitude", (10.0, 0.0, 0.0, 0.4), "TimeOut", (5.0, 0.0, 0.0, 0.0))
    made = square()
    bench.draft.open("Open", made.with_waypoint(0, replace(made.waypoints[0], action=tilted)))
    bench.tick()
    roll = panel.form.mode_parameters.boxes[0]
    assert (roll.value(), roll.suffix().strip(), roll.maximum()) == (10.0, "deg", 90.0)
    roll.setValue(-20.0)
    action = bench.draft.mission.waypoints[0].action
    assert action.mode_parameters == (-20.0, 0.0, 0.0, 0.4)
    panel.form.condition_parameter.boxes[0].setValue(9.0)
    assert bench.draft.mission.waypoints[0].action.condition_parameters[0] == 9.0


def test_a_jump_is_chosen_by_number(bench: PlanBench, panel: WaypointsPanel) -> None:
    form = panel.form
    assert form.jump.isHidden()
    form.command.setCurrentIndex(2)
    form.command.activated.emit(2)
    assert not form.jump.isHidden()
    form.jump.setCurrentIndex(4)
    form.jump.activated.emit(4)
    assert bench.draft.mission.waypoints[0].action.jump_destination == 3


def test_undo_works_from_within_a_number(
    bench: PlanBench, panel: WaypointsPanel, qtbot: QtBot
) -> None:
    box = panel.form.height_box
    box.setFocus()
    box.setValue(55.0)
    qtbot.keyClick(box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bench.draft.mission == square()


def test_files_are_saved_opened_and_refused_with_the_reason(
    bench: PlanBench, panel: WaypointsPanel, tmp_path: Path
) -> None:
    path = tmp_path / "square.mission"
    panel.files.save_as(path)
    bench.tick()
    assert not bench.draft.is_unsaved
    assert read_mission(path).waypoints == square().waypoints
    bench.draft.open("New mission", square(up=10.0))
    panel.files.open(mission_file(tmp_path, "{", "bad.mission"))
    bench.tick()
    assert "bad.mission" in bench.said[-1]
    assert bench.draft.mission == square(up=10.0), "a bad file changes nothing"
    panel.files.open(path)
    bench.tick()
    assert (bench.draft.path, bench.draft.is_unsaved) == (path, False)


def test_nothing_connected_and_no_plan_say_what_to_do(bench: PlanBench) -> None:
    panel = bench.open(WaypointsPanel)
    assert panel.board.status.text() == "Add waypoints to send them."
    bench.draft.edit("Draw", square())
    bench.tick()
    assert panel.board.status.text() == "No aircraft is connected."
    assert not panel.board.upload.isEnabled()


def test_the_focus_of_a_button_that_is_switched_off_goes_to_the_table(
    bench: PlanBench, panel: WaypointsPanel
) -> None:
    panel.board.fly.setFocus()
    bench.tick()
    assert panel.window().focusWidget() is panel.board.fly, "it can be pressed again"
    bench.draft.open("New", Mission())
    bench.tick()
    assert not panel.board.fly.isEnabled()
    assert panel.window().focusWidget() is panel.table, "Space presses no other button"


def test_a_check_leads_to_its_waypoint(bench: PlanBench) -> None:
    checks = bench.open(ChecksPanel)
    assert "Add waypoints" in checks.list.item(0).text()
    made = square()
    bench.draft.open("Open", made.with_waypoint(2, replace(made.waypoints[2], action=NEVER)))
    bench.tick()
    item = checks.list.item(0)
    assert item.text().startswith("Waypoint 3: 60 s never pass")
    looks = bench.plan.looks
    checks.list.itemClicked.emit(item)
    assert (bench.draft.selected, bench.plan.looks) == ((2,), looks + 1)
    checks.limits["highest_m"].setValue(20.0)
    bench.tick()
    texts = [checks.list.item(i).text() for i in range(checks.list.count())]
    assert any("20 m are allowed" in text for text in texts)


def test_a_plan_is_judged_beside_the_window_and_only_what_is_judged_is_sent(
    bench: PlanBench, panel: WaypointsPanel
) -> None:
    checks = bench.open(ChecksPanel)
    bench.jobs.is_held = True
    for height_m in (400.0, 500.0):
        high = replace(bench.draft.mission.waypoints[0], height_m=height_m)
        bench.draft.edit("Higher", bench.draft.mission.with_waypoint(0, high))
        bench.tick()
    assert not bench.plan.is_assessed
    assert not _says(checks, "m above home")
    bench.jobs.release()
    bench.tick()
    assert not bench.plan.is_assessed, "that was the plan before the second edit"
    bench.jobs.release()
    bench.tick()
    assert bench.plan.is_assessed
    assert _says(checks, "500 m above home")


def _says(checks: ChecksPanel, words: str) -> bool:
    return any(words in checks.list.item(row).text() for row in range(checks.list.count()))


def test_the_profile_follows_the_plan(bench: PlanBench) -> None:
    profile = bench.open(ProfilePanel)
    assert profile.chart.lines == ()
    bench.draft.open("Open", square(up=30.0))
    bench.tick()
    plan = profile.chart.lines[-1]
    assert (plan.name, plan.y.max()) == ("Plan", 30.0)
    assert "flat" in profile.note.text()


def test_rows_are_chosen_beside_others(bench: PlanBench, panel: WaypointsPanel) -> None:
    model = panel.table.selectionModel()
    for row in (1, 3):
        index = panel.table.rows.index(row, 0)
        flags = QItemSelectionModel.SelectionFlag
        model.select(index, flags.Select | flags.Rows)
    assert sorted(bench.draft.selected) == [0, 1, 3]


def shown_rows(panel: WaypointsPanel) -> int:
    """How many rows can be seen whole."""
    table, rows = panel.table, panel.table.rows
    area = table.viewport().rect()
    indices = [rows.index(row, _WHAT) for row in range(rows.rowCount())]
    return sum(area.contains(table.visualRect(index)) for index in indices)


def test_eight_waypoints_show_between_take_off_and_return_on_an_old_laptop(
    bench: PlanBench, panel: WaypointsPanel
) -> None:
    bench.draft.open("Open", long_plan())
    bench.tick()
    assert shown_rows(panel) == 10
    panel.resize(CARD_PX[0], CARD_PX[1] - 80)
    assert shown_rows(panel) < 10, "what does not show is not counted"


def test_nothing_that_is_said_moves_a_control(bench: PlanBench, panel: WaypointsPanel) -> None:
    bench.draft.open("Open", long_plan())
    bench.draft.select([2])
    bench.tick()
    before, counted = places(panel), panel.count.text()
    said = [panel.check.text(), panel.board.status.text()]
    bad = bench.draft.mission.waypoints[2]
    bench.draft.edit("Bad", bench.draft.mission.with_waypoint(2, replace(bad, action=NEVER)))
    bench.tick()
    bench.fleet.add(live_vehicle(recording=Recording()))
    bench.tick()
    assert [panel.check.text(), panel.board.status.text()] != said
    assert "never pass" in panel.check.text()
    assert panel.count.text() != counted
    assert places(panel) == before
    panel.check.keep_lines(5, THEME)
    QCoreApplication.processEvents()
    assert places(panel) != before, "a place that grows would move them"


def test_a_count_unfolds_the_checks_and_leads_to_the_waypoint(
    bench: PlanBench, panel: WaypointsPanel
) -> None:
    made = square()
    bench.draft.open("Open", made.with_waypoint(2, replace(made.waypoints[2], action=NEVER)))
    bench.tick()
    panel.count.click()
    assert panel.count.popup.isVisible()
    panel.checks.itemClicked.emit(panel.checks.item(0))
    assert bench.draft.selected == (2,)


def choose_row(panel: WaypointsPanel, row: int) -> None:
    """As a click does, whatever keys were held before."""
    flags = QItemSelectionModel.SelectionFlag
    index = panel.table.rows.index(row, _WHAT)
    panel.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)


def test_take_off_and_ending_are_rows_that_are_changed_below(
    bench: PlanBench, panel: WaypointsPanel, qtbot: QtBot
) -> None:
    bench.draft.open("Open", long_plan())
    bench.tick()
    rows, form = panel.table.rows, panel.step_form
    needs_link = rows.index(0, _SPEED)
    assert rows.data(needs_link) == "needs the link"
    assert rows.data(needs_link, Qt.ItemDataRole.ForegroundRole) == THEME.color("muted")
    tip = rows.data(needs_link, Qt.ItemDataRole.ToolTipRole)
    assert "Without the link the aircraft stays on the ground" in tip
    choose_row(panel, 0)
    bench.tick()
    assert bench.draft.selected == ()
    assert form.isVisible()
    assert "Without the link the aircraft stays on the ground" in form.told.text()
    form.height_box.setValue(6.0)
    assert bench.draft.mission.take_off == TakeOffStep(6.0)
    choose_row(panel, rows.rowCount() - 1)
    bench.tick()
    assert "stays armed" in form.told.text()
    form.kind.setCurrentIndex(1)
    form.kind.activated.emit(1)
    assert bench.draft.mission.ending == LandStep()
    qtbot.keyClick(panel.table, Qt.Key.Key_Delete)
    assert bench.draft.mission.ending is None
    assert len(bench.draft.mission.waypoints) == 8
    bench.draft.undo()
    bench.draft.undo()
    bench.draft.undo()
    assert bench.draft.mission == long_plan()


def test_the_menu_says_what_the_plan_is_called_and_has_it_begin_and_end(
    bench: PlanBench, panel: WaypointsPanel
) -> None:
    menu = panel.more.menu()
    menu.aboutToShow.emit()
    entries = {action.text(): action for action in menu.actions()}
    assert "New mission, not saved" in entries
    steps = {action.text(): action for action in entries["Begin and end"].menu().actions()}
    steps["Take off first"].trigger()
    steps["Land at the last waypoint"].trigger()
    assert bench.draft.mission.take_off == TakeOffStep()
    assert bench.draft.mission.ending == LandStep()
    steps["Stay at the last waypoint"].trigger()
    assert bench.draft.mission.ending is None
    bench.draft.undo()
    menu.aboutToShow.emit()
    redo = next(action for action in menu.actions() if action.text() == "Redo: Stay")
    redo.trigger()
    assert bench.draft.mission.ending is None
