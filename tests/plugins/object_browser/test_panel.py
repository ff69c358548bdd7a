"""The object browser as a user drives it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from plugins.object_browser.panel import NO_OBJECTS, NOTHING_FOUND
from plugins.object_browser.rows import AGE, DEFAULT, NAME, UNIT, VALUE
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import UpdateMode
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.plugins.object_browser.driving import BANK, Browser
from tests.plugins.object_browser.fakes import (
    FakeCommands,
    make_context,
    make_recording,
    record,
)
from widgets.forms.editors import NumberEditor
from widgets.theme import hand_theme, load_theme


def test_every_column_of_a_setting(browser: Browser) -> None:
    key = f"{BANK}.RollMax"
    assert browser.text(key, NAME) == "RollMax"
    assert browser.text(key) == "30"
    assert browser.text(key, UNIT) == "degrees"
    assert browser.text(key, DEFAULT) == "≠ 55"
    assert browser.text(BANK, AGE) == "10\N{NARROW NO-BREAK SPACE}s"
    assert browser.text(f"{BANK}.PitchMax", DEFAULT) == "55"
    assert browser.text(f"{BANK}.RollRatePID.Kp") == "0.003"
    assert browser.text("SystemSettings.VehicleName") == "Lapwing"
    assert browser.text("Waypoint[2].Velocity") == "2.0000"
    assert browser.text("Waypoint") == "3 instances"


def test_only_settings_that_differ_from_the_default_are_listed(
    browser: Browser, catalogue: Catalogue
) -> None:
    browser.panel.bar.not_default.setChecked(True)
    browser.refresh()
    assert browser.has(f"{BANK}.RollMax")
    assert not browser.has(f"{BANK}.PitchMax")
    assert not browser.has("AttitudeState")
    browser.panel.bar.search.setText("PitchMax")
    browser.refresh()
    assert browser.panel.empty.text() == NOTHING_FOUND
    browser.panel.bar.search.clear()
    definition = catalogue.find(BANK)
    recording = browser.context.vehicle.recording if browser.context.vehicle else None
    assert recording is not None
    recording.append(20.0, definition, 0, pack_values(definition, {"PitchMax": 20}))
    browser.refresh(20.0)  # another value at the cursor is another list
    assert browser.has(f"{BANK}.PitchMax")
    assert not browser.has(f"{BANK}.RollMax")
    browser.refresh(10.0)
    assert browser.has(f"{BANK}.RollMax")


def test_a_tool_tip_explains_a_setting_in_short_lines(browser: Browser) -> None:
    index = browser.model.index_of(browser.node(f"{BANK}.RollMax"), NAME)
    tip = browser.model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert "full stick" in tip
    assert max(map(len, tip.splitlines())) < 70


def test_values_follow_the_cursor_both_ways(browser: Browser) -> None:
    for t, roll in ((10.0, "10.0000"), (3.5, "3.0000"), (7.0, "7.0000"), (0.0, "0.0000")):
        browser.refresh(t)
        assert browser.text("AttitudeState.Roll") == roll
    assert browser.text("Waypoint[1]") == "Not received"
    assert browser.text("Waypoint[1]", AGE) == "—"


def test_only_what_changed_glows_and_fades(browser: Browser) -> None:
    browser.node("AttitudeState.Roll")
    browser.refresh(9.0)
    browser.clock.now_s += 1.0
    browser.refresh(10.0)
    scene = browser.model.scene
    assert browser.node("AttitudeState.Roll").glow(scene) == 1.0
    assert browser.node("AttitudeState.Pitch").glow(scene) == 0.0
    browser.clock.now_s += 0.4
    browser.refresh()
    assert browser.node("AttitudeState.Roll").glow(scene) == pytest.approx(0.5)
    browser.clock.now_s += 0.5
    browser.refresh()
    assert browser.node("AttitudeState.Roll").glow(scene) == 0.0


def test_a_seek_does_not_glow(browser: Browser) -> None:
    browser.node("AttitudeState.Roll")
    browser.refresh(2.0)
    assert browser.node("AttitudeState.Roll").glow(browser.model.scene) == 0.0


def test_rows_are_repainted_only_when_they_change(browser: Browser) -> None:
    browser.panel.tree.set_open_keys({"*settings", "*data", "AttitudeState"})
    browser.refresh(9.0)
    browser.clock.now_s += 2.0
    browser.refresh(9.0)
    browser.panel.tree.repaint_changed()
    assert browser.panel.tree.repaint_changed() == 0
    record(browser.context.vehicle.recording, 11.0, "AttitudeState", Roll=99)  # type: ignore[union-attr]
    browser.model.scene.t = 9.0
    assert browser.panel.tree.repaint_changed() == 0


def test_search_finds_names_fields_units_and_elements(browser: Browser) -> None:
    def search(text: str) -> None:
        browser.panel.bar.search.setText(text)
        browser.refresh()

    search("attitudestate")
    assert browser.has("AttitudeState.q1")
    assert not browser.has(BANK)
    search("rollmax")
    assert browser.has(f"{BANK}.RollMax")
    assert not browser.has(f"{BANK}.PitchMax")
    index = browser.model.index_of(browser.node(BANK))
    assert browser.panel.tree.isExpanded(index)
    search("degrees/sec")
    assert browser.has(f"{BANK}.ManualRate")
    search("bank1 ilimit")
    assert browser.has(f"{BANK}.RollRatePID.ILimit")
    search("no such thing")
    assert browser.panel.empty.isVisible()
    assert browser.panel.empty.text() == NOTHING_FOUND
    search("")
    assert browser.has(f"{BANK}.PitchMax")
    assert not browser.panel.tree.isExpanded(browser.model.index_of(browser.node(BANK)))


def test_nothing_is_sent_before_send(browser: Browser) -> None:
    browser.select(f"{BANK}.RollMax")
    browser.edit(f"{BANK}.RollMax", 42)
    assert browser.text(f"{BANK}.RollMax") == "42"
    assert browser.text(BANK) == "1 change not sent"
    assert browser.commands.asked == []
    browser.press("send")
    assert browser.text(BANK) == "Sending…"
    assert not browser.panel.detail.buttons["request"].isEnabled()
    browser.answer("done")
    assert browser.commands.written == [("send", BANK, {"RollMax": 42}, 0)]
    assert browser.text(BANK) == "Applied"
    assert browser.panel.detail.outcome.text() == "Applied and read back. Not saved on board yet."
    assert browser.text(f"{BANK}.RollMax") == "42"


def test_what_the_board_does_not_take_over_is_found_out(browser: Browser) -> None:
    browser.commands.is_deaf = True
    browser.select(BANK)
    browser.edit(f"{BANK}.RollMax", 42)
    browser.press("send")
    for _ in range(4):  # it is tried again
        browser.answer("done", "Applied.")
    assert "reading it back gives other values" in browser.panel.detail.outcome.text()
    assert browser.text(BANK) == "1 change not sent"
    browser.press("revert")
    assert browser.text(f"{BANK}.RollMax") == "30"  # what the recording says, no guess


def test_a_refusal_is_said_and_the_draft_stays(browser: Browser) -> None:
    browser.select(BANK)
    browser.edit(f"{BANK}.RollMax", 42)
    browser.press("send")
    browser.answer("failed", "Not applied: refused by the board (NACK).")
    assert browser.panel.detail.outcome.text() == "Not applied: refused by the board (NACK)."
    assert browser.text(f"{BANK}.RollMax") == "42"
    assert browser.panel.detail.buttons["send"].isEnabled()
    browser.press("revert")
    assert browser.text(f"{BANK}.RollMax") == "30"
    assert browser.state(BANK) == ""


def test_a_draft_equal_to_the_board_is_none(browser: Browser) -> None:
    browser.edit(f"{BANK}.RollMax", 42)
    browser.edit(f"{BANK}.RollMax", 30)
    assert browser.state(BANK) == ""
    browser.edit(f"{BANK}.RollMax", 44)
    recording = browser.context.vehicle.recording  # type: ignore[union-attr]
    record(recording, 11.0, BANK, RollMax=44)
    browser.refresh(11.0)
    assert browser.state(BANK) == ""
    assert browser.text(f"{BANK}.RollMax") == "44"


@pytest.mark.slow
def test_saving_sends_changes_first_and_loading_reads_back(browser: Browser) -> None:
    browser.select(f"{BANK}.RollRatePID.Kp")
    browser.edit(f"{BANK}.RollRatePID.Kp", 0.004)
    browser.press("save")
    browser.answer("done")
    assert browser.text(BANK) == "Saving on board…"
    browser.answer("done", "Saved: it is stored.")
    assert browser.text(BANK) == "Saved on board"
    browser.press("load")
    browser.answer("done")
    browser.answer("done")
    browser.press("erase")
    browser.answer("failed", "Not erased: the board refuses while armed.")
    assert [asked[:2] for asked in browser.commands.written] == [
        ("send", BANK),
        ("persist", "Save"),
        ("persist", "Load"),
        ("persist", "Delete"),
    ]
    assert browser.commands.asked[-2] == ("request", BANK, 0)
    assert "armed" in browser.text(BANK)


def test_an_instance_is_sent_by_its_number(browser: Browser) -> None:
    browser.select("Waypoint[2]")
    browser.edit("Waypoint[2].Position.North", 12.5)
    browser.press("send")
    assert browser.commands.asked == [("send", "Waypoint", {"Position.North": 12.5}, 2)]


def test_metadata_is_shown_on_demand_and_edited(browser: Browser) -> None:
    assert not browser.has("AttitudeState@meta")
    browser.panel.bar.metadata.setChecked(True)
    browser.refresh()
    assert browser.text("AttitudeState@meta.Flight sends") == "Periodic"
    assert browser.text(f"{BANK}@meta") == "Not received"
    browser.select("AttitudeState@meta")
    browser.edit("AttitudeState@meta.Flight period", 20)
    browser.press("send")
    kind, name, metadata = browser.commands.asked[0]
    assert (kind, name) == ("set_metadata", "AttitudeState")
    assert isinstance(metadata, Metadata)
    assert (metadata.flight.mode, metadata.flight.period_ms) == (UpdateMode.PERIODIC, 20)


def test_several_changed_objects_are_sent_together(browser: Browser) -> None:
    drawer = browser.panel.drawer
    assert drawer is not None
    assert drawer.isHidden()
    browser.edit(f"{BANK}.RollMax", 42)
    browser.edit("SystemSettings.AirframeType", "HexaX")
    assert drawer.isVisible()
    assert drawer.text.text() == "2 changes in 2 objects not sent."
    drawer.apply.click()
    browser.refresh()
    assert {asked[1] for asked in browser.commands.asked} == {BANK, "SystemSettings"}
    drawer.stop.click()
    drawer.discard.click()
    browser.refresh()
    assert browser.text(f"{BANK}.RollMax") == "30"


def test_a_value_that_does_not_fit_is_refused_with_the_reason(browser: Browser) -> None:
    with pytest.raises(ValueError, match="RollMax takes 0 to 255, not 300"):
        browser.model.draft(browser.node(f"{BANK}.RollMax"), 300)


def test_nothing_can_be_sent_in_replay(browser: Browser) -> None:
    browser.commands.reason = "Replaying a log: nothing is sent."
    browser.context.vehicle.status = LinkStatus(LinkState.REPLAY)
    browser.refresh()
    browser.select(f"{BANK}.RollMax")
    browser.refresh()
    index = browser.model.index_of(browser.node(f"{BANK}.RollMax"), VALUE)
    assert not browser.model.flags(index) & Qt.ItemFlag.ItemIsEditable
    assert not any(button.isEnabled() for button in browser.panel.detail.buttons.values())
    assert browser.panel.detail.outcome.text() == "Replaying a log: nothing is sent."


def test_typing_in_the_tree_opens_the_editor(browser: Browser, qtbot: QtBot) -> None:
    browser.panel.tree.set_open_keys({"*settings", BANK})
    browser.select(f"{BANK}.RollMax")
    browser.panel.tree.setFocus()
    qtbot.keyClick(browser.panel.tree, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: browser.panel.tree.is_editing)
    editor = QApplication.focusWidget()
    assert isinstance(editor, NumberEditor)
    assert editor.text() == "4"
    editor.selectAll()
    qtbot.keyClicks(editor, "45")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not browser.panel.tree.is_editing)
    browser.refresh()
    assert browser.text(f"{BANK}.RollMax") == "45"


def test_new_objects_and_instances_appear_without_closing_rows(browser: Browser) -> None:
    tree = browser.panel.tree
    tree.setExpanded(browser.model.index_of(browser.node("AttitudeState")), True)
    browser.select("AttitudeState.Roll")
    recording = browser.context.vehicle.recording  # type: ignore[union-attr]
    record(recording, 10.5, "AccelState")
    record(recording, 10.5, "Waypoint", 3)
    browser.refresh(10.5)
    assert browser.has("AccelState")
    assert browser.has("Waypoint[3]")
    assert tree.isExpanded(browser.model.index_of(browser.node("AttitudeState")))
    current = browser.model.node(tree.currentIndex())
    assert current is not None
    assert current.key == "AttitudeState.Roll"


def test_categories_and_the_rest_of_the_release(browser: Browser) -> None:
    browser.panel.bar.categories.setChecked(True)
    browser.refresh()
    assert browser.has("*settings/Control")
    browser.panel.bar.categories.setChecked(False)
    assert not browser.has("GPSTime")
    browser.panel.bar.absent.setChecked(True)
    browser.refresh()
    assert browser.text("GPSTime") == "Not received"
    assert sum(len(group.children) for group in browser.model.groups) == 122


def test_a_log_without_a_release_is_recognised_by_its_ids(qtbot: QtBot) -> None:
    context, _commands = make_context(make_recording())
    context.vehicle.status = LinkStatus(state=LinkState.REPLAY)
    browser = Browser(qtbot, context)
    for _ in range(3):  # list the objects, ask which release has them, look at the answer
        browser.refresh()
    assert "LibrePilot-next-2019-02" in _texts(browser.panel)


def test_the_detail_tells_what_a_field_is(browser: Browser) -> None:
    browser.select(f"{BANK}.RollRatePID.Kp")
    text = _texts(browser.panel.detail)
    assert f"{BANK}.RollRatePID.Kp" in text.replace("\N{ZERO WIDTH SPACE}", "")
    assert "0 to 0.01" in text
    browser.select("AttitudeState")
    browser.refresh()
    text = _texts(browser.panel.detail)
    assert "7421C7BA" in text
    assert "LibrePilot-next-2019-02" in text


def test_state_survives(browser: Browser, qtbot: QtBot) -> None:
    browser.panel.tree.setExpanded(browser.model.index_of(browser.node("Waypoint")), True)
    browser.panel.tree.setExpanded(browser.model.index_of(browser.node("Waypoint[1]")), True)
    browser.panel.bar.metadata.setChecked(True)
    browser.panel.tree.set_widths({str(NAME): 333})
    state = browser.panel.save_state()
    other = Browser(qtbot, make_recording())
    other.panel.restore_state(state)
    other.panel.restore_state({"open": 7, "widths": "x", "nonsense": None})
    other.refresh()
    assert other.panel.tree.isExpanded(other.model.index_of(other.node("Waypoint[1]")))
    assert other.panel.bar.metadata.isChecked()
    assert other.panel.tree.columnWidth(NAME) == 333
    assert other.panel.save_state() == state


def test_without_objects_it_says_what_to_do(qtbot: QtBot) -> None:
    waiting = Browser(qtbot, Recording())
    assert waiting.panel.empty.isVisible()
    assert waiting.panel.empty.text() == NO_OBJECTS


def test_drafts_belong_to_their_aircraft(browser: Browser, qtbot: QtBot) -> None:
    first = browser.context.vehicle
    browser.edit(f"{BANK}.RollMax", 42)
    other, _commands = make_context(make_recording())
    second = other.vehicle
    second.status = LinkStatus(release="OpenPilot-15.02")
    browser.context.fleet.add(second)
    browser.context.fleet.choose(second)
    browser.refresh()
    assert browser.text(f"{BANK}.RollMax") == "30"
    browser.context.fleet.choose(first)
    browser.refresh()
    assert browser.text(f"{BANK}.RollMax") == "42"


@pytest.mark.parametrize("name", ["light", "dark", "sunlight"])
def test_themes_and_narrow_windows(browser: Browser, name: str) -> None:
    hand_theme(browser.panel, load_theme(name, 1.5))
    browser.panel.resize(500, 400)
    browser.refresh()
    assert not browser.panel.grab().isNull()


def _texts(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_the_fake_answers_for_commands(browser: Browser) -> None:
    """The negative control of the replay test: without a refusal the buttons work."""
    assert isinstance(browser.commands, FakeCommands)
    browser.select(BANK)
    browser.refresh()
    assert browser.panel.detail.buttons["request"].isEnabled()
    browser.press("request")
    browser.answer("done", "Received.")
    assert browser.text(BANK) == "Received"
