"""The panel of warnings: how rules stand, switching, editing, trying out, sharing them."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext, resolve
from plugins.testing import add, live_vehicle
from plugins.warnings import PLUGIN
from plugins.warnings.panel import WarningsPanel
from plugins.warnings.rule_text import premises_of, premises_text
from telemetry.base.finding import Level
from telemetry.base.text_formats import FormatError
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus
from telemetry.warnings.centre import begin_warnings
from telemetry.warnings.rule import Premise, RuleComparison, WarningOutput, WarningRule
from telemetry.warnings.rule_book import RuleBook
from telemetry.warnings.shipped_rules import shipped_rules
from tests.immediate import ImmediateJobs
from tests.telemetry.warnings.test_centre import FakeSpeaker
from widgets.theme import load_theme


class RuleDesk:
    """The panel on a live aircraft that is armed and 130 m high."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.recording, self.fleet, self.now = Recording(), Fleet(), 0.0
        self.vehicle = live_vehicle("quad", self.recording)
        self.fleet.add(self.vehicle)
        add(self.recording, 0.0, "FlightStatus", Armed="Armed")
        self.speaker, self.told = FakeSpeaker(), list[str]()
        self.path = folder / "warnings.json"
        self.centre = begin_warnings(self.fleet, RuleBook(self.path), self.speaker)
        context = PanelContext(self.fleet, load_theme("light"), ImmediateJobs())
        context.show_message = self.told.append
        self.panel = WarningsPanel(context)
        qtbot.addWidget(self.panel)
        self.climb(130.0, 0.0)
        self.centre.poll()
        self.climb(130.0, 2.0)

    def climb(self, height_m: float, t: float) -> None:
        add(self.recording, t, "PositionState", Down=-height_m)
        self.panel.refresh(t)

    def line(self, rule_id: str) -> tuple[str, str, str]:
        (row,) = [row for row in self.panel.table.rules.rows if row.rule.id == rule_id]
        return row.now, row.value, row.last

    def rule(self, rule_id: str) -> WarningRule:
        return next(rule for rule in self.centre.book.rules if rule.id == rule_id)


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> RuleDesk:
    return RuleDesk(qtbot, tmp_path)


def test_each_rule_says_how_it_stands_and_its_value(desk: RuleDesk) -> None:
    assert len(desk.panel.table.rules.rows) == len(shipped_rules())
    assert desk.line("height-high") == ("Begins", "130 m", "")
    assert desk.line("arming") == ("Fine", "Armed", "")
    assert desk.line("gps-lost") == ("No data", "–", "")


def test_a_rule_that_the_firmware_can_never_feed_says_so(desk: RuleDesk) -> None:
    desk.vehicle.status = LinkStatus(LinkState.CONNECTED, release=DEFAULT_RELEASE)
    desk.climb(130.0, 3.0)
    model = desk.panel.table.rules
    assert desk.line("fence-radius-error")[0] == "Not told by firmware"
    assert desk.line("gps-lost")[0] == "No data", "it may yet tell that"
    (row,) = [n for n, one in enumerate(model.rows) if one.rule.id == "fence-radius-error"]
    tip = model.data(model.index(row, 1), Qt.ItemDataRole.ToolTipRole)
    assert "GeoFenceSettings" in tip


def test_a_rule_is_switched_off_and_on_by_its_box(desk: RuleDesk) -> None:
    model = desk.panel.table.rules
    (row,) = [n for n, one in enumerate(model.rows) if one.rule.id == "height-high"]
    off, role = Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole
    model.setData(model.index(row, 0), off.value, role)
    assert desk.line("height-high")[0] == "Off"
    assert not RuleBook(desk.path).rules[row].is_on, "it is kept"
    model.setData(model.index(row, 0), Qt.CheckState.Checked.value, role)
    assert RuleBook(desk.path).own == ()


def test_trying_out_says_it_with_the_values_of_now(desk: RuleDesk) -> None:
    desk.panel.table.choose("height-high")
    desk.panel.try_out()
    assert desk.speaker.said == ["130 metres above home, too high"]


def test_a_shipped_rule_is_edited_and_brought_back(desk: RuleDesk) -> None:
    desk.panel.table.choose("height-high")
    desk.panel.edit()
    form = desk.panel.form
    assert form.only_if.text() == "armed is Armed"
    form.than.setText("80")
    form.text.setText("Come down, {value}")
    form.level.setCurrentText("Error")
    form.outputs[WarningOutput.MARKER].setChecked(True)
    rule = form.rule
    assert rule is not None
    form.saved.emit(rule)
    changed = desk.rule("height-high")
    assert (changed.than, changed.text, changed.level) == (80.0, "Come down, {value}", Level.ERROR)
    assert WarningOutput.MARKER in changed.outputs
    assert changed.hysteresis == 5.0, "what was not touched stays"
    desk.panel.remove()
    assert desk.rule("height-high") in shipped_rules()


def test_a_rule_that_makes_no_sense_is_not_saved_and_says_why(desk: RuleDesk) -> None:
    desk.panel.add()
    form = desk.panel.form
    for line, wrong, reason in (
        (form.text, "Height {height", "a brace in its text has no counterpart"),
        (form.only_if, "armed", "'armed' is no condition; write: armed is Armed"),
        (form.than, "", "needs a number"),
    ):
        before = line.text()
        line.setText(wrong)
        assert form.rule is None
        assert reason in form.problem.text()
        line.setText(before)
    assert form.rule is not None
    assert form.problem.text() == ""


def test_a_rule_of_ones_own_is_watched_at_once_and_deleted(desk: RuleDesk) -> None:
    desk.panel.add()
    form = desk.panel.form
    form.value.setText("PositionState.Down")
    form.comparison.setCurrentText("below")
    form.than.setText("-100")
    form.text.setText("High")
    rule = form.rule
    assert rule is not None
    form.saved.emit(rule)
    desk.centre.book.put(rule)
    assert RuleBook(desk.path).own == (rule,)
    desk.panel.remove()
    assert RuleBook(desk.path).own == ()


def test_rules_are_shared_as_a_file(desk: RuleDesk, tmp_path: Path) -> None:
    file = tmp_path / "shared.json"
    desk.panel.export_to(file)
    assert desk.told[-1] == f"{len(shipped_rules())} rules written to shared.json."
    text = file.read_text(encoding="utf-8").replace('"Too high"', '"Far too high"')
    file.write_text(text, encoding="utf-8")
    desk.panel.import_from(file)
    assert desk.rule("height-high").title == "Far too high"
    file.write_text("{}", encoding="utf-8")
    desk.panel.import_from(file)
    assert desk.told[-1] == "shared.json was not imported: it has no list of rules."


def test_muting_here_and_in_the_toolbar_is_one(desk: RuleDesk) -> None:
    desk.panel.muted.click()
    assert desk.centre.is_muted
    desk.centre.mute(False)
    desk.panel.refresh(0.0)
    assert not desk.panel.muted.isChecked()
    context = PanelContext(desk.fleet, load_theme("light"), ImmediateJobs())
    resolve(PLUGIN.actions[0].run)(context)
    assert desk.centre.is_muted, "from the command palette, too"
    desk.panel.replay.click()
    assert desk.centre.watches_replay


def test_premises_are_typed_as_words() -> None:
    premises = (
        Premise("armed", RuleComparison.IS_NOT, "Armed"),
        Premise("height_m", RuleComparison.BELOW, 10.0),
    )
    assert premises_text(premises) == "armed is not Armed; height_m below 10"
    assert premises_of("armed is not Armed; height_m below 10,5;") == [
        ["armed", "is not", "Armed"],
        ["height_m", "below", 10.5],
    ]
    with pytest.raises(FormatError, match="'height_m' is no condition"):
        premises_of("height_m")
