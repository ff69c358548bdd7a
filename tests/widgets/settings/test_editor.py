"""One setting in a form: what it shows, what it says, and what an edit costs."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip
from pytestqt.qtbot import QtBot

from benchmarks.bench_walks import MOST_CALLS
from benchmarks.walks import spin_box_to_draft
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.telemetry.configuration.settings.bench import Bench
from widgets.forms.editors import NumberEditor
from widgets.settings.editor import SettingEditor

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


def make(qtbot: QtBot, bench: Bench, path: str) -> SettingEditor:
    shown = SettingEditor(bench.settings, BANK, path)
    qtbot.addWidget(shown)
    shown.show()
    return shown


def mark_of(shown: SettingEditor) -> tuple[str, str]:
    for label in shown.findChildren(QLabel):
        if label.text() == "●":
            return label.text(), label.property("tone")
    return "", ""


@pytest.mark.slow
def test_an_edit_costs_few_calls(qtbot: QtBot) -> None:
    walk = spin_box_to_draft()
    assert 10 < walk.calls <= MOST_CALLS


@pytest.mark.slow
def test_the_mark_says_unsent_and_unusual_at_once(qtbot: QtBot, bench: Bench) -> None:
    shown = make(qtbot, bench, "RollMax")
    assert mark_of(shown)[0] == ""
    shown.stage(40)
    assert mark_of(shown) == ("●", "selected")
    shown.stage(190)
    assert mark_of(shown) == ("●", "caution")
    shown.stage(55)
    assert mark_of(shown)[0] == ""


def test_the_tip_is_made_when_it_is_asked_for(qtbot: QtBot, bench: Bench) -> None:
    shown = make(qtbot, bench, "RollMax")
    editor = shown.editor
    assert isinstance(editor, NumberEditor)
    for value, words in (
        (40, "Not sent. On board: 55"),
        (190, "Unusual: more than 180:"),
    ):
        shown.stage(value)
        at = QPoint(4, 4)
        QApplication.sendEvent(editor, QHelpEvent(QHelpEvent.Type.ToolTip, at, at))
        assert words in QToolTip.text()
        assert words in editor.toolTip()


def test_what_another_editor_stages_or_the_board_says_is_shown(qtbot: QtBot, bench: Bench) -> None:
    shown, other = make(qtbot, bench, "RollMax"), make(qtbot, bench, "RollMax")
    assert isinstance(shown.editor, NumberEditor)
    other.stage(40)
    shown.refresh()
    assert shown.editor.value() == 40
    bench.settings.draft.clear()
    bench.put(BANK, "RollMax", 33)
    shown.refresh()
    assert shown.editor.value() == 33


def test_what_is_refused_is_said_and_not_shown(qtbot: QtBot, bench: Bench) -> None:
    shown = make(qtbot, bench, "RollMax")
    assert isinstance(shown.editor, NumberEditor)
    shown.stage(300)
    assert "RollMax takes 0 to 255, not 300" in shown.tip()
    assert shown.editor.value() == 55
    shown.stage(40)
    assert "not 300" not in shown.tip()


def test_a_fixed_width_grows_and_shrinks_with_the_text(qtbot: QtBot, bench: Bench) -> None:
    shown = make(qtbot, bench, GAIN)
    shown.fix_width(100)
    font = shown.font()
    for text_px, width_px in ((14, 100), (21, 150), (14, 100)):
        font.setPixelSize(text_px)
        shown.setFont(font)
        assert shown.width() == width_px
